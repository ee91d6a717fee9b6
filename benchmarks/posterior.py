"""Whether the posterior's 95 % intervals hold, and those of the Fisher information beside them.

python benchmarks/posterior.py --into FILE.jsonl [--seeds 300] [--first 0] [--minutes 3]
    [--cases pendulum,duffing,lotka_volterra,tank_reactor,bound,half_period]
python benchmarks/posterior.py --into FILE.jsonl --table

Short records, so that 300 of each can be had; data from an independent integrator. Every run is a line of the file, and
runs that are there are not made again: the benchmark can be stopped and taken up at will. `bound`: the pendulum with
viscous damping alone, whose dry friction is estimated too. `half_period`: half a swing of the pendulum, viscous.
"""

from __future__ import annotations

import argparse
import json
import time as clock
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

import identikit as ik
from identikit.model.library.tank_reactor import step_schedule
from independent import reference

OPTIONS = {"chains": 2, "draws": 150, "warmup": 60}  # enough for an interval's ends, and for 300 runs


@dataclass(frozen=True)
class Case:
    """A system with its true parameters, what is measured of it without noise, and the noise."""

    model: str
    truth: Mapping[str, float]
    time: np.ndarray
    clean: Mapping[str, np.ndarray]
    noise: Mapping[str, float]
    fix: Mapping[str, float]
    inputs: Mapping[str, str]


@cache
def case(name: str) -> Case:
    if name in ("pendulum", "bound", "half_period"):
        time, dry, drag = {
            "pendulum": (np.arange(401) * 0.1, 0.015, 0.025),
            "bound": (np.arange(201) * 0.1, 0.0, 0.0),
            "half_period": (np.arange(81) * 0.01, 0.0, 0.0),
        }[name]
        clean = reference.horizontal_pendulum(time, zeta=0.025, mu_c=dry, mu_q=drag)[0][0]
        truth = {"zeta": 0.025, "mu_c": dry, "mu_q": drag, "k": 20.0}
        known = {"pendulum": (), "bound": ("mu_q",), "half_period": ("mu_c", "mu_q")}[name]
        free = {key: value for key, value in truth.items() if key not in known}
        fix = dict.fromkeys(known, 0.0)
        return Case("horizontal_pendulum", free, time, {"theta": clean}, {"theta": 0.002}, fix, {})
    if name == "duffing":
        time = np.arange(151) * 0.1
        clean = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [2.0, 0.0], time)[0]
        return Case("duffing", {"c": 0.1, "k": 1.0, "k3": 0.5}, time, {"x": clean}, {"x": 0.05}, {}, {})
    if name == "lotka_volterra":
        time = np.arange(61) * 0.25
        truth = {"alpha": 0.55, "beta": 0.028, "gamma": 0.8, "delta": 0.024}
        rate = lambda t, x: [0.55 * x[0] - 0.028 * x[0] * x[1], -0.8 * x[1] + 0.024 * x[0] * x[1]]  # noqa: E731
        hare, lynx = reference.smooth(rate, [34.0, 5.9], time)
        return Case("lotka_volterra", truth, time, {"hare": hare, "lynx": lynx}, {"hare": 2.0, "lynx": 2.0}, {}, {})
    return _tank_reactor()


def _tank_reactor() -> Case:
    """Eighteen minutes: the steps of the first input and of the second."""
    time = np.arange(181) * 0.1
    tau, kappa, a, heat, cooling = 0.833, 0.461, 1.678, 130.0, 15.0

    def rate(flow: float, reagent: float, x: np.ndarray) -> list[float]:
        k = kappa * np.exp(-1e4 * tau * (1 / x[1] - 1 / 350))
        alpha = a * cooling**1.5 / (cooling + a * cooling**0.5 / 2)
        return [
            -(k + flow) * x[0] + flow * reagent,
            -(alpha + flow) * x[1] + heat * k * x[0] + flow * 323.0 + alpha * 335.0,
        ]

    # as `step_schedule` says, by hand: an input goes up after its first time, below its usual value after four minutes
    edges = [0.0, 4.0, 8.0, 12.0, 16.0, 18.0]
    flow = [1.0, 1.5, 0.5, 1.0, 1.0]
    reagent = [2.0, 2.0, 2.0, 2.0, 2.2]
    x, parts = np.array([1.5965, 341.3754]), []
    for begin, end, f, c in zip(edges[:-1], edges[1:], flow, reagent, strict=True):
        own = time[(time >= begin - 1e-9) & (time < end - 1e-9)]
        at = np.concatenate([[begin], own[own > begin + 1e-9], [end]])
        found = reference.smooth(lambda t, y, f=f, c=c: rate(f, c, y), x, at)
        parts.append(found[:, :-1])
        x = found[:, -1]
    clean = np.concatenate([*parts, x[:, None]], axis=1)
    truth = {"tau": tau, "kappa": kappa, "a": a}
    noise = {"C": 0.005, "T": 0.2}
    return Case("tank_reactor", truth, time, {"C": clean[0], "T": clean[1]}, noise, {}, step_schedule(335.0))


