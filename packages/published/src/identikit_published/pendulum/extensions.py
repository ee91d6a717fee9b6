"""What the report proposes in Section 9.3 and does not do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.signal import lfilter

import identikit as ik
from identikit.progress import Progress
from identikit.result import Panel, PublishedFigure, Series
from identikit.simulation import sampled, simulate
from identikit.uncertainty import assessed
from identikit_published import independent
from identikit_published._base import Outcome, Scale
from identikit_published.pendulum import procedures, swing

Array = NDArray[np.float64]


def extension_1(scale: Scale, progress: Progress) -> Outcome:
    """Several dampings estimated at once, where only one acts."""
    seeds = range(scale.seeds(10, 1))
    figures: list[PublishedFigure] = []
    alone, together, bounds = [], [], []
    cases = scale.some(swing.SINGLE)
    for place, case in enumerate(cases):
        (name,) = swing.DAMPINGS[case]
        progress(place / len(cases), f"{case} damping")
        few = seeds[: scale.seeds(3, 1)]
        envelopes = procedures.by_fits(case, few, "envelope", options={"scale": "log"}, fix={"k": swing.STIFFNESS})
        best = procedures.by_fits(case, seeds, **procedures.LAW_UNKNOWN)
        single = procedures.by_fits(case, seeds)
        dearer = {name: f"the bound is {best.bound(name) / single.bound(name):.0f} times that of the damping alone"}
        label = f"{case}, three dampings free"
        figures += procedures.error_rows(case, {name: "not given"}, envelopes, best, dearer, label)
        figures.append(PublishedFigure(f"{case}, its damping alone", f"error of {name}", "%", "not given", None,
                                       single.error(name), single.bound(name)))  # fmt: skip
        alone.append(single.error(name))
        together.append(best.error(name))
        bounds.append(best.bound(name))
    ticks = [f"{case}, {next(iter(swing.DAMPINGS[case]))}" for case in cases]
    shown = (swing.bars("its damping alone", alone), swing.bars("three dampings free", together),
             swing.bars("bound, three free", bounds, "bound"))  # fmt: skip
    panels = (swing.errors_in_groups("What it costs not to know the law", ticks, shown),)
    return Outcome(tuple(figures), panels, swing.SETTINGS, len(seeds))


COMBINED = "combined"


def by_envelopes(case: str, values: Array) -> Mapping[str, float]:
    """The report's optimization taken to three dampings: log envelopes and gradients, k known."""
    found = procedures.fitted(case, values, "envelope", options={"scale": "log"}, fix={"k": swing.STIFFNESS})
    return {name: found.value(name) for name in swing.DAMPINGS[case]}


COMBINED_WAYS = {**procedures.WAYS,
                 "neural ODE": replace(procedures.WAYS["neural ODE"], procedure=procedures.direct_regression),
                 "optimization": replace(procedures.WAYS["optimization"], procedure=by_envelopes)}  # fmt: skip

QUICK_WAYS = ("SINDy", "optimization")


def extension_2(scale: Scale, progress: Progress) -> Outcome:
    """Combined damping, by every way of the report."""
    seeds = range(scale.seeds(5, 1))
    figures = []
    heights: dict[str, list[float]] = {name: [] for name in swing.DAMPINGS[COMBINED]}
    bounds: dict[str, list[float]] = {name: [] for name in swing.DAMPINGS[COMBINED]}
    titles = QUICK_WAYS if scale.quick else tuple(COMBINED_WAYS)
    for place, title in enumerate(titles):
        way = COMBINED_WAYS[title]
        progress(place / len(titles), title)
        as_printed = None if title == "topological" else procedures.by_procedure(COMBINED, seeds, way.procedure)
        best = procedures.by_fits(COMBINED, seeds, way.method, **way.asked)
        for name in swing.DAMPINGS[COMBINED]:
            told = "5-8" if title == "SINDy" else "not given"
            note = "the printed formulas give one damping at a time" if as_printed is None else ""
            figures.append(PublishedFigure(title, f"error of {name}", "%", told,
                                           None if as_printed is None else as_printed.error(name), best.error(name),
                                           best.bound(name), note))  # fmt: skip
            heights[name].append(best.error(name))
            bounds[name].append(best.bound(name))
    panels = tuple(
        swing.errors_in_groups(f"error of {name}", titles,
                         (swing.bars("ours", heights[name]), swing.bars("bound", bounds[name], "bound")))
        for name in swing.DAMPINGS[COMBINED]
    )  # fmt: skip
    return Outcome(tuple(figures), panels, {**swing.SETTINGS, **procedures.REGRESSION_SETTINGS}, len(seeds),
                   notes=(_dearer(bounds),))  # fmt: skip


