"""The front door for free decays: viscous, dry, drag, or which mixture?"""

from __future__ import annotations

import time as clock
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any, Unpack

import numpy as np
import sympy as sp

from identikit.decay import (
    RANKING,
    DecayFits,
    LawRanking,
    LawsByMethod,
    LawsByShooting,
    LawStart,
    decay_curves,
    imitation,
    judge_laws,
    misfit_refusals,
    restoring_force,
    sentences,
    unexplained_loss,
)
from identikit.errors import DataError, IdentikitError
from identikit.likelihood import Preparation
from identikit.measurement import Experiment, noise_level
from identikit.method import AUTO, Method, method_named
from identikit.method.multiple_shooting import starts
from identikit.method.toolkit import provenance, too_few_samples
from identikit.model import Model, symbol
from identikit.oscillation import (
    OUTPUT,
    STIFFNESS,
    VISCOUS,
    DampedModel,
    damped_model,
    end_of_motion,
    free_decay_objections,
    half_power,
    input_changes,
    log_decrement,
    oscillator_model,
    oscillator_values,
    turning_points,
)
from identikit.problem import Problem, column_as_read
from identikit.progress import Cancelled, Listener, Progress, watched
from identikit.question import Asked, Data, ModelLike, Question
from identikit.result import Baseline, Code, DampingReport, Finding, LawResult, Status, finding, joined, ranked

SHOOTING = "shooting"
BASELINES = {"log_decrement": log_decrement, "half_power": half_power}
MOST_POINTS = 2000  # of a record, in the saved report


def damping(
    data: Data | Question,
    model: ModelLike | None = None,
    *,
    progress: Listener | None = None,
    **asked: Unpack[Asked],
) -> DampingReport:
    """What a free decay is made of: every mixture of viscous damping, dry friction and drag, fitted and ranked.

    Arguments:
        data: a file, several files, a Record, an Experiment, a DataFrame, {name: values}: ring-downs of one
            oscillation; or a Question.
        model: a Model of one degree of freedom, a library name or a TOML file. Which of its parameters damp, and how,
            is seen from its equation; mechanisms that it lacks are added. None = an oscillator about a rest position,
            with the stiffness that the record asks for.
        free: parameters besides the damping that are estimated; None = the model's usual ones, and the sensor's zero.
        progress, and method, fix, start, bounds and all the others: as in `fit`.
            Without a model, `outputs={"x": COLUMN}` names the column.

    Returns a DampingReport, also when the record is not a free decay: look at `report.status`.
    Raises InputError (see identikit.errors) when something given is wrong.
    """
    begun = clock.perf_counter()
    question = Question.ask(data, model, **asked)
    seed, without_model = question.seed, question.model is None
    chosen = method_named(SHOOTING if question.method == AUTO else question.method)
    settled = chosen.resolve_options(question.options)
    experiment = question.experiment()
    outputs = dict(question.outputs)
    if without_model:
        outputs = outputs or {OUTPUT: _only_column(experiment)}
        channel = column_as_read(experiment[0], next(iter(outputs.values())), question.unwrap)
        damped = damped_model(oscillator_model(channel.unit, experiment[0].time_unit, channel.values))
    else:
        damped = damped_model(question.asked_model())
    problem = _pose(damped, experiment, question, outputs)
    report = DampingReport(
        "" if without_model else problem.model.name,
        chosen.name,
        Status(Code.OK, ""),
        provenance=provenance(problem, settled, seed, (RANKING, *chosen.settings)),
        question=question.as_dict(),
    )
    objections = _objections(problem)
    if objections:
        return _refused(report, Code.NOT_APPLICABLE, *objections)
    with watched(progress) as run:
        try:
            found = _compared(report, problem, damped, question, chosen, settled, run.of(problem.free))
        except Cancelled:
            text = "stopped on request, before there was any law to compare"
            return _refused(report, Code.NOT_CONVERGED, finding("stopped_early", text))
    return replace(found, seconds={"total": clock.perf_counter() - begun})


