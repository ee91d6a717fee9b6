"""A table of ten friction parameters: printed, by the adaptive observer, by the best method, and the bound."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from identikit.model import library_model
from identikit_published.furuta._case import Case
from identikit_published.furuta.rig import FREE
from identikit.result import Panel, PublishedFigure, Result, Series

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
            PublishedFigure(
                f"{name}, true {case.friction[name]:g}",
                "estimate",
                model.parameter(name).unit,
                case.estimate[name],
                by_observer[name],
                float(np.median(found)) if told and found else None,
                bound.get(name),
                _note(case, name, fits, bound.get(name)),
            )
        )
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
    return Panel(
        "errors",
        "parameter (F_t0 and F_t1 cannot be told)",
        "error [% of the true value]",
        tuple(shown),
        y_scale="log",
        ticks=tuple(names),
    )


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
