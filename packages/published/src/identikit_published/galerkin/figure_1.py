"""Figure 1 (b): the piecewise linear current of Chua's diode, true and as it is identified at 30 dB."""

from __future__ import annotations

import numpy as np

from identikit.progress import Progress
from identikit_published._base import GALERKIN_PAPER, Item, Outcome, Scale
from identikit_published.galerkin import _circuits as circuits
from identikit.result import Panel, PublishedFigure, Series

VOLTAGES = np.linspace(-8.0, 8.0, 161)  # V: what the circuits of Table 1 reach
NAMES = tuple(circuits.TRUTH)


def current(inner: float, outer: float) -> np.ndarray:
    """Equation 3, mA."""
    return outer * VOLTAGES + 0.5 * (inner - outer) * (np.abs(VOLTAGES + 1) - np.abs(VOLTAGES - 1))


def run(scale: Scale, progress: Progress) -> Outcome:
    progress(0.0, "identifying the diode at 30 dB")
    record = circuits.noisy(circuits.SHORT_RECORD, circuits.CIRCUIT_DECIBELS, 0)
    first = circuits.as_printed(*record)
    best, bound = circuits.best(*record, first), circuits.bounds(circuits.SHORT_RECORD)
    figures, slopes = [], {}
    for name, what in (("G_a", "slope between -1 and 1 V"), ("G_b", "slope beyond")):
        at, truth = NAMES.index(name), circuits.TRUTH[name]
        slopes[name] = (truth, float(first.last[at]), float(best[at]))
        off, ours = (100 * abs(value / truth - 1) for value in slopes[name][1:])
        limit = float(100 * bound[at] / abs(truth))
        figures.append(PublishedFigure(f"{what} = {truth:g} mS", "error", "%", "not given", off, ours, limit))
    looks = (("true", "measured"), ("as printed, here", ""), ("errors in variables", "model"))
    curves = [current(slopes["G_a"][k], slopes["G_b"][k]) for k in range(3)]
    whole = Series("", tuple(VOLTAGES), tuple(curves[0]), emphasis="measured")
    apart = tuple(
        Series(label, tuple(VOLTAGES), tuple(1000 * (curves[k] - curves[0])), emphasis=look)
        for k, (label, look) in enumerate(looks)
        if k
    )
    panels = (
        Panel("Current of the diode", "voltage v1 [V]", "current [mA]", (whole,)),
        Panel("Identified minus true", "voltage v1 [V]", "current [uA]", apart),
    )
    settings = {
        "duration [ms]": circuits.SHORT_RECORD,
        "signal-to-noise ratio [dB]": circuits.CIRCUIT_DECIBELS,
        **circuits.SETTINGS,
    }
    return Outcome(tuple(figures), panels, _NOTES, settings, 1)


_NOTES = (
    "Figure 1 (a), a circuit diagram, Figure 2, a drawing of the folded stack, and Figure 6, photographs and sketches "
    "of the prototype and its test, hold nothing to do again.",
)

ITEM = Item("galerkin-figure-1", GALERKIN_PAPER, "Figure 1 (b)", "Current of the diode over its voltage", run)
