"""Figure 3: cubic B-splines with unit spacing, and one of them with its slope."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import BSpline

from identikit.progress import Progress
from identikit_published._base import GALERKIN_PAPER, Item, Outcome, Scale
from identikit.result import Panel, PublishedFigure, Series

VALUE = "value of B"
SPLINES_SHOWN = 5  # splines side by side
SPLINE_POINTS = 401  # of every curve


def explicit(t: np.ndarray) -> np.ndarray:
    """Equation 16 around zero with h = 1."""
    s = np.abs(t)
    inner = 1 / 6 + (1 - s) / 2 + (1 - s) ** 2 / 2 - (1 - s) ** 3 / 2
    return np.where(s <= 1, inner, np.where(s <= 2, (2 - np.minimum(s, 2)) ** 3 / 6, 0.0))


def run(scale: Scale, progress: Progress) -> Outcome:
    progress(0.0, "B-splines")
    time = np.linspace(-2.0, SPLINES_SHOWN + 1.0, SPLINE_POINTS)
    spline = BSpline.basis_element(np.arange(-2.0, 3.0), extrapolate=False)
    near = np.linspace(-2.0, 2.0, SPLINE_POINTS)
    slope = spline.derivative()
    five = tuple(Series(f"B_{k}", tuple(time), tuple(explicit(time - k))) for k in range(SPLINES_SHOWN))
    one = (
        Series("B", tuple(near), tuple(explicit(near)), emphasis="model"),
        Series("its slope", tuple(near), tuple(np.nan_to_num(slope(near))), emphasis="printed"),
    )
    sloped = float(np.max(np.gradient(explicit(near), near)))
    steepest = float(np.nanmax(slope(near)))
    rows = (
        ("at its knot", VALUE, 2 / 3, float(explicit(np.array([0.0]))[0]), float(spline(0.0)), ""),
        ("one knot away", VALUE, 1 / 6, float(explicit(np.array([1.0]))[0]), float(spline(1.0)), ""),
        ("two knots away", VALUE, 0.0, float(explicit(np.array([2.0]))[0]), float(np.nan_to_num(spline(2.0))), ""),
        ("between its knots", "steepest slope", "a curve", sloped, steepest, "as printed: by differences"),
    )
    figures = tuple(
        PublishedFigure(case, what, "" if what == VALUE else "1/knot", printed, as_printed, exact, None, note)
        for case, what, printed, as_printed, exact, note in rows
    )
    panels = (
        Panel("(a) five cubic B-splines", "time [knots]", "value [no unit]", five),
        Panel("(b) one of them, and its slope", "time [knots]", "value [no unit], slope [1/knot]", one),
    )
    return Outcome(figures, panels, _NOTES, {"spacing of the knots": 1.0})


_NOTES = (
    "No noise, and so no bound. Printed: the weights of equation 17. As printed: equation 16. Best: SciPy's B-splines.",
    "Equation 16 is right. In equation 15 the third branch must be t > t_(i+1), and the denominators of the recursion "
    "t_(i+j) - t_i and t_(i+j+1) - t_(i+1).",
)

ITEM = Item("galerkin-figure-3", GALERKIN_PAPER, "Figure 3", "Cubic B-splines and their slope", run)
