"""Furuta pendulum with a tilted axis and continuous friction in both joints."""

from __future__ import annotations

from math import pi

from identikit.model._model import Model
from identikit.model._parameter import Parameter, ReadyExperiment


def _friction(joint: int) -> str:
    """The friction torque of joint 0 or 1, with the sign of its velocity."""
    names = ("F_n", "mu_d", "mu_s", "mu_v", "v_t", "F_t")
    return f"wadi(w{joint}; {', '.join(f'{name}{joint}' for name in names)})"


def model() -> Model:
    """An arm turns by q0 about an axis tilted by phi from the vertical; a pendulum at its end turns by q1 about it.

        H00 q0'' + H01 q1'' + a sin(2 q1) q0' q1' + m2 l2 L1 sin q1 q1'^2 + G0 = -f0(q0')
        H01 q0'' + H11 q1'' - a sin q1 cos q1 q0'^2 + G1 = -f1(q1')

        a   = m2 l2^2 + j2y - j2z
        H00 = j1z + m1 l1^2 + m2 L1^2 + j2z + a sin^2 q1,   H01 = -m2 l2 L1 cos q1,   H11 = j2x + m2 l2^2
        G0  = g sin(phi) ((m1 l1 + m2 L1) sin q0 - m2 l2 sin q1 cos q0)
        G1  = m2 g l2 (sin q1 cos phi - sin q0 cos q1 sin phi)
        f   = F_n mu_d tanh(4 w/v_t) + F_n (mu_s - mu_d) (w/v_t)/((w/v_t)^2/4 + 3/4) + mu_v w tanh(4 F_n/F_t)

    At q0 = q1 = 0 the arm points down the slope and the pendulum along the axis, downward. w0 and w1 are the
    velocities of q0 and q1. Inertias are about the centres of mass. The friction law has no jump: below v_t it creeps
    instead of sticking. The normal forces F_n0 = (m1 + m2) g cos(phi) and F_n1 = m2 g are constants that we chose
    (for 20 degrees); only F_n mu matters, so every mu_d and mu_s is relative to them, and they do not follow when you
    change phi or a mass. F_n mu is used as a torque: a lever arm of 1 m is hidden in it.
    """
    a = "(m2*l2**2 + j2y - j2z)"
    h00 = f"(j1z + m1*l1**2 + m2*L1**2 + j2z + {a}*sin(q1)**2)"
    h01 = "(-m2*l2*L1*cos(q1))"
    h11 = "(j2x + m2*l2**2)"
    gravity0 = "g*sin(phi)*((m1*l1 + m2*L1)*sin(q0) - m2*l2*sin(q1)*cos(q0))"
    gravity1 = "m2*g*l2*(sin(q1)*cos(phi) - sin(q0)*cos(q1)*sin(phi))"
    torque0 = f"(-{a}*2*sin(q1)*cos(q1)*w0*w1 - m2*l2*L1*sin(q1)*w1**2 - {gravity0} - {_friction(0)})"
    torque1 = f"({a}*sin(q1)*cos(q1)*w0**2 - {gravity1} - {_friction(1)})"
    determinant = f"({h00}*{h11} - {h01}**2)"
    return Model.from_text(
        "furuta",
        title="Tilted Furuta pendulum with static, dynamic, viscous and Stribeck friction in both joints",
        states={"q0": "rad", "q1": "rad", "w0": "rad/s", "w1": "rad/s"},
        equations={
            "q0": "w0",
            "q1": "w1",
            "w0": f"({h11}*{torque0} - {h01}*{torque1})/{determinant}",
            "w1": f"({h00}*{torque1} - {h01}*{torque0})/{determinant}",
        },
        parameters=[*_friction_parameters(), *_rig_parameters()],
        outputs={"q0": "q0", "q1": "q1", "w0": "w0", "w1": "w1"},
        ready=ReadyExperiment(
            {"q0": 0.0, "q1": 2 * pi / 3, "w0": 0.0, "w1": 0.0},
            35.0,
            0.01,
            {"q0": 0.1, "q1": 0.1, "w0": 0.1, "w1": 0.1},
        ),
        source="A. Wadi, S. Mukhopadhyay, L. Romdhane, IEEE Access (2022), doi 10.1109/ACCESS.2022.3165081, "
        "tables 1 and 3; friction as in its equation 5 (the law `wadi`), after P. Brown and J. McPhee, J. Comput. "
        "Nonlinear Dyn. 11 (2016); dynamics derived anew by Lagrange",
        notes=(
            "Free are the dynamic and viscous coefficients, given mu_s and v_t. The example experiment cannot tell "
            "mu_s1, v_t1, v_t0 and F_t, and a fit with them free says so; at noise 0.01 mu_s0 and v_t0 are told.",
            "With noise of 0.1 rad the swing of q0 barely stands out, so its fit in percent is low even at the truth.",
            "F_t0 and F_t1 have no effect while F_n is well above them: tanh(4 F_n/F_t) is 1.",
            "Errata: the printed inertia matrix lacks m2 L1^2; both rows of the printed velocity terms have the wrong "
            "sign and wrong inertias; friction is printed as driving the motion; equation 3 has a mass too many.",
            "The law of friction is printed without a square that its own source has (the law `brown_mcphee`): it is "
            "used as printed, so that the tables keep their meaning.",
            "phi and the normal forces are not given in the source: 20 degrees and the constants here are ours.",
            "l2 equals l1 to three digits in table 1, while half the pendulum's length is 0.158 m: perhaps a slip.",
        ),
    )


