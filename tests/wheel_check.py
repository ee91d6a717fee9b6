"""Install the built wheels into an empty environment and use them there, as somebody who has nothing else would.

    python tests/wheel_check.py dist/*.whl        (make wheel-check builds them first)

First identikit alone: whether every file of the package is in the wheel, whether what it asks to be installed is enough
to list the models, simulate and fit, and whether what another package brings is named with the line that installs it.
Then identikit-published beside it: whether its files are there, and whether identikit finds what it brings.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
import zipfile
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCES = {"identikit": ROOT / "src", "identikit_published": ROOT / "packages" / "published" / "src"}
SIMULATE = "simulate horizontal_pendulum --duration 20 --dt 0.01 --noise theta=0.002 --seed 1 -o swing.csv"
FIT = "fit swing.csv --model horizontal_pendulum --free zeta,k --json fit.json --plot fit.png"
VARIANT = "fit swing.csv --model horizontal_pendulum --free zeta --method neural_ode --option settings=report"
INSTALL = "pip install identikit-published"
ALONE = {  # what each has to print, and how it ends
    "--help": ("Exit codes", 0),
    "models": ("lotka_volterra", 0),
    "methods": ("galerkin", 0),
    "completion bash": ("complete -F", 0),
    SIMULATE: ("", 0),
    FIT: ("zeta", 0),
    "reproduce --list": (INSTALL, 2),
    VARIANT: (INSTALL, 2),
}
TOGETHER = {
    "--help": ("reproduce", 0),
    "methods neural_ode": ("one of segments, report", 0),
    "reproduce --list": ("pendulum-table-4", 0),
    "reproduce galerkin-figure-3": ("B-splines", 0),
}


def missing_files(wheel: Path, package: str = "identikit") -> list[str]:
    """Files of the package that the wheel lacks."""
    held, source = set(zipfile.ZipFile(wheel).namelist()), SOURCES[package]
    files = (path.relative_to(source) for path in source.rglob("*") if path.is_file())
    wanted = (path for path in files if "__pycache__" not in path.parts and path.parts[0] == package)
    return sorted(path.as_posix() for path in wanted if path.as_posix() not in held)


def fault(programs: Path, wheel: Path, commands: Mapping[str, tuple[str, int]]) -> str:
    """What is wrong with the commands once this wheel is installed too; empty = nothing."""
    install = [str(programs / "python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, str(wheel)], check=True)
    for words, (expected, code) in commands.items():
        done = subprocess.run(
            [str(programs / "identikit"), *words.split()],
            cwd=programs.parent,
            capture_output=True,
            text=True,
            check=False,
        )
        shown = done.stdout + done.stderr
        if done.returncode != code or expected not in shown:
            return f"identikit {words} ended with {done.returncode}:\n{shown}"
    return ""


def main() -> int:
    given = [Path(name).resolve() for name in sys.argv[1:]]
    wheels = {package: wheel for package in SOURCES for wheel in given if wheel.name.startswith(f"{package}-")}
    for package, wheel in wheels.items():
        if missing := missing_files(wheel, package):
            print(f"{wheel.name} lacks {', '.join(missing)}: name them under [tool.setuptools.package-data]")
            return 1
    with tempfile.TemporaryDirectory() as folder:
        empty = Path(folder) / "empty"
        venv.create(empty, with_pip=True)
        for package, commands in (("identikit", ALONE), ("identikit_published", TOGETHER)):
            if wrong := fault(empty / "bin", wheels[package], commands):
                print(wrong)
                return 1
        for made in ("swing.csv", "fit.json", "fit.png"):
            if not (empty / made).stat().st_size:
                print(f"{made} is empty")
                return 1
    print(f"{' and '.join(wheel.name for wheel in wheels.values())} install and work in an empty environment")
    return 0


if __name__ == "__main__":
    sys.exit(main())
