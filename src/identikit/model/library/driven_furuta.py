"""Furuta pendulum on a vertical axis, its arm driven by a motor at a given voltage."""

from __future__ import annotations

from identikit.model._model import Model
from identikit.model._parameter import Input, Parameter, ReadyExperiment


def model() -> Model:
    """A motor turns an arm by q0 about a vertical axis; a pendulum at its end turns by q1 about the arm, from hanging.

        (arm + bob sin^2 q1) q0'' - coupling cos q1 q1'' + 2 bob sin q1 cos q1 q0' q1' + coupling sin q1 q1'^2
            = k_V V - c0 q0' - f0 sign(q0')
        bob q1'' - coupling cos q1 q0'' - bob sin q1 cos q1 q0'^2 + gravity sin q1 = -c1 q1' - f1 sign(q1')

    in the base parameters of the rig, arm = J_arm + m2 L1^2, bob = J_pendulum + m2 l2^2 (about the joint),
    coupling = m2 l2 L1, gravity = m2 g l2, for a pendulum that is thin against its length. The motor's torque at
    standstill is k_V = k_t/R per volt; its back-EMF brakes as viscous friction does, k_t k_e/R, and is part of c0.
    """
    arm_torque = "(k_V*V - viscous(w0; c0) - coulomb(w0; f0) - 2*bob*sin(q1)*cos(q1)*w0*w1 - coupling*sin(q1)*w1**2)"
    bob_torque = "(bob*sin(q1)*cos(q1)*w0**2 - gravity*sin(q1) - viscous(w1; c1) - coulomb(w1; f1))"
    h00, h01 = "(arm + bob*sin(q1)**2)", "(-coupling*cos(q1))"
    determinant = f"({h00}*bob - {h01}**2)"
    return Model.from_text(
        "driven_furuta",
        title="Furuta pendulum on a vertical axis, driven by a motor's voltage, with dry and viscous friction",
        states={"q0": "rad", "q1": "rad", "w0": "rad/s", "w1": "rad/s"},
        equations={
            "q0": "w0",
            "q1": "w1",
            "w0": f"(bob*{arm_torque} - {h01}*{bob_torque})/{determinant}",
            "w1": f"({h00}*{bob_torque} - {h01}*{arm_torque})/{determinant}",
        },
        parameters=[
            Parameter("arm", 0.0105, "kg*m^2", (1e-7, 1e3), meaning="inertia of arm, rotor and the pendulum's mass"),
            Parameter("bob", 0.00574, "kg*m^2", (1e-7, 1e3), meaning="inertia of the pendulum about its joint"),
            Parameter("coupling", 0.00171, "kg*m^2", (0, 1e3), meaning="m2 l2 L1"),
            Parameter("gravity", 0.0779, "N*m", (1e-6, 1e4), meaning="m2 g l2"),
            Parameter(
                "c0", 5e-4, "N*m*s", (0, 1e2), meaning="viscous friction of the arm, with the back-EMF k_t k_e/R"
            ),
            Parameter("c1", 1.5e-4, "N*m*s", (0, 1e2), meaning="viscous friction of the pendulum's joint"),
            Parameter("f0", 2.3e-3, "N*m", (0, 1e3), meaning="dry friction of the arm's joint"),
            Parameter("f1", 3e-4, "N*m", (0, 1e3), meaning="dry friction of the pendulum's joint"),
            Parameter("k_V", 5e-3, "N*m/V", (1e-6, 1e2), fixed=True, meaning="torque per volt at standstill, k_t/R"),
        ],
        inputs=[Input("V", "V", 0.0, "the motor's voltage, positive as q0")],
        outputs={"q0": "q0", "q1": "q1", "w0": "w0", "w1": "w1"},
        ready=ReadyExperiment(
            {"q0": 0.0, "q1": 0.3, "w0": 0.5, "w1": 0.5},
            15.0,
            0.005,
            {"q0": 0.002, "q1": 0.002, "w0": 0.05, "w1": 0.05},
            {"V": "4*cos(3.1*t) + 3*cos(5.3*t) + 2*sin(0.9*t)"},
        ),
        source="Lagrange's equations; usual values near the rig of `furuta`",
        notes=(
            "Without a drive only ratios of the inertias, gravity and friction can be told; a known k_V makes them "
            "absolute. With everything free, k_V and all others are known up to one factor.",
            "A record that begins held by friction hardly tells its first velocities: say that they are zero.",
            "For a tilted axis, or friction that is greatest at rest, see `furuta` and the friction laws.",
        ),
    )
