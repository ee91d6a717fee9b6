"""Tables 3 and 4: ten friction parameters as printed, by the adaptive observer, by the best method, and the bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from identikit.model import library_model
from identikit.progress import Progress
from identikit.result import Panel, PublishedFigure, Result, Series
from identikit_published._base import Outcome, Scale
from identikit_published.furuta.runs import (
    CONFIDENCE_LOWER,
    CONFIDENCE_UPPER,
    EXPERIMENT,
    FREE,
    GAMMA,
    LOWER,
    SIMULATION,
    TABLE_3,
    TABLE_4,
    UPPER,
    Case,
)
from identikit_published.furuta.ways import LAW, OUTSIDE, bound_of, estimate_of, identified, observed

LEAST = 1e-3  # %: bars of smaller errors are drawn so long


def estimate_rows(
    case: Case, by_observer: Mapping[str, float], fits: Sequence[Result], bound: Mapping[str, float]
) -> list[PublishedFigure]:
    """One row per parameter; the best method's is the median over the noise draws, the bound a standard deviation."""
    model = library_model("furuta")
    rows = []
    for name in FREE:
        found = [value for fit in fits if (value := fit.parameters[name].value) is not None]
        told = name in bound
        rows.append(
            PublishedFigure(f"{name}, true {case.friction[name]:g}", "estimate", model.parameter(name).unit,
                            case.estimate[name], by_observer[name],
                            float(np.median(found)) if told and found else None, bound.get(name),
                            _note(case, name, fits, bound.get(name)))
        )  # fmt: skip
    return rows


def _note(case: Case, name: str, fits: Sequence[Result], bound: float | None) -> str:
    if bound is None:
        return "no bound and no estimate: tanh(4 F_n/F_t) is 1, so no record depends on it"
    share = 100 * bound / case.friction[name]
    said = f"bound: a standard deviation of {share:{'.2g' if share < 100 else '.0f'}} % of the true value"
    untold = sum(fit.parameters[name].identifiable is False for fit in fits)
    return f"{said}; marked as not identifiable in {untold} of {len(fits)} fits" if untold else said


def error_panel(
    case: Case,
    by_observer: Mapping[str, float],
    fits: Sequence[Result],
    bound: Mapping[str, float],
    printed_truth: bool,
) -> Panel:
    """Errors in per cent of the truth; the printed estimate's too where the truth is the paper's own."""
    names = [name for name in FREE if name in bound]

    def bars(label: str, values: Mapping[str, float], emphasis: str = "") -> Series:
        heights = [max(100 * abs(values[name]) / case.friction[name], LEAST) for name in names]
        return Series(label, tuple(map(float, range(len(names)))), tuple(heights), "bars", emphasis=emphasis)

    def off(values: Mapping[str, float]) -> dict[str, float]:
        return {name: values[name] - case.friction[name] for name in names}

    scatter = {
        name: float(np.sqrt(np.mean([(fit.value(name) - case.friction[name]) ** 2 for fit in fits]))) for name in names
    }
    shown = [bars("printed", off(case.estimate), "measured")] if printed_truth else []
    shown += [bars("uas, done again", off(by_observer)), bars("kalman, rms", scatter), bars("bound", bound, "bound")]
    return Panel("errors", "parameter (F_t0 and F_t1 cannot be told)", "error [% of the true value]", tuple(shown),
                 y_scale="log", ticks=tuple(names))  # fmt: skip


def line_panel(
    title: str, x_label: str, x: Sequence[float], printed: Sequence[float], line: Sequence[float], told: str
) -> Panel:
    """The printed estimates over what explains them."""
    order = np.argsort(x)
    return Panel(
        title,
        x_label,
        "estimate [unit of each parameter]",
        (
            Series(told, tuple(np.array(x)[order]), tuple(np.array(line)[order]), emphasis="model"),
            Series("printed", tuple(x), tuple(printed), "points", emphasis="printed"),
        ),
        x_scale="log",
        y_scale="log",
    )


SEEDS, QUICK_SEEDS = 5, 1  # noise draws; and if quick
TRUE = np.array([SIMULATION.friction[name] for name in FREE])


