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
from identikit.measurement import Experiment
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
BY_PARAMETER = ("fix", "start", "bounds", "priors")  # what is said of parameters, and holds for models that have them


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
        fix, start, bounds, priors, free: hold for every model that has the parameter.
        method, noise: of the fits, "shooting" and "white" if nothing is said.
        progress and all the others: as in `fit`.

    Returns a SelectionReport: weights by the Bayesian information criterion, errors on the last 30 % of every record
    predicted from the rest, tests between nested models, what each model misses, and a verdict. Look at
    `report.status`: `misfit` if none of them describes the record.
    Raises InputError (see identikit.errors) when something given is wrong.
    """
    begun = clock.perf_counter()
    known = _named(models)
    asked.setdefault("method", USUAL_METHOD)
    asked.setdefault("noise", USUAL_NOISE)
    chosen = method_named(str(asked["method"]))
    experiment = Question.ask(data, next(iter(known.values())), **_reading(asked)).experiment()
    problems = _posed(experiment, known, asked)
    settled = chosen.resolve_options(asked.get("options"))
    seed = int(asked.get("seed", 0))
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
        raise OptionError(f"{len(given)} models are given: name two or more to choose between")
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


def _reading(asked: Mapping[str, Any]) -> dict[str, Any]:
    """What is asked of the files alone."""
    parameters = ("free", *BY_PARAMETER, "options", "uncertainty", "uncertainty_options")
    return {name: value for name, value in asked.items() if name not in parameters}


def _posed(experiment: Experiment, models: Mapping[str, Model], asked: Mapping[str, Any]) -> dict[str, Problem]:
    """Every model meets the record; what is said of a parameter holds for the models that have it."""
    names = {name for model in models.values() for name in model.parameter_names}
    for kind in (*BY_PARAMETER, "free"):
        for name in asked.get(kind) or ():
            if name not in names:
                raise OptionError(f"{kind} names '{name}', which none of the models has.{did_you_mean(name, names)}")
    made = {}
    for title, model in models.items():
        own = {
            kind: {n: v for n, v in (asked.get(kind) or {}).items() if n in model.parameter_names}
            for kind in BY_PARAMETER
        }
        free = [name for name in asked.get("free") or () if name in model.parameter_names]
        others = {key: v for key, v in asked.items() if key not in (*BY_PARAMETER, "free", "trim")}
        question = Question.ask(experiment, model, **{**others, **own, "free": free or None})
        made[title] = question.problem()
    outputs = {problem.outputs for problem in made.values()}
    if len({frozenset(item) for item in outputs}) > 1:
        told = "; ".join(f"{title}: {', '.join(problem.outputs)}" for title, problem in made.items())
        raise OptionError(f"the models are about different measurements ({told}): they must have the same outputs")
    return made


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
