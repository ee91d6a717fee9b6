"""Lorenz's equations of convection."""

from __future__ import annotations

from identikit.model._model import Model
from identikit.model._parameter import Parameter, ReadyExperiment


def model() -> Model:
    """A fluid heated from below, reduced to three numbers; chaotic at the usual values.

        x' = sigma (y - x)
        y' = x (rho - z) - y
        z' = x y - beta z

    x is the speed of the turning rolls, y and z the temperature differences across and along them; all, time
    included, without dimensions. Volumes shrink by exp(-(sigma + 1 + beta) t) everywhere.
    """
    return Model.from_text(
        "lorenz",
        title="Lorenz system, chaotic: three states, three parameters",
        states={"x": "", "y": "", "z": ""},
        equations={"x": "sigma*(y - x)", "y": "x*(rho - z) - y", "z": "x*y - beta*z"},
        parameters=[
            Parameter("sigma", 10.0, "", (0, 1e3), meaning="Prandtl number"),
            Parameter("rho", 28.0, "", (0, 1e3), meaning="Rayleigh number over the critical one"),
            Parameter("beta", 8 / 3, "", (0, 1e2), meaning="shape of the rolls: 4/(1 + a^2), a the aspect ratio"),
        ],
        outputs=["x", "y", "z"],
        ready=ReadyExperiment({"x": -8.0, "y": 7.0, "z": 27.0}, 10.0, 0.01, {"x": 0.2, "y": 0.2, "z": 0.2}),
        source="E. N. Lorenz, Journal of the Atmospheric Sciences 20 (1963) 130-141",
        notes=("Errors double about every 0.8 units of time (largest Lyapunov exponent 0.906).",),
        time_unit="",
    )
