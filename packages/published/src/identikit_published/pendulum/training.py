"""Tables 7 to 9, Figures 5 and 6: what the report calls hybrids, a regression first and a training after it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

import identikit as ik
from identikit.progress import Progress
from identikit.result import Panel, PublishedFigure
from identikit_published._base import Outcome, Scale
from identikit_published.pendulum.discovery import motion_of
from identikit_published.pendulum.procedures import REGRESSION_SETTINGS, direct_regression
from identikit_published.pendulum.public_source import (
    SOURCE_SEED,
    SOURCE_SETTINGS,
    SourceProcedure,
    by_source,
    source_first_stage,
    source_stage_trimmed_more,
)
from identikit_published.pendulum.study import (
    KNOWN_START,
    Study,
    by_fits,
    by_procedure,
    error_rows,
    fitted,
    value_rows,
    with_stiffness_known,
)
from identikit_published.pendulum.swing import (
    DAMPINGS,
    ESTIMATES,
    NEURAL_ODE,
    PARAMETERS,
    PINN,
    SETTINGS,
    SINGLE,
    SYMBOLIC,
    bars,
    curve,
    errors_in_groups,
    noisy,
    over_time,
    true_and_estimated,
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


CASE, NAME = "viscous", "zeta"
PINN_STEPS, QUICK_PINN_STEPS = 2000, 100  # of Adam in Table 7 and Figure 5; the text gives none


def trained(
    method: str,
    printed: tuple[float, float],
    steps: int,
    progress: Progress,
    initial: Mapping[str, float] | None = None,
) -> Outcome:
    """One noise draw: losses and the damping, step by step; the motion; the estimate.

    `printed` are the estimate and its error in per cent; `initial` the first state where the printed way knows it.
    """
    measured = noisy(CASE, 0)
    known: dict[str, Any] = with_stiffness_known(CASE)
    progress(0.0, "as printed")
    told = {"initial": initial} if initial else {}
    usual = fitted(CASE, measured, method, options={"settings": "report", "steps": steps}, **known, **told)
    progress(0.8, "ours")
    best = fitted(CASE, measured, method, **known)
    true = DAMPINGS[CASE][NAME]
    bound = best.parameters[NAME].crlb or float("nan")
    values = usual.value(NAME), best.value(NAME)
    errors = 100 * abs(values[0] / true - 1), 100 * abs(values[1] / true - 1)
    figures = [
        PublishedFigure(CASE, NAME, "1/s", printed[0], *values, bound),
        PublishedFigure(CASE, f"error of {NAME}", "%", printed[1], *errors, 100 * bound / true),
    ]  # fmt: skip
    history = usual.artifacts["training"]
    for label, losses in history["losses"].items():
        figures.append(
            PublishedFigure(CASE, f"loss of {label} at the end", "", "not given", float(losses[-1]), None, None,
                            "mean square, as printed; a loss has no bound")
        )  # fmt: skip
    panels = (
        *_losses(usual, "as printed"),
        _parameter(usual, true),
        _motions(measured, usual, motion_of(best)[0]),
        true_and_estimated(
            "estimates",
            [CASE],
            {"printed": {NAME: printed[0]}, "as printed, here": {NAME: values[0]}, "ours": {NAME: values[1]}},
        ),
    )
    settings = {**SETTINGS, "steps of Adam": f"{steps} (not given)", "status as printed": usual.status.code.value}
    return Outcome(tuple(figures), panels, settings, 1)


def _motions(measured: NDArray[np.float64], usual: ik.Result, ours: NDArray[np.float64]) -> Panel:
    """The record, the printed way's network or trajectory, and ours."""
    drawn = usual.artifacts["training"].get("network")
    own = (
        curve("as printed, here", drawn["time"], drawn["theta"], "printed")
        if drawn
        else over_time("as printed, here", motion_of(usual)[0], "printed")
    )
    shown = (over_time("measured", measured, "measured"), over_time("ours", ours, "model"), own)
    return Panel("time response", "time [s]", "angle [rad]", shown)


def _steps(history: Mapping[str, Any]) -> list[int]:
    count = len(next(iter(history["losses"].values())))
    return [history["every"] * (i + 1) for i in range(count)]


def _losses(result: ik.Result, title: str) -> tuple[Panel, ...]:
    history = result.artifacts["training"]
    curves = tuple(curve(label, _steps(history), values) for label, values in history["losses"].items())
    return (Panel(f"training, {title}", "step of Adam", f"loss, {history['measure']}", curves, y_scale="log"),)


def _parameter(result: ik.Result, true: float) -> Panel:
    history = result.artifacts["training"]
    steps = _steps(history)
    curves = (
        curve("as printed, here", steps, history["parameters"][NAME]),
        curve("true", [steps[0], steps[-1]], [true, true], "bound"),
    )
    return Panel("the damping in training", "step of Adam", f"{NAME} [1/s]", curves)