CASES = ("pendulum", "duffing", "lotka_volterra", "tank_reactor", "bound", "half_period")


def run(name: str, seed: int) -> dict[str, object]:
    """One record: fitted once, with both kinds of interval."""
    made = case(name)
    random = np.random.default_rng([seed, CASES.index(name)])
    values = {key: one + made.noise[key] * random.standard_normal(len(one)) for key, one in made.clean.items()}
    record = ik.Record.from_arrays(made.time, values)
    asked = {"method": "shooting", "free": list(made.truth), "fix": dict(made.fix), "inputs": dict(made.inputs)}
    begun = clock.perf_counter()
    found = ik.fit(record, made.model, uncertainty="bayes", uncertainty_options=OPTIONS, seed=seed, **asked)
    spent = clock.perf_counter() - begun
    fisher = ik.fit(record, made.model, uncertainty="fisher", **asked)
    facts = found.diagnostics.get("uncertainty", {})
    return {
        "case": name,
        "seed": seed,
        "status": found.status.code.value,
        "codes": [item.code for item in found.findings],
        "divergent": facts.get("divergent"),
        "evaluations": facts.get("evaluations_per_draw"),
        "posterior": _covered(found, made.truth),
        "fisher": _covered(fisher, made.truth),
        "ratio": {key: _ratio(found, fisher, key) for key in made.truth},
        "seconds": spent,
    }


def _covered(result: ik.Result, truth: Mapping[str, float]) -> dict[str, bool | None]:
    intervals = {key: result.parameters[key].ci95 for key in truth}
    return {key: None if ends is None else ends[0] <= truth[key] <= ends[1] for key, ends in intervals.items()}


def _ratio(one: ik.Result, other: ik.Result, name: str) -> float | None:
    first, second = one.parameters[name].std, other.parameters[name].std
    return first / second if first and second else None


def table(lines: list[dict]) -> str:
    """Coverage by case and parameter; binomial standard errors are sqrt(.05 * .95 / runs)."""
    rows = [
        "| case | runs | posterior | Fisher | std posterior/Fisher | divergent draws |",
        "|---|---|---|---|---|---|",
    ]
    for name in CASES:
        own = [line for line in lines if line["case"] == name]
        if not own:
            continue
        parts = []
        for kind in ("posterior", "fisher"):
            share = {
                key: np.mean([line[kind][key] for line in own if line[kind][key] is not None]) for key in own[0][kind]
            }
            parts.append(", ".join(f"{key} {value:.3f}" for key, value in share.items()))
        widths = {key: np.median([line["ratio"][key] for line in own if line["ratio"][key]]) for key in own[0]["ratio"]}
        words = ", ".join(f"{key} {value:.2f}" for key, value in widths.items())
        lost = np.mean([line["divergent"] or 0 for line in own])
        rows.append(f"| {name} | {len(own)} | {parts[0]} | {parts[1]} | {words} | {lost:.2f} |")
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, required=True)
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--seeds", type=int, default=300)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=3.0, help="after which no further run is begun")
    parser.add_argument("--table", action="store_true", help="print what is there and do nothing")
    arguments = parser.parse_args()
    text = arguments.into.read_text(encoding="utf-8") if arguments.into.exists() else ""
    lines = [json.loads(line) for line in text.splitlines()]
    done = {(line["case"], line["seed"]) for line in lines}
    begun = clock.monotonic()
    for seed in range(arguments.first, arguments.first + arguments.seeds):
        for name in arguments.cases.split(","):
            if arguments.table or (name, seed) in done or clock.monotonic() - begun > 60 * arguments.minutes:
                continue
            lines.append(run(name, seed))
            with arguments.into.open("a", encoding="utf-8") as file:
                file.write(json.dumps(lines[-1]) + "\n")
    print(table(lines))


if __name__ == "__main__":
    main()
