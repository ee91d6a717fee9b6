"""Planar pendulum with viscous damping, dry friction, air drag and a sensor zero."""

from __future__ import annotations

from math import pi

from identikit.model._model import Model
from identikit.model._parameter import Parameter, ReadyExperiment


def model() -> Model:
    """A swinging body, damped in three ways, measured as theta + offset.

        theta'' + 2 mu w0 theta' + mu_c sign(theta') + mu_q theta'|theta'| + w0^2 sin theta = 0

    theta is the angle from hanging; `offset` is what the sensor reads there, so a sensor that counts
    from upright has an offset near pi.
    """
    return Model.from_text(
        "pendulum",
        title="Planar pendulum; viscous, dry and quadratic damping, sensor offset",
        states={"theta": "rad", "omega": "rad/s"},
        equations={
            "theta": "omega",
            "omega": "-2*mu*w0*omega - mu_c*sign(omega) - mu_q*omega*abs(omega) - w0**2*sin(theta)",
        },
        parameters=[
            Parameter("w0", 11.8, "rad/s", (1e-2, 1e3), meaning="frequency of small free swings"),
            Parameter("mu", 0.005, "", (0, 2), meaning="viscous damping ratio"),
            Parameter("mu_c", 0.0, "rad/s^2", (0, 1e3), fixed=True, meaning="dry friction torque over inertia"),
            Parameter("mu_q", 0.0, "", (0, 1e2), fixed=True, meaning="quadratic (air) drag over inertia"),
            Parameter(
                "offset",
                0.0,
                "rad",
                (-2 * pi, 2 * pi),
                fixed=True,
                meaning="what the sensor reads when hanging",
            ),
        ],
        outputs={"theta": "theta + offset"},
        output_units={"theta": "rad"},
        ready=ReadyExperiment({"theta": pi / 3, "omega": 0.0}, 10.0, 1 / 300, {"theta": 0.0047}),
        source="B. P. Mann, F. A. Khasawneh, An energy-balance approach for oscillator parameter identification, "
        "J. Sound and Vibration (2009), equation 7, the planar pendulum; mu = c/(2 m L^2 w0)",
        notes=("From a free swing only ratios to the inertia can be found, never mass, length and friction apart.",),
    )