def _compared(
    report: DampingReport,
    problem: Problem,
    damped: DampedModel,
    question: Question,
    chosen: Method,
    settled: Mapping[str, Any],
    progress: Progress,
) -> DampingReport:
    """The report with every law fitted and ranked; stopped, with those that were fitted by then."""
    without_model = question.model is None
    progress.stage("smoothing", 0.0, 0.05, "smoothing the record")
    problem, preparation, notes = _moving_part(problem)
    solving = progress.stage("solving", 0.05, 0.3, "the law with every mechanism")
    begun: LawStart | None = None
    if without_model:
        force = restoring_force(preparation, solving.part(0.0, 0.6))
        if force is None:
            return _refused(report, Code.NOT_CONVERGED, _unsettled(without_model))
        problem, begun = force.problem, force.begun
        preparation = replace(preparation, problem=problem)
    fits = DecayFits(problem, replace(damped, model=problem.model), preparation)
    source = _source(fits, chosen, settled, begun, question.seed)
    whole = source.whole(solving.part(0.6, 1.0))
    if progress.stopped:
        raise Cancelled
    if whole is None and isinstance(source, LawsByMethod) and source.failures:
        text = f"method {chosen.name}: {'; '.join(dict.fromkeys(source.failures.values()))}"
        return _refused(report, Code.NOT_APPLICABLE, finding("no_law_by_method", text))
    if whole is None or not whole.converged:
        return _refused(report, Code.NOT_CONVERGED, _unsettled(without_model))
    noise = np.array([_noise(problem, j) for j in range(len(problem.outputs))])
    judged = judge_laws(source, fits, whole, noise, progress.part(0.3, 1.0, "comparing"))
    misfit = float(np.max(whole.outcome.sigma / noise))
    best = judged.laws[0]
    status, remarks = Status(Code.OK, "ranked"), (*problem.findings, *judged.findings, *notes)
    unit = problem.model.output(problem.outputs[0]).unit
    words = sentences(judged.laws, judged.mechanisms, judged.inflation, judged.best_prediction, misfit, judged.outside)
    unexplained = unexplained_loss(judged.laws, judged.inflation, misfit, unit)
    dampings = [name for name in best.parameters if damped.mechanism(name)]
    if unexplained:
        remarks = (finding("loss_not_explained", unexplained, *dampings), *remarks)
    imitated = imitation(best, judged.outside)
    if imitated:
        remarks = (finding("law_imitated", imitated, *dampings), *remarks)
    refusals = misfit_refusals(fits, judged.fits[best.name], whole)
    if refusals:
        text = f"no law describes this record, and {best.name} is only the least bad of them: {joined(refusals)}"
        status, remarks, words = Status(Code.MISFIT, text), (*refusals, *remarks), (f"{text.capitalize()}.", *words)
    if progress.stopped:
        text = f"stopped on request; only {len(judged.laws)} of the laws were compared by then"
        status = Status(Code.NOT_CONVERGED, text)
        remarks, words = (finding("stopped_early", text), *remarks), (f"{text.capitalize()}.", *words)
    else:
        progress.stage("done", 1.0, 1.0, "done")
    return replace(
        report,
        status=status,
        best=best.name,
        sentences=words,
        laws=judged.laws,
        mechanisms=judged.mechanisms,
        baselines=_baselines(problem, best),
        curves=_curves(fits, judged),
        diagnostics={
            "effective_samples": problem.samples / judged.inflation,
            "inflation": judged.inflation,
            "noise": dict(zip(problem.outputs, noise.tolist(), strict=True)),
            "misfit_over_noise": misfit,
            "best_prediction": judged.best_prediction,
            "outside": None if judged.outside is None else asdict(judged.outside),
            "stiffness": [name for name in STIFFNESS if without_model and name in problem.free],
            "added": list(damped.added),
            "warnings": [item.text for item in remarks],
        },
        findings=ranked(remarks),
    )


def _refused(report: DampingReport, code: Code, *findings: Finding) -> DampingReport:
    return replace(report, status=Status(code, joined(findings)), findings=findings)


def _only_column(experiment: Experiment) -> str:
    """The one column that changes, if it is the only one."""
    record = experiment[0]
    moving = [
        name
        for name, channel in record.channels.items()
        if np.isfinite(channel.values).any() and np.nanmin(channel.values) < np.nanmax(channel.values)
    ]
    if len(moving) == 1:
        return moving[0]
    found = f"several columns change ({', '.join(moving)})" if moving else "no column changes"
    text = f"{record.title}: {found}: say which one is the decay, as the output {OUTPUT}"
    raise DataError(text, remedy="name_column", about=OUTPUT)


