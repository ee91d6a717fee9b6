"""Ctrl-C, in a process of its own: on the command line the best so far, in Python the usual exception; never late."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from identikit.cli.main import main

LATE = 10.0  # seconds: two are promised; a loaded machine gets more
UNCACHED = {**os.environ, "IDENTIKIT_CACHE": ""}  # so that there is something to compile

HEARD = """
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs begin with it ignored
"""

AT_A_STAGE = (
    HEARD
    + """
import os, sys
import identikit as ik

plain, pressed = ik.fit, []

def fit(question, progress):
    def listener(event):
        if event.stage == "{stage}" and event.values and not pressed:
            pressed.append(True)
            os.kill(os.getpid(), signal.SIGINT)
        return progress(event)
    return plain(question, progress=listener)

sys.modules[ik.fit.__module__].fit = fit
from identikit.cli.main import main
sys.argv[1:] = {words}
sys.exit(main())
"""
)

WHILE_COMPILING = (
    HEARD
    + """
import os, sys, threading, time

def watch():
    while not any(thread.name == "identikit-background" for thread in threading.enumerate()):
        time.sleep(0.01)
    time.sleep(0.2)
    print("Ctrl-C at", time.time(), file=sys.stderr, flush=True)
    os.kill(os.getpid(), signal.SIGINT)

threading.Thread(target=watch, daemon=True).start()
"""
)

ON_THE_COMMAND_LINE = """
from identikit.cli.main import main
sys.argv[1:] = ["fit", {path!r}, "--model", "furuta", "--method", "shooting", "--json", {saved!r}]
sys.exit(main())
"""

IN_PYTHON = """
import identikit as ik
try:
    ik.fit({path!r}, "furuta", method="shooting")
except Exception:
    print("swallowed")
"""


@pytest.fixture(scope="module")
def furuta(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A record of a model that takes several seconds to compile."""
    path = tmp_path_factory.mktemp("furuta") / "swing.csv"
    assert main(["simulate", "furuta", "--seed", "1", "-o", str(path)]) == 0
    return path


def interrupted(program: str) -> tuple[subprocess.CompletedProcess[str], float]:
    """The process that was interrupted while it compiled, and how many seconds it took to end."""
    command = [sys.executable, "-c", WHILE_COMPILING + program]
    done = subprocess.run(command, capture_output=True, text=True, env=UNCACHED, timeout=120, check=False)
    taken = time.time() - float(done.stderr.split("Ctrl-C at")[1].split()[0])
    assert "Fatal" not in done.stderr and "terminate" not in done.stderr
    return done, taken


def test_the_command_line_shows_and_saves_the_best_so_far(furuta: Path, tmp_path: Path) -> None:
    saved = tmp_path / "fit.json"
    words = ["fit", str(furuta), "--model", "furuta", "--method", "shooting", "--json", str(saved)]
    program = AT_A_STAGE.format(stage="solving", words=words)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 130
    assert "stopped on request" in done.stdout
    assert "mu_" in done.stdout
    assert '"stopped_early"' in saved.read_text()
    assert "Traceback" not in done.stderr


def test_the_command_line_answers_while_it_compiles_and_leaves_what_was_saved_before(
    furuta: Path, tmp_path: Path
) -> None:
    saved = tmp_path / "fit.json"
    saved.write_text("an earlier fit")
    done, taken = interrupted(ON_THE_COMMAND_LINE.format(path=str(furuta), saved=str(saved)))
    assert saved.read_text() == "an earlier fit"
    assert done.returncode == 130
    assert taken < LATE
    assert "stopped on request, before there were any values" in done.stdout
    assert "Traceback" not in done.stderr


def test_python_gets_its_keyboard_interrupt_while_it_compiles(furuta: Path) -> None:
    done, taken = interrupted(IN_PYTHON.format(path=str(furuta)))
    assert done.returncode in (130, -signal.SIGINT)
    assert taken < LATE
    assert "swallowed" not in done.stdout
    assert done.stderr.rstrip().endswith("KeyboardInterrupt")
