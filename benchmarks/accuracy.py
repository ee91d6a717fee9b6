"""Accuracy over many noise seeds against the Cramer-Rao bound. Data from an independent integrator, theta
only, no start.

python benchmarks/accuracy.py [--seeds 100] [--only combined,single,stick,duffing] [--method shooting]
"""

from __future__ import annotations

import argparse
import time as clock

import numpy as np

import identikit as ik
from independent import duffing, horizontal_pendulum

SIGMA = 0.002


def study(title, truth, clean, time, sigma, model, output, method, seeds, fix=None, inputs=None):
    """Fit every seed; print rmse / CRLB, bias, coverage and worst error for each parameter."""
    names = list(truth)
    estimates, bounds, deviations, failures, spent = [], [], [], [], []
    for seed in range(seeds):
        noise = sigma * np.random.default_rng(1000 + seed).standard_normal(len(time))
        record = ik.Record.from_arrays(time, {output: clean + noise, **(inputs or {})})
        begun = clock.perf_counter()
        result = ik.fit(record, model, method=method, free=names, fix=fix)
        spent.append(clock.perf_counter() - begun)
        if not result.ok:
            failures.append((seed, result.status.message))
        estimates.append([result.value(name) for name in names])
        bounds.append([result.parameters[name].crlb or np.nan for name in names])
        deviations.append([result.parameters[name].std or np.nan for name in names])
    values, exact = np.array(estimates), np.array([truth[name] for name in names])
    error = values - exact
    crlb = np.mean(bounds, axis=0)
    rmse = np.sqrt(np.mean(error**2, axis=0))
    covered = np.mean(np.abs(error) < 1.96 * np.array(deviations), axis=0)
    print(
        f"\n{title}: {seeds} seeds, {len(failures)} not ok, {np.median(spent):.3f} s per fit (median), "
        f"{max(spent):.1f} s at most (with compilation)"
    )
    print(f"{'':8}{'truth':>9}{'bias %':>10}{'rmse %':>10}{'CRLB %':>10}{'rmse/CRLB':>11}{'worst %':>10}{'covered':>9}")
    for i, name in enumerate(names):
        scale = 100 / abs(exact[i])
        print(
            f"{name:8}{exact[i]:9.4g}{error[:, i].mean() * scale:10.4f}{rmse[i] * scale:10.4f}{crlb[i] * scale:10.4f}"
            f"{rmse[i] / crlb[i]:11.3f}{np.abs(error[:, i]).max() * scale:10.4f}{covered[i]:9.2f}"
        )
    for seed, message in failures[:5]:
        print(f"  seed {seed}: {message}")
    return values


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--only", default="combined,single,stick,duffing")
    parser.add_argument("--method", default="shooting")
    arguments = parser.parse_args()
    chosen = arguments.only.split(",")
    time = np.arange(30001) * 0.002
    if "combined" in chosen:
        truth = {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025, "k": 20.0}
        clean = horizontal_pendulum(time, 0.025, 0.015, 0.025)
        study(
            "combined damping",
            truth,
            clean,
            time,
            SIGMA,
            "horizontal_pendulum",
            "theta",
            arguments.method,
            arguments.seeds,
        )
    if "single" in chosen:
        for name, value in {"zeta": 0.05, "mu_c": 0.03, "mu_q": 0.05}.items():
            damping = {"zeta": 0.0, "mu_c": 0.0, "mu_q": 0.0} | {name: value}
            fixed = {other: 0.0 for other in damping if other != name}
            study(
                f"{name} alone, k free", {name: value, "k": 20.0}, horizontal_pendulum(time, **damping), time, SIGMA,
                "horizontal_pendulum", "theta", arguments.method, min(arguments.seeds, 20), fixed,
            )  # fmt: skip
    if "stick" in chosen:
        clean = horizontal_pendulum(time, 0.0, 0.1, 0.0)
        study(
            "sticking at 33.7 s, record includes the rest", {"mu_c": 0.1, "k": 20.0}, clean, time, SIGMA,
            "horizontal_pendulum", "theta", arguments.method, min(arguments.seeds, 20), {"zeta": 0.0, "mu_q": 0.0},
        )  # fmt: skip
    if "duffing" in chosen:
        time = np.arange(600) * (30.0 / 600)
        clean = duffing(time)
        for per_cent in (5, 10):
            sigma = per_cent / 100 * float(np.sqrt(np.mean(clean**2)))
            truth = {"c": 0.1, "k": 1.0, "k3": 0.5}
            study(
                f"Duffing ring-down, {per_cent} % noise",
                truth,
                clean,
                time,
                sigma,
                "duffing",
                "x",
                arguments.method,
                arguments.seeds,
            )


if __name__ == "__main__":
    main()