def _dearer(bounds: Mapping[str, list[float]]) -> str:
    """How much dearer a damping is beside two others than alone, from the last way's bounds and one fit of each."""
    alone = {name: procedures.by_fits(case, [0]).bound(name) for case in swing.SINGLE for name in swing.DAMPINGS[case]}
    times = ", ".join(f"{bounds[name][-1] / alone[name]:.0f} ({name})" for name in alone)
    return f"The three dampings are correlated by up to -0.975: the bound is {times} times that of one damping alone."


SHAKEN_TIME: Array = np.arange(3001, dtype=np.float64) * 0.02  # s
SHAKEN, AT = 0.3, 0.97 * swing.FREQUENCY  # g and rad/s: vertical acceleration of the pivot, just below resonance
HALF = 1500  # samples that are left out before amplitude and phase are taken
LOWEST, HIGHEST = 1e-3, 0.2  # bounds of the damping
SHAKEN_EVERY = 2  # samples: what is drawn


def shaking(time: Array) -> Array:
    """The pivot's vertical acceleration in g."""
    return SHAKEN * np.sin(AT * time)


@cache
def response(case: str) -> Array:
    """The angle over TIME, from the rest position, without noise."""
    zeta, mu_c, mu_q = (swing.DAMPINGS[case].get(name, 0.0) for name in swing.PARAMETERS)
    return independent.horizontal_pendulum(
        SHAKEN_TIME, (swing.REST, 0.0), zeta, mu_c, mu_q, swing.STIFFNESS, q_v=lambda t: SHAKEN * np.sin(AT * t)
    )[0][0]


def first_harmonic(angle: Array) -> complex:
    """Amplitude and phase of the second half of the response at the shaking's frequency."""
    time = SHAKEN_TIME[HALF:]
    table = np.stack([np.ones_like(time), np.cos(AT * time), np.sin(AT * time)], axis=1)
    found = np.linalg.lstsq(table, angle[HALF:])[0]
    return complex(found[1], -found[2])


def by_first_harmonic(case: str, values: Array) -> Mapping[str, float]:
    """One damping by matching amplitude and phase with a simulation; k and the start are known."""
    (name,) = swing.DAMPINGS[case]
    observed = first_harmonic(values)
    pieces = sampled(SHAKEN_TIME, {"q_h": np.zeros_like(SHAKEN_TIME), "q_v": shaking(SHAKEN_TIME)}, "cubic")
    known = {**dict.fromkeys(swing.PARAMETERS, 0.0), "k": swing.STIFFNESS}

    def cost(value: float) -> float:
        motion = simulate(ik.library_model(swing.MODEL), SHAKEN_TIME, {**known, name: value},
                          {"theta": swing.REST, "omega": 0.0}, pieces)  # fmt: skip
        return float(abs(first_harmonic(motion.outputs["theta"]) - observed) ** 2)

    found = minimize_scalar(cost, bounds=(LOWEST, HIGHEST), method="bounded", options={"xatol": 1e-6})
    return {name: float(found.x)}


def shaken_record(case: str, seed: int) -> Array:
    """The angle as it is measured."""
    return response(case) + swing.NOISE * np.random.default_rng(seed).standard_normal(len(SHAKEN_TIME))


