"""Whether intervals of every kind hold, and what they cost.

    python benchmarks/uncertainty.py coverage --case CASE --seeds 0:300 [--kinds fisher,profile,...] [--kept FOLDER]
    python benchmarks/uncertainty.py table [--kept FOLDER]
    python benchmarks/uncertainty.py speed

`coverage` fits one record per seed, made by an integrator that shares nothing with identikit's, and notes for every
kind whether its 95 % intervals hold the truth. Every seed is a line in FOLDER/CASE.jsonl, written when it is done; what
stands there already is not run again, so that a study can be stopped and gone on with, and kinds added to it. `table`
sums up.
`speed` is in scipy RK45 simulations (rtol 1e-6) of the combined pendulum, 60 s, 30001 samples.

The last four cases have a bent likelihood: half a period, a parameter that often ends at its upper bound, one near its
lower bound, and one at it.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time as clock
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import identikit as ik
from identikit.model import TIME, Parameter, symbol
from identikit.uncertainty import assessed
from independent import horizontal_pendulum, reference

KINDS = ("fisher", "sandwich", "profile", "bootstrap", "bayes")


@dataclass(frozen=True)
class Case:
    """A system, what is measured of it without noise, how it is asked for, and the draws of each of two chains that are
    enough for the ends of a posterior's intervals: draws are worth less where the likelihood is bent."""

    model: str | ik.Model
    truth: Mapping[str, float]
    sigma: Mapping[str, float]
    time: np.ndarray
    clean: Mapping[str, np.ndarray]
    asked: Mapping[str, Any] = field(default_factory=dict)
    draws: int = 100


@cache
def case(name: str) -> Case:
    """One of the cases."""
    return CASES[name]()


def _pendulum() -> Case:
    time = np.arange(600) * 0.05
    truth = {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025, "k": 20.0}
    clean = horizontal_pendulum(time, 0.025, 0.015, 0.025)
    return Case("horizontal_pendulum", truth, {"theta": 0.002}, time, {"theta": clean})


def _duffing(duration: float = 30.0, samples: int = 300, sigma: float = 0.05) -> Case:
    time = np.linspace(0, duration, samples)
    clean = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [2.0, 0.0], time)[0]
    return Case("duffing", {"c": 0.1, "k": 1.0, "k3": 0.5}, {"x": sigma}, time, {"x": clean})


def _lotka_volterra() -> Case:
    time = np.arange(81) * 0.25
    truth = {"alpha": 0.55, "beta": 0.028, "gamma": 0.8, "delta": 0.024}
    hare, lynx = reference.smooth(
        lambda t, x: [0.55 * x[0] - 0.028 * x[0] * x[1], -0.8 * x[1] + 0.024 * x[0] * x[1]], [34.0, 5.9], time
    )
    return Case("lotka_volterra", truth, {"hare": 2.0, "lynx": 2.0}, time, {"hare": hare, "lynx": lynx})


def _tank_reactor() -> Case:
    """The library's own example, with inputs as it has them, integrated by SciPy at rtol 1e-11."""
    import sympy as sp
    from scipy.integrate import solve_ivp

    model = ik.library_model("tank_reactor")
    ready = model.ready
    assert ready is not None
    driven = model.with_input_expressions(ready.inputs)
    known = {symbol(item.name): item.value for item in driven.parameters}
    x = [symbol(state) for state in driven.state_names]
    slopes = sp.lambdify([TIME, *x], [equation.subs(known) for equation in driven.equations], "math")
    time = np.linspace(0, ready.duration, 150)
    begun = [ready.initial.get(state, 0.0) for state in driven.state_names]
    found = solve_ivp(
        lambda t, s: slopes(t, *s), (0, time[-1]), begun, "DOP853", time, rtol=1e-11, atol=1e-13, max_step=time[1]
    ).y
    shown = sp.lambdify([TIME, *x], [item.expression.subs(known) for item in driven.outputs], "numpy")
    clean = {
        item.name: np.broadcast_to(v, time.shape) for item, v in zip(driven.outputs, shown(time, *found), strict=True)
    }
    truth = {name: model.parameter(name).value for name in model.default_free}
    sigma = {name: ready.noise[name] for name in clean if name in ready.noise}
    return Case("tank_reactor", truth, sigma, time, {n: clean[n] for n in sigma}, {"inputs": dict(ready.inputs)})