def table_3(scale: Scale, progress: Progress) -> Outcome:
    """Ten friction parameters from the simulated record. The printed estimates are a line in the true values."""
    case, seeds = SIMULATION.at(scale), scale.seeds(SEEDS, QUICK_SEEDS)
    progress(0.05, "the adaptive observer")
    by_observer = estimate_of(observed(case, 0), case)
    fits = []
    for seed in range(seeds):
        progress(0.2 + 0.6 * seed / seeds, f"kalman, noise {seed + 1} of {seeds}")
        fits.append(identified(case, seed))
    progress(0.85, "the bound")
    bound = bound_of(case).std
    slope, offset = line()
    below = [
        name
        for name, printed in case.estimate.items()
        if name in bound and abs(printed - case.friction[name]) < bound[name]
    ]
    figures = estimate_rows(case, by_observer, fits, bound) + _line_rows(slope, offset)
    panels = (
        error_panel(case, by_observer, fits, bound, printed_truth=True),
        line_panel("table 3 is a line", "true value [unit of each parameter]", TRUE.tolist(), TABLE_3.tolist(),
                   (slope * TRUE + offset).tolist(), f"{slope:.5f} true + {offset:.3e}"),
    )  # fmt: skip
    settings = {**case.settings, **LAW, "best": "kalman, eight parameters free, from the printed guess, F_t at it"}
    return Outcome(tuple(figures), panels, settings, seeds, notes=(_BELOW.format(names=", ".join(below)), OUTSIDE))


def line() -> tuple[float, float]:
    """Slope and offset of the line through the printed estimates over the true values, relative errors weighed."""
    slope, offset = np.polyfit(TRUE, TABLE_3, 1, w=1 / TABLE_3)
    return float(slope), float(offset)


def _line_rows(slope: float, offset: float) -> list[PublishedFigure]:
    departure = float(np.max(np.abs((slope * TRUE + offset) / TABLE_3 - 1)))
    rates = CONFIDENCE_LOWER + CONFIDENCE_UPPER
    return [
        PublishedFigure("all ten", "greatest departure from a line in the true values, relative", "", departure, None,
                        None, None,
                        "computed from the printed values; no bound, nothing is estimated from data"),
        PublishedFigure("the line", "slope", "", slope, None, None, None, "as above"),
        PublishedFigure("the line", "gamma that its offset asks for", "", rates * offset, None, None, None,
                        f"offset {offset:.3e} times lambda_u + lambda_l = {rates:g}; as above"),
    ]  # fmt: skip


_BELOW = (
    "Printed errors of {names} are smaller than one standard deviation of any unbiased estimate from such a record, "
    "under the tilt and normal forces chosen here."
)


def table_4(scale: Scale, progress: Progress) -> Outcome:
    """Ten friction parameters from the experiment. The printed estimates are a point made of the bounds."""
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
        PublishedFigure("gamma", "least and greatest over the ten parameters", "",
                        f"{needed.min():.6f} to {needed.max():.6f}", GAMMA, None, None,
                        "(lambda_u + lambda_l) estimate - lambda_u upper of every printed estimate; no bound, as above"),
    ]  # fmt: skip
    panels = (
        error_panel(case, by_observer, fits, bound, printed_truth=False),
        line_panel("table 4 is the fixed point", "upper bound of table 2 [unit of each parameter]", UPPER.tolist(),
                   TABLE_4.tolist(), point.tolist(), f"(upper + {GAMMA:g}) / 51"),
    )  # fmt: skip
    settings = {**case.settings, **LAW, "best": "kalman, 100 Hz, eight parameters free, F_t at its guess"}
    return Outcome(tuple(figures), panels, settings)


def fixed_point() -> np.ndarray:
    """Where the adaptation law of table 2 goes on any record."""
    pull = GAMMA + CONFIDENCE_UPPER * UPPER + CONFIDENCE_LOWER * LOWER
    return np.asarray(pull / (CONFIDENCE_UPPER + CONFIDENCE_LOWER))
