"""What Tables 7, 8 and 9 share: a direct regression first, and something that refines it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from identikit.reproduce.pendulum._direct_regression import (
    SHORT_WINDOW,
    WINDOW,
    direct_regression,
    direct_regression_by_short_filter,
)
from identikit.reproduce.pendulum._pictures import bars, errors_in_groups
from identikit.reproduce.pendulum._study import Study, by_procedure, error_rows
from identikit.reproduce.pendulum._swing import DAMPINGS
from identikit.result import Panel, PublishedFigure

HYBRID_NOTE = (
    "The first stage alone is Eq. (24), least squares on filtered derivatives. At 0.002 rad it misses dry friction by "
    "several per cent: the filter rounds the jump of the acceleration, and tanh(v/0.1) is not rounded with it. Errors "
    "of the printed size are those of a record without noise and a filter of some 31 samples, which at 0.002 rad is "
    "worse than one of 51."
)


def hybrid_rows(
    case: str, printed: float, refined: Study, best: Study, seeds: Iterable[int], stage: str
) -> list[PublishedFigure]:
    """The second stage as printed beside our best, then the first stage alone, with noise and without."""
    (name,) = DAMPINGS[case]
    told = {name: printed}
    rows = error_rows(case, told, refined, best, label=f"{case}, {stage}")
    first = by_procedure(case, seeds, direct_regression)
    rows += error_rows(case, told, first, best, label=f"{case}, first stage alone")
    return rows + clean_rows(case, printed)


def clean_rows(case: str, printed: float) -> list[PublishedFigure]:
    """The first stage alone on a record without noise, by either filter."""
    (name,) = DAMPINGS[case]
    ways = {WINDOW: direct_regression, SHORT_WINDOW: direct_regression_by_short_filter}
    return [
        PublishedFigure(f"{case}, first stage, no noise, filter of {window}", f"error of {name}", "%", printed,
                        by_procedure(case, [0], way, 0.0).error(name), None, None, "without noise there is no bound")
        for window, way in ways.items()
    ]  # fmt: skip


def hybrid_panel(title: str, printed: Mapping[str, float], shown: Sequence[tuple[str, Study, Study]]) -> Panel:
    """Errors by case: printed, as printed, best, bound."""
    names = [next(iter(DAMPINGS[case])) for case, _, _ in shown]
    return errors_in_groups(
        title,
        [f"{case}, {name}" for (case, _, _), name in zip(shown, names, strict=True)],
        (
            bars("printed", [printed[case] for case, _, _ in shown], "faint"),
            bars("as printed, here", [one.error(name) for (_, one, _), name in zip(shown, names, strict=True)]),
            bars("ours", [one.error(name) for (_, _, one), name in zip(shown, names, strict=True)]),
            bars("bound", [one.bound(name) for (_, _, one), name in zip(shown, names, strict=True)], "bound"),
        ),
    )
