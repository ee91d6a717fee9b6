"""Figure 10: restoring force from measurements, point by point, against the identified curve."""

from __future__ import annotations

import numpy as np

from identikit.likelihood import smooth_curves
from identikit.progress import Progress
from identikit_published._base import GALERKIN_PAPER, Item, Outcome, Scale
from identikit_published._errors import root_mean_square
from identikit_published.galerkin import _origami as origami
from identikit_published.galerkin._force_curve import HEIGHTS, deviation, force
from identikit.result import Panel, PublishedFigure, Series

DRAWN = 4  # one point in so many
AGREE = "good agreement"


def run(scale: Scale, progress: Progress) -> Outcome:
    progress(0.0, "identifying the origami")
    record, true = origami.noisy(0), origami.clean()
    truth, near, result = (
        np.array(list(origami.TRUTH.values())),
        origami.as_printed(record, origami.TRUTH),
        origami.best(record),
    )
    best = origami.vector(result)
    visited = (true.relative.min() + truth[3] <= HEIGHTS) & (true.relative.max() + truth[3] >= HEIGHTS)
    progress(0.5, "restoring force, point by point")
    (height, points), (smooth_height, smooth_points) = (_points(record, best, smoothed) for smoothed in (False, True))
    exact = force(truth, (true.relative + truth[3])[:-1])
    curves = [root_mean_square((force(p) - force(truth))[visited]) for p in (near.last, best)]
    doubt = root_mean_square(deviation(result, force)[visited])
    smooth_error, error, turned = (float(root_mean_square(one - exact)) for one in (smooth_points, points, -points))
    figures = (
        PublishedFigure("points", "rms error", "N", AGREE, error, smooth_error, None, _POINTS),
        PublishedFigure("points with the printed sign", "rms error", "N", AGREE, turned, smooth_error, None, _SIGN),
        PublishedFigure(
            "identified curve over the heights visited",
            "rms error",
            "N",
            AGREE,
            float(curves[0]),
            float(curves[1]),
            float(doubt),
        ),
    )
    law = Series("identified curve", tuple(1000 * HEIGHTS[visited]), tuple(force(best)[visited]), emphasis="model")
    clouds = {
        "Forward differences of X', as printed (sign put right)": (height, points),
        "Smoothed curves": (smooth_height, smooth_points),
    }
    panels = tuple(
        Panel(title, "H [mm]", "force [N]",
              (Series("points", tuple(1000 * x[::DRAWN]), tuple(y[::DRAWN]), "points", emphasis="measured"), law))
        for title, (x, y) in clouds.items()
    )  # fmt: skip
    return Outcome(figures, panels, _NOTES, origami.SETTINGS, 1)


def _points(record: origami.Shaken, values: np.ndarray, smoothed: bool) -> tuple[np.ndarray, np.ndarray]:
    """Equations 50 and 51 at every sample, with the minus that equation 50 lacks."""
    c, origin = float(values[2]), float(values[3])
    position, velocity = record.mass[:, :-1]
    acceleration = np.diff(record.mass[1]) / origami.ORIGAMI_SPACING
    if smoothed:
        curves = smooth_curves(origami.posed(record))[0]
        at = record.time[:-1]
        position, velocity, acceleration = curves[0](at), curves[1](at), curves[1](at, 1)
    base, base_velocity = record.base[:, :-1]
    return position - base + origin, -(origami.MASS * acceleration + c * (velocity - base_velocity))


_POINTS = "as printed from forward differences, best from smoothed curves; points are no estimates, and have no bound"
_SIGN = "equation 50 lacks a minus: the points would be the curve upside down"
_NOTES = (
    "The record is a simulated stand-in with the values of Table 4 and 40 dB of noise on X and X'; one draw.",
    "The cloud hides what it should confirm: its scatter is the noise of the differences, and the identified curve is "
    "known far better than the points.",
)

ITEM = Item(
    "galerkin-figure-10", GALERKIN_PAPER, "Figure 10", "Origami: restoring force against the identified curve", run
)