def _oscillator(time: np.ndarray, quality: float, sigma: float) -> Case:
    """A decay whose damping is written as a quality factor, as engineers do, between 0.5 and 200."""
    w0 = 2 * math.pi
    model = ik.Model.from_text(
        "oscillator",
        states={"x": "", "v": "1/s"},
        equations={"x": "v", "v": "-w0/Q*v - w0**2*x"},
        parameters=[Parameter("w0", 6.0, "rad/s", (0.1, 100)), Parameter("Q", 5.0, "", (0.5, 200))],
        outputs={"x": "x"},
    )
    clean = reference.smooth(lambda t, x: [x[1], -w0 / quality * x[1] - w0**2 * x[0]], [1.0, 0.0], time)[0]
    return Case(model, {"w0": w0, "Q": quality}, {"x": sigma}, time, {"x": clean}, draws=300)


def _near_bound(zeta: float) -> Case:
    """Viscous damping that is nothing, or about its standard error: it is not negative."""
    time = np.arange(200) * 0.05
    clean = horizontal_pendulum(time, zeta, 0.0, 0.0)
    fix = {"mu_c": 0.0, "mu_q": 0.0}
    truth = {"zeta": zeta, "k": 20.0}
    return Case("horizontal_pendulum", truth, {"theta": 0.05}, time, {"theta": clean}, {"fix": fix}, draws=300)


CASES = {
    "pendulum": _pendulum,
    "duffing": _duffing,
    "lotka_volterra": _lotka_volterra,
    "tank_reactor": _tank_reactor,
    "half_period": lambda: _oscillator(np.linspace(0, 0.5, 60), 5.0, 0.2),
    "upper_bound": lambda: _oscillator(np.linspace(0, 3.0, 100), 50.0, 0.4),
    "near_bound": lambda: _near_bound(0.005),
    "at_bound": lambda: _near_bound(0.0),
}


def one(name: str, seed: int, kinds: list[str]) -> dict[str, Any]:
    """One record, fitted; ends of every kind, what was said of the likelihood, and the estimates."""
    made = case(name)
    random = np.random.default_rng([seed, 13])
    noisy = {key: clean + made.sigma[key] * random.standard_normal(len(clean)) for key, clean in made.clean.items()}
    record = ik.Record.from_arrays(made.time, noisy)
    free = list(made.truth)
    result = ik.fit(record, made.model, free=free, **made.asked)
    problem = ik.Question.ask(record, made.model, free=free, **made.asked).problem()
    row: dict[str, Any] = {
        "seed": seed,
        "status": result.status.code.value,
        "value": [result.parameters[key].value for key in free],
        "codes": sorted({item.code for item in result.findings}),
        "ends": {"fit": [result.parameters[key].ci95 for key in free]},
    }
    options = {"bayes": {"chains": 2, "draws": made.draws, "warmup": 60}}
    for kind in kinds:
        with_kind = assessed(problem, result, kind, options.get(kind), seed=seed)
        told = with_kind.diagnostics.get("uncertainty", {}).get("kind") == kind
        row["ends"][kind] = [with_kind.parameters[key].ci95 if told else None for key in free]
    return row


def kept(file: Path) -> dict[int, dict[str, Any]]:
    """What was run, by seed; the lines of a seed put together."""
    rows: dict[int, dict[str, Any]] = {}
    for line in file.read_text().splitlines() if file.exists() else []:
        row = json.loads(line)
        rows.setdefault(row["seed"], row)["ends"].update(row["ends"])
    return rows


