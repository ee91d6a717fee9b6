"""Double pendulum in the combinations that its motion can tell."""

from __future__ import annotations

from math import pi

from identikit.model._model import Model
from identikit.model._parameter import Input, Parameter, ReadyExperiment


def model() -> Model:
    """Two links in a vertical plane, absolute angles from upright, everything over the second link's inertia.

        A theta1'' + C cos(d) theta2'' + C sin(d) theta2'^2 - G1 sin theta1 = tau_1 - tau_2 - R1 + R2
        C cos(d) theta1'' + theta2'' - C sin(d) theta1'^2 - G2 sin theta2 = tau_2 - R2
        d = theta1 - theta2,  R1 = c1 theta1' + f1 sign(theta1'),  R2 the same of theta2' - theta1'

    Hanging is theta1 = theta2 = pi. With B = I2 + m2 a2^2, A = (I1 + m1 a1^2 + m2 L1^2)/B is `inertia`,
    C = m2 L1 a2/B is `coupling`, G1 = (m1 a1 + m2 L1) g/B is `gravity_1` and G2 = m2 a2 g/B is `gravity_2`: I are
    inertias about the links' centres of mass, a their distances from the joints, L1 the distance of the joints.
    Friction acts in the joints, so the second joint's on both links. Inputs are the joints' torques over B. Masses,
    lengths and inertias cannot be told apart from a free swing, these ratios can.
    """
    determinant = "(inertia - (coupling*cos(theta1 - theta2))**2)"
    first_joint = "(tau_1 - c1*omega1 - f1*sign(omega1))"
    second_joint = "(tau_2 - c2*(omega2 - omega1) - f2*sign(omega2 - omega1))"
    first = f"({first_joint} - {second_joint} - coupling*sin(theta1 - theta2)*omega2**2 + gravity_1*sin(theta1))"
    second = f"({second_joint} + coupling*sin(theta1 - theta2)*omega1**2 + gravity_2*sin(theta2))"
    return Model.from_text(
        "double_pendulum",
        title="Double pendulum, absolute angles from upright, viscous and dry friction in the joints",
        states={"theta1": "rad", "theta2": "rad", "omega1": "rad/s", "omega2": "rad/s"},
        equations={
            "theta1": "omega1",
            "theta2": "omega2",
            "omega1": f"({first} - coupling*cos(theta1 - theta2)*{second})/{determinant}",
            "omega2": f"(inertia*{second} - coupling*cos(theta1 - theta2)*{first})/{determinant}",
        },
        parameters=[
            Parameter("inertia", 1.8, "", (1e-2, 1e3), meaning="(I1 + m1 a1^2 + m2 L1^2)/B; above coupling^2"),
            Parameter("coupling", 0.88, "", (0, 1e2), meaning="m2 L1 a2/B"),
            Parameter("gravity_1", 106.0, "1/s^2", (0, 1e5), meaning="(m1 a1 + m2 L1) g/B"),
            Parameter("gravity_2", 50.0, "1/s^2", (0, 1e5), meaning="m2 a2 g/B"),
            Parameter("c1", 0.02, "1/s", (0, 1e3), meaning="viscous friction in the first joint over B"),
            Parameter("c2", 0.01, "1/s", (0, 1e3), meaning="viscous friction in the second joint over B"),
            Parameter("f1", 0.0, "1/s^2", (0, 1e4), fixed=True, meaning="dry friction in the first joint over B"),
            Parameter("f2", 0.0, "1/s^2", (0, 1e4), fixed=True, meaning="dry friction in the second joint over B"),
        ],
        inputs=[
            Input("tau_1", "1/s^2", 0.0, "torque of the ground on link 1 over B, positive as theta1"),
            Input("tau_2", "1/s^2", 0.0, "torque of link 1 on link 2 over B, positive as theta2"),
        ],
        outputs={"theta1": "theta1", "theta2": "theta2"},
        ready=ReadyExperiment(
            {"theta1": pi - 1.0, "theta2": pi - 0.5, "omega1": 0.0, "omega2": 0.0},
            10.0,
            0.005,
            {"theta1": 0.003, "theta2": 0.003},
        ),
        source="Lagrange's equations; usual values near those of the MultiARM double pendulum's free swing",
        notes=(
            "A solution needs inertia > coupling^2, which every real pair of links satisfies.",
            "If your second angle is relative to the first link, add the first angle to it; if from hanging, add pi.",
            "Swings over the top are chaotic: cut a long record into segments rather than fit it in one.",
        ),
    )