def _pose(damped: DampedModel, experiment: Experiment, question: Question, outputs: Mapping[str, str]) -> Problem:
    """The problem with every mechanism free that the user did not fix."""
    model, fix = damped.model, question.fix
    dampings = [name for names in damped.parameters.values() for name in names if name not in fix]
    if question.free is None:
        usual = [name for name in model.default_free if name not in fix]
        usual += [name for name in _sensor_zeros(model, outputs) if name not in fix]
    else:
        usual = list(question.free)
    names = [*dampings, *(name for name in dict.fromkeys(usual) if name not in dampings)]
    limits = {
        name: (max(model.parameter(name).bounds[0], 0.0), model.parameter(name).bounds[1]) for name in dampings
    } | dict(question.bounds)
    first = dict(question.start)
    if question.model is None:
        found = oscillator_values(
            experiment[0].time, column_as_read(experiment[0], outputs[OUTPUT], question.unwrap).values
        )
        first = {name: value for name, value in found.items() if name in names} | first
    chosen = {"free": names, "start": first, "bounds": limits, "outputs": outputs}
    return Problem.pose(model, experiment, **{**question.posing(), **chosen})


def _sensor_zeros(model: Model, outputs: Mapping[str, str]) -> list[str]:
    """Fixed parameters that only add to an output: a decay shows where it ends, so they are found at no extra cost."""
    found = []
    for parameter in model.parameters:
        p = symbol(parameter.name)
        if not parameter.fixed or any(p in equation.free_symbols for equation in model.equations):
            continue
        if any(sp.diff(item.expression, p) == 1 for item in model.outputs):
            found.append(parameter.name)
    return found


def _objections(problem: Problem) -> list[Finding]:
    several = len(problem.records) > 1
    found = []
    for record in problem.records:
        where = f"{record.name}: " if several and record.name else ""
        if input_changes(record):
            text = f"{where}an input changes, so this is not a free decay; use identikit fit"
            found.append(finding("motion_is_driven", text))
        found += [
            finding("not_a_free_decay", f"{where}{text}", problem.outputs[0])
            for text in free_decay_objections(record.time, record.values[:, 0])
        ]
    return found or too_few_samples(problem)


def _moving_part(problem: Problem) -> tuple[Problem, Preparation, list[Finding]]:
    """Records without the rest before the release and after the end: a law is told by the motion."""
    preparation = Preparation.of(problem, decay_curves(problem))
    layout = preparation.layout
    ends = [end_of_motion(record.time, record.values[:, 0]) for record in problem.records]
    lasts = all(end >= record.time[-1] for end, record in zip(ends, problem.records, strict=True))
    if layout.resting.all() or (lasts and not layout.resting.any()):
        return problem, preparation, []
    records, notes = [], []
    for index, record in enumerate(problem.records):
        own = np.flatnonzero((layout.record == index) & ~layout.resting)
        if not len(own):
            records.append(record)
            continue
        # the release lies somewhere in the first segment that moves after a rest
        released = int(own[0] > 0 and layout.record[own[0] - 1] == index and len(own) > 1)
        inside = (record.time >= layout.begin[own[released]]) & (record.time <= min(layout.end[own[-1]], ends[index]))
        records.append(replace(record, time=record.time[inside], values=record.values[inside]))
        if not inside.all():
            unit = f" {problem.model.time_unit}" if problem.model.time_unit else ""
            text = (
                f"{record.name or 'the record'} was used from {record.time[inside][0]:.4g} to "
                f"{record.time[inside][-1]:.4g}{unit}; before and after it shows no motion above its noise"
            )
            notes.append(finding("record_cut", text))
    trimmed = problem.with_records(records)
    preparation = Preparation.of(trimmed, decay_curves(trimmed))
    still = np.zeros_like(preparation.layout.resting)
    return trimmed, replace(preparation, layout=replace(preparation.layout, resting=still)), notes


