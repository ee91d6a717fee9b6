"""Figure 9: the envelope of each record, and that of the model at the estimate."""

from __future__ import annotations

import numpy as np

from identikit.progress import Progress
from identikit_published._base import PENDULUM_REPORT, Item, Outcome, Scale
from identikit_published.pendulum._envelope_search import BEGIN, ENVELOPE_SETTINGS, envelope, exact, searched
from identikit_published.pendulum._pictures import EVERY, curve, over_time
from identikit_published.pendulum._study import KNOWN_START, by_fits, with_stiffness_known
from identikit_published.pendulum._swing import DAMPINGS, NOISE, SETTINGS, SINGLE, TIME, noisy
from identikit.result import Panel, PublishedFigure


def run(scale: Scale, progress: Progress) -> Outcome:
    figures, panels = [], []
    for place, case in enumerate(SINGLE):
        progress(place / len(SINGLE), f"{case} damping")
        ((name, true),) = DAMPINGS[case].items()
        measured = noisy(case, 0)
        found = searched(case, measured)
        best = by_fits(case, [0], initial=KNOWN_START, **with_stiffness_known(case))
        observed = envelope(measured)
        estimates = {"printed": found.value, "ours": float(best.values[name][0])}
        ways = {way: envelope(exact({name: value})) for way, value in estimates.items()}
        misfit = {way: float(np.sqrt(np.mean((observed - one) ** 2))) for way, one in ways.items()}
        figures.append(
            PublishedFigure(case, "misfit of the envelope, rms", "rad", "excellent match", misfit["printed"],
                            misfit["ours"], None, f"the noise of a sample is {NOISE} rad; a misfit has no bound")
        )  # fmt: skip
        figures.append(
            PublishedFigure(case, f"error of {name}", "%", "not given", 100 * abs(found.value / true - 1),
                            best.error(name), best.bound(name))
        )  # fmt: skip
        time = TIME[BEGIN::EVERY]
        panels.append(
            Panel(f"{case}: record and envelope", "time [s]", "angle [rad]",
                  (over_time("measured", measured, "measured"), curve("envelope", time, observed[::EVERY], "printed")))
        )  # fmt: skip
        panels.append(
            Panel(f"{case}: envelopes", "time [s]", "envelope [rad]",
                  (curve("observed", time, observed[::EVERY], "measured"),
                   curve("simulated at the estimate", time, ways["printed"][::EVERY], "printed")), y_scale="log")
        )  # fmt: skip
    return Outcome(tuple(figures), tuple(panels), _REMARKS, {**SETTINGS, **ENVELOPE_SETTINGS}, 1)


_REMARKS = (
    "As printed: Algorithm 1. Best here: the trajectory fit that knows as much. The Hilbert envelope is that of the "
    "angle about zero, and the pendulum swings about 0.0499 rad: it ripples where the amplitude is no longer large "
    "against that, in data and model alike, so that the estimate hardly suffers.",
)

ITEM = Item("pendulum-figure-9", PENDULUM_REPORT, "Figure 9", "Envelopes, observed and simulated", run)
