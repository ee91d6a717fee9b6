"""Figure 5: training a physics-informed network on the viscous record."""

from __future__ import annotations

from identikit.progress import Progress
from identikit_published._base import PENDULUM_REPORT, Item, Outcome, Scale
from identikit_published.pendulum._printed import ESTIMATES, PINN
from identikit_published.pendulum._study import KNOWN_START
from identikit_published.pendulum._trained import PINN_STEPS, QUICK_PINN_STEPS, trained


def run(scale: Scale, progress: Progress) -> Outcome:
    printed = ESTIMATES["PINN"]["zeta"], PINN["viscous"]
    steps = QUICK_PINN_STEPS if scale.quick else PINN_STEPS
    return trained("pinn", printed, steps, _REMARKS, progress, KNOWN_START)


_REMARKS = (
    "As printed: one network of 4 layers of 50 units (the text gives no size), losses of data, physics and first state "
    "with equal weights, and Adam. The loss of the data stays at the variance of the record: the network rests where "
    "the equations cost nothing. The loss of the first state pulls its beginning away from there, to which a smooth "
    "curve yields the more cheaply the more it is damped: the damping grows as long as it is trained. Ours: a network "
    "per half swing, trained with the parameters by Gauss-Newton while the physics is tightened.",
    "The estimate printed with the figure is not that of the network but of a regression before it (see Table 7).",
)

ITEM = Item("pendulum-figure-5", PENDULUM_REPORT, "Figure 5", "PINN on the viscous record", run)
