"""Small problems with known answers; a method is tested on the first that it has no objection to."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

import identikit as ik
import reference
from identikit.method import Method
from identikit.problem import Problem


@dataclass(frozen=True)
class Case:
    """A library system, what is true of it, and its motion by the independent integrator.

    `outputs` are rows of the motion; `fix` are parameters that are told and not estimated.
    """

    model: str
    truth: Mapping[str, float]
    rate: Callable[[float, np.ndarray], Sequence[float]]
    initial: tuple[float, ...]
    outputs: tuple[str, ...]
    duration: float
    samples: int
    sigma: float
    fix: Mapping[str, float] = field(default_factory=dict)

    def time(self) -> np.ndarray:
        return np.arange(self.samples) * (self.duration / self.samples)

    def clean(self, time: np.ndarray) -> np.ndarray:
        """Outputs without noise, [outputs, samples]."""
        return reference.smooth(self.rate, self.initial, time)[: len(self.outputs)]

    def problem(self, values: np.ndarray, time: np.ndarray) -> Problem:
        return Problem.pose(
            ik.library_model(self.model), self.record(values, time), free=list(self.truth), fix=self.fix
        )

    def record(self, values: np.ndarray, time: np.ndarray) -> ik.Record:
        return ik.Record.from_arrays(time, dict(zip(self.outputs, values, strict=True)))

    def noisy(self) -> Problem:
        """The usual record."""
        if self.model not in _USUAL:
            time = self.time()
            clean = self.clean(time)
            values = clean + self.sigma * np.random.default_rng(0).standard_normal(clean.shape)
            _USUAL[self.model] = self.problem(values, time)
        return _USUAL[self.model]


_USUAL: dict[str, Problem] = {}  # posed once, by the model


CASES = (
    Case(
        "duffing", {"c": 0.1, "k": 1.0, "k3": 0.5}, lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3],
        (2.0, 0.0), ("x",), 30.0, 600, 0.05,
    ),
    Case(
        "pendulum", {"w0": 3.0, "mu": 0.02}, lambda t, x: [x[1], -0.12 * x[1] - 9.0 * np.sin(x[0])],
        (0.6, 0.0), ("theta",), 30.0, 1500, 0.01,
    ),
    Case(
        "horizontal_pendulum", {"zeta": 0.05},
        lambda t, x: [x[1], -0.1 * x[1] - 20.0 * x[0] + np.cos(x[0])],
        (0.5236, 0.0), ("theta",), 30.0, 1500, 0.005, {"mu_c": 0.0, "mu_q": 0.0, "k": 20.0},
    ),
    Case(
        "coupled_pendulums", {"a": 2.0, "b": -1.0},
        lambda t, x: [x[2], x[3], -2.0 * x[0] + x[1], x[0] - 2.0 * x[1]],
        (1.0, 0.0, 0.0, 0.0), ("q1", "q2", "p1", "p2"), 20.0, 800, 0.02,
    ),
)  # fmt: skip


# The largest std over the Cramer-Rao bound that a method may claim on its case: one and a half times what was measured
# with two seeds, for those that are not efficient. A method that is not listed may claim three times the bound.
LARGEST_STD = {
    "shooting": 1.05,
    "galerkin": 1.05,
    "sindy": 1.05,
    "symbolic": 1.05,
    "least_squares": 6.2,  # c, whose column of filtered velocities is the noisiest; k and k3 1.5
    "energy": 19.0,  # k, k3: every pair of times has the same weight; c 1.9
    "averaging": 15.5,  # w0: a formula for small angles, whose own error is in the std
    "reference_points": 1.1,
    "restoring_force": 7.0,
    "envelope": 1.1,
    "topological": 3.9,
    "pinn": 1.1,
    "neural_ode": 1.05,
}
# Methods that object to irregular times with missing samples, and the code of the finding: none today.
REFUSES_IRREGULAR_TIMES: Mapping[str, str] = {}


def largest_std(method: type[Method]) -> float:
    """In units of the Cramer-Rao bound."""
    return LARGEST_STD.get(method.name, 3.0)


@lru_cache(maxsize=64)
def case_for(method: type[Method]) -> Case:
    """The first case to which the method does not object."""
    for case in CASES:
        if not method().objections(case.noisy()):
            return case
    raise AssertionError(f"{method.name} objects to every case: add one it is made for")
