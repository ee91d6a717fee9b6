"""The front door for the choice between models: which of these describes the record?"""

from __future__ import annotations

import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from pathlib import Path
from typing import Any, Unpack, cast

import numpy as np

from identikit.errors import OptionError, did_you_mean
from identikit.method import Method, method_named
from identikit.method.toolkit import provenance
from identikit.model import Model
from identikit.problem import Problem
from identikit.progress import Cancelled, Listener, Progress, watched
from identikit.question import Asked, Data, ModelLike, Question, find_model
from identikit.result import Code, Result, SelectionReport, Status, finding
from identikit.selection import SELECTION, Candidate, judged, predicted_errors

USUAL_METHOD = "shooting"
USUAL_NOISE = "white"  # a noise that is let remember takes up what a wrong model misses, and hides it
BY_PARAMETER = ("free", "fix", "start", "bounds", "priors")  # what is said of names holds for the models that have them
BY_INPUT = ("inputs", "before")
BY_STATE = ("initial",)


def select(
    data: Data,
    models: Sequence[ModelLike] | Mapping[str, ModelLike],
    *,
    progress: Listener | None = None,
    **asked: Unpack[Asked],
) -> SelectionReport:
    """Fit several models to the same record and say which describes it, and how sure that is.

    Arguments:
        data: as in `fit`.
        models: two or more: models, library names, TOML files; or {name: one of these}.
        fix, start, bounds, priors, free, inputs, before, initial: hold for every model that has the parameter, the
            input, the state.
        method, noise: of the fits, "shooting" and "white" if nothing is said.
        progress and all the others: as in `fit`.

    Returns a SelectionReport: weights by the Bayesian information criterion, errors on the last 30 % of every record
    predicted from the rest, tests between nested models, what each model misses, and a verdict. Look at
    `report.status`: `misfit` if none of them describes the record.
    Raises InputError (see identikit.errors) when something given is wrong.
    """
    begun = clock.perf_counter()
    known = _named(models)
    said = {name: value for name, value in asked.items() if value is not None}
    usual = {"method": USUAL_METHOD, "noise": USUAL_NOISE}
    question = Question.ask(data, next(iter(known.values())), **cast(Asked, {**usual, **said}))
    chosen = method_named(question.method)
    problems = _posed(question, known)
    settled, seed = chosen.resolve_options(question.options), question.seed
    report = SelectionReport(
        chosen.name,
        Status(Code.OK, ""),
        provenance=provenance(next(iter(problems.values())), settled, seed, (SELECTION, *chosen.settings)),
    )
    with watched(progress) as run:
        try:
            candidates = _fitted(problems, chosen, settled, seed, run)
        except Cancelled:
            text = "stopped on request, before all models were fitted"
            return replace(report, status=Status(Code.NOT_CONVERGED, text), findings=(finding("stopped_early", text),))
        run.stage("done", 1.0, 1.0, "done")
    found = judged(candidates)
    return replace(
        report,
        status=found.status,
        best=found.best,
        sentences=found.sentences,
        models=found.choices,
        tests=found.tests,
        curves=tuple(curve for item in candidates for curve in _curves(item)),
        findings=found.findings,
        seconds={"total": clock.perf_counter() - begun},
    )


def _named(models: Sequence[ModelLike] | Mapping[str, ModelLike]) -> dict[str, Model]:
    """The models by names that tell them apart: their own, or those of their files."""
    if isinstance(models, str | PathLike | Model | Result):
        raise OptionError("one model is given: name two or more to choose between")
    given = list(models.items()) if isinstance(models, Mapping) else [("", item) for item in models]
    if len(given) < 2:
        raise OptionError(f"{'one' if given else 'no'} model is given: name two or more to choose between")
    found = [(name, item, find_model(item)) for name, item in given]
    own = [name or model.name for name, _, model in found]
    made: dict[str, Model] = {}
    for name, (_, item, model) in zip(own, found, strict=True):
        is_file = isinstance(item, str | PathLike) and fspath(item).endswith(".toml")
        title = Path(fspath(cast(Any, item))).stem if own.count(name) > 1 and is_file else name
        if title in made:
            raise OptionError(f"two models are called '{title}': give them names of their own")
        made[title] = model
    return made


def _posed(question: Question, models: Mapping[str, Model]) -> dict[str, Problem]:
    """Every model meets the record; what is said of a name holds for the models that have it."""
    given = {kind: getattr(question, kind) for kind in (*BY_PARAMETER, *BY_INPUT, *BY_STATE)}
    own = {title: _vocabulary(model) for title, model in models.items()}
    for kind, said in given.items():
        known = list(dict.fromkeys(name for words in own.values() for name in words[kind]))
        for name in _names(said):
            if name not in known:
                raise OptionError(f"{kind} names '{name}', which none of the models has.{did_you_mean(name, known)}")
    whole = replace(question, data=question.experiment(), trim=None)
    order = next(iter(models.values())).output_names
    made = {}
    for title, model in models.items():
        kept = {kind: _kept(said, own[title][kind]) for kind, said in given.items()}
        if question.free and not kept["free"]:
            raise OptionError(
                f"free names {', '.join(question.free)}, and '{title}' has none of them: name parameters of every "
                "model, or fix those that are known"
            )
        made[title] = replace(whole, model=_in_order(model, order), **kept).problem()
    _check_same_values(made)
    return made


