"""Figure 8: Poincare sections of the chaotic Duffing oscillator, by their statistics."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from identikit.explore import poincare_section
from identikit.model import library_model
from identikit.progress import Progress
from identikit_published import independent
from identikit_published._base import ENERGY_PAPER, Item, Outcome, Scale
from identikit_published.energy._chaos import KNOWN, SHORT, estimated
from identikit_published.energy.oscillators import DUFFING, FORCE, FREQUENCY, PERIOD, Array
from identikit_published.energy.printed import TABLE_2
from identikit.result import Panel, PublishedFigure, Series

POINTS, QUICK_POINTS = 10_000, 2_000  # forcing periods
TRANSIENT = 50  # of them left out
LANES = 100  # motions side by side, by the other integrator
CELLS = 20  # of a grid in each direction, over which sections are compared
REFERENCE, PRINTED, OURS, OTHER = "reference", "printed estimate", "shooting", "reference by SciPy"

STATISTICS: tuple[tuple[str, str, Callable[[Array], float]], ...] = (
    ("mean displacement", "m", lambda section: float(section[0].mean())),
    ("standard deviation of the displacement", "m", lambda section: float(section[0].std())),
    ("mean velocity", "m/s", lambda section: float(section[1].mean())),
    ("standard deviation of the velocity", "m/s", lambda section: float(section[1].std())),
)


def run(scale: Scale, progress: Progress) -> Outcome:
    points = QUICK_POINTS if scale.quick else POINTS
    progress(0.1, "an estimate of ours")
    sets = {REFERENCE: DUFFING, PRINTED: TABLE_2, OURS: estimated(0)}
    sections = {}
    for place, (name, values) in enumerate(sets.items()):
        progress(0.3 + 0.1 * place, f"section: {name}")
        sections[name] = _section(values, points)
    progress(0.6, "section by another integrator")
    sections[OTHER] = _other(points)
    figures = [
        PublishedFigure(
            label,
            f"reference {value(sections[REFERENCE]):.3f}",
            unit,
            "similar",
            value(sections[PRINTED]),
            value(sections[OURS]),
            None,
            f"reference by SciPy {value(sections[OTHER]):.3f}; no bound: a statistic of a chaotic motion",
        )
        for label, unit, value in STATISTICS
    ]
    same = _apart(sections[REFERENCE], sections[OTHER])
    figures.append(
        PublishedFigure(
            "distance from the reference section",
            "share of points that lie in other cells",
            "",
            "similar",
            _apart(sections[REFERENCE], sections[PRINTED]),
            _apart(sections[REFERENCE], sections[OURS]),
            None,
            f"two sections of the same oscillator by two integrators are {same:.3f} apart; no bound, as above",
        )
    )
    panels = tuple(
        Panel(
            f"{title} {name}",
            "displacement [m]",
            "velocity [m/s]",
            (Series("", tuple(sections[name][0]), tuple(sections[name][1]), "points"),),
        )
        for title, name in (("(a)", REFERENCE), ("(b)", PRINTED))
    )
    settings = {
        "F [N], Omega [rad/s]": f"{FORCE:g}, {FREQUENCY:g}",
        "periods": points,
        "start": f"the model's own, and random ones by SciPy; the first {TRANSIENT} periods are left out (ours)",
        "cells": f"{CELLS} x {CELLS}",
        "best": f"shooting on {SHORT} periods, noise of at most 1 %",
    }
    return Outcome(tuple(figures), panels, _REMARKS, settings, 1)


def _section(values: Mapping[str, float], points: int) -> Array:
    """Displacement and velocity [2, points] once per period of the force."""
    model = library_model("duffing")
    found = poincare_section(model, {**values, **KNOWN}, points=points, period=PERIOD, transient=TRANSIENT * PERIOD)
    return np.asarray(found.states)


def _other(points: int) -> Array:
    """The same of the reference by SciPy, from many starts side by side: in chaos they share one section."""
    random = np.random.default_rng(0)
    m, c, k, k3 = DUFFING.values()

    def rate(t: float, x: Array) -> list[float]:
        position, velocity = x[:LANES], x[LANES:]
        force = FORCE * np.cos(FREQUENCY * t) - c * velocity - k * position - k3 * position**3
        return [*velocity.tolist(), *(force / m).tolist()]

    time = np.arange(TRANSIENT + points // LANES) * PERIOD
    states = independent.smooth(rate, random.uniform(-2, 2, 2 * LANES).tolist(), time)[:, TRANSIENT:]
    return np.array([states[:LANES].ravel(), states[LANES:].ravel()])


def _apart(one: Array, other: Array) -> float:
    """Total variation between two sections on a grid: 0 = the same, 1 = nothing in common."""
    both = np.hstack([one, other])
    limits = [(row.min(), row.max()) for row in both]
    shares = [np.histogram2d(x, v, bins=CELLS, range=limits)[0] / len(x) for x, v in (one, other)]
    return float(np.abs(shares[0] - shares[1]).sum() / 2)


_REMARKS = (
    "Point by point no two sections of a chaotic motion agree, not even of two integrators: compared are means, "
    "spreads, and the shares of the points in the cells of a grid.",
    "By that measure the section with the printed estimates is another one, though its outline is the same.",
)

ITEM = Item("energy-figure-8", ENERGY_PAPER, "Figure 8", "Poincare sections of 10,000 periods", run)
