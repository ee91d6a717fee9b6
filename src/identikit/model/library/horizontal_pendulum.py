"""Horizontal pendulum with a torsional spring and three kinds of damping."""

from __future__ import annotations

from math import pi

from identikit.model._model import Model
from identikit.model._parameter import Input, Parameter, ReadyExperiment


def model() -> Model:
    """A bar on a torsional spring, damped in three ways and shaken at its pivot.

        theta'' + 2 zeta theta' + mu_c sign(theta') + mu_q theta'|theta'| + k theta
            - (1 + q_v) cos theta - q_h sin theta = 0

    theta is positive downward from horizontal. Time is in units of 1/Omega0, Omega0^2 = m g L / I (with a rig
    of Omega0 = 1/s it is seconds), and every torque in units of m g L. q_h and q_v are the pivot's
    accelerations, horizontal (towards the bob) and vertical (upward), in units of g.
    """
    return Model.from_text(
        "horizontal_pendulum",
        title="Horizontal pendulum with torsional spring; viscous, dry and quadratic damping",
        states={"theta": "rad", "omega": "rad/s"},
        equations={
            "theta": "omega",
            "omega": "-2*zeta*omega - mu_c*sign(omega) - mu_q*omega*abs(omega) - k*theta"
            " + (1 + q_v)*cos(theta) + q_h*sin(theta)",
        },
        parameters=[
            Parameter("zeta", 0.05, "1/s", (0, 5), meaning="viscous damping: half the coefficient of theta'"),
            Parameter("mu_c", 0.0, "", (0, 5), meaning="dry friction torque over m g L"),
            Parameter("mu_q", 0.0, "", (0, 5), meaning="quadratic (air) drag"),
            Parameter("k", 20.0, "", (0.1, 1e4), meaning="torsional stiffness over m g L"),
        ],
        inputs=[
            Input("q_h", "", 0.0, "horizontal acceleration of the pivot in g, positive from pivot to bob"),
            Input("q_v", "", 0.0, "vertical acceleration of the pivot in g, positive upward"),
        ],
        outputs={"theta": "theta"},
        ready=ReadyExperiment({"theta": pi / 6, "omega": 0.0}, 60.0, 0.002, {"theta": 0.002}),
        source="Inverse parameter estimation for nonlinear pendulum using optimization-based system identification "
        "(report, 2026), equation 1; excitation by Lagrange",
        notes=(
            "zeta is half the coefficient of theta', not a damping ratio: amplitude decays as exp(-zeta t).",
            "Near rest the frequency is sqrt(k + sin theta_eq) with k theta_eq = cos theta_eq.",
        ),
    )
