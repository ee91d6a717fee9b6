"""Whether disjoint parts of real records give the same parameters, as far as their intervals say.

python benchmarks/real_records.py [--cases pendulum,pendulum_pairs,double_pendulum,robot,pelts]

Needs the folder of public records beside the project (`../shared/data`); the product ships none of them. Every part is
fitted alone, from no guess. Two figures for every parameter: the share of pairs of parts that agree within three
combined standard errors (bar: 90 % over all parameters), and the median standard error over the spread of the parts'
estimates (bar: at most 3; below 1, intervals are too narrow for the spread seen).
"""

from __future__ import annotations

import argparse
import itertools
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import identikit as ik

DATA = Path(__file__).resolve().parents[1].parent / "shared" / "data"
APART = 3.0  # combined standard errors
AGREEING = 0.9  # share of the pairs
TOO_WIDE = 3.0  # times the spread seen


@dataclass(frozen=True)
class Case:
    """Parts of one experiment, and what is asked of each."""

    model: str
    parts: Sequence[ik.Experiment]
    asked: Mapping[str, object] = field(default_factory=dict)


def channels(record: ik.Record, names: Mapping[str, str], every: int = 1, rows: slice = slice(None)) -> ik.Record:
    """The named columns of a record, every so many samples."""
    picked = {key: record.channels[column].values[rows][::every] for key, column in names.items()}
    return ik.Record.from_arrays(record.time[rows][::every], picked)


def swings() -> list[ik.Record]:
    return list(ik.load(DATA / "multiarm_single_pendulum" / "single_pendulum_free_swing.csv", segments="segment"))


PENDULUM = {"free": ["w0", "mu", "mu_c", "mu_q", "offset"]}


def pendulum() -> Case:
    """Six stretches of 9 s of one free swing of 55 s."""
    names = {"theta": "theta_rad_from_upright"}
    return Case("pendulum", [ik.Experiment((channels(swing, names),)) for swing in swings()], PENDULUM)


def pendulum_pairs() -> Case:
    """The same swing in three parts of 18 s."""
    names = {"theta": "theta_rad_from_upright"}
    records = [channels(swing, names) for swing in swings()]
    return Case("pendulum", [ik.Experiment(tuple(records[i : i + 2])) for i in (0, 2, 4)], PENDULUM)


def double_pendulum() -> Case:
    """Thirty short swings in five groups of six."""
    file = DATA / "multiarm_double_pendulum" / "double_pendulum_free_swing.csv"
    names = {"theta1": "theta1_rad", "theta2": "theta2_rad"}
    records = [channels(swing, names, every=3) for swing in ik.load(file, segments="segment")]
    groups = [ik.Experiment(tuple(records[i : i + 6])) for i in range(0, 30, 6)]
    free = ["inertia", "coupling", "gravity_1", "gravity_2", "c1", "c2", "f1", "f2"]  # the dry terms it asks for
    return Case("double_pendulum", groups, {"free": free})


def robot() -> Case:
    """Two runs of a torque-driven robot, each in its first and second half."""
    names = {"q1": "pos_meas1", "q2": "pos_meas2", "tau_1": "tau_meas1", "tau_2": "tau_meas2"}
    parts = []
    for name in ("trajectory_00.csv", "trajectory_12.csv"):
        record = ik.load(DATA / "dfki_double_pendulum" / name)[0]
        half = len(record.time) // 2
        parts += [channels(record, names, 5, rows) for rows in (slice(0, half), slice(half, None))]
    return Case("driven_double_pendulum", [ik.Experiment((part,)) for part in parts], {"fix": {"rotor": 0.0032}})


def pelts() -> Case:
    """Lynx and hare, eleven years and ten."""
    record = ik.load(DATA / "lynx_hare" / "hudson-bay-lynx-hare.csv", time="Year")[0]
    names = {"hare": "Hare", "lynx": "Lynx"}
    halves = [channels(record, names, 1, rows) for rows in (slice(0, 11), slice(11, None))]
    return Case("lotka_volterra", [ik.Experiment((half,)) for half in halves], {"noise": {"*": "lognormal"}})


CASES: dict[str, Callable[[], Case]] = {
    "pendulum": pendulum,
    "pendulum_pairs": pendulum_pairs,
    "double_pendulum": double_pendulum,
    "robot": robot,
    "pelts": pelts,
}


def agreement(name: str, case: Case) -> tuple[int, int, bool]:
    """Fits every part and prints the table; how many pairs agree, of how many, and whether no interval is too wide."""
    results = []
    for number, part in enumerate(case.parts):
        result = ik.fit(part, case.model, **case.asked)
        share = min(item.fit_percent for item in result.fit.values())
        print(
            f"{name} {number}: {result.status.code.value}, fit {share:.1f} %, {result.seconds['total']:.1f} s",
            flush=True,
        )
        print("    " + ", ".join(item.code for item in result.findings))
        results.append(result)
    agree = total = 0
    narrow = True
    for parameter in results[0].free:
        found = [result.parameters[parameter] for result in results]
        stated = [(item.value, item.std) for item in found if item.value is not None and item.std is not None]
        line = "  ".join(f"{value:.6g} ± {std:.2g}" for value, std in stated)
        apart = [abs(a - b) / np.hypot(s, r) for (a, s), (b, r) in itertools.combinations(stated, 2)]
        within = sum(distance <= APART for distance in apart)
        spread = np.std([value for value, _ in stated], ddof=1) if len(stated) > 1 else np.nan
        ratio = float(np.median([std for _, std in stated]) / spread) if stated else np.nan
        furthest = max(apart, default=np.nan)
        print(f"  {parameter:10s} {within}/{len(apart)} agree, furthest {furthest:.1f}, std/spread {ratio:.2f}: {line}")
        agree, total = agree + within, total + len(apart)
        narrow = narrow and not ratio > TOO_WIDE
    return agree, total, narrow


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", default=",".join(CASES))
    if not DATA.is_dir():
        sys.exit(f"no folder of real records at {DATA}")
    found = [agreement(name, CASES[name]()) for name in parser.parse_args().cases.split(",")]
    agree, total = sum(item[0] for item in found), sum(item[1] for item in found)
    print(f"{agree} of {total} pairs agree within {APART:g} combined standard errors")
    sys.exit(0 if agree >= AGREEING * total and all(item[2] for item in found) else 1)


if __name__ == "__main__":
    main()
