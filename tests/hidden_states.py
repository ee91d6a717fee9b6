"""Systems of which a state is never seen, with their motion by the independent integrator; for tests and benchmarks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import identikit as ik
import reference


@dataclass(frozen=True)
class Hidden:
    """A model, what is true, what is told of the beginning, and one noise-free record."""

    model: ik.Model
    truth: Mapping[str, float]
    initial: Mapping[str, Any] | None
    time: np.ndarray
    output: str
    clean: np.ndarray
    sigma: float

    def record(self, seed: int) -> ik.Record:
        noise = self.sigma * np.random.default_rng(seed).standard_normal(len(self.time))
        return ik.Record.from_arrays(self.time, {self.output: self.clean + noise})


def two_tanks(start: tuple[float, float] = (0.4, 0.1), inflow: float = 0.006, told: bool = False) -> Hidden:
    """Two tanks in a row, only the lower level measured: h1' = q - c1 sqrt(h1), h2' = c1 sqrt(h1) - c2 sqrt(h2)."""
    time = np.linspace(0, 200, 401)

    def rate(t: float, h: np.ndarray) -> list[float]:
        upper, lower = 0.012 * np.sqrt(max(h[0], 0.0)), 0.009 * np.sqrt(max(h[1], 0.0))
        return [inflow - upper, upper - lower]

    model = ik.Model.from_text(
        "two_tanks",
        equations={"h1": "q - c1*sqrt(h1)", "h2": "c1*sqrt(h1) - c2*sqrt(h2)"},
        parameters=[
            ik.Parameter("c1", bounds=(1e-4, 1)),
            ik.Parameter("c2", bounds=(1e-4, 1)),
            ik.Parameter("q", inflow, fixed=True),
        ],
        outputs=["h2"],
    )
    initial = dict(zip(("h1", "h2"), start, strict=True)) if told else None
    clean = reference.smooth(rate, start, time)[1]
    return Hidden(model, {"c1": 0.012, "c2": 0.009}, initial, time, "h2", clean, 0.003)


def chemostat() -> Hidden:
    """Monod's growth with dilution; biomass measured, the first substrate known."""
    time = np.linspace(0, 40, 161)

    def rate(t: float, x: np.ndarray) -> list[float]:
        growth = 0.5 * x[1] / (1.5 + x[1])
        return [(growth - 0.15) * x[0], 0.15 * (10 - x[1]) - growth * x[0] / 0.45]

    bounds = {"mu": (0.01, 5), "Ks": (0.01, 50), "Y": (0.05, 2)}
    model = ik.Model.from_text(
        "chemostat",
        equations={"X": "(mu*S/(Ks + S) - D)*X", "S": "D*(S_in - S) - mu*S/(Ks + S)*X/Y"},
        parameters=[
            *(ik.Parameter(name, bounds=pair) for name, pair in bounds.items()),
            ik.Parameter("D", 0.15, fixed=True),
            ik.Parameter("S_in", 10.0, fixed=True),
        ],
        outputs=["X"],
    )
    clean = reference.smooth(rate, (0.2, 2.0), time)[0]
    return Hidden(model, {"mu": 0.5, "Ks": 1.5, "Y": 0.45}, {"S": 2.0}, time, "X", clean, 0.03)


def epidemic() -> Hidden:
    """SIR with the infected counted and the first susceptible known."""
    time = np.linspace(0, 60, 121)
    model = ik.Model.from_text(
        "sir",
        equations={"S": "-beta*S*I/N", "I": "beta*S*I/N - gamma*I"},
        parameters=[
            ik.Parameter("beta", bounds=(1e-3, 10)),
            ik.Parameter("gamma", bounds=(1e-3, 10)),
            ik.Parameter("N", 1e3, fixed=True),
        ],
        outputs=["I"],
    )
    clean = reference.smooth(
        lambda t, x: [-0.5 * x[0] * x[1] / 1e3, 0.5 * x[0] * x[1] / 1e3 - 0.1 * x[1]], (995.0, 5.0), time
    )[1]
    return Hidden(model, {"beta": 0.5, "gamma": 0.1}, {"S": 995.0}, time, "I", clean, 5.0)
