"""Van der Pol oscillator."""

from __future__ import annotations

from identikit.model._model import Model
from identikit.model._parameter import Parameter, ReadyExperiment


def model() -> Model:
    """x'' - mu (1 - x^2) x' + w0^2 x = 0: damping that is negative at small amplitude.

    x is scaled so that the damping changes sign at 1. Every start but rest goes to the same limit cycle, whose
    amplitude is 2 for small mu and stays within 1.2 % of it for any.
    """
    return Model.from_text(
        "van_der_pol",
        title="Van der Pol oscillator: a limit cycle",
        states={"x": "", "v": "1/s"},
        equations={"x": "v", "v": "mu*(1 - x**2)*v - w0**2*x"},
        parameters=[
            Parameter("mu", 1.0, "1/s", (0, 1000), meaning="strength of the nonlinear damping"),
            Parameter("w0", 2.0, "rad/s", (1e-2, 1e3), meaning="frequency for small mu"),
        ],
        outputs={"x": "x"},
        ready=ReadyExperiment({"x": 0.5, "v": 0.0}, 20.0, 0.02, {"x": 0.02}),
        source="B. van der Pol, Philosophical Magazine 2 (1926) 978-992",
        notes=(
            "On the limit cycle the start no longer matters, so a late record tells as much as an early one.",
            "Beyond mu/w0 of about 30 it is stiff and the integrator slow.",
        ),
    )
