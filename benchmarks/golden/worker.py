"""One process: the cells and answers of one system, one after another, each kept when it is there.

python -m golden.worker FOLDER SYSTEM [NAME,NAME,...]
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from golden import front_doors
from golden.cells import LIMIT, WHOLE, answer, cells_of
from golden.outcomes import TOO_SLOW, Outcome, keep, kept
from golden.shown import loaded, shown_briefly, shown_wholly

PERTURBATION = float(os.environ.get("IDENTIKIT_TEST_PERTURB", "0"))


class TooSlow(BaseException):
    """LIMIT is reached. Not an Exception, so that no `except Exception` on the way swallows it."""


def _too_slow(*_: object) -> None:
    raise TooSlow


def perturb_starts() -> None:
    """Every simulated motion starts beside, as tests/conftest.py has it."""
    import identikit.simulation._simulate as module

    exact = module.initial_vector
    module.initial_vector = lambda *arguments: exact(*arguments) * (1 + PERTURBATION)  # type: ignore[assignment]


def outcome_of(name: str, work: Callable[[], dict[str, Any]]) -> Outcome:
    """What comes of some work, timed; what it raises is an outcome too."""
    begun = time.process_time()
    signal.signal(signal.SIGPROF, _too_slow)
    signal.setitimer(signal.ITIMER_PROF, LIMIT)
    try:
        with warnings.catch_warnings(record=True):
            parts, error = work(), ""
    except TooSlow:
        parts, error = {}, f"{TOO_SLOW}: more than {LIMIT} s"
    except Exception as problem:
        parts, error = {}, f"{type(problem).__name__}: {problem}"[:300]
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return Outcome(name, error=error, seconds=round(time.process_time() - begun, 2), **parts)


def _work(name: str) -> dict[str, Any]:
    """What a cell or a front door answers, before it is shown."""
    if name not in front_doors.names_of(name.split("/")[0]):
        return {"document": json.loads(answer(name, PERTURBATION).to_json())}
    if not front_doors.is_saved(name):
        return front_doors.viewed(name)
    made = front_doors.answered(name)
    items = [json.loads(item.to_json()) for item in (made if isinstance(made, list) else [made])]
    return {"document": items if isinstance(made, list) else items[0]}


def _seen(name: str, document: Any) -> dict[str, Any]:
    """What is seen of what was saved."""
    if name.startswith(f"{front_doors.PAGES}/"):
        return shown_wholly(loaded(document))
    return shown_briefly(loaded(document), front_doors.kinds_of(name))


def _status(outcome: Outcome) -> str:
    if outcome.error or not isinstance(outcome.document, dict):
        return outcome.error or "answered"
    return str(outcome.document.get("status", {}).get("code", "answered"))


def run(folder: Path, system: str, only: Sequence[str] = ()) -> None:
    """All of a system; `only` these cells or answers, if any are named."""
    answers = front_doors.names_of(system)
    cells = () if system == front_doors.PAGES else cells_of(system)
    for name in (*cells, *answers):
        if only and name not in only:
            continue
        outcome = kept(folder, name)
        if outcome is None:
            outcome = outcome_of(name, lambda name=name: _work(name))
            keep(folder, outcome)
            line = f"{name:42} {outcome.seconds:8.2f} s  {_status(outcome)[:80]}"
            print(f"{time.strftime('%H:%M:%S')} {line}", flush=True)
        if (name in answers or name in WHOLE) and outcome.document is not None and outcome.texts is None:
            document = outcome.document
            seen = outcome_of(name, lambda name=name, document=document: _seen(name, document))
            texts = {"not shown": seen.error} if seen.error else seen.texts  # the answer itself stands
            keep(folder, replace(outcome, texts=texts, panels=seen.panels, seconds=outcome.seconds + seen.seconds))


if __name__ == "__main__":
    os.environ["COLUMNS"] = "100"  # that what commands print does not hang on a terminal
    if PERTURBATION:
        perturb_starts()
    run(Path(sys.argv[1]), sys.argv[2], sys.argv[3].split(",") if len(sys.argv) > 3 else ())
