"""The force of a friction law over velocity: in steady sliding, and while the velocity swings to and fro."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from identikit.errors import OptionError, did_you_mean
from identikit.model import FrictionLaw, Model, Program, symbol
from identikit.simulation import simulate

POINTS = 201  # of each half of the curve
SAMPLES = 801  # of the swing, over its last period
SWINGS = 2  # the first one forgets the start
PATH = 5.0  # amplitude of the swing, in deflections of steady sliding: it shows both the spring and the slide


@dataclass(frozen=True)
class FrictionCurve:
    """Force over velocity, with the law's values of parameters.

    `force` is that of steady sliding, at `velocity` (its values next to zero are those of the smallest speed to either
    side); `swing` is (velocity, force) over one period of a sinusoidal velocity, for laws with a memory, else None.
    """

    law: FrictionLaw
    values: dict[str, float]
    velocity: np.ndarray
    force: np.ndarray
    swing: tuple[np.ndarray, np.ndarray] | None


def friction_curve(law: FrictionLaw, values: Mapping[str, float] | None = None, fastest: float = 0.0) -> FrictionCurve:
    """The curve up to the speed `fastest` (0: a usual one) for parameters that are given, else those of the example."""
    given = dict(values or {})
    for name, value in given.items():
        if name not in law.parameter_names:
            raise OptionError(
                f"the friction law '{law.name}' has no parameter '{name}'.{did_you_mean(name, law.parameter_names)}"
            )
        if not (np.isfinite(value) and value > 0):
            raise OptionError(f"{name} of the friction law '{law.name}' is {value:g}: expected a positive number")
    chosen = {item.name: float(given.get(item.name, item.value or 0.0)) for item in law.parameters}
    fastest = fastest or law.scale
    speed = np.linspace(0, fastest, POINTS)
    speed[0] = 1e-9 * fastest  # the force of a motion that only just is one
    velocity = np.concatenate([-speed[::-1], speed])
    v, parameters = symbol("v"), [symbol(name) for name in law.parameter_names]
    steady = Program([law.steady_force(v, *parameters)], [v, *parameters])
    force = steady(np, [velocity, *chosen.values()])[0]
    return FrictionCurve(law, chosen, velocity, force, _swing(law, chosen, fastest))


def _swing(law: FrictionLaw, values: Mapping[str, float], fastest: float) -> tuple[np.ndarray, np.ndarray] | None:
    """Velocity and force over a period of v = fastest sin(w t), with w such that the path has its length."""
    if law.deflection_rate is None:
        return None
    w = fastest / (PATH * abs(float(law.steady_deflection(fastest, *values.values()))))
    swung = Model.from_text(
        law.name,
        equations={"v": "fastest*w*cos(w*t)"},
        parameters={**values, "fastest": fastest, "w": w},
        outputs={"v": "v", "force": law.call},
    )
    period = 2 * np.pi / w
    time = np.concatenate([[0.0], np.linspace((SWINGS - 1) * period, SWINGS * period, SAMPLES)])
    found = simulate(swung, time).outputs
    return found["v"][1:], found["force"][1:]
