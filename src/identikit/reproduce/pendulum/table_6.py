"""Table 6: damping by sparse regression (SINDy), as the report does it and by the weak form."""

from __future__ import annotations

from identikit.progress import Progress
from identikit.reproduce._base import PENDULUM_REPORT, Item, Outcome, Scale
from identikit.reproduce.pendulum._direct_regression import REGRESSION_SETTINGS
from identikit.reproduce.pendulum._pictures import bars, errors_in_groups
from identikit.reproduce.pendulum._printed import COMBINED_SINDY, SINDY
from identikit.reproduce.pendulum._sparse_regression import (
    THRESHOLD,
    sparse_regression,
    sparse_regression_with_sign,
)
from identikit.reproduce.pendulum._study import by_fits, by_procedure, error_rows
from identikit.reproduce.pendulum._swing import DAMPINGS, PARAMETERS, SETTINGS
from identikit.result import PublishedFigure

QUIET = 2e-5  # rad: a hundredth of the report's noise
WITH_SIGN = 11.0  # % of mu_c: what the report says sign(v) in the library gives


def run(scale: Scale, progress: Progress) -> Outcome:
    seeds = range(scale.seeds(10, 1))
    figures: list[PublishedFigure] = []
    ticks, heights = [], dict[str, list[float]]()
    cases = scale.some(list(DAMPINGS))
    for place, case in enumerate(cases):
        damping = DAMPINGS[case]
        progress(place / len(cases), f"{case} damping")
        as_printed = by_procedure(case, seeds, sparse_regression)
        best = by_fits(case, seeds, "sindy", options={"terms": "report"}, fix=None, free=[*PARAMETERS, "k"])
        figures += error_rows(case, _printed(case), as_printed, best)
        for label, noise, draws in (("noise 2e-5 rad", QUIET, seeds), ("no noise", 0.0, range(1))):
            study = by_procedure(case, draws, sparse_regression, noise)
            for name in damping:
                figures.append(
                    PublishedFigure(f"{case}, {label}", f"error of {name}", "%", _printed(case)[name],
                                    study.error(name), None, best.bound(name) * noise / 0.002 if noise else None,
                                    "the printed procedure on a quieter record than the report states")
                )  # fmt: skip
        for name in damping:
            ticks.append(f"{case}, {name}")
            told = _printed(case)[name]
            heights.setdefault("printed", []).append(told if isinstance(told, float) else 0.0)
            heights.setdefault("as printed, here", []).append(as_printed.error(name))
            heights.setdefault("weak form, ours", []).append(best.error(name))
            heights.setdefault("bound", []).append(best.bound(name))
    for label, noise in (("noise 0.002 rad", 0.002), ("no noise", 0.0)):
        study = by_procedure("Coulomb", seeds if noise else [0], sparse_regression_with_sign, noise)
        figures.append(
            PublishedFigure(f"Coulomb, sign(v) in the library, {label}", "error of mu_c", "%", WITH_SIGN,
                            study.error("mu_c"), None, None, "the bound is that of the Coulomb row")
        )  # fmt: skip
    shown = [bars(label, values, _EMPHASES.get(label, "")) for label, values in heights.items()]
    panel = errors_in_groups("Error of sparse regression, noise 0.002 rad", ticks, shown)
    settings = {**SETTINGS, **REGRESSION_SETTINGS, "threshold lambda": f"{THRESHOLD} (not given)"}
    return Outcome(tuple(figures), (panel,), _REMARKS, settings, len(seeds))


def _printed(case: str) -> dict[str, float | str]:
    if case in SINDY:
        return {next(iter(DAMPINGS[case])): SINDY[case]}
    return {name: 100 * abs(value / DAMPINGS[case][name] - 1) for name, value in COMBINED_SINDY.items()}


_EMPHASES = {"printed": "faint", "bound": "bound"}
_REMARKS = (
    "Errors are roots of mean squares over the noise draws. As printed: the nine terms of Eq. (18) with tanh(v/0.1), "
    "sequentially thresholded least squares on filtered derivatives. Best here: method sindy, weak form with the "
    "noise's own covariance, best subset of the same nine terms; nothing is known but the candidates.",
    "At the stated noise of 0.002 rad the printed procedure does not give the printed errors: the second derivative "
    "of the samples has errors larger than the friction, and the nine terms are nearly collinear. On records a hundred "
    "times quieter, or without noise, they are a per cent or two for a single damping.",
    "In the combined case tanh(v/0.1) stands for sign(v) although the motion falls below 0.1 rad/s: the three dampings "
    "are off by tens of per cent without any noise. The table prints errors of 5-8 %; its own estimates, 0.026, 0.014 "
    "and 0.024, are off by 4, 6.7 and 4 %, which are the printed figures here.",
    "The text says that tanh in place of sign lowers the error of mu_c from 11 to 2 %. Without noise it does lower it; "
    "with the stated noise neither is of use.",
)

ITEM = Item("pendulum-table-6", PENDULUM_REPORT, "Table 6", "SINDy estimates with rounded dry friction", run)