def _source(
    fits: DecayFits,
    method: Method,
    options: Mapping[str, Any],
    begun: LawStart | None,
    seed: int,
) -> LawsByShooting | LawsByMethod:
    """What fits the laws; `begun` is where the law with every mechanism ended, if it was fitted already."""
    if method.name != SHOOTING:
        return LawsByMethod(fits, method, options, seed)
    return LawsByShooting(fits, starts(fits.problem, fits.preparation, seed), begun)


def _unsettled(without_model: bool) -> Finding:
    advice = "give the model" if without_model else "free what is not known, or give starting values"
    text = (
        "the law with all three mechanisms did not settle on this record, so the laws cannot be compared: "
        f"{advice}, or cut the record to one free decay"
    )
    return finding("laws_not_settled", text)


def _noise(problem: Problem, output: int) -> float:
    """Noise level in the longest record."""
    longest = max(problem.records, key=lambda record: len(record.time))
    size = max(float(np.nanstd(record.values[:, output])) for record in problem.records)
    return max(noise_level(longest.time, longest.values[:, output]).sigma, 1e-12 * size)


def _baselines(problem: Problem, best: LawResult) -> dict[str, Baseline]:
    """The textbook figures of the first record, or why there is none: both are of viscous damping and small swings."""
    record = problem.records[0]
    if best.mechanisms != (VISCOUS,):
        why = f"it assumes viscous damping alone, and this decay is {best.name}"
        return {name: {"ratio": None, "ratio_std": None, "frequency": None, "warnings": [why]} for name in BASELINES}
    time, values = _averaged(record.time, record.values[:, 0])
    made: dict[str, Baseline] = {}
    for name, way in BASELINES.items():
        try:
            found = way(time, values)
        except IdentikitError as error:
            made[name] = {"ratio": None, "ratio_std": None, "frequency": None, "warnings": [str(error)]}
            continue
        if found.warnings:  # a figure that is known to be wrong is not shown
            made[name] = {"ratio": None, "ratio_std": None, "frequency": None, "warnings": list(found.warnings)}
        else:
            made[name] = {
                "ratio": found.ratio,
                "ratio_std": found.ratio_std,
                "frequency": found.frequency,
                "warnings": list(found.warnings),
            }
        if len(problem.records) > 1:
            made[name]["record"] = record.name
    return made


def _averaged(time: np.ndarray, values: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Means of neighbouring samples where an oscillation has many."""
    known = np.isfinite(values)
    time, values = time[known], values[known]
    centred = values - np.mean(values)
    crossings = int(np.sum(np.diff(np.sign(centred)) != 0))
    block = int(2 * len(values) / max(crossings, 1) / RANKING.baseline_samples)
    if block < 2:
        return time, values
    whole = len(values) // block * block
    return time[:whole].reshape(-1, block).mean(axis=1), values[:whole].reshape(-1, block).mean(axis=1)


def _curves(fits: DecayFits, judged: LawRanking) -> tuple[dict[str, Any], ...]:
    """Per record: samples and the best law, and the amplitude of every law, for the picture."""
    problem = fits.problem
    best = judged.fits[judged.laws[0].name]
    modelled = fits.modelled(best)
    amplitudes = {law.name: fits.envelopes(judged.fits[law.name]) for law in judged.laws}
    made = []
    for index, record in enumerate(problem.records):
        every = max(1, -(-len(record.time) // MOST_POINTS))
        points = turning_points(*_averaged(record.time, record.values[:, 0]))
        lines = {}
        for name, found in amplitudes.items():
            item = found[index]
            if item is not None:
                lines[name] = {"t": item.time, "amplitude": item.amplitude, "middle": item.middle}
        made.append(
            {
                "record": record.name,
                "output": problem.outputs[0],
                "column": problem.channels[problem.outputs[0]],
                "unit": problem.model.output(problem.outputs[0]).unit,
                "time_unit": problem.model.time_unit,
                "t": record.time[::every],
                "measured": record.values[::every, 0],
                "modelled": modelled[index][::every, 0],
                "amplitude": {"t": (points.time[1:] + points.time[:-1]) / 2, "amplitude": points.swings / 2},
                "envelopes": lines,
            }
        )
    return tuple(made)
