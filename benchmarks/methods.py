"""Every method on the same records: error over the bound, whether its intervals hold, time. For choosing one.

    python benchmarks/methods.py [--seeds 5] [--only shooting,galerkin] [--page docs/choosing-a-method.md]

Two free decays of which only the position is measured, by integrators that share nothing with identikit: the horizontal
pendulum with three dampings, and the Duffing oscillator. No start is given. `error/CRLB` is the root mean square over
seeds and parameters of the error over the Cramer-Rao bound, 1 the best possible, for dampings and for stiffnesses;
`worst error/std` the largest error over its own stated standard deviation; `ok` how many fits may be used, by their own
word; `seconds` the processor time of a fit, the median of those after the first, which compiles. `--page` puts the
table between the marks of that page.
"""

from __future__ import annotations

import argparse
import re
import time as clock
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import identikit as ik
from identikit.method import METHODS
from independent import duffing, horizontal_pendulum

STIFFNESSES = ("k", "k3")  # a period tells them far better than anything tells a damping
MARKED = re.compile(r"(<!-- methods: begin -->\n).*?(<!-- methods: end -->)", re.DOTALL)


@dataclass(frozen=True)
class Case:
    """A record without noise, and the truth."""

    title: str
    model: str
    output: str
    sigma: float
    truth: Mapping[str, float]
    time: np.ndarray
    clean: np.ndarray


@dataclass(frozen=True)
class Score:
    """What came of one method on one case; without `errors` it does not apply."""

    ok: int
    errors: tuple[float, float] | None  # dampings, stiffnesses
    worst: float | None
    seconds: float


def cases() -> list[Case]:
    time, dampings = np.arange(3001) * 0.01, {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025}
    swing = horizontal_pendulum(time, **dampings)
    pendulum = Case(
        "pendulum, three dampings", "horizontal_pendulum", "theta", 0.002, {**dampings, "k": 20.0}, time, swing
    )
    time, ring = np.arange(600) * 0.05, {"c": 0.1, "k": 1.0, "k3": 0.5}
    clean = duffing(time)
    return [pendulum, Case("Duffing, 5 % noise", "duffing", "x", 0.05 * float(np.std(clean)), ring, time, clean)]


def noisy(case: Case, seed: int) -> ik.Record:
    """The record of a case."""
    noise = case.sigma * np.random.default_rng(seed).standard_normal(len(case.time))
    return ik.Record.from_arrays(case.time, {case.output: case.clean + noise}, time_unit="s")


def bounds(case: Case) -> dict[str, float]:
    """The Cramer-Rao bound of every parameter, which every method is held against."""
    found = ik.fit(noisy(case, 0), case.model, free=list(case.truth), method="shooting").parameters
    return {name: float(found[name].crlb or np.nan) for name in case.truth}


def scored(case: Case, bound: Mapping[str, float], method: str, seeds: int) -> Score:
    """A method on noisy copies of a case's record."""
    errors: dict[bool, list[float]] = {False: [], True: []}  # by whether it is a stiffness
    pulls: list[float] = []
    seconds: list[float] = []
    ok = 0
    for seed in range(seeds):
        record = noisy(case, seed)
        begun = clock.process_time()
        result = ik.fit(record, case.model, free=list(case.truth), method=method)
        seconds.append(clock.process_time() - begun)
        ok += result.ok
        for name, true in case.truth.items():
            item = result.parameters.get(name)
            if item is None or item.value is None:
                continue
            errors[name in STIFFNESSES].append((item.value - true) / bound[name])
            if item.std:
                pulls.append(abs(item.value - true) / item.std)
        if not errors[False]:
            return Score(0, None, None, seconds[0])
    dampings, stiffnesses = (float(np.sqrt(np.mean(np.square(part)))) for part in errors.values())
    return Score(ok, (dampings, stiffnesses), max(pulls, default=None), float(np.median(seconds[1:] or seconds)))


def row(method: str, scores: list[Score], seeds: int) -> str:
    cells = [f"[`{method}`](methods/{method}.md)"]
    for score in scores:
        if score.errors is None:
            cells += ["does not apply", "", "", ""]
        else:
            worst = "-" if score.worst is None else f"{score.worst:.1f}"
            both = ", ".join(rounded(error) for error in score.errors)
            cells += [both, worst, f"{score.ok}/{seeds}", f"{score.seconds:.1f}"]
    return f"| {' | '.join(cells)} |"


def rounded(error: float) -> str:
    """Two digits, and no more than the order of what is far off."""
    return f"{error:.1f}" if error < 10 else f"{error:.0f}" if error < 1000 else "> 1000"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--only", default=",".join(METHODS), help="methods, separated by commas")
    parser.add_argument("--page", type=Path, help="a page whose marked part is replaced")
    given = parser.parse_args()
    chosen = [(case, bounds(case)) for case in cases()]
    heads = [f"{case.title}: error/CRLB | worst error/std | ok | seconds" for case, _ in chosen]
    lines = [f"| method | {' | '.join(heads)} |", "|---" * (1 + 4 * len(chosen)) + "|"]
    print("\n".join(lines), flush=True)
    for method in given.only.split(","):
        lines.append(row(method, [scored(*case, method, given.seeds) for case in chosen], given.seeds))
        print(lines[-1], flush=True)
    if given.page is not None:
        text = given.page.read_text(encoding="utf-8")
        table = "\n".join(lines) + "\n"
        given.page.write_text(MARKED.sub(lambda found: found[1] + table + found[2], text), encoding="utf-8")


if __name__ == "__main__":
    main()
