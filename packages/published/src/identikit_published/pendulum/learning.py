"""Tables 6 to 9, Figures 3 to 7: laws by sparse and symbolic regression, and regressions with a training after them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

import identikit as ik
from identikit.progress import Progress
from identikit.result import Panel, PublishedFigure
from identikit.simulation import simulate
from identikit_published._base import Outcome, Scale
from identikit_published.pendulum import procedures, swing
from identikit_published.pendulum.procedures import TERMS, measured

Array = NDArray[np.float64]

_NAMES = dict(zip(TERMS,
                  ("1", "theta", "omega", "cos(theta)", "sin(theta)", "omega*abs(omega)", "sign(omega)", "theta**2",
                   "omega*theta"), strict=True))  # fmt: skip
"""The nine terms as the method calls them; its sign(omega) is the report's tanh(v/eps)."""


def motion_of(result: ik.Result) -> Array:
    """Angle and velocity [2, times] over TIME, of a fitted pendulum."""
    values = {name: found.value for name, found in result.parameters.items() if found.value is not None}
    start = {state: item["value"] or 0.0 for state, item in result.initial_states[0].items()}
    return simulate(ik.library_model(swing.MODEL), swing.TIME, values, initial=start).states


def true_law(case: str) -> dict[str, float]:
    """Coefficients of the nine terms in theta''."""
    law = {**dict.fromkeys(TERMS, 0.0), "theta": -swing.STIFFNESS, "cos(theta)": 1.0}
    for name, value in swing.DAMPINGS[case].items():
        term, factor = procedures.OF_DAMPING[name]
        law[term] = factor * value
    return law


def _law_of(result: ik.Result) -> dict[str, float]:
    rows = {row[1]: row[5] for row in result.artifacts["terms"]["rows"]}
    return {term: rows[name] or 0.0 for term, name in _NAMES.items()}


def _bounds_of(study: procedures.Study) -> dict[str, float]:
    named = {term: (name, abs(factor)) for name, (term, factor) in procedures.OF_DAMPING.items()}
    found = {"theta": study.result.parameters["k"].crlb}
    for term, (name, factor) in named.items():
        if name in study.bounds:
            found[term] = factor * study.bounds[name]
    return {term: value for term, value in found.items() if value is not None}


def discovered(case: str, printed: Mapping[str, float] | None, scale: Scale, progress: Progress) -> Outcome:
    """The coefficients of all nine terms, and the four pictures of the report's figure."""
    seeds = range(scale.seeds(5, 1))
    progress(0.0, "as printed")
    laws = [procedures.found_law(swing.noisy(case, seed)) for seed in seeds]
    as_printed = procedures.by_procedure(case, seeds, procedures.sparse_regression)
    progress(0.2, "weak form")
    best = procedures.by_fits(case, seeds, "sindy", options={"terms": "report"}, **procedures.LAW_UNKNOWN)
    ours, truth, bounds = _law_of(best.result), true_law(case), _bounds_of(best)
    source = procedures.source_law(case, measured(case))
    figures = []
    for term in TERMS:
        drawn = [law[term] for law in laws]
        spread = f"as printed, {min(drawn):.3g} to {max(drawn):.3g} over the draws" if len(drawn) > 1 else ""
        told = "not given" if printed is None else printed.get(term, "not in Eq. (21)")
        what = f"coefficient of {term}, true {truth[term]:g}"
        figures.append(
            PublishedFigure(case, what, "", told, float(np.mean(drawn)), ours[term], bounds.get(term), spread)
        )
        figures.append(PublishedFigure(f"{case}, settings of its source, seed {procedures.SOURCE_SEED}", what, "", told,
                                       source[term], None, None,
                                       "the bound is a ninth of the one above, since the velocity is measured too")
        )  # fmt: skip
    samples = swing.noisy(case, seeds[-1])
    smooth = np.stack(procedures.derivatives(samples)[:2])
    states = motion_of(best.result)
    panels = (
        swing.time_response("time response", samples, states[0], "law of the weak form"),
        swing.phase_portrait("phase portrait", smooth, states, "law of the weak form"),
        Panel("sizes of the coefficients", "", "size, in theta'' per term",
              (swing.bars("true", [abs(value) for value in truth.values()], "faint"),
               *(() if printed is None else [swing.bars("printed", [abs(printed.get(term, 0.0)) for term in TERMS])]),
               swing.bars("settings of its source, here", [abs(source[term]) for term in TERMS]),
               swing.bars("as the text states it, here", [abs(laws[-1][term]) for term in TERMS]),
               swing.bars("weak form, ours", [abs(ours[term]) for term in TERMS])),
              y_scale="log", ticks=TERMS),
        swing.true_and_estimated(
            "dampings",
            [case],
            {
                way: {name: float(study.values[name][-1]) for name in swing.DAMPINGS[case]}
                for way, study in (("as the text states it", as_printed), ("weak form, ours", best))
            },
        ),
    )  # fmt: skip
    chosen = {"lambda of the text": f"{procedures.THRESHOLD} (not given)"}
    settings = {**swing.SETTINGS, **procedures.REGRESSION_SETTINGS, **procedures.SOURCE_SETTINGS, **chosen}
    return Outcome(tuple(figures), panels, settings, len(seeds))


