"""Does the suite test what users rely on? Small changes to the code that decides it, and whether a test fails.

    python -m benchmarks.mutants               # as frozen: what was killed must still be
    python -m benchmarks.mutants --seed 7      # other changes
    python -m benchmarks.mutants --last        # only those again that the last run did not kill

No file is changed: a forked process compiles the changed module and runs the tests that reach the changed statement,
the likeliest to notice first, until one fails or they have taken as long as `--seconds` allows. At least 80 % of the
changes must be killed, and at most 10 % may be explained as making no difference (`equivalent.toml`). A test that fails
without a change as well kills nothing. Which tests reach what is kept in `.mutants/` and followed up when tests change.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.mutants.campaign import Campaign
from benchmarks.mutants.changes import Change, Key
from benchmarks.mutants.choice import all_changes, chosen
from benchmarks.mutants.frozen import Places, Row, read_equivalent, read_frozen, write_frozen
from benchmarks.mutants.reach_map import ROOT, up_to_date
from benchmarks.mutants.targets import CONCERNS, concern_of
from benchmarks.mutants.trial import Ended, Outcome, preload

SEED = 1  # of the frozen changes
KILLED, EXPLAINED = 0.8, 0.1  # of the changes, at least and at most
PATIENCE = 4.0  # times as long are the tests of a change that was killed once, before it counts as alive
LAST = ROOT / ".mutants" / "last.json"
MAP = ROOT / ".mutants" / "map.json"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=SEED, help="which changes are drawn")
    parser.add_argument("--count", type=int, default=300, help="how many")
    parser.add_argument("--seconds", type=float, default=30.0, help="of tests for each, at most")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    parser.add_argument("--map", type=Path, default=MAP, help="which tests reach what; made if it is not there")
    parser.add_argument("--last", action="store_true", help="take over what the last run killed")
    parser.add_argument("--freeze", action="store_true", help="keep this outcome as what must be killed from now on")
    asked = parser.parse_args()

    population = all_changes()
    places = Places(population)
    sample = chosen(population, asked.count, asked.seed)
    reasons, gone = _still_there(places, read_equivalent())
    frozen = [row for row in read_frozen() if Ended(row.ended).dead] if asked.seed == SEED else []
    before = {change.key: row for row in frozen if (change := places.find(row.key)) is not None}
    frozen_gone = [row.key for row in frozen if places.find(row.key) is None]
    known = {row.key: row for row in (read_frozen(LAST) if asked.last else ()) if Ended(row.ended).dead}

    LAST.parent.mkdir(exist_ok=True)
    reach = up_to_date(asked.map, asked.jobs)
    preload()
    remembered = {key: row.test for key, row in before.items()}
    campaign = Campaign(reach, asked.seconds, asked.jobs, remembered)
    plan = {change.key: change for change in sample if change.key not in reasons}
    plan |= {key: places.exact[key] for key in before}
    outcomes = {key: Outcome(Ended(known[key].ended), 0.0, (known[key].test,)) for key in plan if key in known}
    outcomes |= _run(campaign, [change for key, change in plan.items() if key not in outcomes], outcomes)

    again = [plan[key] for key in before if not outcomes[key].ended.dead]
    if again:
        print(f"\n{len(again)} were killed when they were frozen: with more tests")
        outcomes |= _run(campaign, again, {}, PATIENCE * asked.seconds)
    lost = [plan[key] for key in before if not outcomes[key].ended.dead]
    rows = [_row(change, outcomes, reasons) for change in sample]
    write_frozen(rows, LAST)
    if asked.freeze:
        write_frozen(rows)
    good = _report(sample, outcomes, reasons)
    for title, keys in (("frozen changes", frozen_gone), ("explained changes", gone)):
        if keys:
            print(f"\n{len(keys)} {title} have no place any more, since the code has moved on:")
            print("\n".join(f"  {key[0].removeprefix('identikit.')} {key[1]}: {key[2]} -> {key[3]}" for key in keys))
    if lost:
        print(f"\n{len(lost)} that were killed are not any more:")
        print("\n".join(f"  {_line(change)}\n    was killed by {before[change.key].test}" for change in lost))
    return 0 if good and not lost else 1


def _run(
    campaign: Campaign, changes: Sequence[Change], ready: Mapping[Key, Outcome], seconds: float | None = None
) -> dict[Key, Outcome]:
    """The trials, told line by line; those again that were killed by tests which fail without any change too."""
    total, count = len(changes) + len(ready), len(ready)
    rows = {key: Row(key, outcome.ended, outcome.test) for key, outcome in ready.items()}

    def tell(change: Change, outcome: Outcome) -> None:
        nonlocal count
        count += 1
        by = f"  [{outcome.test}]" if outcome.test else ""
        rows[change.key] = Row(change.key, outcome.ended, outcome.test)
        write_frozen(rows.values(), LAST)  # a run that is stopped can be gone on with
        print(f"{count:3}/{total} {outcome.ended:9} {outcome.seconds:5.1f} s  {_line(change)}{by}", flush=True)

    outcomes = campaign.run(changes, tell, seconds)
    while True:
        killers = {test for outcome in outcomes.values() for test in outcome.tests} - campaign.doubtful
        failing = campaign.failing(killers)
        if not failing:
            return outcomes
        campaign.doubtful |= failing
        print(f"\nthese fail without any change, and prove nothing: {', '.join(sorted(failing))}")
        again = [change for change in changes if set(outcomes[change.key].tests) & failing]
        total, count = len(again), 0
        outcomes |= campaign.run(again, tell, seconds)


def _still_there(places: Places, reasons: Mapping[Key, str]) -> tuple[dict[Key, str], list[Key]]:
    """Reasons by the keys of today, and those whose place is gone."""
    found = {key: places.find(key) for key in reasons}
    there = {change.key: reasons[key] for key, change in found.items() if change is not None}
    return there, [key for key, change in found.items() if change is None]


def _row(change: Change, outcomes: Mapping[Key, Outcome], reasons: Mapping[Key, str]) -> Row:
    if change.key in reasons:
        return Row(change.key, Ended.EQUIVALENT, "")
    return Row(change.key, outcomes[change.key].ended, outcomes[change.key].test)


def _line(change: Change) -> str:
    return f"{change}: {change.before}  ->  {change.after}"


def _report(sample: Sequence[Change], outcomes: Mapping[Key, Outcome], reasons: Mapping[Key, str]) -> bool:
    """The survivors, and the table by concern; whether enough were killed."""
    alive = [change for change in sample if change.key not in reasons and not outcomes[change.key].ended.dead]
    print(f"\n{len(alive)} survivors:")
    for change in alive:
        print(f"  {_line(change)}" + ("  (no test runs it)" if outcomes[change.key].ended is Ended.UNREACHED else ""))
    print(f"\n{'concern':16}{'changes':>9}{'killed':>9}{'survived':>10}{'explained':>11}{'seconds':>9}")
    killed = explained = 0
    for concern in (*CONCERNS, "all"):
        mine = [change for change in sample if concern in ("all", concern_of(change.module))]
        explained = sum(change.key in reasons for change in mine)
        survived = sum(change in alive for change in mine)
        killed = len(mine) - explained - survived
        seconds = sum(outcomes[change.key].seconds for change in mine if change.key in outcomes)
        print(f"{concern:16}{len(mine):9}{killed:9}{survived:10}{explained:11}{seconds:9.0f}")
    share, rest = killed / max(len(sample), 1), explained / max(len(sample), 1)
    print(f"\nkilled {share:.1%} (at least {KILLED:.0%}), explained {rest:.1%} (at most {EXPLAINED:.0%})")
    return share >= KILLED and rest <= EXPLAINED


if __name__ == "__main__":
    raise SystemExit(main())
