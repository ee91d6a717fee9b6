"""The same dampings on a straight spring, for which the report's topological formulas are said to hold.

x'' + 2 zeta x' + mu_c sign(x') + mu_q x'|x'| + k x = 0
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import numpy as np
from numpy.typing import NDArray

from identikit.model import Model, Parameter
from identikit_published import independent
from identikit_published.pendulum._swing import DAMPINGS, FIRST, NOISE, PARAMETERS, STIFFNESS, TIME
from identikit.simulation import simulate


@cache
def linear_model() -> Model:
    """The oscillator as a model, its stiffness known."""
    return Model.from_text(
        "straight_spring",
        states={"x": "rad", "v": "rad/s"},
        equations={"x": "v", "v": "-2*zeta*v - mu_c*sign(v) - mu_q*v*abs(v) - k*x"},
        parameters=[
            *(Parameter(name, 0.01, "1/s" if name == "zeta" else "", (0, 5)) for name in PARAMETERS),
            Parameter("k", STIFFNESS, "", (0.1, 1e4)),
        ],
        outputs=["x"],
    )


def linear_record(case: str, seed: int, noise: float = NOISE) -> NDArray[np.float64]:
    """The position as it is measured, let go at the pendulum's first amplitude."""
    return _swing(case) + noise * np.random.default_rng(seed).standard_normal(len(TIME))


@cache
def _swing(case: str) -> NDArray[np.float64]:
    zeta, mu_c, mu_q = (DAMPINGS[case].get(name, 0.0) for name in PARAMETERS)

    def rate(t: float, x: NDArray[np.float64], s: list[float]) -> tuple[float, float]:
        dry = mu_c * s[0] if s else 0.0
        return x[1], -STIFFNESS * x[0] - 2 * zeta * x[1] - mu_q * x[1] * abs(x[1]) - dry

    friction = independent.Switch(lambda t, x: x[1], lambda t, x: -STIFFNESS * x[0] / mu_c, pinned=1)
    return independent.event_driven(rate, [friction] if mu_c else [], (FIRST, 0.0), TIME)[0][0]


def linear_motion(damping: Mapping[str, float]) -> NDArray[np.float64]:
    """The position over TIME by identikit's integrator."""
    values = {**dict.fromkeys(PARAMETERS, 0.0), "k": STIFFNESS, **damping}
    return simulate(linear_model(), TIME, values, initial={"x": FIRST, "v": 0.0}).outputs["x"]
