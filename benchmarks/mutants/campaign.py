"""Many trials, some at a time: every change with the tests that reach it, the likeliest to kill it first."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.mutants.changes import Change, Key
from benchmarks.mutants.reach_map import ReachMap, by_file, within
from benchmarks.mutants.trial import Ended, Outcome, Trial, begin

PAUSE = 0.05  # seconds between two looks at trials that run

Told = Callable[[Change, Outcome], None]


@dataclass
class Campaign:
    """Trials with one map.

    Arguments:
        reach: which tests reach which statements.
        seconds: usual seconds of the tests of one trial at most.
        jobs: trials at a time.
        remembered: the test that had killed a change before; it is tried first.
        doubtful: tests that fail without any change; they kill nothing.
    """

    reach: ReachMap
    seconds: float
    jobs: int
    remembered: Mapping[Key, str] = field(default_factory=dict)
    doubtful: set[str] = field(default_factory=set)
    killers: dict[str, Counter[str]] = field(default_factory=dict)  # of a module: which tests have killed how many

    def run(self, changes: Sequence[Change], tell: Told, seconds: float | None = None) -> dict[Key, Outcome]:
        """Try them all; `tell` hears of each as it ends."""
        outcomes: dict[Key, Outcome] = {}
        running: dict[Key, tuple[Change, Trial]] = {}
        waiting = list(changes)
        while waiting or running:
            while waiting and len(running) < self.jobs:
                change = waiting.pop(0)
                tests, usual = self._tests(change, self.seconds if seconds is None else seconds)
                if tests:
                    running[change.key] = change, begin(change, tests, usual)
                else:
                    outcomes[change.key] = Outcome(Ended.UNREACHED)
                    tell(change, outcomes[change.key])
            for key, (change, trial) in list(running.items()):
                outcome = trial.outcome()
                if outcome is not None:
                    del running[key]
                    outcomes[key] = outcome
                    if outcome.test:
                        self.killers.setdefault(change.module, Counter())[outcome.test] += 1
                    tell(change, outcome)
            time.sleep(PAUSE if running else 0.0)
        return outcomes

    def _tests(self, change: Change, seconds: float) -> tuple[list[str], float]:
        ordered = self.reach.in_order(change, self.killers.get(change.module, Counter()))
        ordered = [test for test in ordered if test.test not in self.doubtful]
        first = self.remembered.get(change.key)
        tests, usual = within(sorted(ordered, key=lambda test: test.test != first), seconds)
        return by_file(tests), usual

    def failing(self, tests: Collection[str]) -> set[str]:
        """Those of the tests that fail without any change, run as a trial runs them: they prove nothing."""
        known = [test for test in self.reach.tests if test.test in tests]
        if not known:
            return set()
        chosen, usual = within(known, float("inf"))
        trial = begin(None, by_file(chosen), usual, stop=False)
        while (outcome := trial.outcome()) is None:
            time.sleep(PAUSE)
        return set(outcome.tests)
