"""Double pendulum driven by torques in its joints: a robot arm with two joints that hangs down."""

from __future__ import annotations

from identikit.model._model import Model
from identikit.model._parameter import Input, Parameter, ReadyExperiment


def model() -> Model:
    """Two links in a vertical plane, joint angles from hanging, the second relative to the first link.

        M11 q1'' + M12 q2'' - C sin q2 (2 q1' + q2') q2' + G1 sin q1 + G2 sin(q1 + q2) = tau_1 - R1
        M12 q1'' + M22 q2'' + C sin q2 q1'^2 + G2 sin(q1 + q2) = tau_2 - R2
        M11 = J1 + J2 + 2 C cos q2,  M12 = J2 + C cos q2,  M22 = J2 + Jr,  R = c q' + f sign(q') for each joint

    C = m2 l1 r2 is `coupling`, G1 = (m1 r1 + m2 l1) g is `gravity_1`, G2 = m2 r2 g is `gravity_2`: l1 is the distance
    of the joints, r that of a link's centre of mass from its joint. J1 is `inertia_1`, J2 is `inertia_2`. Without
    gears J1 = I1 + m2 l1^2 and J2 = I2, inertias I about the links' own joints. With a gear of ratio n and a rotor of
    inertia Ir in each joint J1 = I1 + m2 l1^2 + (n^2 + n + 1) Ir, J2 = I2 - n Ir, and Jr = (n^2 + n) Ir is `rotor`.
    Torques are at the joints, after the gears; w1 and w2 are the velocities of q1 and q2.
    """
    joint_1 = (
        "(tau_1 - c1*w1 - f1*sign(w1) + coupling*sin(q2)*(2*w1 + w2)*w2 - gravity_1*sin(q1) - gravity_2*sin(q1 + q2))"
    )
    joint_2 = "(tau_2 - c2*w2 - f2*sign(w2) - coupling*sin(q2)*w1**2 - gravity_2*sin(q1 + q2))"
    m11, m12, m22 = (
        "(inertia_1 + inertia_2 + 2*coupling*cos(q2))",
        "(inertia_2 + coupling*cos(q2))",
        "(inertia_2 + rotor)",
    )
    determinant = f"({m11}*{m22} - {m12}**2)"
    return Model.from_text(
        "driven_double_pendulum",
        title="Double pendulum driven by torques in its joints, angles from hanging, the second relative to the first",
        states={"q1": "rad", "q2": "rad", "w1": "rad/s", "w2": "rad/s"},
        equations={
            "q1": "w1",
            "q2": "w2",
            "w1": f"({m22}*{joint_1} - {m12}*{joint_2})/{determinant}",
            "w2": f"({m11}*{joint_2} - {m12}*{joint_1})/{determinant}",
        },
        parameters=[
            Parameter("inertia_1", 0.11, "kg*m^2", (1e-6, 1e4), meaning="I1 + m2 l1^2, with the drives"),
            Parameter("inertia_2", 0.024, "kg*m^2", (1e-6, 1e4), meaning="I2, less the drive's n Ir"),
            Parameter("coupling", 0.033, "kg*m^2", (0, 1e4), meaning="m2 l1 r2"),
            Parameter("gravity_1", 3.4, "N*m", (0, 1e5), meaning="(m1 r1 + m2 l1) g"),
            Parameter("gravity_2", 1.1, "N*m", (0, 1e5), meaning="m2 r2 g"),
            Parameter("c1", 0.01, "N*m*s", (0, 1e3), meaning="viscous friction in the first joint"),
            Parameter("c2", 0.01, "N*m*s", (0, 1e3), meaning="viscous friction in the second joint"),
            Parameter("f1", 0.1, "N*m", (0, 1e4), meaning="dry friction in the first joint"),
            Parameter("f2", 0.1, "N*m", (0, 1e4), meaning="dry friction in the second joint"),
            Parameter("rotor", 0.0, "kg*m^2", (0, 1e4), fixed=True, meaning="(n^2 + n) Ir of a geared second drive"),
        ],
        inputs=[
            Input("tau_1", "N*m", 0.0, "torque of the ground on link 1, positive as q1"),
            Input("tau_2", "N*m", 0.0, "torque of link 1 on link 2, positive as q2"),
        ],
        outputs={"q1": "q1", "q2": "q2", "w1": "w1", "w2": "w2"},
        ready=ReadyExperiment(
            {"q1": 0.0, "q2": 0.0, "w1": 0.0, "w2": 0.0},
            10.0,
            0.005,
            {"q1": 0.001, "q2": 0.001, "w1": 0.02, "w2": 0.02},
            {"tau_1": "0.9*sin(4.7*t)", "tau_2": "0.6*sin(2.9*t) + 0.3*sin(9.3*t)"},
        ),
        source="Lagrange's equations; usual values near those published for the double pendulum of DFKI's "
        "Underactuated Lab (design A.0)",
        notes=(
            "Torques in N m make the inertias absolute; from a free swing only ratios can be told (`double_pendulum`).",
            "coupling/l1 and gravity_2/g are both m2 r2: with the lengths known, one checks the other.",
            "Published friction of the form a atan(100 q') tends to a pi/2: compare that with f.",
        ),
    )