def extension_3(scale: Scale, progress: Progress) -> Outcome:
    """The pivot is shaken; the damping from amplitude and phase of the response, and from all of it."""
    seeds = range(scale.seeds(5, 1))
    figures, panels = [], []
    cases = scale.some((*swing.SINGLE, "combined"))
    for place, case in enumerate(cases):
        progress(place / len(cases), f"{case} damping")
        records = [shaken_record(case, seed) for seed in seeds]
        others = {name: 0.0 for name in swing.PARAMETERS if name not in swing.DAMPINGS[case]}
        results = [
            ik.fit(ik.Record.from_arrays(SHAKEN_TIME, theta=one, q_v=shaking(SHAKEN_TIME)), swing.MODEL,
                   inputs={"q_v": "q_v"}, hold="cubic", fix=others)
            for one in records
        ]  # fmt: skip
        matched = [by_first_harmonic(case, one) for one in records] if case in swing.SINGLE else []
        for name, true in swing.DAMPINGS[case].items():
            bound = procedures.mean_bound(results, name)
            figures.append(
                PublishedFigure(case, f"error of {name}", "%", "not given",
                                procedures.relative_error([one[name] for one in matched], true) if matched else None,
                                procedures.relative_error([result.value(name) for result in results], true),
                                100 * bound / true,
                                "" if matched else "amplitude and phase are two numbers, and tell no three dampings")
            )  # fmt: skip
        shown = results[-1].artifacts["theta, "]
        panels.append(
            Panel(f"{case} damping", "time [s]", "angle [rad]",
                  (swing.curve("measured", SHAKEN_TIME[::SHAKEN_EVERY], records[-1][::SHAKEN_EVERY], "measured"),
                   swing.curve("model", shown["dense_t"], shown["dense"], "model")))
        )  # fmt: skip
    return Outcome(tuple(figures), tuple(panels), _SETTINGS, len(seeds))


_SETTINGS = {"k": swing.STIFFNESS, "shaking [g]": SHAKEN, "frequency [rad/s]": round(AT, 4), "duration [s]": 60,
             "dt [s]": 0.02, "noise [rad]": swing.NOISE}  # fmt: skip

THINNED = 10  # samples: one in so many is used, so that all kinds can be had in a minute
KINDS = {"fisher": {}, "sandwich": {}, "profile": {}, "bootstrap": {"replicates": 100}}
SAMPLED = {"bayes": {"chains": 2, "draws": 150, "warmup": 100}}  # of the first draw alone, and not if quick
LEVEL = 95.0  # % of intervals that are to hold the truth


def extension_4(scale: Scale, progress: Progress) -> Outcome:
    """How sure: kinds of intervals for the combined record, and whether they hold."""
    seeds = range(scale.seeds(20, 2))
    truth = swing.DAMPINGS[COMBINED]
    inside: dict[str, list[bool]] = {kind: [] for kind in KINDS}
    widths: dict[str, list[dict[str, float]]] = {kind: [] for kind in (*KINDS, *SAMPLED)}
    values: list[dict[str, float]] = []
    bounds: list[list[float]] = []
    shown: list[list[str | float]] = []
    for seed in seeds:
        progress(seed / len(seeds), f"noise draw {seed + 1} of {len(seeds)}")
        record = ik.Record.from_arrays(swing.TIME[::THINNED], theta=swing.noisy(COMBINED, seed)[::THINNED])
        question = ik.Question.ask(record, swing.MODEL, free=[*swing.PARAMETERS, "k"])
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
        scatter = procedures.relative_error([one[name] for one in values], true)
        figures.append(PublishedFigure("over the draws", f"error of {name}", "%", "not given", None, scatter,
                                       100 * bound[name] / true))  # fmt: skip
    for kind, stds in widths.items():
        for name, true in truth.items():
            if stds:
                stated = 100 * float(np.mean([std[name] for std in stds])) / true
                figures.append(
                    PublishedFigure(kind, f"standard error of {name}, stated", "%", "not given", None, stated,
                                    100 * bound[name] / true)
                )  # fmt: skip
    for kind, held in inside.items():
        figures.append(PublishedFigure(kind, "95 % intervals that hold the truth", "%", "not given", None,
                                       100 * float(np.mean(held)), None, f"to be {LEVEL:g} %; a share has no bound")
        )  # fmt: skip
    return Outcome(tuple(figures), _panels(shown), {**swing.SETTINGS, "dt [s]": 0.02, **_CHOSEN}, len(seeds))


