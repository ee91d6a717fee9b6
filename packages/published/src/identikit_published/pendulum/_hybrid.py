"""What Tables 7, 8 and 9 share: a direct regression first, and something that refines it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from identikit_published.pendulum._direct_regression import direct_regression
from identikit_published.pendulum._pictures import bars, errors_in_groups
from identikit_published.pendulum._public_source import SOURCE_SEED, SourceProcedure, by_source
from identikit_published.pendulum._study import Study, by_procedure, error_rows, value_rows
from identikit_published.pendulum._swing import DAMPINGS
from identikit.result import Panel, PublishedFigure

HYBRID_NOTE = (
    "The first stage alone is Eq. (24), least squares on filtered derivatives. As the text states it, with noise of "
    "0.002 rad on the angle, it misses dry friction by several per cent: the filter rounds the jump of the "
    "acceleration, and tanh(v/0.1) is not rounded with it. The report's public source measures the velocity too, with "
    "noise of 0.001 on both, and makes its data with tanh(v/0.1) as well, so that there is no jump: with these "
    "settings, which the text does not state, and its seed the first stage alone gives the figures of Tables 7 and 9 "
    "to the digit."
)


def hybrid_rows(
    case: str,
    printed: tuple[Mapping[str, float], Mapping[str, float]],
    refined: tuple[str, Study] | None,
    best: Study,
    seeds: Sequence[int],
    first_stage: SourceProcedure,
) -> list[PublishedFigure]:
    """Estimates and errors: of the second stage, and of the first as the text and as the source has it.

    Arguments:
        printed: {parameter: estimate} and {case: error in per cent}.
        refined: what the second stage is called, and what it gives; None where it changes nothing.
        first_stage: with the source's settings.
    """
    (name,) = DAMPINGS[case]
    values, told = printed[0], {name: printed[1][case]}
    stated = by_procedure(case, seeds, direct_regression)
    source = by_source(case, [SOURCE_SEED], first_stage, best, rounded=True)
    others = by_source(case, seeds, first_stage, best, rounded=True)
    clean = by_procedure(case, [0], direct_regression, 0.0)
    same_seed = f"{case}, first stage with the settings of its source, seed {SOURCE_SEED}"
    rows = value_rows(case, values, refined[1], best, label=f"{case}, {refined[0]}") if refined else []
    rows += value_rows(case, values, stated, best, label=f"{case}, first stage as the text states it")
    rows += value_rows(case, values, source, None, label=same_seed)
    if refined:
        rows += error_rows(case, told, refined[1], best, label=f"{case}, {refined[0]}")
    rows += error_rows(case, told, stated, best, label=f"{case}, first stage as the text states it")
    rows += error_rows(case, told, source, None, label=same_seed)
    rows += error_rows(
        case, told, others, None, label=f"{case}, first stage with the settings of its source, other seeds"
    )
    none = {name: "without noise there is no bound"}
    return rows + error_rows(case, told, clean, None, none, f"{case}, first stage as the text states it, no noise")


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