WITH_SIGN = 11.0  # % of mu_c: what the report says sign(v) in the library gives
COMBINED_RANGE = (5.0, 8.0)  # %: the one entry "5-8" for all three dampings
SAME_SEED = f"settings of its source, seed {procedures.SOURCE_SEED}"


def table_6(scale: Scale, progress: Progress) -> Outcome:
    """Damping by sparse regression (SINDy), as the text has it, as its source has it, and by the weak form."""
    seeds = range(scale.seeds(10, 1))
    figures: list[PublishedFigure] = []
    shown: list[tuple[str, procedures.Study, procedures.Study, procedures.Study]] = []
    cases = scale.some(list(swing.DAMPINGS))
    for place, case in enumerate(cases):
        progress(place / len(cases), f"{case} damping")
        stated = procedures.by_procedure(case, seeds, procedures.sparse_regression)
        best = procedures.by_fits(
            case, seeds, "sindy", options={"terms": "report"}, fix=None, free=[*swing.PARAMETERS, "k"]
        )
        source = procedures.by_source(case, [procedures.SOURCE_SEED], procedures.source_regression, best)
        ours = None if scale.quick else procedures.fitted_to_both(case, best)
        errors, values = _printed_errors(case), _printed_values(case)
        figures += procedures.value_rows(case, values, stated, best, label=f"{case}, as the text states it")
        figures += procedures.value_rows(
            case, values, source, ours, _SIGNS if case in swing.SINDY else None, f"{case}, {SAME_SEED}"
        )
        figures += procedures.error_rows(case, errors, stated, best, label=f"{case}, as the text states it")
        figures += procedures.error_rows(case, errors, source, ours, label=f"{case}, {SAME_SEED}")
        others = procedures.by_source(case, seeds, procedures.source_regression, best)
        figures += procedures.error_rows(
            case, errors, others, None, label=f"{case}, settings of its source, other seeds"
        )
        noisier = procedures.by_source(case, [procedures.SOURCE_SEED], procedures.source_regression, best, swing.NOISE)
        figures += procedures.error_rows(
            case, errors, noisier, None, label=f"{case}, {SAME_SEED}, but noise {swing.NOISE}"
        )
        clean = procedures.by_procedure(case, [0], procedures.sparse_regression, 0.0)
        figures += procedures.error_rows(case, errors, clean, None, _CLEAN, f"{case}, as the text states it, no noise")
        shown.append((case, stated, source, best))
    progress(0.95, "sign(v) in the library")
    for label, study in (
        ("as the text states it", procedures.by_procedure("Coulomb", seeds, procedures.sparse_regression_with_sign)),
        (SAME_SEED, procedures.by_source("Coulomb", [procedures.SOURCE_SEED], procedures.source_regression_with_sign)),
    ):
        figures.append(PublishedFigure(f"Coulomb, sign(v) in the library, {label}", "error of mu_c", "%", WITH_SIGN,
                                       study.error("mu_c"), None, None, "the bound is that of the Coulomb row")
        )  # fmt: skip
    settings = {**swing.SETTINGS, **procedures.REGRESSION_SETTINGS, **procedures.SOURCE_SETTINGS,
                "lambda of the text": f"{procedures.THRESHOLD} (not given)"}  # fmt: skip
    return Outcome(tuple(figures), (_panel(shown),), settings, len(seeds))


