"""Models that many tests share: each new one costs seconds of compilation, and a test seldom needs one of its own.

The library's models are part of the corpus: `duffing`, smooth, with its free parameters c, k and k3, is the first
choice where any oscillator will do, `horizontal_pendulum` where dry friction is at stake.
"""

from __future__ import annotations

import identikit as ik

SWING = ik.Model.from_text(
    "swing",
    states={"theta": "rad", "omega": "rad/s"},
    equations={"theta": "omega", "omega": "cos(theta) - k*theta - 2*zeta*omega"},
    parameters=[
        ik.Parameter("zeta", 0.05, "1/s", (0, 10)),
        ik.Parameter("k", 20.0, "1/s^2", (0.1, 10_000)),
    ],
    outputs=["theta"],
    time_unit="s",
)
"""The horizontal pendulum without dry friction, drag and moving pivot: what `stochastic.shaken_pendulum` simulates, and
`reference.horizontal_pendulum` with the viscous damping alone."""
