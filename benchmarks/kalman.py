"""The method kalman and the online identifier against their goals.

    python benchmarks/kalman.py [--seeds 10] [--only furuta,accuracy,process,drift,online]

furuta: the paper's simulation (120 degrees, 35 s, 1 kHz, noise 0.1 on four states), all ten friction parameters free,
from a guess tenfold off and from none; fits are against the noise-free motion, 1 - |e|^2/|y - mean|^2; times in units
of one SciPy RK45 simulation (rtol 1e-6) in the same run, after a first fit that compiles.
accuracy: rms error over the Cramer-Rao bound, data by the tests' own integrator.
process: shaken pendulum by Euler and Maruyama (tests/stochastic.py): coverage of 95 % intervals, beside shooting's.
drift: zeta changes linearly by 20 %: share of the curve inside its band.
online: time per update at 1 kHz, ten friction parameters of the Furuta pendulum.
"""

from __future__ import annotations

import argparse
import time as clock

import numpy as np
from scipy.integrate import solve_ivp

import identikit as ik
from identikit_published.furuta.runs import furuta, furuta_rate
from independent import friction_drive, horizontal_pendulum, shaken_pendulum

FRICTION = tuple(f"{name}{joint}" for joint in (0, 1) for name in ("mu_d", "mu_s", "mu_v", "v_t", "F_t"))
TOLD = ("mu_d0", "mu_d1", "mu_v1")  # what the record can tell
OUTPUTS = ("q0", "q1", "w0", "w1")
START = (0.0, 2 * np.pi / 3, 0.0, 0.0)


def simulation_time() -> float:
    """Of one SciPy simulation of the Furuta experiment."""
    times, begun = np.arange(35001) * 1e-3, clock.perf_counter()
    solve_ivp(furuta_rate(), (0, 35), START, t_eval=times, rtol=1e-6, atol=1e-8)
    return clock.perf_counter() - begun


def furuta_cases(seeds: int) -> None:
    model, times = ik.library_model("furuta"), np.arange(35001) * 1e-3
    clean = furuta(times)
    truth = {name: model.parameter(name).value for name in FRICTION}
    for label, start in (
        ("tenfold guess", {n: min(10 * v, 1.0) for n, v in truth.items() if v is not None}),
        ("none", None),
    ):
        fits, inside, ratios = [], [], []
        for seed in range(seeds):
            noisy = clean + 0.1 * np.random.default_rng(seed).standard_normal(clean.shape)
            record = ik.Record.from_arrays(times, dict(zip(OUTPUTS, noisy, strict=True)))
            if not fits:
                ik.fit(record, model, free=list(FRICTION), start=start, method="kalman")
            before = simulation_time()
            result = ik.fit(record, model, free=list(FRICTION), start=start, method="kalman")
            ratios.append(result.seconds["total"] / (0.5 * (before + simulation_time())))
            begun = [result.initial_states[0][state]["value"] for state in OUTPUTS]
            again = furuta(times, {n: result.value(n) for n in FRICTION}, begun)
            left = np.sum((again - clean) ** 2, axis=1) / np.sum((clean - clean.mean(axis=1)[:, None]) ** 2, axis=1)
            fits.append(100 * (1 - left[:2]))
            inside.append([_inside(result, name, float(truth[name] or 0)) for name in TOLD])
        worst, share = np.min(fits, axis=0), np.sum(inside, axis=0)
        told = ", ".join(f"{name} {count}" for name, count in zip(TOLD, share, strict=True))
        print(f"furuta, {label}: worst fit {worst[0]:.3f} {worst[1]:.3f} %, inside {told} of {seeds}", flush=True)
        print(f"    median {np.median(ratios):.1f} simulations", flush=True)


def _inside(result: ik.Result, name: str, value: float) -> bool:
    ends = result.parameters[name].ci95
    return ends is not None and ends[0] <= value <= ends[1]


def accuracy_cases(seeds: int) -> None:
    times = np.arange(6001) * 0.01
    truth = {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025, "k": 20.0}
    _accuracy(
        "horizontal pendulum",
        "horizontal_pendulum",
        truth,
        times,
        {"theta": horizontal_pendulum(times, 0.025, 0.015, 0.025)},
        0.002,
        seeds,
    )
    times = np.arange(1001) * 0.02
    drive = {"m": 2.0, "c": 1.0, "f": 1.5, "offset": 0.3}
    force = 4 * np.sin(1.3 * times) + 2.5 * np.sin(3.1 * times)
    _accuracy(
        "friction drive",
        "friction_drive",
        drive,
        times,
        {"x": friction_drive(times, **drive), "u": force},
        0.002,
        seeds,
    )