def _printed_errors(case: str) -> dict[str, float | str]:
    if case in swing.SINDY:
        return {next(iter(swing.DAMPINGS[case])): swing.SINDY[case]}
    return dict.fromkeys(swing.DAMPINGS[case], "{:g}-{:g}".format(*COMBINED_RANGE))


def _printed_values(case: str) -> dict[str, float]:
    return swing.ESTIMATES["SINDy"] if case in swing.SINDY else swing.COMBINED_SINDY


def _panel(shown: list[tuple[str, procedures.Study, procedures.Study, procedures.Study]]) -> Panel:
    """A group per damping; "5-8" is drawn half way, with its reach."""
    rows = [(name, case, one, two, three) for case, one, two, three in shown for name in swing.DAMPINGS[case]]
    reached = [_reach(_printed_errors(case)[name]) for name, case, *_ in rows]
    middle, half = [(a + b) / 2 for a, b in reached], [(b - a) / 2 for a, b in reached]
    series = (
        swing.bars("printed", middle, "faint", half),
        swing.bars("as the text states it, here", [stated.error(name) for name, _, stated, _, _ in rows]),
        swing.bars(f"{SAME_SEED}, here", [source.error(name) for name, _, _, source, _ in rows]),
        swing.bars("weak form, ours, noise 0.002", [best.error(name) for name, _, _, _, best in rows]),
        swing.bars("bound, noise 0.002", [best.bound(name) for name, _, _, _, best in rows], "bound"),
    )
    return swing.errors_in_groups("Error of sparse regression", [f"{case}, {name}" for name, case, *_ in rows], series)


def _reach(told: float | str) -> tuple[float, float]:
    return COMBINED_RANGE if isinstance(told, str) else (told, told)


_SIGNS = {"mu_c": "the printed 0.0293 is as far below the truth as this is above it: its error of 2.2 % fits either"}
_CLEAN = dict.fromkeys(swing.PARAMETERS, "without noise there is no bound")


figure_3 = partial(discovered, "viscous", swing.EQUATION_21)
"""The law of the viscous record by sparse regression, with Eq. (21)."""
figure_4 = partial(discovered, "combined", None)
"""The law of the combined record by sparse regression."""


CASE, NAME = "viscous", "zeta"


def figure_7(scale: Scale, progress: Progress) -> Outcome:
    """Symbolic regression on the viscous record."""
    measured = swing.noisy(CASE, 0)
    hybrid = procedures.direct_regression(CASE, measured)[NAME]
    progress(0.1, "the law is searched for")
    best = procedures.fitted(CASE, measured, "symbolic", **procedures.LAW_UNKNOWN)
    true, printed = swing.DAMPINGS[CASE][NAME], swing.ESTIMATES["symbolic"][NAME]
    bound = best.parameters[NAME].crlb or float("nan")
    law = best.artifacts["law"]["equations"]["omega"]
    figures = (
        PublishedFigure(CASE, NAME, "1/s", printed, hybrid, best.value(NAME), bound, f"law found: theta'' = {law}"),
        PublishedFigure(CASE, f"error of {NAME}", "%", swing.SYMBOLIC[CASE], 100 * abs(hybrid / true - 1),
                        100 * abs(best.value(NAME) / true - 1), 100 * bound / true),
    )  # fmt: skip
    states = motion_of(best)
    panels = (swing.time_response("time response", measured, states[0], "law that was found"),
              swing.phase_portrait(
                  "phase portrait", np.stack(procedures.derivatives(measured)[:2]), states, "law that was found"
              ),
              swing.true_and_estimated(
                  "estimates",
                  [CASE],
                  {"printed": {NAME: printed}, "as printed, here": {NAME: hybrid}, "ours": {NAME: best.value(NAME)}},
              ))  # fmt: skip
    return Outcome(figures, panels, {**swing.SETTINGS, **procedures.REGRESSION_SETTINGS}, 1)


