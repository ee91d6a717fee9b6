"""Figure 10: restoring force from measurements, point by point, against the identified curve."""

from __future__ import annotations

import numpy as np

from identikit.measurement import Record
from identikit.method import method_named
from identikit.model import library_model
from identikit.problem import Problem
from identikit.progress import Progress
from identikit.reproduce._base import GALERKIN_PAPER, Item, Outcome, Scale
from identikit.reproduce._errors import root_mean_square
from identikit.reproduce.galerkin import _origami as origami
from identikit.reproduce.galerkin._force_curve import HEIGHTS, deviation, force
from identikit.result import Panel, PublishedFigure, Series

DRAWN = 4  # one point in so many


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
    height, points = _points(record, best)
    section = _section(record)
    exact = force(truth, height)
    curves = [root_mean_square((force(p) - force(truth))[visited]) for p in (near.last, best)]
    doubt = root_mean_square(deviation(result, force)[visited])
    smooth_error = root_mean_square(section[1] - force(truth, section[0]))
    figures = (
        PublishedFigure("points", "rms error", "N", "good agreement", float(root_mean_square(points - exact)),
                        float(smooth_error), None, _POINTS),
        PublishedFigure("points with the printed sign", "rms error", "N", "good agreement",
                        float(root_mean_square(-points - exact)), float(smooth_error), None, _SIGN),
        PublishedFigure("identified curve over the heights visited", "rms error", "N", "good agreement",
                        float(curves[0]), float(curves[1]), float(doubt)),
    )  # fmt: skip
    at = tuple(1000 * HEIGHTS[visited])
    law = Series("identified curve", at, tuple(force(best)[visited]), emphasis="model")
    panels = (
        Panel("Forward differences of X', as printed (sign put right)", "H [mm]", "force [N]",
              (Series("measured", tuple(1000 * height[::DRAWN]), tuple(points[::DRAWN]), "points", emphasis="measured"), law)),
        Panel("Smoothed curves (method restoring_force)", "H [mm]", "force [N]",
              (Series("smoothed section", tuple(1000 * section[0]), tuple(section[1]), "points", emphasis="measured"), law)),
    )  # fmt: skip
    return Outcome(figures, panels, _NOTES, origami.SETTINGS, 1)


def _points(record: origami.Shaken, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Equations 50 and 51 at every sample, with the minus that equation 50 lacks."""
    c, origin = float(values[2]), float(values[3])
    acceleration = np.diff(record.mass[1]) / origami.SPACING
    slip = record.mass[1, :-1] - record.base[1, :-1]
    return record.relative[:-1] + origin, -(origami.MASS * acceleration + c * slip)


def _section(record: origami.Shaken) -> tuple[np.ndarray, np.ndarray]:
    """Heights and smoothed force at rest, by the method restoring_force."""
    values = dict(zip(("X", "V", "Y", "W"), (*record.mass, *record.base), strict=True))
    problem = Problem.pose(library_model("miura_origami"), Record.from_arrays(record.time, values), start=origami.START)
    method = method_named("restoring_force")
    result = method.estimate(problem, options=method.resolve_options({}))
    shown = result.artifacts["force over displacement"]
    x, y = (
        np.array([np.nan if value is None else value for value in shown[name]], float) for name in ("x", "smoothed")
    )
    known = np.isfinite(y)
    return x[known] + result.value("X_0"), y[known]


_POINTS = (
    "as printed from forward differences, sample by sample; best from smoothed curves; a point estimate has no bound"
)
_SIGN = "equation 50 lacks a minus: the points would be the curve upside down"
_NOTES = (
    "The record is a simulated stand-in with the values of Table 4 and 40 dB of noise on X and X'; one draw.",
    "The cloud hides what it should confirm: its scatter is the noise of the differences, and the identified curve is "
    "known far better than the points.",
)

ITEM = Item(
    "galerkin-figure-10", GALERKIN_PAPER, "Figure 10", "Origami: restoring force against the identified curve", run
)