def _vocabulary(model: Model) -> dict[str, tuple[str, ...]]:
    """The names that something can be said of, by what is said."""
    return {
        **dict.fromkeys(BY_PARAMETER, model.parameter_names),
        **dict.fromkeys(BY_INPUT, model.input_names),
        **dict.fromkeys(BY_STATE, model.state_names),
    }


def _names(said: Any) -> list[str]:
    """Those in {name: value}, in a list of names, or in a list with one {name: value} for each record."""
    if said is None or isinstance(said, str):  # a word such as "example" is about every name
        return []
    return [name for item in said for name in (item if isinstance(item, Mapping) else [item])]


def _kept(said: Any, names: Sequence[str]) -> Any:
    """What is said of these names."""
    if said is None or isinstance(said, str):
        return said
    if isinstance(said, Mapping):
        return {name: value for name, value in said.items() if name in names}
    if all(isinstance(item, Mapping) for item in said):
        return [_kept(item, names) for item in said]  # one for each record, be there something left in it or not
    return [name for name in said if name in names]


def _in_order(model: Model, outputs: Sequence[str]) -> Model:
    """The model with its outputs in that order, since errors of several models are compared column by column."""
    place = {name: index for index, name in enumerate(outputs)}
    return replace(model, outputs=tuple(sorted(model.outputs, key=lambda item: place.get(item.name, len(place)))))


def _check_same_values(posed: Mapping[str, Problem]) -> None:
    """Likelihoods can be compared if they are those of the same measured values, in the same units."""
    (first, one), *rest = posed.items()
    for title, other in rest:
        if other.outputs != one.outputs:
            told = "; ".join(f"{name}: {', '.join(item.outputs)}" for name, item in posed.items())
            raise OptionError(f"the models are about different measurements ({told}): they must have the same outputs")
        if _shape(one) != _shape(other):
            raise OptionError(
                f"'{first}' and '{title}' can use different parts of the record ({one.samples} and {other.samples} "
                "measured values), since an input is not known everywhere: trim the record to where it is known, or "
                "say how it was before its first sample and in gaps"
            )
        for j, output in enumerate(one.outputs):
            read = [np.concatenate([record.values[:, j] for record in item.records]) for item in (one, other)]
            if not np.allclose(read[0], read[1], rtol=1e-9, atol=0.0, equal_nan=True):
                units = [item.model.output(output).unit or "no unit" for item in (one, other)]
                raise OptionError(
                    f"output '{output}' is in {units[0]} in '{first}' and in {units[1]} in '{title}': give it the same "
                    "unit in every model"
                )


def _shape(problem: Problem) -> list[tuple[int, int]]:
    """How many samples and measured values every record has."""
    return [(len(record.time), int(np.isfinite(record.values).sum())) for record in problem.records]


def _fitted(
    problems: Mapping[str, Problem], chosen: Method, settled: Mapping[str, Any], seed: int, run: Progress
) -> list[Candidate]:
    """Every model fitted to all of the record, and to its first part to predict the rest."""
    found = []
    for index, (name, problem) in enumerate(problems.items()):
        own = run.part(index / len(problems), (index + 1) / len(problems)).of(problem.free)
        own(0.0, f"fitting {name}")
        whole = chosen.run(problem, options=settled, seed=seed, progress=own.part(0.0, 0.5))
        if run.stopped:
            raise Cancelled
        item = Candidate(name, problem, whole)
        if item.fitted:
            first, _ = problem.split(SELECTION.share)
            part = chosen.run(first, options=settled, seed=seed, progress=own.part(0.5, 1.0))
            if run.stopped:
                raise Cancelled
            item = replace(item, errors=predicted_errors(problem, part, SELECTION.share))
        found.append(item)
    return found


def _curves(item: Candidate) -> list[dict[str, Any]]:
    """What a picture needs: samples, and what the model leaves over and does not predict."""
    made, first = [], 0
    for record in item.problem.records:
        count = len(record.time)
        every = max(1, -(-count // SELECTION.most_points))
        for j, output in enumerate(item.problem.outputs):
            curve = item.result.artifacts.get(f"{output}, {record.name}", {})
            unseen = None if item.errors is None else item.errors[first : first + count : every, j]
            made.append(
                {
                    "model": item.name,
                    "output": output,
                    "record": record.name,
                    "unit": item.problem.model.output(output).unit,
                    "time_unit": item.problem.model.time_unit,
                    "t": curve.get("t", []),
                    "residual": np.asarray(curve.get("measured", []), float)
                    - np.asarray(curve.get("modelled", []), float),
                    "t_unseen": record.time[::every],
                    "unseen": unseen,
                }
            )
        first += count
    return made
