"""Extension 4: how sure: kinds of intervals for the combined record, and whether they hold."""

from __future__ import annotations

import numpy as np

import identikit as ik
from identikit.progress import Progress
from identikit_published._base import PENDULUM_REPORT, Item, Outcome, Scale
from identikit_published.pendulum._pictures import curve
from identikit_published.pendulum._study import relative_error
from identikit_published.pendulum._swing import DAMPINGS, MODEL, PARAMETERS, SETTINGS, TIME, noisy
from identikit.result import Panel, PublishedFigure, Series
from identikit.uncertainty import assessed

CASE = "combined"
EVERY = 10  # samples: one in so many is used, so that all kinds can be had in a minute
KINDS = {"fisher": {}, "sandwich": {}, "profile": {}, "bootstrap": {"replicates": 100}}
SAMPLED = {"bayes": {"chains": 2, "draws": 150, "warmup": 100}}  # of the first draw alone, and not if quick
LEVEL = 95.0  # % of intervals that are to hold the truth


def run(scale: Scale, progress: Progress) -> Outcome:
    seeds = range(scale.seeds(20, 2))
    truth = DAMPINGS[CASE]
    inside: dict[str, list[bool]] = {kind: [] for kind in KINDS}
    widths: dict[str, list[dict[str, float]]] = {kind: [] for kind in (*KINDS, *SAMPLED)}
    values: list[dict[str, float]] = []
    bounds: list[list[float]] = []
    shown: list[list[str | float]] = []
    for seed in seeds:
        progress(seed / len(seeds), f"noise draw {seed + 1} of {len(seeds)}")
        record = ik.Record.from_arrays(TIME[::EVERY], theta=noisy(CASE, seed)[::EVERY])
        question = ik.Question.ask(record, MODEL, free=[*PARAMETERS, "k"])
        result = ik.fit(question)
        values.append({name: result.value(name) for name in truth})
        bounds.append([result.parameters[name].crlb or np.nan for name in truth])
        kinds = {**KINDS, **SAMPLED} if seed == 0 and not scale.quick else KINDS
        for kind, options in kinds.items():
            result = assessed(question.problem(), result, kind, options, seed)
            found = {name: result.parameters[name] for name in truth}
            widths[kind].append({name: one.std or np.nan for name, one in found.items()})
            if kind in inside:
                inside[kind] += [one.ci95 is not None and one.ci95[0] <= truth[name] <= one.ci95[1]
                                 for name, one in found.items()]  # fmt: skip
        shown = shown or [list(row) for row in result.artifacts["intervals"]["rows"]]
    bound = dict(zip(truth, np.mean(bounds, axis=0), strict=True))
    figures = []
    for name, true in truth.items():
        scatter = relative_error([one[name] for one in values], true)
        figures.append(
            PublishedFigure("over the draws", f"error of {name}", "%", "not given", None, scatter,
                            100 * bound[name] / true)
        )  # fmt: skip
    for kind, stds in widths.items():
        for name, true in truth.items():
            if stds:
                stated = 100 * float(np.mean([std[name] for std in stds])) / true
                figures.append(
                    PublishedFigure(kind, f"standard error of {name}, stated", "%", "not given", None, stated,
                                    100 * bound[name] / true)
                )  # fmt: skip
    for kind, held in inside.items():
        figures.append(
            PublishedFigure(kind, "95 % intervals that hold the truth", "%", "not given", None,
                            100 * float(np.mean(held)), None, f"to be {LEVEL:g} %; a share has no bound")
        )  # fmt: skip
    return Outcome(tuple(figures), _panels(shown), _REMARKS, {**SETTINGS, "dt [s]": 0.02, **_CHOSEN}, len(seeds))


def _panels(rows: list[list[str | float]]) -> tuple[Panel, ...]:
    """Intervals of the first draw by kind, a panel per damping."""
    panels = []
    for name, true in DAMPINGS[CASE].items():
        own = [row for row in rows if row[1] == name]
        place = tuple(float(i) for i in range(len(own)))
        value, low, high = (tuple(float(row[i]) for row in own) for i in (2, 3, 4))
        series = (
            Series("95 % intervals, first draw", place, value, "points", low, high),
            curve("true", [-0.5, len(own) - 0.5], [true, true], "bound"),
        )
        unit = " [1/s]" if name == "zeta" else ""
        panels.append(Panel(name, "kind of interval", f"{name}{unit}", series, ticks=tuple(str(row[0]) for row in own)))
    return tuple(panels)


_CHOSEN = {"bootstrap": "100 replicates", "bayes": "2 chains of 150 draws, first noise draw only, not if quick"}
_REMARKS = (
    "Proposed in Section 9.3 as bootstrap or Bayesian inference, not done there; the report gives no uncertainty of "
    "any estimate. Here: the combined record, k and the first state unknown, by the curvature of the likelihood "
    "(fisher), the scores of blocks (sandwich), the profile likelihood, a parametric bootstrap and a posterior by "
    "NUTS.",
)

ITEM = Item("pendulum-extension-4", PENDULUM_REPORT, "Extension 4", "Uncertainty of the estimates", run)