def hybrid_rows(
    case: str, printed: tuple[Mapping[str, float], Mapping[str, float]], refined: tuple[str, procedures.Study] | None,
    best: procedures.Study, seeds: Sequence[int], first_stage: procedures.SourceProcedure,
) -> list[PublishedFigure]:  # fmt: skip
    """Estimates and errors: of the second stage, and of the first as the text and as the source has it.

    Arguments:
        printed: {parameter: estimate} and {case: error in per cent}.
        refined: what the second stage is called, and what it gives; None where it changes nothing.
        first_stage: with the source's settings.
    """
    (name,) = swing.DAMPINGS[case]
    values, told = printed[0], {name: printed[1][case]}
    stated = procedures.by_procedure(case, seeds, procedures.direct_regression)
    source = procedures.by_source(case, [procedures.SOURCE_SEED], first_stage, best, rounded=True)
    others = procedures.by_source(case, seeds, first_stage, best, rounded=True)
    clean = procedures.by_procedure(case, [0], procedures.direct_regression, 0.0)
    same_seed = f"{case}, first stage with the settings of its source, seed {procedures.SOURCE_SEED}"
    rows = procedures.value_rows(case, values, refined[1], best, label=f"{case}, {refined[0]}") if refined else []
    rows += procedures.value_rows(case, values, stated, best, label=f"{case}, first stage as the text states it")
    rows += procedures.value_rows(case, values, source, None, label=same_seed)
    if refined:
        rows += procedures.error_rows(case, told, refined[1], best, label=f"{case}, {refined[0]}")
    rows += procedures.error_rows(case, told, stated, best, label=f"{case}, first stage as the text states it")
    rows += procedures.error_rows(case, told, source, None, label=same_seed)
    rows += procedures.error_rows(
        case, told, others, None, label=f"{case}, first stage with the settings of its source, other seeds"
    )
    none = {name: "without noise there is no bound"}
    return rows + procedures.error_rows(
        case, told, clean, None, none, f"{case}, first stage as the text states it, no noise"
    )


def hybrid_panel(
    title: str, printed: Mapping[str, float], shown: Sequence[tuple[str, procedures.Study, procedures.Study]]
) -> Panel:
    """Errors by case: printed, as printed, best, bound."""
    names = [next(iter(swing.DAMPINGS[case])) for case, _, _ in shown]
    return swing.errors_in_groups(
        title,
        [f"{case}, {name}" for (case, _, _), name in zip(shown, names, strict=True)],
        (swing.bars("printed", [printed[case] for case, _, _ in shown], "faint"),
         swing.bars("as printed, here", [one.error(name) for (_, one, _), name in zip(shown, names, strict=True)]),
         swing.bars("ours", [one.error(name) for (_, _, one), name in zip(shown, names, strict=True)]),
         swing.bars("bound", [one.bound(name) for (_, _, one), name in zip(shown, names, strict=True)], "bound")),
    )  # fmt: skip


PINN_STEPS, QUICK_PINN_STEPS = 2000, 100  # of Adam in Table 7 and Figure 5; the text gives none
NEURAL_ODE_STEPS, QUICK_NEURAL_ODE_STEPS = 300, 100  # of Adam; the text gives none, the public source has 300


