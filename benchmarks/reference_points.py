"""The three experiments of the reference-point paper over many seeds: as published, connected, and with structure.

python benchmarks/reference_points.py [--seeds 20] [--only 2x2,3x3,pendulum] [--half 100000] [--whole]

Each window holds 2 n + 1 samples (n = --half) at spacing n^-1.25, uniform noise on [-1/8, 1/8]. Without --whole only
the estimate is made (a second each); with it the result is judged as every fit is, which takes up to half a minute for
the largest record.
"""

from __future__ import annotations

import argparse
import time as clock
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import identikit as ik
from identikit.method.reference._reference_estimate import estimate_matrix
from identikit.method.reference_points import ReferencePoints
from identikit.problem import Problem
from identikit.progress import silent
from identikit.result import Finding
from identikit_published.reference_points import experiments
from identikit_published.reference_points.experiments import Experiment


@dataclass(frozen=True)
class Case:
    title: str
    model: str
    experiment: Experiment
    bar: float

    def record(self, half: int, seed: int) -> ik.Record:
        chosen = replace(self.experiment, half=half)
        names = ik.library_model(self.model).output_names
        return ik.Record.from_arrays(chosen.times(), dict(zip(names, chosen.samples(seed), strict=True)))


EXPERIMENTS = {
    "2x2": Case("2 x 2", "linear", experiments.SETTING_1, 0.009),
    "3x3": Case("3 x 3", "linear3", experiments.SETTING_2, 0.065),
    "pendulum": Case("coupled pendulums", "coupled_pendulums", experiments.SETTING_3, 0.008),
}
SETTINGS = {
    "as published": {"connect": False, "degree": 1, "points": -1},  # -1: as many as states
    "slopes, degree 1": {"connect": False, "degree": 1},
    "slopes, degree 2": {"connect": False, "degree": 2},
    "slopes, degree 3": {"connect": False, "degree": 3},
    "connected (default)": {},
    "conservative": {"structure": "conservative"},
}
TRUE_FREQUENCIES = np.array([np.sqrt(3), 1.0])


def diagnostics(record: ik.Record, model: str, options: dict[str, object], whole: bool) -> dict[str, Any]:
    """Of a whole fit, or of the estimate alone."""
    if whole:
        return dict(ik.fit(record, model, method="reference_points", options=options).diagnostics)
    problem = Problem.pose(ik.library_model(model), record)
    found = estimate_matrix(problem, ReferencePoints.resolve_options(options), 0, silent)
    assert not isinstance(found, Finding), found.text
    return found.diagnostics()


def study(name: str, seeds: int, half: int, whole: bool) -> None:
    case = EXPERIMENTS[name]
    truth = case.experiment.matrix
    print(f"\n{case.title}: {seeds} seeds, bar {case.bar} on the rms error of the entries of A")
    print(f"{'':22}{'rms error':>10}{'largest bias':>14}{'rms std':>9}{'seconds':>9}   frequencies: rms error, worst")
    found: dict[str, list[tuple[np.ndarray, np.ndarray, np.ndarray, float]]] = {}
    for seed in range(seeds):
        record = case.record(half, seed)
        for setting, options in SETTINGS.items():
            if setting == "conservative" and name != "pendulum":
                continue
            options = {key: len(truth) if value == -1 else value for key, value in options.items()}
            begun = clock.perf_counter()
            said = diagnostics(record, case.model, options, whole)
            spent = clock.perf_counter() - begun
            found.setdefault(setting, []).append(
                (
                    np.array(said["matrix"]) - truth,
                    np.array(said["matrix_std"]),
                    np.array(said["frequencies"]),
                    spent,
                )
            )
    for setting, rows in found.items():
        errors, spread = np.array([row[0] for row in rows]), np.array([row[1] for row in rows])
        unknown = spread[0] > 0
        words = ""
        if name == "pendulum":
            off = np.array([row[2] - TRUE_FREQUENCIES for row in rows])
            words = f"{np.round(np.sqrt(np.mean(off**2, axis=0)), 6)}, {np.abs(off).max():.2g}"
        print(
            f"{setting:22}{np.sqrt(np.mean(errors[:, unknown] ** 2)):10.5f}{np.abs(errors.mean(axis=0)).max():14.5f}"
            f"{np.sqrt(np.mean(spread[:, unknown] ** 2)):9.5f}{np.median([row[3] for row in rows]):9.2f}   {words}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--only", default="2x2,3x3,pendulum")
    parser.add_argument("--half", type=int, default=100_000)
    parser.add_argument("--whole", action="store_true")
    arguments = parser.parse_args()
    for name in arguments.only.split(","):
        study(name, arguments.seeds, arguments.half, arguments.whole)


if __name__ == "__main__":
    main()
