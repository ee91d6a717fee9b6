"""Figure 2: phase portraits, and how the spirals shrink."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from identikit.progress import Progress
from identikit_published._base import PENDULUM_REPORT, Item, Outcome, Scale
from identikit_published.pendulum._pictures import curve
from identikit_published.pendulum._swing import PERIOD, REST, SETTINGS, SINGLE, TIME, amplitudes, decay, peaks, swing
from identikit.result import Panel, PublishedFigure, Series

EVERY = 10  # samples: what is drawn
TURNS = (0, 20)  # after which the loss of a turn is told


def run(scale: Scale, progress: Progress) -> Outcome:
    figures, panels = [], []
    for place, case in enumerate(SINGLE):
        progress(place / len(SINGLE), f"{case} damping")
        states = swing(case)
        time, amplitude = amplitudes(states[0])
        for turn in TURNS:
            loss = 100 * (1 - amplitude[turn + 1] / amplitude[turn])
            at = np.searchsorted(TIME, time[turn : turn + 2] + PERIOD / 4)
            first, second = decay(case, True)[at]
            figures.append(
                PublishedFigure(case, f"a turn's loss of radius, after {turn + 1}", "%", "not given",
                                None if case == "quadratic" else float(100 * (1 - second / first)), float(loss), None,
                                "as printed: by the report's decay pattern, if it has one")
            )  # fmt: skip
        centre = _centre(states[0])
        figures.append(
            PublishedFigure(case, "centre of the spiral", "rad", "k theta = cos theta", REST, centre, None,
                            "best here: half way between peaks and valleys, at the limit of small swings")
        )  # fmt: skip
        curves = (
            curve("", states[0, ::EVERY], states[1, ::EVERY], "model"),
            Series("rest position", (REST,), (0.0,), "points", emphasis="printed"),
        )
        panels.append(Panel(f"{case} damping", "angle [rad]", "velocity [rad/s]", curves))
    return Outcome(tuple(figures), tuple(panels), _REMARKS, SETTINGS)


def _centre(angle: NDArray[np.float64]) -> float:
    """Half way between valleys and the mean of the peaks about each, carried on to a swing of no size.

    The half-way point moves with the square of the amplitude, since the swing is slightly lopsided.
    """
    peak, valley = peaks(angle)[1], -peaks(-angle)[1][1:]  # the motion begins with a valley, before the first peak
    count = min(len(peak) - 1, len(valley))
    upper, lower = (peak[:count] + peak[1 : count + 1]) / 2, valley[:count]
    return float(np.polyfit(((upper - lower) / 2) ** 2, (upper + lower) / 2, 1)[1])


_REMARKS = (
    "A turn takes away a constant share of the radius with viscous damping, a constant length with dry friction, and "
    "a share in proportion to the radius with quadratic damping. The motion has no noise: nothing is estimated, and "
    "there is no bound.",
)

ITEM = Item("pendulum-figure-2", PENDULUM_REPORT, "Figure 2", "Phase portraits", run)