def trained(
    method: str, printed: tuple[float, float], steps: int, progress: Progress,
    initial: Mapping[str, float] | None = None,
) -> Outcome:  # fmt: skip
    """One noise draw: losses and the damping, step by step; the motion; the estimate.

    `printed` are the estimate and its error in per cent; `initial` the first state where the printed way knows it.
    """
    measured = swing.noisy(CASE, 0)
    known: dict[str, Any] = procedures.with_stiffness_known(CASE)
    progress(0.0, "as printed")
    told = {"initial": initial} if initial else {}
    usual = procedures.fitted(CASE, measured, method, options={"settings": "report", "steps": steps}, **known, **told)
    progress(0.8, "ours")
    best = procedures.fitted(CASE, measured, method, **known)
    true = swing.DAMPINGS[CASE][NAME]
    bound = best.parameters[NAME].crlb or float("nan")
    values = usual.value(NAME), best.value(NAME)
    errors = 100 * abs(values[0] / true - 1), 100 * abs(values[1] / true - 1)
    figures = [PublishedFigure(CASE, NAME, "1/s", printed[0], *values, bound),
               PublishedFigure(CASE, f"error of {NAME}", "%", printed[1], *errors, 100 * bound / true)]  # fmt: skip
    history = usual.artifacts["training"]
    for label, losses in history["losses"].items():
        figures.append(
            PublishedFigure(CASE, f"loss of {label} at the end", "", "not given", float(losses[-1]), None, None,
                            "mean square, as printed; a loss has no bound")
        )  # fmt: skip
    panels = (*_losses(usual, "as printed"), _parameter(usual, true), _motions(measured, usual, motion_of(best)[0]),
              swing.true_and_estimated("estimates", [CASE],
                                       {"printed": {NAME: printed[0]}, "as printed, here": {NAME: values[0]},
                                        "ours": {NAME: values[1]}}))  # fmt: skip
    settings = {**swing.SETTINGS, "steps of Adam": f"{steps} (not given)", "status as printed": usual.status.code.value}
    return Outcome(tuple(figures), panels, settings, 1)


def _motions(measured: Array, usual: ik.Result, ours: Array) -> Panel:
    """The record, the printed way's network or trajectory, and ours."""
    drawn = usual.artifacts["training"].get("network")
    own = (
        swing.curve("as printed, here", drawn["time"], drawn["theta"], "printed")
        if drawn
        else swing.over_time("as printed, here", motion_of(usual)[0], "printed")
    )
    shown = (swing.over_time("measured", measured, "measured"), swing.over_time("ours", ours, "model"), own)
    return Panel("time response", "time [s]", "angle [rad]", shown)


def _steps(history: Mapping[str, Any]) -> list[int]:
    count = len(next(iter(history["losses"].values())))
    return [history["every"] * (i + 1) for i in range(count)]


def _losses(result: ik.Result, title: str) -> tuple[Panel, ...]:
    history = result.artifacts["training"]
    curves = tuple(swing.curve(label, _steps(history), values) for label, values in history["losses"].items())
    return (Panel(f"training, {title}", "step of Adam", f"loss, {history['measure']}", curves, y_scale="log"),)


def _parameter(result: ik.Result, true: float) -> Panel:
    history = result.artifacts["training"]
    steps = _steps(history)
    curves = (swing.curve("as printed, here", steps, history["parameters"][NAME]),
              swing.curve("true", [steps[0], steps[-1]], [true, true], "bound"))  # fmt: skip
    return Panel("the damping in training", "step of Adam", f"{NAME} [1/s]", curves)


def _hybrids(
    name: str, title: str, errors: Mapping[str, float], seeds: range, stage: procedures.SourceProcedure,
    way: Callable[[str], tuple[str, procedures.Study, procedures.Study]], chosen: Mapping[str, Any], scale: Scale,
    progress: Progress,
) -> Outcome:  # fmt: skip
    """A table of hybrids; `way` gives what its second stage is called (empty: it changes nothing), that, and ours."""
    figures, shown = [], []
    cases = scale.some(swing.SINGLE)
    for place, case in enumerate(cases):
        progress(place / len(cases), f"{case} damping")
        label, usual, best = way(case)
        shown.append((case, usual, best))
        refined = (label, usual) if label else None
        figures += hybrid_rows(case, (swing.ESTIMATES[name], errors), refined, best, seeds, stage)
    settings = {**swing.SETTINGS, **procedures.REGRESSION_SETTINGS, **procedures.SOURCE_SETTINGS, **chosen}
    return Outcome(tuple(figures), (hybrid_panel(f"Error of {title}", errors, shown),), settings, len(seeds))