def coverage(arguments: argparse.Namespace) -> None:
    file = arguments.kept / f"{arguments.case}.jsonl"
    file.parent.mkdir(parents=True, exist_ok=True)
    done = kept(file)
    first, _, last = arguments.seeds.partition(":")
    begun = clock.monotonic()
    for seed in range(int(first), int(last)):
        there = done[seed]["ends"] if seed in done else {}
        kinds = [kind for kind in arguments.kinds.split(",") if kind not in there]
        if not kinds:
            continue
        if clock.monotonic() - begun > arguments.seconds:
            break
        row = one(arguments.case, seed, kinds)
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(row) + "\n")
    show(arguments)


def show(arguments: argparse.Namespace) -> None:
    """Of every case and kind: share of intervals that hold the truth, over all parameters and for each."""
    print("| case | kind | records | covered: mean | by parameter | stated | warned |")
    print("|---|---|---|---|---|---|---|")
    for name in CASES:
        rows = kept(arguments.kept / f"{name}.jsonl").values()
        for kind in ("fit", *KINDS):
            own = [row for row in rows if kind in row["ends"]]
            if own:
                print(f"| {name} | {kind} | {len(own)} | {_summed_up(own, kind, case(name).truth)} |")


def _summed_up(rows: list[dict[str, Any]], kind: str, truth: Mapping[str, float]) -> str:
    table = np.array(
        [[_holds(ends, true) for ends, true in zip(row["ends"][kind], truth.values(), strict=True)] for row in rows]
    )
    with np.errstate(all="ignore"):
        share = np.nansum(table, axis=0) / np.isfinite(table).sum(axis=0)
    each = ", ".join(f"{name} {value:.3f}" for name, value in zip(truth, share, strict=True))
    mean = np.nanmean(share) if np.isfinite(share).any() else math.nan
    warned = np.mean(["likelihood_bent" in row["codes"] or row["status"] != "ok" for row in rows])
    return f"{mean:.3f} | {each} | {np.isfinite(table).mean():.2f} | {warned:.2f}"


def _holds(ends: list[float] | None, true: float) -> float:
    if ends is None:
        return math.nan
    low, high = (math.nan if end is None else float(end) for end in ends)
    return float(not (true < low) and not (true > high))  # an open side holds


def speed(arguments: argparse.Namespace) -> None:
    from speed import FREE, TRUTH, median_seconds, plain_simulation
    from speed import TIME as SAMPLED

    unit = median_seconds(lambda: plain_simulation([*TRUTH.values(), np.pi / 6, 0.0]), 7)
    clean = horizontal_pendulum(SAMPLED, 0.025, 0.015, 0.025)
    record = ik.Record.from_arrays(
        SAMPLED, theta=clean + 0.002 * np.random.default_rng(1).standard_normal(len(SAMPLED))
    )
    result = ik.fit(record, "horizontal_pendulum", free=FREE)
    problem = ik.Question.ask(record, "horizontal_pendulum", free=FREE).problem()
    wanted = {"fisher": "-", "sandwich": "-", "profile": "40", "bootstrap": "60"}  # a posterior takes minutes
    print(f"one scipy RK45 simulation: {unit:.3f} s")
    for kind, bar in wanted.items():
        assessed(problem, result, kind)  # compiles
        spent = median_seconds(lambda kind=kind: assessed(problem, result, kind), 3)
        print(f"{kind:12}{spent / unit:8.1f} simulations   (wanted below {bar})")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["coverage", "table", "speed"])
    parser.add_argument("--case", choices=list(CASES), default="pendulum")
    parser.add_argument("--seeds", default="0:300", help="first:last")
    parser.add_argument("--seconds", type=float, default=math.inf, help="no new seed after this time")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--kept", type=Path, default=Path("build/uncertainty"))
    arguments = parser.parse_args()
    {"coverage": coverage, "table": show, "speed": speed}[arguments.what](arguments)


if __name__ == "__main__":
    sys.exit(main())
