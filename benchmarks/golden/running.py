"""Everything answered, in processes by system, so that kernels are shared, in one arithmetic."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import arithmetics
from golden import front_doors
from golden.cells import cells_of, systems

# the longest first, so that no process is left alone with one at the end
LONGEST = (
    "coupled_chua",
    "horizontal_pendulum",
    "driven_furuta",
    "furuta",
    "driven_double_pendulum",
    "double_pendulum",
)


def tasks() -> list[str]:
    """All systems, and what needs none, in the order in which they are begun."""
    every = (*systems(), front_doors.PAGES)
    return [*(name for name in LONGEST if name in every), *(name for name in every if name not in LONGEST)]


def names(task: str) -> tuple[str, ...]:
    """All cells and answers of one system."""
    cells = () if task == front_doors.PAGES else cells_of(task)
    return (*cells, *front_doors.names_of(task))


def answer_all(folder: Path, chosen: Sequence[str], arithmetic: str, jobs: int) -> None:
    """Run the workers, `jobs` at once; ends the program where one of them does not end well."""
    folder.mkdir(parents=True, exist_ok=True)
    store = folder.parent / f"kernels-{arithmetic}"
    environment = {
        **arithmetics.environment_of(arithmetic),
        arithmetics.STORE: str(store.resolve()),
        "OPENBLAS_NUM_THREADS": "1",
        "PYTHONPATH": os.pathsep.join(map(os.path.abspath, (Path(__file__).parents[1], *filter(None, sys.path)))),
    }
    subprocess.run([sys.executable, str(arithmetics.__file__), "--used"], env=environment, check=True)
    waiting, running = list(chosen), dict[str, subprocess.Popen[bytes]]()
    while waiting or running:
        while waiting and len(running) < jobs:
            task = waiting.pop(0)
            words = [sys.executable, "-m", "golden.worker", str(folder), task]
            running[task] = subprocess.Popen(words, env=environment)
        time.sleep(0.1)
        for task in [task for task, process in running.items() if process.poll() is not None]:
            code = running.pop(task).returncode
            if code:
                for process in running.values():
                    process.terminate()
                raise SystemExit(f"the process of {task} ended with {code}")
