"""Run every cell and every front door, and compare with what is frozen, or freeze it.

    PYTHONPATH=benchmarks python -m golden                                     # make golden
    PYTHONPATH=benchmarks python -m golden --freeze --reason "..."             # make golden-freeze REASON="..."
    PYTHONPATH=benchmarks python -m golden --arithmetic nehalem --scatter      # how far another arithmetic is

A run goes on where an earlier one of the same source ended, unless `--fresh` is given.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from arithmetics import ARITHMETICS
from golden.cells import EXCLUDED, LIMIT
from golden.frozen import add_reason, forms_of, read_frozen, read_scatter, write_frozen, write_scatter
from golden.outcomes import TOO_SLOW, Outcome, kept
from golden.running import answer_all, names, tasks
from golden.scatter import of_the_same_record, scatter_between
from golden.verdict import Verdict, appeared_or_gone, form_differences, judged, summary

WORK = Path(__file__).parents[2] / "build" / "golden"
NATIVE = "native"


def outcomes(folder: Path, systems: Sequence[str]) -> dict[str, Outcome]:
    """What was answered, by name."""
    found = (kept(folder, name) for system in systems for name in names(system))
    return {item.name: item for item in found if item is not None}


def forms(answered: Mapping[str, Outcome]) -> dict[str, dict[str, Any]]:
    """All frozen forms of what was answered."""
    return {name: form for item in answered.values() for name, form in forms_of(item).items()}


def compared(new: Mapping[str, Any], systems: Sequence[str]) -> tuple[list[Verdict], list[str]]:
    """Verdicts on what is frozen and answered, and a line for all else."""
    old, scatter = read_frozen(), read_scatter()
    verdicts = [judged(name, old[name], new[name], scatter.get(name, {})) for name in sorted(old.keys() & new.keys())]
    expected = {name for name in old if name.split("/")[0] in systems}
    return verdicts, appeared_or_gone(old, new, expected)


def show(verdicts: Sequence[Verdict], lines: Sequence[str]) -> bool:
    """Print what differs; whether nothing does."""
    for item in verdicts:
        if item.counted:
            print(*item.lines(), sep="\n")
    print(*lines, sep="\n")
    scatter = read_scatter()
    unmeasured = {
        arithmetic: sum(arithmetic not in scatter.get(item.name, {}) for item in verdicts)
        for arithmetic in ARITHMETICS
        if arithmetic != NATIVE
    }
    print(*summary(list(verdicts), unmeasured), sep="\n")
    return not lines and not any(item.counted for item in verdicts)


def freeze(new: Mapping[str, Any], reason: str, systems: Sequence[str]) -> int:
    """Freeze what was answered, after printing old and new; returns the exit code."""
    slow = [name for name, form in new.items() if form.get("words", "").startswith(TOO_SLOW)]
    if slow:
        print(f"nothing is frozen: {', '.join(slow)} took more than {LIMIT} s, which is no answer: see EXCLUDED")
        return 1
    verdicts, lines = compared(new, systems)
    changed = [item for item in verdicts if item.counted]
    show(verdicts, lines)
    old = read_frozen()
    others = {name: form for name, form in old.items() if name.split("/")[0] not in systems}
    moved = {item.name for item in changed} | (new.keys() - old.keys())
    write_frozen({**others, **{name: form if name in moved else old[name] for name, form in new.items()}})
    add_reason(
        [f"- {time.strftime('%Y-%m-%d')}: {reason}", *(f"  - {line}" for line in changes(changed, lines, bool(old)))]
    )
    print(f"frozen: {len(moved)} of {len(new)}")
    return 0


def changes(changed: Sequence[Verdict], lines: Sequence[str], any_before: bool) -> list[str]:
    """What a freezing changed: first what became `ok` or ceased to be, then everything else."""
    gained = [item for item in changed if item.other_status and "ok" in (item.was, item.now)]
    rest = [item for item in changed if item not in gained]
    told = [f"**{item.name}: {item.was} -> {item.now}**" for item in gained]
    told += [f"{item.name}: {item.was} -> {item.now}; furthest {item.furthest:.2g} standard errors" for item in rest]
    return told + (list(lines) if any_before else ["the first time, everything"])


def measure_scatter(native: Mapping[str, Outcome], other: Mapping[str, Outcome], arithmetic: str) -> None:
    """Keep how far an arithmetic is from the native one, for what both have answered with the same source."""
    first, second = forms(native), forms(other)
    scatter = read_scatter()
    for name in sorted(first.keys() & second.keys()):
        other_form = of_the_same_record(first[name], second[name])
        entry = scatter_between(first[name], other_form, form_differences(first[name], other_form))
        scatter.setdefault(name, {})[arithmetic] = entry
        hangs = f"  {entry.get('status', '')} {entry.get('codes', '')}" if {"status", "codes"} & entry.keys() else ""
        if hangs or entry["furthest"] > 0.005 or "other" in entry:
            print(f"{name:42} {entry['furthest']:8.2g}  {', '.join(entry.get('other', ()))[:120]}{hangs}")
    write_scatter(scatter)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--arithmetic", default=NATIVE, help="as tests/arithmetics.py lists them")
    parser.add_argument("--systems", help="only these, a,b,c")
    parser.add_argument("--jobs", type=int, default=2, help="processes at once; 0: only compare what was answered")
    parser.add_argument("--work", type=Path, default=WORK, metavar="DIR", help="where answers and kernels are kept")
    parser.add_argument("--fresh", action="store_true", help="answer everything anew")
    parser.add_argument("--freeze", action="store_true", help="freeze what is answered")
    parser.add_argument("--reason", default="", help="why it is frozen")
    parser.add_argument("--scatter", action="store_true", help="keep how far the arithmetic is from the native one")
    asked = parser.parse_args()
    if asked.freeze and not asked.reason.strip():
        parser.error('freezing needs a reason: make golden-freeze REASON="..."')
    if asked.freeze and asked.arithmetic != NATIVE:
        parser.error("what is frozen is native; of another arithmetic the scatter is kept")
    systems = asked.systems.split(",") if asked.systems else tasks()
    folder = asked.work / asked.arithmetic
    if asked.fresh:
        shutil.rmtree(folder, ignore_errors=True)
    if asked.jobs:
        answer_all(folder, systems, asked.arithmetic, asked.jobs)
    answered = outcomes(folder, systems)
    total = sum(item.seconds for item in answered.values())
    print(f"{total:.0f} s of processor time; {len(EXCLUDED)} cells are left out as too slow")
    if asked.scatter:
        measure_scatter(outcomes(asked.work / NATIVE, systems), answered, asked.arithmetic)
        return 0
    if asked.freeze:
        return freeze(forms(answered), asked.reason, systems)
    return 0 if show(*compared(forms(answered), systems)) else 1


if __name__ == "__main__":
    sys.exit(main())
