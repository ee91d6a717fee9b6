"""The free-decay methods on the pendulum report's records: errors over seeds, printed formulas, wrong knowledge, cost.

python benchmarks/free_decay.py [--seeds 20] [--only single,combined,printed,wrong,cost] [--method envelope,topological]

Data from an independent integrator: horizontal pendulum, k = 20 (fixed), 30 degrees, 60 s at 0.002 s, noise 0.002.
"""

from __future__ import annotations

import argparse
import time as clock

import numpy as np
from scipy.integrate import solve_ivp
from scipy.signal import hilbert

import identikit as ik
from independent import horizontal_pendulum
from reference import horizontal_pendulum as released

TIME = np.arange(30001) * 0.002
SIGMA = 0.002
SINGLE = {"zeta": 0.05, "mu_c": 0.03, "mu_q": 0.05}
COMBINED = {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025}


def clean_of(damping):
    return horizontal_pendulum(TIME, **({"zeta": 0.0, "mu_c": 0.0, "mu_q": 0.0} | damping))


def fit(values, free, method, options=None, k=20.0):
    fixed = {name: 0.0 for name in SINGLE if name not in free} | {"k": k}
    record = ik.Record.from_arrays(TIME, theta=values)
    return ik.fit(record, "horizontal_pendulum", method=method, free=list(free), fix=fixed, options=options)


def study(title, truth, method, seeds, options=None, sigma=SIGMA):
    clean = clean_of(truth)
    rows = []
    failed = 0
    for seed in range(seeds):
        noise = sigma * np.random.default_rng(5000 + seed).standard_normal(len(TIME))
        result = fit(clean + noise, truth, method, options)
        failed += not result.ok
        found = [result.parameters[name] for name in truth]
        rows.append([[p.value, p.std or np.nan, p.crlb or np.nan] for p in found])
    table = np.array(rows)
    for i, (name, true) in enumerate(truth.items()):
        error, std, crlb = 100 * (table[:, i, 0] / true - 1), 100 * table[:, i, 1] / true, 100 * table[:, i, 2] / true
        rmse = np.sqrt(np.mean(error**2))
        covered = np.mean(np.abs(error) < 1.96 * std)
        print(
            f"{title:34}{name:6}{error.mean():+9.4f}{error.std():9.4f}{np.abs(error).max():9.4f}{np.mean(crlb):9.4f}"
            f"{error.std() / np.mean(crlb):8.2f}{rmse / np.mean(crlb):8.2f}{covered:7.2f}{failed:5d}",
            flush=True,
        )


HEADER = f"{'%':34}{'':6}{'bias':>9}{'sd':>9}{'worst':>9}{'CRLB':>9}{'sd/CRLB':>8}{'rms/':>8}{'cover':>7}{'bad':>5}"


def singles(methods, seeds):
    print(HEADER)
    for method in methods:
        ways = [None, {"initial": "known"}, {"scale": "log"}, {"smoothing": 0}] if method == "envelope" else [None]
        for options in ways:
            for name, value in SINGLE.items():
                study(f"{method} {options or ''}", {name: value}, method, seeds, options)
            if method == "envelope":
                study(f"{method} {options or ''}", {"zeta": 0.2}, method, seeds, options)
    for name, value in SINGLE.items():
        study("topological, no noise", {name: value}, "topological", 1, sigma=0.0)


def combined(methods, seeds):
    print(HEADER)
    for method in methods:
        study(f"{method}, combined", COMBINED, method, seeds)


def printed():
    print("topological, formula=printed, no noise; error in %")
    for name, value in SINGLE.items():
        clean = clean_of({name: value})
        for length in ("amplitude", "swing"):
            result = fit(clean, {name: value}, "topological", {"formula": "printed", "length": length})
            print(f"{name:8}{length:12}{100 * (result.value(name) / value - 1):+9.2f}")


def wrong():
    """The envelope method where something taken for known is wrong, one seed."""
    print("envelope, change of the estimate in %: true start 1 % off the given one; k 1 % too high; bounds [1e-3, 1]")
    noise = SIGMA * np.random.default_rng(5000).standard_normal(len(TIME))
    for name, value in SINGLE.items():
        right = fit(clean_of({name: value}) + noise, {name: value}, "envelope", {"initial": "known"}).value(name)
        shifted = released(TIME, (1.01 * np.pi / 6, 0.0), **{name: value})[0][0]
        start = fit(shifted + noise, {name: value}, "envelope", {"initial": "known"}).value(name)
        stiff = fit(clean_of({name: value}) + noise, {name: value}, "envelope", k=20.2).value(name)
        fixed = {other: 0.0 for other in SINGLE if other != name} | {"k": 20.0}
        record = ik.Record.from_arrays(TIME, theta=clean_of({name: value}) + noise)
        narrow = ik.fit(
            record, "horizontal_pendulum", method="envelope", free=[name], fix=fixed, bounds={name: (1e-3, 1.0)}
        ).value(name)
        changes = [100 * (found - right) / value for found in (start, stiff, narrow)]
        print(f"{name:8}" + "".join(f"{change:+9.4f}" for change in changes))


def cost():
    """One evaluation of the objective: the report's way and ours, in one run, the median of several."""
    from identikit.method.free_decay._decay_method import first_states
    from identikit.method.free_decay._envelope_fit import EnvelopeProblem
    from identikit.oscillation import AnalyticSignal, oscillator_of
    from identikit.problem import Problem

    values = clean_of(COMBINED) + SIGMA * np.random.default_rng(0).standard_normal(len(TIME))

    def theirs():
        def rate(t, x):
            drag = 0.05 * x[1] + 0.015 * np.sign(x[1]) + 0.025 * x[1] * abs(x[1])
            return x[1], np.cos(x[0]) - 20 * x[0] - drag

        found = solve_ivp(rate, (0, 60), (np.pi / 6, 0.0), "RK45", TIME, rtol=1e-6, atol=1e-8).y[0]
        return np.abs(hilbert(found))

    model = ik.library_model("horizontal_pendulum")
    made = oscillator_of(Problem.pose(model, ik.Record.from_arrays(TIME, theta=values), fix={"k": 20.0}))
    p = np.array(list(COMBINED.values()))
    signal = AnalyticSignal.of(TIME, values, 1.0, 2.0)
    work = EnvelopeProblem(made, [signal], p, first_states(made, p, [signal.period]), log=False)

    def ours():
        return work.modelled(p, work.initial)

    def with_derivatives():
        work._last = None
        return work.both(work.start)

    ways = {"RK45 1e-6 and Hilbert": theirs, "envelope": ours, "with all derivatives": with_derivatives}
    for way in ways.values():
        way()
    seconds = {name: [] for name in ways}
    for _ in range(9):
        for name, way in ways.items():
            begun = clock.perf_counter()
            way()
            seconds[name].append(clock.perf_counter() - begun)
    whole = np.median(seconds["RK45 1e-6 and Hilbert"])
    for name, spent in seconds.items():
        print(f"{name:24}{1000 * np.median(spent):9.2f} ms{np.median(spent) / whole:9.4f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--only", default="single,combined,printed,wrong,cost")
    parser.add_argument("--method", default="envelope,topological")
    arguments = parser.parse_args()
    chosen, methods = arguments.only.split(","), arguments.method.split(",")
    if "single" in chosen:
        singles(methods, arguments.seeds)
    if "combined" in chosen:
        combined(methods, arguments.seeds)
    if "printed" in chosen:
        printed()
    if "wrong" in chosen:
        wrong()
    if "cost" in chosen:
        cost()


if __name__ == "__main__":
    main()
