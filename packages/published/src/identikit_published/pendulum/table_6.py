"""Table 6: damping by sparse regression (SINDy), as the text has it, as its source has it, and by the weak form."""

from __future__ import annotations

from identikit.progress import Progress
from identikit_published._base import PENDULUM_REPORT, Item, Outcome, Scale
from identikit_published.pendulum._direct_regression import REGRESSION_SETTINGS
from identikit_published.pendulum._pictures import bars, errors_in_groups
from identikit_published.pendulum._printed import COMBINED_SINDY, ESTIMATES, SINDY
from identikit_published.pendulum._public_source import (
    SOURCE_SEED,
    SOURCE_SETTINGS,
    by_source,
    fitted_to_both,
    source_regression,
    source_regression_with_sign,
)
from identikit_published.pendulum._sparse_regression import (
    THRESHOLD,
    sparse_regression,
    sparse_regression_with_sign,
)
from identikit_published.pendulum._study import Study, by_fits, by_procedure, error_rows, value_rows
from identikit_published.pendulum._swing import DAMPINGS, NOISE, PARAMETERS, SETTINGS
from identikit.result import Panel, PublishedFigure

WITH_SIGN = 11.0  # % of mu_c: what the report says sign(v) in the library gives
COMBINED_RANGE = (5.0, 8.0)  # %: the one entry "5-8" for all three dampings
SAME_SEED = f"settings of its source, seed {SOURCE_SEED}"


def run(scale: Scale, progress: Progress) -> Outcome:
    seeds = range(scale.seeds(10, 1))
    figures: list[PublishedFigure] = []
    shown: list[tuple[str, Study, Study, Study]] = []
    cases = scale.some(list(DAMPINGS))
    for place, case in enumerate(cases):
        progress(place / len(cases), f"{case} damping")
        stated = by_procedure(case, seeds, sparse_regression)
        best = by_fits(case, seeds, "sindy", options={"terms": "report"}, fix=None, free=[*PARAMETERS, "k"])
        source = by_source(case, [SOURCE_SEED], source_regression, best)
        ours = None if scale.quick else fitted_to_both(case, best)
        errors, values = _printed_errors(case), _printed_values(case)
        figures += value_rows(case, values, stated, best, label=f"{case}, as the text states it")
        figures += value_rows(case, values, source, ours, _SIGNS if case in SINDY else None, f"{case}, {SAME_SEED}")
        figures += error_rows(case, errors, stated, best, label=f"{case}, as the text states it")
        figures += error_rows(case, errors, source, ours, label=f"{case}, {SAME_SEED}")
        others = by_source(case, seeds, source_regression, best)
        figures += error_rows(case, errors, others, None, label=f"{case}, settings of its source, other seeds")
        noisier = by_source(case, [SOURCE_SEED], source_regression, best, NOISE)
        figures += error_rows(case, errors, noisier, None, label=f"{case}, {SAME_SEED}, but noise {NOISE}")
        clean = by_procedure(case, [0], sparse_regression, 0.0)
        figures += error_rows(case, errors, clean, None, _CLEAN, f"{case}, as the text states it, no noise")
        shown.append((case, stated, source, best))
    progress(0.95, "sign(v) in the library")
    for label, study in (
        ("as the text states it", by_procedure("Coulomb", seeds, sparse_regression_with_sign)),
        (SAME_SEED, by_source("Coulomb", [SOURCE_SEED], source_regression_with_sign)),
    ):
        figures.append(
            PublishedFigure(f"Coulomb, sign(v) in the library, {label}", "error of mu_c", "%", WITH_SIGN,
                            study.error("mu_c"), None, None, "the bound is that of the Coulomb row")
        )  # fmt: skip
    settings = {**SETTINGS, **REGRESSION_SETTINGS, **SOURCE_SETTINGS, "lambda of the text": f"{THRESHOLD} (not given)"}
    return Outcome(tuple(figures), (_panel(shown),), _REMARKS, settings, len(seeds))


def _printed_errors(case: str) -> dict[str, float | str]:
    if case in SINDY:
        return {next(iter(DAMPINGS[case])): SINDY[case]}
    return dict.fromkeys(DAMPINGS[case], "{:g}-{:g}".format(*COMBINED_RANGE))


def _printed_values(case: str) -> dict[str, float]:
    return ESTIMATES["SINDy"] if case in SINDY else COMBINED_SINDY


def _panel(shown: list[tuple[str, Study, Study, Study]]) -> Panel:
    """A group per damping; "5-8" is drawn half way, with its reach."""
    rows = [(name, case, one, two, three) for case, one, two, three in shown for name in DAMPINGS[case]]
    reached = [_reach(_printed_errors(case)[name]) for name, case, *_ in rows]
    middle, half = [(a + b) / 2 for a, b in reached], [(b - a) / 2 for a, b in reached]
    series = (
        bars("printed", middle, "faint", half),
        bars("as the text states it, here", [stated.error(name) for name, _, stated, _, _ in rows]),
        bars(f"{SAME_SEED}, here", [source.error(name) for name, _, _, source, _ in rows]),
        bars("weak form, ours, noise 0.002", [best.error(name) for name, _, _, _, best in rows]),
        bars("bound, noise 0.002", [best.bound(name) for name, _, _, _, best in rows], "bound"),
    )
    return errors_in_groups("Error of sparse regression", [f"{case}, {name}" for name, case, *_ in rows], series)


def _reach(told: float | str) -> tuple[float, float]:
    return COMBINED_RANGE if isinstance(told, str) else (told, told)


_SIGNS = {"mu_c": "the printed 0.0293 is as far below the truth as this is above it: its error of 2.2 % fits either"}
_CLEAN = dict.fromkeys(PARAMETERS, "without noise there is no bound")
_REMARKS = (
    "Errors are roots of mean squares over the noise draws, values means over them. As the text states it: the nine "
    "terms of Eq. (18) with tanh(v/0.1), sequentially thresholded least squares on the filtered derivatives of an "
    "angle with noise of 0.002 rad. Best there: method sindy, weak form with the noise's own covariance, best subset "
    "of the same nine terms; nothing is known but the candidates.",
    "The printed errors of single dampings come from settings that the text does not state. The report's public source "
    "(sindy_damping_estimation.py, in the settings) measures the velocity as well, with noise of 0.001 on both, "
    "filters once, and thresholds columns of unit norm of which only the acting damping has one. With these and its "
    "seed the printed 0.15, 2.2 and 0.24 % come out to the digit, and Eq. (21) too (Figure 3). Other seeds give other "
    "figures of that size. Best there: shooting on the same two signals.",
    "As the text states it the procedure is of no use: the second derivative of the samples has errors larger than the "
    "friction, and the nine terms are nearly collinear.",
    "In the combined case tanh(v/0.1) stands for sign(v) although the motion falls below 0.1 rad/s: the three dampings "
    "are off by tens of per cent by any of these settings, without any noise too. The printed 5-8 % does not come from "
    "that source; the estimates, 0.026, 0.014 and 0.024, are rounded and leave room for it.",
    "That tanh in place of sign lowers the error of mu_c from 11 to 2 % is true with the settings of the source.",
)

ITEM = Item("pendulum-table-6", PENDULUM_REPORT, "Table 6", "SINDy estimates with rounded dry friction", run)
