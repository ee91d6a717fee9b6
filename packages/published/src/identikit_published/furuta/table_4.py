"""Table 4: ten friction parameters from the experiment. The printed estimates are a point made of the bounds."""

from __future__ import annotations

import numpy as np

from identikit.progress import Progress
from identikit_published._base import FURUTA_PAPER, Item, Outcome, Scale
from identikit_published.furuta._case import EXPERIMENT, ROUNDING_BOUND, STAND_IN
from identikit_published.furuta._friction_table import error_panel, estimate_rows, line_panel
from identikit_published.furuta._identified import bound_of, estimate_of, identified
from identikit_published.furuta._observer import LAW, OUTSIDE, observed
from identikit_published.furuta.printed import CONFIDENCE_LOWER, CONFIDENCE_UPPER, GAMMA, LOWER, TABLE_4, UPPER
from identikit.result import PublishedFigure


def run(scale: Scale, progress: Progress) -> Outcome:
    case = EXPERIMENT.at(scale)
    progress(0.05, "the adaptive observer")
    by_observer = estimate_of(observed(case, 0), case)
    progress(0.2, "kalman")
    fits = [identified(case, 0)]
    progress(0.85, "the bound")
    bound = bound_of(case).std
    needed = (CONFIDENCE_LOWER + CONFIDENCE_UPPER) * TABLE_4 - CONFIDENCE_UPPER * UPPER - CONFIDENCE_LOWER * LOWER
    point = fixed_point()
    figures = [
        *estimate_rows(case, by_observer, fits, bound),
        PublishedFigure(
            "all ten",
            "greatest departure from the fixed point, relative",
            "",
            float(np.max(np.abs(point / TABLE_4 - 1))),
            float(np.max(np.abs(np.array(list(by_observer.values())) / point - 1))),
            None,
            None,
            "printed: of the printed values; as printed: of the observer on the stand-in; no bound, no record enters",
        ),
        PublishedFigure(
            "gamma",
            "least and greatest over the ten parameters",
            "",
            f"{needed.min():.6f} to {needed.max():.6f}",
            GAMMA,
            None,
            None,
            "(lambda_u + lambda_l) estimate - lambda_u upper of every printed estimate; no bound, as above",
        ),
    ]
    panels = (
        error_panel(case, by_observer, fits, bound, printed_truth=False),
        line_panel(
            "table 4 is the fixed point",
            "upper bound of table 2 [unit of each parameter]",
            UPPER.tolist(),
            TABLE_4.tolist(),
            point.tolist(),
            f"(upper + {GAMMA:g}) / 51",
        ),
    )
    settings = {**case.settings, **LAW, "best": "kalman, 100 Hz, eight parameters free, F_t at its guess"}
    return Outcome(tuple(figures), panels, (*_REMARKS, STAND_IN, ROUNDING_BOUND, OUTSIDE), settings)


def fixed_point() -> np.ndarray:
    """Where the adaptation law of table 2 goes on any record."""
    pull = GAMMA + CONFIDENCE_UPPER * UPPER + CONFIDENCE_LOWER * LOWER
    return np.asarray(pull / (CONFIDENCE_UPPER + CONFIDENCE_LOWER))


_REMARKS = (
    "All ten printed estimates are (gamma + lambda_u upper + lambda_l lower)/(lambda_u + lambda_l) with the bounds of "
    "table 2 and one gamma, to their print rounding: the experiment did not enter them.",
    "The observer gives the same ten on the stand-in, whose friction is another.",
)

ITEM = Item("furuta-table-4", FURUTA_PAPER, "Table 4", "Ten friction parameters from the experiment (a stand-in)", run)
