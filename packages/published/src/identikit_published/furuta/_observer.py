"""The paper's method as printed, on a run of the rig."""

from __future__ import annotations

from typing import Any

from identikit._fit import fit
from identikit_published.furuta._case import Case
from identikit_published.furuta.printed import CONFIDENCE_LOWER, CONFIDENCE_UPPER, GAMMA, LOWER, UPPER
from identikit_published.furuta.rig import FREE
from identikit.result import Result

BOUNDS = {name: (LOWER, float(upper)) for name, upper in zip(FREE, UPPER, strict=True)}
ADAPTATION = "adaptation"  # the artifact that holds the observer's path
LAW = {
    "bounds": "table 2",
    "lambda_l": CONFIDENCE_LOWER,
    "lambda_u": CONFIDENCE_UPPER,
    "gamma": f"{GAMMA} (not printed: the one that gives table 4)",
    "k0": "7 (not printed)",
}
OUTSIDE = (
    "The paper draws its starting values from normal distributions around the middle of the bounds of its table 2, so "
    "some may lie outside. Those of table 3 hardly come from there: all ten are 9.5 to 10.3 times the true value, but "
    "0.08 to 9.7 times the middle of the bounds. Parameters whose printed start lies outside their bounds start in the "
    "middle here. Nothing depends on it."
)


def observed(case: Case, seed: int) -> Result:
    """The adaptive observer with the bounds of table 2, from the printed guess where it lies within them."""
    start = {name: value for name, value in case.guess.items() if BOUNDS[name][0] <= value <= BOUNDS[name][1]}
    options = {"gamma": GAMMA, "lambda_l": CONFIDENCE_LOWER, "lambda_u": CONFIDENCE_UPPER}
    return fit(
        case.record(seed), "furuta", method="uas", free=FREE, bounds=BOUNDS, start=start, options=options, seed=seed
    )


def path_of(result: Result) -> dict[str, Any]:
    """t, error, gain, states and parameters of the observer, at some hundred times."""
    return dict(result.artifacts[ADAPTATION])
