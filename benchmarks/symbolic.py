"""Which laws `symbolic` finds, how close their constants are, and how long it takes.

python benchmarks/symbolic.py [--seeds 5] [--first 0] [--only search,fit,curved,open] [--cases "viscous;combined"]

The report's pendulum, 60 s at 500 Hz, angle alone with noise .002, k free. `search`: the undamped pendulum is known
and friction comes from genetic programming alone; `fit`: parameters of the damped pendulum are asked for; `curved`:
friction that no product describes, tanh and Stribeck, judged by the sum of squares against the true law fitted to the
same record; `open`: nothing known. Data come from an integrator that shares nothing with identikit.
"""

from __future__ import annotations

import argparse
import time as clock
from collections.abc import Sequence

import numpy as np

import identikit as ik
from discovery import OPEN, OWN, PENDULUM, SIGMA, found_terms
from independent import horizontal_pendulum, reference

TIME = np.arange(30001) * 0.002
SPRING = 20.0
FACTOR = {"zeta": -2.0, "mu_c": -1.0, "mu_q": -1.0}  # of a parameter in the equation
CURVED = {
    "tanh": ("-k*theta + cos(theta) - a*tanh(omega/s)", {"k": 20.0, "a": 0.03, "s": 0.3}),
    "Stribeck": (
        "-k*theta + cos(theta) - (a + b*exp(-(omega/s)**2))*sign(omega)", {"k": 20.0, "a": 0.03, "b": 0.05, "s": 0.4}
    ),
}  # fmt: skip


def noisy(clean: np.ndarray, seed: int) -> ik.Record:
    return ik.Record.from_arrays(
        TIME, {"theta": clean + SIGMA * np.random.default_rng(seed).standard_normal(len(TIME))}
    )


def pendulum_table(seeds: range, cases: Sequence[str], searching: bool) -> None:
    way = "friction searched for" if searching else "parameters asked for"
    print(f"pendulum, {way}: exact laws, largest error in %, largest error / std; seconds, of processor too")
    for name in cases:
        damping = PENDULUM[name]
        clean = horizontal_pendulum(TIME, *(damping.get(p, 0.0) for p in OWN))
        truth = {"theta", "cos(theta)", *(OWN[p] for p in damping)}
        exact, errors, scores, taken, busy = 0, [], [], [], []
        for seed in seeds:
            begun, used = clock.perf_counter(), clock.process_time()
            if searching:
                fix = dict.fromkeys(OWN, 0.0)
                result = ik.discover(
                    noisy(clean, seed), "horizontal_pendulum", free=["k"], fix=fix, method="symbolic", seed=seed
                )
            else:
                result = ik.fit(
                    noisy(clean, seed), "horizontal_pendulum", free=[*OWN, "k"], method="symbolic", seed=seed
                )
            taken.append(clock.perf_counter() - begun)
            busy.append(clock.process_time() - used)
            right = {term for _, term in found_terms(result)} == truth
            exact += right
            if not right:
                print(f"    seed {seed}: {result.artifacts.get('law', result.status)}")
                continue
            constants = {row[1]: row for row in result.artifacts["terms"]["rows"] if row[4]}
            for p, true in damping.items():
                value, std = constants[OWN[p]][5:7]
                errors.append(abs(value / (FACTOR[p] * true) - 1))
                scores.append(abs(value - FACTOR[p] * true) / std)
        worst, far = 100 * max(errors, default=np.nan), max(scores, default=np.nan)
        print(
            f"  {name:10s} {exact}/{len(seeds)}  {worst:.3f}  {far:.1f}  "
            f"{np.median(taken):.1f} ({max(taken):.1f})  {np.median(busy):.1f} ({max(busy):.1f})",
            flush=True,
        )


def curved_motion(name: str) -> np.ndarray:
    p = CURVED[name][1]

    def force(t: float, x: np.ndarray) -> float:
        return float(np.cos(x[0]) - p["k"] * x[0])

    if name == "tanh":
        return reference.smooth(
            lambda t, x: [x[1], force(t, x) - p["a"] * np.tanh(x[1] / p["s"])], (np.pi / 6, 0.0), TIME
        )[0]
    held = p["a"] + p["b"]  # breaking loose
    friction = reference.Switch(lambda t, x: x[1], lambda t, x: force(t, x) / held, pinned=1)

    def rate(t: float, x: np.ndarray, s: list[float]) -> tuple[float, float]:
        return x[1], force(t, x) - (p["a"] + p["b"] * np.exp(-((x[1] / p["s"]) ** 2))) * s[0]

    return reference.event_driven(rate, [friction], (np.pi / 6, 0.0), TIME)[0][0]


def curved_table(seeds: range, cases: Sequence[str]) -> None:
    print("friction that is no product: sum of squares over the noise's, less that of the true law fitted; seconds")
    for name in cases:
        clean = curved_motion(name)
        equation, constants = CURVED[name]
        true = ik.Model.from_text(
            "true", states={"theta": "rad", "omega": "rad/s"}, equations={"theta": "omega", "omega": equation},
            parameters={p: ik.Parameter(p, value) for p, value in constants.items()}, outputs=["theta"],
        )  # fmt: skip
        for seed in seeds:
            record = noisy(clean, seed)
            begun, used = clock.perf_counter(), clock.process_time()
            fix = dict.fromkeys(OWN, 0.0)
            result = ik.discover(record, "horizontal_pendulum", free=["k"], fix=fix, method="symbolic", seed=seed)
            taken, busy = clock.perf_counter() - begun, clock.process_time() - used
            best = ik.fit(record, true, start=constants)
            worse = len(TIME) * (result.fit["theta"].rmse ** 2 - best.fit["theta"].rmse ** 2) / SIGMA**2
            law = result.artifacts["law"]["equations"]["omega"]
            count = len(result.parameters)
            print(f"  {name:9s} {seed}  {worse:+.1f} with {count} constants for {len(constants) + 1}"
                  f"  {taken:.0f} s, {busy:.0f} s  {result.status.code}  {law}", flush=True)  # fmt: skip


def open_table(seeds: range, cases: Sequence[str]) -> None:
    print("nothing known, noise 1 and 5 %: exact laws; seconds")
    for name in cases:
        system = OPEN[name]
        for noise in (0.01, 0.05):
            exact, taken = 0, []
            for seed in seeds:
                record, _ = system.record(noise, seed)
                begun = clock.perf_counter()
                extra = {} if system.force is None else {"inputs": {"F": "force"}}
                result = ik.discover(record, method="symbolic", seed=seed, **extra)
                taken.append(clock.perf_counter() - begun)
                right = found_terms(result) == system.truth
                exact += right
                if not right:
                    print(f"    seed {seed}: {result.artifacts.get('law', result.status)}")
            print(f"  {name:20s} {100 * noise:.0f} %  {exact}/{len(seeds)}  {np.median(taken):.1f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", default="search,fit,curved,open")
    parser.add_argument("--cases", default="")
    arguments = parser.parse_args()
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    wanted = [item for item in arguments.cases.split(";") if item]
    for table in arguments.only.split(","):
        if table in ("search", "fit"):
            pendulum_table(seeds, wanted or list(PENDULUM), table == "search")
        elif table == "curved":
            curved_table(seeds, wanted or list(CURVED))
        elif table == "open":
            open_table(seeds, wanted or list(OPEN))


if __name__ == "__main__":
    main()