def table_7(scale: Scale, progress: Progress) -> Outcome:
    """Damping by a physics-informed network, as the report trains it and with a network per half swing."""
    seeds = range(scale.seeds(10, 1))
    steps = QUICK_PINN_STEPS if scale.quick else PINN_STEPS
    usual = {"settings": "report", "steps": steps}
    figures, shown = [], []
    cases = scale.some(SINGLE)
    for place, case in enumerate(cases):
        progress(place / len(cases), f"{case} damping")
        trained = by_fits(case, [0], "pinn", options=usual, initial=KNOWN_START, **with_stiffness_known(case))
        best = by_fits(case, seeds, "pinn", **with_stiffness_known(case))
        shown.append((case, trained, best))
        printed = ESTIMATES["PINN"], PINN
        figures += hybrid_rows(case, printed, ("after its network", trained), best, seeds, source_first_stage)
    chosen = {"network": "4 layers of 50 (not given)", "steps of Adam": f"{steps} (not given)", "weights": _WEIGHTS}
    settings = {**SETTINGS, **REGRESSION_SETTINGS, **SOURCE_SETTINGS, **chosen}
    panel = hybrid_panel("Error of physics-informed networks", PINN, shown)
    return Outcome(tuple(figures), (panel,), settings, len(seeds))


_WEIGHTS = "1, 1 and 1 (not given)"

NEURAL_ODE_STEPS, QUICK_NEURAL_ODE_STEPS = 300, 100  # of Adam; the text gives none, the public source has 300


def table_8(scale: Scale, progress: Progress) -> Outcome:
    """Damping by a neural ODE, trained by Adam as in the report and by segments."""
    seeds = range(scale.seeds(10, 1))
    steps = QUICK_NEURAL_ODE_STEPS if scale.quick else NEURAL_ODE_STEPS
    usual = {"settings": "report", "steps": steps}
    figures, shown = [], []
    cases = scale.some(SINGLE)
    for place, case in enumerate(cases):
        progress(place / len(cases), f"{case} damping")
        few = seeds[: scale.seeds(3, 1)]
        trained = by_fits(case, few, "neural_ode", options=usual, **with_stiffness_known(case))
        best = by_fits(case, seeds, "neural_ode", **with_stiffness_known(case))
        shown.append((case, trained, best))
        printed = ESTIMATES["neural ODE"], NEURAL_ODE
        figures += hybrid_rows(case, printed, ("after Adam", trained), best, seeds, source_stage_trimmed_more)
    chosen = {"steps of Adam": f"{steps} (not given)", "learning rate": "2e-4 (not given)"}
    settings = {**SETTINGS, **REGRESSION_SETTINGS, **SOURCE_SETTINGS, **chosen}
    panel = hybrid_panel("Error of neural ODEs", NEURAL_ODE, shown)
    return Outcome(tuple(figures), (panel,), settings, len(seeds))


def table_9(scale: Scale, progress: Progress) -> Outcome:
    """Damping by symbolic regression: the report's hybrid, which is a direct regression, and a search."""
    seeds = range(scale.seeds(5, 1))
    figures: list[PublishedFigure] = []
    shown = []
    cases = scale.some(SINGLE)
    for place, case in enumerate(cases):
        progress(place / len(cases), f"{case} damping")
        hybrid = by_procedure(case, seeds, direct_regression)
        best = by_fits(case, seeds, "symbolic", fix=None, free=[*PARAMETERS, "k"])
        printed = ESTIMATES["symbolic"], SYMBOLIC
        figures += hybrid_rows(case, printed, None, best, seeds, source_stage_trimmed_more)
        shown.append((case, hybrid, best))
    search = "Operon, 200 expressions, 40 generations, in place of the PySR that the report names"
    settings = {**SETTINGS, **REGRESSION_SETTINGS, **SOURCE_SETTINGS, "search": search}
    panel = hybrid_panel("Error of symbolic regression", SYMBOLIC, shown)
    return Outcome(tuple(figures), (panel,), settings, len(seeds))


def figure_5(scale: Scale, progress: Progress) -> Outcome:
    """Training a physics-informed network on the viscous record."""
    printed = ESTIMATES["PINN"]["zeta"], PINN["viscous"]
    steps = QUICK_PINN_STEPS if scale.quick else PINN_STEPS
    return trained("pinn", printed, steps, progress, KNOWN_START)


NEURAL_ODE_STEPS, QUICK_NEURAL_ODE_STEPS = 300, 100  # of Adam; the report gives none


def figure_6(scale: Scale, progress: Progress) -> Outcome:
    """Training a neural ODE on the viscous record."""
    printed = ESTIMATES["neural ODE"]["zeta"], NEURAL_ODE["viscous"]
    return trained("neural_ode", printed, QUICK_NEURAL_ODE_STEPS if scale.quick else NEURAL_ODE_STEPS, progress)
