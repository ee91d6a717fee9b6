"""Speed of the combined-damping pendulum fit, as ratios within one run: the machine's own speed cancels.

    python benchmarks/speed.py [--skip-plain]

The unit is one scipy RK45 (rtol 1e-6) simulation of the record: 60 s, 30001 samples.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

import identikit as ik
from identikit.likelihood import Preparation
from independent import horizontal_pendulum

TIME = np.arange(30001) * 0.002
TRUTH = {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025, "k": 20.0}
FREE = list(TRUTH)


def plain_simulation(p, rtol=1e-6):
    """What a user writes today, with a cap on work: once the trial parameters make it stick, RK45 would never
    return."""
    zeta, mu_c, mu_q, k, theta0, omega0 = p
    calls = 0

    def slope(t, x):
        nonlocal calls
        calls += 1
        if calls > 100_000:
            raise TimeoutError
        friction = -2 * zeta * x[1] - mu_c * np.sign(x[1]) - mu_q * x[1] * abs(x[1])
        return [x[1], friction - k * x[0] + np.cos(x[0])]

    try:
        return solve_ivp(slope, (0, 60), [theta0, omega0], t_eval=TIME, rtol=rtol, atol=rtol * 1e-2).y[0]
    except TimeoutError:
        return np.full(len(TIME), 10.0)


def median_seconds(action, repeats):
    spent = []
    for _ in range(repeats):
        begun = time.perf_counter()
        action()
        spent.append(time.perf_counter() - begun)
    return float(np.median(spent))


def report(what, seconds, unit, wanted):
    print(f"{what:64}{seconds:10.4f} s {seconds / unit:9.3f} simulations   (wanted {wanted})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--skip-plain", action="store_true", help="leave out solve_ivp inside least_squares (a minute)")
    arguments = parser.parse_args()
    truth = [*TRUTH.values(), np.pi / 6, 0.0]
    unit = median_seconds(lambda: plain_simulation(truth), 7)
    report("one scipy RK45 simulation, rtol 1e-6", unit, unit, "1")

    clean = horizontal_pendulum(TIME, 0.025, 0.015, 0.025)
    records = [
        ik.Record.from_arrays(TIME, theta=clean + 0.002 * np.random.default_rng(seed).standard_normal(len(TIME)))
        for seed in range(6)
    ]
    result = ik.fit(records[1], "horizontal_pendulum", free=FREE)  # compiles

    problem = ik.Problem.pose(ik.library_model("horizontal_pendulum"), records[1], free=FREE)
    preparation = Preparation.of(problem)
    start = np.array([result.value(name) for name in FREE])
    nodes = preparation.nodes(start)
    segments = preparation.solver(nodes).segments
    segments(start, nodes)
    evaluation = median_seconds(lambda: segments(start, nodes), 31)
    report("all residuals and sensitivities once", evaluation, unit, "below 0.1")

    fits = iter(records[1:])
    warm = median_seconds(lambda: ik.fit(next(fits), "horizontal_pendulum", free=FREE), 5)
    report("whole fit, warm (no imports, no compilation)", warm, unit, "see below")

    if not arguments.skip_plain:
        measured = records[1].channels["theta"].values
        scale = np.abs(truth) + np.array([0, 0, 0, 0, 0, 0.1])
        # k 1 % and dampings 20 % off, with bounds: from further off it ends in a local minimum, or sticks
        begin = np.array([0.02, 0.012, 0.02, 20.2, measured[0], 0.0])
        bounds = ([0, 0, 0, 10, -1, -1], [0.1, 0.02, 0.1, 40, 1, 1])
        begun = time.perf_counter()
        # differences wider than the default ones, which drown in the integrator's own error
        found = least_squares(
            lambda p: plain_simulation(p, 1e-7) - measured, begin, x_scale=scale, bounds=bounds, diff_step=1e-5
        )
        plain = time.perf_counter() - begun
        report(f"solve_ivp in least_squares, {found.njev} Jacobians, k 1 % off", plain, unit, "-")
        theirs, ours = (np.array2string(p, precision=5) for p in (found.x[:4], start))
        print(f"{'':4}it found {theirs}, identikit {ours}")
        print(f"{'':4}ratio to the whole fit: {plain / warm:.0f} times   (wanted at least 100)")

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "swing.csv"
        np.savetxt(
            file,
            np.column_stack([TIME, records[1].channels["theta"].values]),
            "%.10g",
            ",",
            header="t,theta",
            comments="",
        )
        command = [sys.executable, "-m", "identikit"]
        fit = [*command, "fit", str(file), "--model", "horizontal_pendulum", "--free", ",".join(FREE)]
        cold = {**os.environ, "IDENTIKIT_CACHE": ""}
        kept = {**os.environ, "IDENTIKIT_CACHE": str(Path(folder) / "cache")}

        def run(words, environment):
            subprocess.run(words, env=environment, check=True, stdout=subprocess.DEVNULL)

        report("cold identikit fit, no kernels kept", median_seconds(lambda: run(fit, cold), 3), unit, "below 30")
        run(fit, kept)
        report("cold identikit fit, kernels kept on disk", median_seconds(lambda: run(fit, kept), 3), unit, "-")
        report("identikit --help", median_seconds(lambda: run([*command, "--help"], cold), 5), unit, "below 3")
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
        print(f"{'peak memory of the cold fit':64}{peak:10.3f} GB{'':24}(wanted below 1.5)")


if __name__ == "__main__":
    main()