def _accuracy(
    title: str,
    model: str,
    truth: dict[str, float],
    times: np.ndarray,
    columns: dict[str, np.ndarray],
    sigma: float,
    seeds: int,
) -> None:
    errors, bound, inside, output = [], [], [], next(iter(columns))
    for seed in range(seeds):
        noise = sigma * np.random.default_rng(seed).standard_normal(len(times))
        record = ik.Record.from_arrays(times, {**columns, output: columns[output] + noise})
        result = ik.fit(record, model, free=list(truth), method="kalman")
        errors.append([result.value(name) - value for name, value in truth.items()])
        bound.append([result.parameters[name].crlb for name in truth])
        inside.append([_inside(result, name, value) for name, value in truth.items()])
    ratio = np.sqrt(np.mean(np.square(errors), axis=0)) / np.mean(bound, axis=0)
    worst = np.max(np.abs(errors) / np.array(bound))
    print(f"{title}: rms error / CRLB {dict(zip(truth, ratio.round(2), strict=True))}, largest {worst:.1f}, coverage "
          f"{np.mean(inside):.2f}", flush=True)  # fmt: skip


def process_cases(seeds: int) -> None:
    truth = {"zeta": 0.05, "k": 20.0}
    for intensity in (0.02, 0.05):
        covered: dict[str, list[list[bool]]] = {"kalman": [], "shooting": []}
        levels = []
        for seed in range(seeds):
            times, theta = shaken_pendulum(seed, intensity)
            record = ik.Record.from_arrays(times, {"theta": theta})
            for method, hits in covered.items():
                result = ik.fit(
                    record, "horizontal_pendulum", free=list(truth), fix={"mu_c": 0, "mu_q": 0}, method=method
                )
                hits.append([_inside(result, name, value) for name, value in truth.items()])
                if method == "kalman":
                    levels.append(result.diagnostics["process_noise"]["omega"])
        told = {method: np.mean(hits, axis=0).round(2).tolist() for method, hits in covered.items()}
        print(
            f"process noise {intensity}: found {np.mean(levels):.4f} +- {np.std(levels):.4f}, coverage of zeta, k: "
            f"{told}",
            flush=True,
        )


def drift_cases(seeds: int) -> None:
    shares = []
    for seed in range(seeds):
        times, theta = shaken_pendulum(seed, 0.0, 60.0, zeta=0.025, drift=0.2)
        record = ik.Record.from_arrays(times, {"theta": theta})
        result = ik.fit(
            record, "horizontal_pendulum", free=["zeta", "k"], fix={"mu_c": 0, "mu_q": 0}, method="kalman",
            options={"drift": "zeta"},
        )  # fmt: skip
        curve = next(item for item in result.artifacts.values() if item.get("what") == "drift")
        true = 0.025 * (1 + 0.2 * (np.asarray(curve["t"]) / 60 - 0.5))
        shares.append(np.mean(np.abs(np.asarray(curve["values"]) - true) < 1.96 * np.asarray(curve["std"])))
    print(
        f"drift of 20 %: share of the curve inside its 95 % band {np.mean(shares):.2f} (least {np.min(shares):.2f})",
        flush=True,
    )


def online_cases() -> None:
    model, times = ik.library_model("furuta"), np.arange(5000) * 1e-3
    noisy = furuta(times) + 0.1 * np.random.default_rng(0).standard_normal((4, len(times)))
    filtering = ik.KalmanIdentifier(model, noise=dict.fromkeys(OUTPUTS, 0.1), free=FRICTION)
    taken = []
    for t, y in zip(times, noisy.T, strict=True):
        begun = clock.perf_counter()
        filtering.update(t, y)
        taken.append(clock.perf_counter() - begun)
    low, middle = np.quantile(taken[100:], [0.05, 0.5])
    print(
        f"online, 4 states and 10 parameters: {1e6 * middle:.0f} us per update (5 % quantile {1e6 * low:.0f})",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--only", default="furuta,accuracy,process,drift,online")
    arguments = parser.parse_args()
    chosen = arguments.only.split(",")
    for name, cases in (
        ("furuta", furuta_cases),
        ("accuracy", accuracy_cases),
        ("process", process_cases),
        ("drift", drift_cases),
    ):
        if name in chosen:
            cases(arguments.seeds)
    if "online" in chosen:
        online_cases()


if __name__ == "__main__":
    main()
