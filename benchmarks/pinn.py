"""The method pinn against its goals: pendulum, Duffing, van der Pol, a driven oscillator, a motion that stops.

    python benchmarks/pinn.py [--seeds 10] [--only single,combined,duffing,van_der_pol,driven,stops] [--report]

Data from the tests' own integrator. Goals: single cases below 0.15 %, combined within 1.5 CRLB, the others within 2, in
under 20 s with compilation. `--report` runs the pendulum report's way (one network, Adam) on the single cases instead.
"""

from __future__ import annotations

import argparse
import time as clock

import numpy as np

import identikit as ik
from accuracy import SIGMA, study
from identikit.model import Input, Model, Parameter
from independent import duffing, horizontal_pendulum, reference

DAMPINGS = {"zeta": 0.05, "mu_c": 0.03, "mu_q": 0.05}
PENDULUM = ("horizontal_pendulum", "theta")


def van_der_pol() -> Model:
    parameters = [Parameter("mu", 1.0, "", (0, 20)), Parameter("k", 1.0, "", (0.01, 20))]
    return Model.from_text(
        "van_der_pol", equations={"x": "v", "v": "mu*(1 - x**2)*v - k*x"}, parameters=parameters, outputs=["x"]
    )


def driven() -> Model:
    parameters = [
        Parameter("c", 0.1, "", (0, 10)),
        Parameter("k", 1.0, "", (0.01, 100)),
        Parameter("k3", 0.1, "", (-10, 10)),
        Parameter("b", 1.0, "", (-10, 10)),
    ]
    return Model.from_text(
        "driven",
        equations={"x": "v", "v": "-c*v - k*x - k3*x**3 + b*u"},
        parameters=parameters,
        inputs=[Input("u", "", 0.0, hold="cubic")],
        outputs=["x"],
    )


def pendulum_cases(chosen: list[str], seeds: int, method: str = "pinn") -> None:
    time = np.arange(30001) * 0.002
    model, output = PENDULUM
    if "single" in chosen:
        for name, value in DAMPINGS.items():
            others = {other: 0.0 for other in DAMPINGS if other != name}
            clean = horizontal_pendulum(time, **{**others, name: value})
            study(f"{name} alone", {name: value, "k": 20.0}, clean, time, SIGMA, model, output, method, seeds, others)
    if "combined" in chosen:
        truth = {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025}
        clean = horizontal_pendulum(time, **truth)
        study("combined", {**truth, "k": 20.0}, clean, time, SIGMA, model, output, method, seeds)
    if "stops" in chosen:
        time = np.arange(10001) * 0.004
        clean = horizontal_pendulum(time, 0.0, 0.15, 0.0)
        fix = {"zeta": 0.0, "mu_q": 0.0}
        study("stops at 22 s", {"mu_c": 0.15, "k": 20.0}, clean, time, SIGMA, model, output, method, seeds, fix)


def other_cases(chosen: list[str], seeds: int) -> None:
    if "duffing" in chosen:
        time = np.arange(600) * 0.05
        truth = {"c": 0.1, "k": 1.0, "k3": 0.5}
        study("duffing, 5 % noise", truth, duffing(time), time, 0.05, "duffing", "x", "pinn", seeds)
    if "van_der_pol" in chosen:
        time = np.arange(1500) * 0.02
        clean = reference.smooth(lambda t, x: [x[1], 2 * (1 - x[0] ** 2) * x[1] - x[0]], [2.0, 0.0], time)[0]
        study("van der Pol, mu 2", {"mu": 2.0, "k": 1.0}, clean, time, 0.05, van_der_pol(), "x", "pinn", seeds)
    if "driven" in chosen:
        time = np.arange(1000) * 0.05

        def force(t: np.ndarray | float) -> np.ndarray:
            return np.sin(0.7 * t) + 0.5 * np.cos(1.7 * t)

        def rate(t: float, x: np.ndarray) -> list[float]:
            return [x[1], -0.2 * x[1] - 1.5 * x[0] - 0.3 * x[0] ** 3 + force(t)]

        truth = {"c": 0.2, "k": 1.5, "k3": 0.3, "b": 1.0}
        clean = reference.smooth(rate, [0.5, 0.0], time)[0]
        study("driven", truth, clean, time, 0.03, driven(), "x", "pinn", seeds, inputs={"u": force(time)})


def report_table(seeds: int, method: str = "pinn") -> None:
    """Tables 7 (pinn) and 8 (neural_ode) of the report: each damping alone, k known, beside the regression."""
    time = np.arange(30001) * 0.002
    for name, value in DAMPINGS.items():
        others = {other: 0.0 for other in DAMPINGS if other != name}
        clean = horizontal_pendulum(time, **{**others, name: value})
        for seed in range(seeds):
            noise = SIGMA * np.random.default_rng(1000 + seed).standard_normal(len(time))
            begun = clock.perf_counter()
            result = ik.fit(
                ik.Record.from_arrays(time, {"theta": clean + noise}),
                "horizontal_pendulum",
                method=method,
                free=[name],
                fix={**others, "k": 20.0},
                options={"settings": "report"},
            )
            start = result.diagnostics["start"][name]
            errors = [100 * (found / value - 1) for found in (start, result.value(name))]
            print(
                f"{name:6} seed {seed}: regression {errors[0]:8.3f} %, after Adam {errors[1]:8.3f} %, "
                f"{result.status.code.value}, {clock.perf_counter() - begun:.0f} s"
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--only", default="single,combined,duffing,van_der_pol,driven,stops")
    parser.add_argument("--report", action="store_true")
    arguments = parser.parse_args()
    if arguments.report:
        report_table(arguments.seeds)
        return
    chosen = arguments.only.split(",")
    pendulum_cases(chosen, arguments.seeds)
    other_cases(chosen, arguments.seeds)


if __name__ == "__main__":
    main()
