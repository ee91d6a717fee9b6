"""Figure 7: base, mass and relative motion of the shaken origami over time, and their spectra."""

from __future__ import annotations

import numpy as np

from identikit.progress import Progress
from identikit_published._base import GALERKIN_PAPER, Item, Outcome, Scale
from identikit_published.galerkin import _origami as origami
from identikit_published.galerkin._spectrum import off_lines, spectrum, spectrum_panel
from identikit.result import Panel, PublishedFigure, Series

NEARBY = 1e-8  # m between two motions that start side by side
GROWN_APART = 1e-3  # m, when their distance no longer grows freely
WATCHED = 6.0  # s
DRAWN_EVERY = 2  # samples: what is drawn


def run(scale: Scale, progress: Progress) -> Outcome:
    progress(0.0, "the shaken origami")
    true, record = origami.clean(), origami.noisy(0, base=True)
    signals = {
        "(a) velocity of the base Y'": ("Y' [m/s]", record.base[1], true.base[1]),
        "(b) velocity of the mass X'": ("X' [m/s]", record.mass[1], true.mass[1]),
        "(c) relative displacement X - Y": ("X - Y [mm]", 1000 * record.relative, 1000 * true.relative),
    }
    figures, panels = [], []
    for title, (label, noisy, clean) in signals.items():
        frequencies, size = spectrum(record.time, noisy)
        curve = Series("", tuple(record.time[::DRAWN_EVERY]), tuple(noisy[::DRAWN_EVERY]), emphasis="measured")
        panels += [
            Panel(title, "time [s]", label, (curve,)),
            spectrum_panel("its spectrum", label, {"": (frequencies, size)}),
        ]
        what = title.partition(") ")[2]
        if "base" in what:
            strongest = float(frequencies[int(np.argmax(size))])
            place, speed = true.base[:, :-1]  # 66 whole periods
            exact = float(np.std(speed) / np.std(place) / (2 * np.pi))
            figures.append(PublishedFigure(what, "strongest line", "Hz", 6.6, strongest, exact, None))
        seen, there = (100 * off_lines(record.time, values, origami.FREQUENCY) for values in (noisy, clean))
        figures.append(PublishedFigure(what, "power between the lines", "%", "a curve", seen, there, None))
    progress(0.7, "two motions side by side")
    figures.append(_growth())
    heights = 1000 * (true.relative + origami.TRUTH["X_0"])
    for name, value in (("lowest", heights.min()), ("highest", heights.max())):
        figures.append(PublishedFigure(f"{name} height", "H", "mm", "not given", None, float(value), None))
    return Outcome(tuple(figures), tuple(panels), _NOTES, origami.SETTINGS, 1)


def _growth() -> PublishedFigure:
    """The mean rate at which two motions part that start side by side."""
    time = np.arange(round(WATCHED / origami.ORIGAMI_SPACING) + 1) * origami.ORIGAMI_SPACING
    x, v = origami.clean().mass[:, 0]
    shift = origami.RECORD_BEGIN * origami.FREQUENCY % 1 / origami.FREQUENCY  # the same phase of the base
    one, other = (origami.response((x + apart, v), time + shift)[0] for apart in (0.0, NEARBY))
    distance = np.abs(one - other)
    free = np.flatnonzero(np.maximum.accumulate(distance) < GROWN_APART)
    rate = np.polyfit(time[free], np.log(np.maximum(distance[free], 1e-12)), 1)[0]
    return PublishedFigure(
        "X, two motions 1e-8 m apart", "growth of their distance", "1/s", "chaotic", None, float(rate), None
    )


_NOTES = (
    "The record is a simulated stand-in with the values of Table 4. No parameter is estimated in this figure, so it "
    "has no bound. As printed: from noisy samples; best: from the motion itself.",
    "The text calls the base's velocity Y' a chaotic response; it means X'. The base is a line at 6.6 Hz and noise.",
    "The text points to a Figure 7 (d) for the spectra; the caption has (a) to (c), each with its own.",
    "Between the lines: power further than 0.3 Hz from any multiple of 6.6 Hz.",
)

ITEM = Item(
    "galerkin-figure-7", GALERKIN_PAPER, "Figure 7", "Shaken origami: time histories and spectra at 6.6 Hz", run
)