def table_7(scale: Scale, progress: Progress) -> Outcome:
    """Damping by a physics-informed network, as the report trains it and with a network per half swing."""
    seeds, steps = range(scale.seeds(10, 1)), QUICK_PINN_STEPS if scale.quick else PINN_STEPS

    def way(case: str) -> tuple[str, procedures.Study, procedures.Study]:
        known = procedures.with_stiffness_known(case)
        usual = {"settings": "report", "steps": steps}
        whole = procedures.by_fits(case, [0], "pinn", options=usual, initial=procedures.KNOWN_START, **known)
        return "after its network", whole, procedures.by_fits(case, seeds, "pinn", **known)

    chosen = {"network": "4 layers of 50 (not given)", "steps of Adam": f"{steps} (not given)",
              "weights": "1, 1 and 1 (not given)"}  # fmt: skip
    title = "physics-informed networks"
    return _hybrids("PINN", title, swing.PINN, seeds, procedures.source_first_stage, way, chosen, scale, progress)


def table_8(scale: Scale, progress: Progress) -> Outcome:
    """Damping by a neural ODE, trained by Adam as in the report and by segments."""
    seeds, steps = range(scale.seeds(10, 1)), QUICK_NEURAL_ODE_STEPS if scale.quick else NEURAL_ODE_STEPS

    def way(case: str) -> tuple[str, procedures.Study, procedures.Study]:
        known, few = procedures.with_stiffness_known(case), seeds[: scale.seeds(3, 1)]
        usual = procedures.by_fits(case, few, "neural_ode", options={"settings": "report", "steps": steps}, **known)
        return "after Adam", usual, procedures.by_fits(case, seeds, "neural_ode", **known)

    chosen = {"steps of Adam": f"{steps} (not given)", "learning rate": "2e-4 (not given)"}
    stage = procedures.source_stage_trimmed_more
    return _hybrids("neural ODE", "neural ODEs", swing.NEURAL_ODE, seeds, stage, way, chosen, scale, progress)


def table_9(scale: Scale, progress: Progress) -> Outcome:
    """Damping by symbolic regression: the report's hybrid, which is a direct regression, and a search."""
    seeds = range(scale.seeds(5, 1))

    def way(case: str) -> tuple[str, procedures.Study, procedures.Study]:
        best = procedures.by_fits(case, seeds, "symbolic", fix=None, free=[*swing.PARAMETERS, "k"])
        return "", procedures.by_procedure(case, seeds, procedures.direct_regression), best

    chosen = {"search": "Operon, 200 expressions, 40 generations, in place of the PySR that the report names"}
    title, stage = "symbolic regression", procedures.source_stage_trimmed_more
    return _hybrids("symbolic", title, swing.SYMBOLIC, seeds, stage, way, chosen, scale, progress)


def figure_5(scale: Scale, progress: Progress) -> Outcome:
    """Training a physics-informed network on the viscous record."""
    printed = swing.ESTIMATES["PINN"]["zeta"], swing.PINN["viscous"]
    steps = QUICK_PINN_STEPS if scale.quick else PINN_STEPS
    return trained("pinn", printed, steps, progress, procedures.KNOWN_START)


def figure_6(scale: Scale, progress: Progress) -> Outcome:
    """Training a neural ODE on the viscous record."""
    printed = swing.ESTIMATES["neural ODE"]["zeta"], swing.NEURAL_ODE["viscous"]
    return trained("neural_ode", printed, QUICK_NEURAL_ODE_STEPS if scale.quick else NEURAL_ODE_STEPS, progress)