def _panels(rows: list[list[str | float]]) -> tuple[Panel, ...]:
    """Intervals of the first draw by kind, a panel per damping."""
    panels = []
    for name, true in swing.DAMPINGS[COMBINED].items():
        own = [row for row in rows if row[1] == name]
        place = tuple(float(i) for i in range(len(own)))
        value, low, high = (tuple(float(row[i]) for row in own) for i in (2, 3, 4))
        series = (Series("95 % intervals, first draw", place, value, "points", low, high),
                  swing.curve("true", [-0.5, len(own) - 0.5], [true, true], "bound"))  # fmt: skip
        unit = " [1/s]" if name == "zeta" else ""
        panels.append(Panel(name, "kind of interval", f"{name}{unit}", series, ticks=tuple(str(row[0]) for row in own)))
    return tuple(panels)


_CHOSEN = {"bootstrap": "100 replicates", "bayes": "2 chains of 150 draws, first noise draw only, not if quick"}

SENSED_EVERY = 5  # samples: 100 Hz
COLOUR = 0.8  # of the noise, from one sample to the next
STEP = 2 * np.pi / 4096  # rad: of the encoder
SHOWN = 400  # samples of the picture


def sensed(seed: int) -> Array:
    """The angle with coloured noise of the report's size, rounded."""
    angle = swing.swing(COMBINED)[0][::SENSED_EVERY]
    draws = np.random.default_rng(seed).standard_normal(len(angle))
    noise = lfilter([swing.NOISE * np.sqrt(1 - COLOUR**2)], [1, -COLOUR], draws)
    return np.round((angle + noise) / STEP) * STEP


def extension_5(scale: Scale, progress: Progress) -> Outcome:
    """Data as a sensor gives them: rounded by an encoder, with coloured noise."""
    seeds = range(scale.seeds(5, 1))
    truth = swing.DAMPINGS[COMBINED]
    time = swing.TIME[::SENSED_EVERY]
    envelopes, results = [], []
    for seed in seeds:
        progress(seed / len(seeds), f"noise draw {seed + 1} of {len(seeds)}")
        record = ik.Record.from_arrays(time, theta=sensed(seed))
        options = {"scale": "log"}
        envelopes.append(ik.fit(record, swing.MODEL, method="envelope", fix={"k": swing.STIFFNESS}, options=options))
        results.append(ik.fit(record, swing.MODEL, free=[*swing.PARAMETERS, "k"]))
    figures = []
    for name, true in truth.items():
        as_printed, best = ([one.value(name) for one in found] for found in (envelopes, results))
        figures.append(
            PublishedFigure(COMBINED, f"error of {name}", "%", "not given", procedures.relative_error(as_printed, true),
                            procedures.relative_error(best, true), 100 * procedures.mean_bound(results, name) / true)
        )  # fmt: skip
    figures.append(PublishedFigure(COMBINED, "95 % intervals that hold the truth", "%", "not given", _held(envelopes),
                                   _held(results), None, "to be 95 %; a share has no bound"))  # fmt: skip
    found = results[-1].noise["theta"]
    figures.append(
        PublishedFigure(
            COMBINED, "noise", "rad", swing.NOISE, swing.NOISE, found.sigma, None, f"found to be {found.kind}"
        )
    )
    shown = results[-1].artifacts["theta, "]
    last = len(time) - SHOWN
    part = shown["dense_t"] >= time[last]
    panels = (
        Panel("the record", "time [s]", "angle [rad]", (swing.curve("measured", time, sensed(seeds[-1]), "measured"),)),
        Panel("its last four seconds", "time [s]", "angle [rad]",
              (swing.curve("measured", time[last:], sensed(seeds[-1])[last:], "measured"),
               swing.curve("model", shown["dense_t"][part], shown["dense"][part], "model"))),
    )  # fmt: skip
    settings = {**swing.SETTINGS, "dt [s]": 0.01, "encoder [counts per turn]": 4096, "colour, sample to sample": COLOUR}
    return Outcome(tuple(figures), panels, settings, len(seeds))


def _held(results: list[ik.Result]) -> float:
    found = [
        (one := result.parameters[name].ci95) is not None and one[0] <= true <= one[1]
        for result in results
        for name, true in swing.DAMPINGS[COMBINED].items()
    ]
    return 100 * float(np.mean(found))
