"""Pendulum between two magnets: two wells."""

from __future__ import annotations

from identikit.model._model import Model
from identikit.model._parameter import Parameter, ReadyExperiment


def model() -> Model:
    """A pendulum that two magnets pull out of the vertical, so that it comes to rest on one side or the other.

        theta'' + 2 mu w0 theta' + w0^2 sin theta + 2 a1 theta + 3 a2 theta^2 + 4 a3 theta^3 = 0

    theta is the angle from hanging (without magnets). The magnets' potential over the inertia m L^2 is
    a1 theta^2 + a2 theta^3 + a3 theta^4, which is where the factors n + 1 come from; mu = c/(2 m L^2 w0). The wells
    are at -0.523 and +0.4215 rad for the values given here. There is no dry friction and no eddy-current drag apart
    from what mu takes up.
    """
    return Model.from_text(
        "magnetic_pendulum",
        title="Pendulum with two magnets: a potential with two wells",
        states={"theta": "rad", "omega": "rad/s"},
        equations={
            "theta": "omega",
            "omega": "-2*mu*w0*omega - w0**2*sin(theta) - 2*a1*theta - 3*a2*theta**2 - 4*a3*theta**3",
        },
        parameters=[
            Parameter("mu", 0.0509, "", (0, 2), meaning="viscous damping ratio, c/(2 m L^2 w0)"),
            Parameter(
                "w0",
                11.74,
                "rad/s",
                (1e-2, 1e3),
                fixed=True,
                meaning="frequency of small swings without magnets; measure it with the magnets removed",
            ),
            Parameter("a1", -138.3, "1/s^2", (-1e5, 1e5), meaning="quadratic coefficient of the magnets' potential"),
            Parameter("a2", 21.3, "1/s^2", (-1e5, 1e5), meaning="cubic coefficient: how unlike the two wells are"),
            Parameter("a3", 163.1, "1/s^2", (-1e5, 1e5), meaning="quartic coefficient of the magnets' potential"),
        ],
        outputs={"theta": "theta"},
        ready=ReadyExperiment({"theta": 0.9, "omega": 0.0}, 10.0, 1 / 300, {"theta": 0.0047}),
        source="B. P. Mann, F. A. Khasawneh, An energy-balance approach for oscillator parameter identification, "
        "J. Sound and Vibration (2009), equation 18 and the reference row of table 1",
        notes=(
            "w0 is fixed: sin theta is nearly a sum of theta and theta^3, so from one free swing w0, a1 and mu cannot "
            "be told apart, only 2 mu w0, w0^2 + 2 a1 and 4 a3 - w0^2/6; a fit with w0 free names these.",
            "Erratum: table 1 gives a_n in N/rad^n; they are already divided by m L^2 and in 1/s^2.",
            "Erratum: the damping ratio is c/(2 m L^2 w0), not c/(m L^2) as printed for the plain pendulum.",
            "The record's length, rate and starts are not given in the source; those here are ours.",
        ),
    )
