"""Install a built wheel into an empty environment and use it there, as somebody who has nothing else would.

    python tests/wheel_check.py dist/identikit-*.whl        (make wheel-check builds it first)

Whether every file of the package is in the wheel, whether what it asks to be installed is enough to list the models,
simulate and fit, and whether the page that pip shows is there.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"
SIMULATE = "simulate horizontal_pendulum --duration 20 --dt 0.01 --noise theta=0.002 --seed 1 -o swing.csv"
FIT = "fit swing.csv --model horizontal_pendulum --free zeta,k --json fit.json --plot fit.png"
COMMANDS = {  # what each has to print
    "--help": "Exit codes",
    "models": "lotka_volterra",
    "methods": "galerkin",
    "completion bash": "complete -F",
    SIMULATE: "",
    FIT: "zeta",
}


def missing_files(wheel: Path) -> list[str]:
    """Files of the package that the wheel lacks."""
    held = set(zipfile.ZipFile(wheel).namelist())
    files = (path.relative_to(SOURCE) for path in SOURCE.rglob("*") if path.is_file())
    wanted = (path for path in files if "__pycache__" not in path.parts and path.parts[0] == "identikit")
    return sorted(path.as_posix() for path in wanted if path.as_posix() not in held)


def main() -> int:
    wheel = Path(sys.argv[1]).resolve()
    if missing := missing_files(wheel):
        print(f"{wheel.name} lacks {', '.join(missing)}: name them under [tool.setuptools.package-data]")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        venv.create(Path(folder) / "empty", with_pip=True)
        programs = Path(folder) / "empty" / "bin"
        install = [str(programs / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, str(wheel)], check=True)
        for words, expected in COMMANDS.items():
            done = subprocess.run(
                [str(programs / "identikit"), *words.split()], cwd=folder, capture_output=True, text=True, check=False
            )
            if done.returncode or expected not in done.stdout:
                print(f"identikit {words} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
                return 1
        for made in ("swing.csv", "fit.json", "fit.png"):
            if not (Path(folder) / made).stat().st_size:
                print(f"{made} is empty")
                return 1
    print(f"{wheel.name} installs and works in an empty environment")
    return 0


if __name__ == "__main__":
    sys.exit(main())