def _friction_parameters() -> list[Parameter]:
    made = []
    for joint, name, dynamic, static in ((0, "arm", 5e-4, 6e-4), (1, "pendulum", 6e-4, 7e-4)):
        made += [
            Parameter(f"mu_d{joint}", dynamic, "m", (0, 1), meaning=f"dynamic friction of the {name}'s joint over F_n"),
            Parameter(
                f"mu_s{joint}",
                static,
                "m",
                (0, 1),
                fixed=True,
                meaning=f"static friction of the {name}'s joint over F_n",
            ),
            Parameter(f"mu_v{joint}", 2.5e-4, "N*m*s", (0, 1), meaning=f"viscous friction of the {name}'s joint"),
            Parameter(
                f"v_t{joint}",
                5e-3,
                "rad/s",
                (1e-4, 10),
                fixed=True,
                meaning=f"Stribeck transition of the {name}'s friction, which is greatest near 1.7 v_t",
            ),
            Parameter(
                f"F_t{joint}",
                1e-2,
                "N",
                (1e-6, 1e3),
                fixed=True,
                meaning=f"force above which the {name}'s viscous friction acts",
            ),
        ]
    return made


def _rig_parameters() -> list[Parameter]:
    rig = (
        ("phi", pi / 9, "rad", "tilt of the arm's axis from the vertical"),
        ("m1", 0.370, "kg", "mass of the arm"),
        ("m2", 0.128, "kg", "mass of the pendulum"),
        ("l1", 0.0620, "m", "arm: axis to centre of mass"),
        ("l2", 0.0620, "m", "pendulum: joint to centre of mass"),
        ("L1", 0.216, "m", "arm: axis to the pendulum's joint"),
        ("j1z", 3.09e-3, "kg*m^2", "inertia of the arm about its axis' direction"),
        ("j2x", 5.25e-3, "kg*m^2", "inertia of the pendulum about the arm's direction"),
        ("j2y", 5.25e-3, "kg*m^2", "inertia of the pendulum across arm and pendulum"),
        ("j2z", 2.91e-6, "kg*m^2", "inertia of the pendulum about its own length"),
        ("g", 9.81, "m/s^2", "gravity"),
        ("F_n0", 4.5908, "N", "normal force in the arm's joint, (m1 + m2) g cos(phi)"),
        ("F_n1", 1.25568, "N", "normal force in the pendulum's joint, m2 g"),
    )
    upper = {"rad": pi / 2, "kg": 100.0, "m": 10.0, "kg*m^2": 100.0, "m/s^2": 30.0, "N": 1e4}
    return [Parameter(name, value, unit, (0, upper[unit]), True, meaning) for name, value, unit, meaning in rig]
