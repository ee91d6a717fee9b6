"""What Figures 3 and 4 share: the law that sparse regression finds, as printed and by the weak form."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

import identikit as ik
from identikit.progress import Progress
from identikit_published._base import Outcome, Scale
from identikit_published.pendulum._direct_regression import REGRESSION_SETTINGS, derivatives
from identikit_published.pendulum._pictures import bars, phase_portrait, time_response, true_and_estimated
from identikit_published.pendulum._public_source import SOURCE_SEED, SOURCE_SETTINGS, measured, source_law
from identikit_published.pendulum._sparse_regression import OF_DAMPING, TERMS, THRESHOLD, found_law, sparse_regression
from identikit_published.pendulum._study import Study, by_fits, by_procedure
from identikit_published.pendulum._swing import DAMPINGS, MODEL, SETTINGS, STIFFNESS, TIME, noisy
from identikit_published.pendulum._ways import LAW_UNKNOWN
from identikit.result import Panel, PublishedFigure
from identikit.simulation import simulate

_NAMES = dict(
    zip(TERMS, ("1", "theta", "omega", "cos(theta)", "sin(theta)", "omega*abs(omega)", "sign(omega)", "theta**2",
                "omega*theta"), strict=True)
)  # fmt: skip
"""The nine terms as the method calls them; its sign(omega) is the report's tanh(v/eps)."""


def motion_of(result: ik.Result) -> NDArray[np.float64]:
    """Angle and velocity [2, times] over TIME, of a fitted pendulum."""
    values = {name: found.value for name, found in result.parameters.items() if found.value is not None}
    start = {state: item["value"] or 0.0 for state, item in result.initial_states[0].items()}
    return simulate(ik.library_model(MODEL), TIME, values, initial=start).states


def true_law(case: str) -> dict[str, float]:
    """Coefficients of the nine terms in theta''."""
    law = {**dict.fromkeys(TERMS, 0.0), "theta": -STIFFNESS, "cos(theta)": 1.0}
    for name, value in DAMPINGS[case].items():
        term, factor = OF_DAMPING[name]
        law[term] = factor * value
    return law


def _law_of(result: ik.Result) -> dict[str, float]:
    rows = {row[1]: row[5] for row in result.artifacts["terms"]["rows"]}
    return {term: rows[name] or 0.0 for term, name in _NAMES.items()}


def _bounds_of(study: Study) -> dict[str, float]:
    named = {term: (name, abs(factor)) for name, (term, factor) in OF_DAMPING.items()}
    found = {"theta": study.result.parameters["k"].crlb}
    for term, (name, factor) in named.items():
        if name in study.bounds:
            found[term] = factor * study.bounds[name]
    return {term: value for term, value in found.items() if value is not None}


def discovered(
    case: str, printed: Mapping[str, float] | None, remarks: tuple[str, ...], scale: Scale, progress: Progress
) -> Outcome:
    """The coefficients of all nine terms, and the four pictures of the report's figure."""
    seeds = range(scale.seeds(5, 1))
    progress(0.0, "as printed")
    laws = [found_law(noisy(case, seed)) for seed in seeds]
    as_printed = by_procedure(case, seeds, sparse_regression)
    progress(0.2, "weak form")
    best = by_fits(case, seeds, "sindy", options={"terms": "report"}, **LAW_UNKNOWN)
    ours, truth, bounds = _law_of(best.result), true_law(case), _bounds_of(best)
    source = source_law(case, measured(case))
    figures = []
    for term in TERMS:
        drawn = [law[term] for law in laws]
        spread = f"as printed, {min(drawn):.3g} to {max(drawn):.3g} over the draws" if len(drawn) > 1 else ""
        told = "not given" if printed is None else printed.get(term, "not in Eq. (21)")
        what = f"coefficient of {term}, true {truth[term]:g}"
        figures.append(
            PublishedFigure(case, what, "", told, float(np.mean(drawn)), ours[term], bounds.get(term), spread)
        )
        figures.append(
            PublishedFigure(f"{case}, settings of its source, seed {SOURCE_SEED}", what, "", told, source[term], None,
                            None, "the bound is a ninth of the one above, since the velocity is measured too")
        )  # fmt: skip
    samples = noisy(case, seeds[-1])
    smooth = np.stack(derivatives(samples)[:2])
    states = motion_of(best.result)
    panels = (
        time_response("time response", samples, states[0], "law of the weak form"),
        phase_portrait("phase portrait", smooth, states, "law of the weak form"),
        Panel(
            "sizes of the coefficients",
            "",
            "size, in theta'' per term",
            (
                bars("true", [abs(value) for value in truth.values()], "faint"),
                *([bars("printed", [abs(printed.get(term, 0.0)) for term in TERMS])] if printed else []),
                bars("settings of its source, here", [abs(source[term]) for term in TERMS]),
                bars("as the text states it, here", [abs(laws[-1][term]) for term in TERMS]),
                bars("weak form, ours", [abs(ours[term]) for term in TERMS]),
            ),
            y_scale="log",
            ticks=TERMS,
        ),
        true_and_estimated(
            "dampings",
            [case],
            {
                way: {name: float(study.values[name][-1]) for name in DAMPINGS[case]}
                for way, study in (("as the text states it", as_printed), ("weak form, ours", best))
            },
        ),
    )
    chosen = {"lambda of the text": f"{THRESHOLD} (not given)"}
    settings = {**SETTINGS, **REGRESSION_SETTINGS, **SOURCE_SETTINGS, **chosen}
    return Outcome(tuple(figures), panels, (*remarks, _REMARK), settings, len(seeds))


_REMARK = (
    "As printed: the procedure as the text states it, means over the noise draws. Best here: the last draw, whose "
    "coefficients the trajectory refined; a zero is a term that was not taken into the law. Where a term is not in the "
    "law, or known to be 1, there is no bound. The phase portrait's measured velocity is that of the Savitzky-Golay "
    "filter."
)
