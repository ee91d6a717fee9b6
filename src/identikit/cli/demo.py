"""`identikit demo`: a simulated noisy swing, every method on it, and a report of what comes out."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from identikit.atomic_write import atomic_write
from identikit.cli._arguments import seed_number
from identikit.cli._progress import INTERRUPTED, ProgressLine
from identikit.cli._terminal import one_line
from identikit.cli.compare import show_comparison
from identikit.cli.simulate import record_text
from identikit.errors import DataError

MODEL = "horizontal_pendulum"
TRUTH = {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025, "k": 20.0}  # viscous, dry and quadratic damping, stiffness
NOISE = {"theta": 0.002}  # rad
DEMO_SECONDS, DEMO_SPACING = 60.0, 0.01  # seconds: long enough to tell three dampings apart, short enough to wait for

_WORDS = """Simulates a swing of the horizontal pendulum with three kinds of damping, adds noise to it, lets every
method find the damping and the stiffness again, and writes record, comparison, picture and report into a folder."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _WORDS
    parser.add_argument("--folder", default="demo", metavar="DIR", help="where files are written (default: demo)")
    parser.add_argument("--seed", type=seed_number, default=1, metavar="N", help="of the noise (default: 1)")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")


def run(arguments: argparse.Namespace) -> int:
    """Simulate, compare, write, say where."""
    folder = Path(arguments.folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"--folder {folder}: the folder cannot be made ({error.strerror}): name another") from None
    import identikit

    swing, saved, picture, page = (
        folder / name for name in ("swing.csv", "comparison.json", "comparison.png", "report.html")
    )
    record = identikit.simulate(
        MODEL, duration=DEMO_SECONDS, dt=DEMO_SPACING, parameters=TRUTH, noise=NOISE, seed=arguments.seed
    )
    atomic_write(swing, record_text(record).encode())
    if not arguments.quiet:
        values = ", ".join(f"{name} = {value:g}" for name, value in TRUTH.items())
        print(f"A swing of {DEMO_SECONDS:g} s of the {MODEL} with {values}: {one_line(str(swing))}")
        print("Every method is asked for these values; this takes a minute or two.\n", flush=True)
    with ProgressLine(sys.stderr, arguments.quiet) as progress:
        comparison = identikit.compare(swing, MODEL, free=list(TRUTH), truth=TRUTH, progress=progress)
    comparison.save(saved)
    identikit.plot(comparison, picture)
    identikit.report(comparison, page)
    if not arguments.quiet:
        show_comparison(comparison)
        print(f"\nSaved: {', '.join(one_line(str(path)) for path in (saved, picture))}")
        print(f"The report, for a browser: {one_line(str(page))}")
    return INTERRUPTED if progress.interrupted else 0
