"""The front door for the comparison of methods: the same question to all of them."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

from identikit.comparison import COMPARISON, Answer, Rules, Task, answers, judged
from identikit.errors import IdentikitError, OptionError, did_you_mean
from identikit.method import AUTO, METHODS, Method
from identikit.method.toolkit import provenance
from identikit.problem import Problem
from identikit.progress import Listener, watched
from identikit.question import Asked, Data, ModelLike, Question, find_model, text_of
from identikit.result import Code, ComparisonReport, Status, finding
from identikit.uncertainty import AS_FITTED

ALL = "all"


def compare(
    data: Data | Question,
    model: ModelLike | None = None,
    *,
    methods: str | Sequence[str] = ALL,
    truth: Mapping[str, float] | None = None,
    method_options: Mapping[str, Mapping[str, Any]] | None = None,
    held_out: bool = True,
    time_limit: float = COMPARISON.time_limit,
    progress: Listener | None = None,
    **asked: Unpack[Asked],
) -> ComparisonReport:
    """Ask every method the same question, side by side on the processor's cores, and say which agree.

    Arguments:
        data, model: as in `fit`.
        methods: "all" (those that installed packages add included), or names from `identikit methods`.
        truth: {free parameter: its true value, in the model's unit}, of a simulated record: errors are then shown over
            the Cramer-Rao bound.
        method_options: {method: {option: value}}.
        held_out: whether each method is also fitted to the first 70 % of every record, to predict the rest; those that
            take minutes are not.
        time_limit: seconds after which a method that has not answered is ended; an estimate that was there by then, and
            waits for its prediction only, is kept. It does not hold for methods that run in this process (see below).
        progress: called with a ProgressEvent; returning False ends the methods that run, and those that have answered
            are compared.
        others: as in `fit`, but for method, options and uncertainty, which are each method's own.

    Returns a ComparisonReport: look at `report.status`, which is that of the method trusted most, `report.reference`.
    Each method runs in a process of its own, so that one that hangs or crashes takes no other with it; where model or
    method cannot be sent to another process (a function, a class of the script itself), all run here, one by one.
    Raises InputError (see identikit.errors) when something given is wrong.
    """
    begun = clock.perf_counter()
    question = Question.ask(data, model, **asked)
    _refuse_one_method(asked)
    question = replace(question, method=AUTO, options={}, uncertainty=AS_FITTED, uncertainty_options={})
    if not (math.isfinite(time_limit) and time_limit > 0):
        raise OptionError(f"the time limit is {time_limit:g} s: expected a number of seconds above zero")
    found = find_model(question.model)
    chosen, broken = _chosen(methods)
    tasks = _tasks(chosen, method_options or {}, question.seed)
    problem = replace(question, model=found).problem()
    known = _checked_truth(truth or {}, problem)
    with watched(progress) as run:
        done = {item.method: item for item in answers(problem, tasks, Rules(held_out, time_limit), run)}
        stopped = run.stopped
        if not stopped:
            run.stage("done", 1.0, 1.0, "done")
    given = {**done, **{item.method: item for item in broken}}
    order = [name for name in dict.fromkeys([*METHODS, *given]) if name in given]
    judgement = judged(problem, [given[name] for name in order], known)
    saved = question.as_dict(problem.digest)
    text = text_of(found)
    result = judgement.result and replace(judgement.result, question=saved, model_text=text)
    report = ComparisonReport(
        judgement.status,
        judgement.sentences,
        judgement.reference,
        known,
        judgement.crlb,
        judgement.entries,
        result,
        judgement.findings,
        saved,
        {"total": clock.perf_counter() - begun},
        {
            **provenance(problem, method_options or {}, question.seed, (COMPARISON,)),
            "methods": order,
            "asked": {
                "methods": methods if isinstance(methods, str) else list(methods),
                "truth": known,
                "method_options": {name: dict(options) for name, options in (method_options or {}).items()},
                "held_out": held_out,
                "time_limit": time_limit,
            },
        },
    )
    return _marked_stopped(report, len(done), len(tasks)) if stopped else report


def _refuse_one_method(asked: Asked) -> None:
    for name, instead in (
        ("method", "methods says which are compared"),
        ("options", "method_options gives each method's own"),
        ("uncertainty", "each method states its own intervals"),
        ("uncertainty_options", "each method states its own intervals"),
    ):
        if asked.get(name) is not None:
            raise OptionError(f"'{name}' is about one fit, not about a comparison: {instead}")


def _chosen(methods: str | Sequence[str]) -> tuple[list[type[Method]], list[Answer]]:
    """The methods to ask; of all, those that cannot be loaded have answered already."""
    names = [methods] if isinstance(methods, str) else list(dict.fromkeys(methods))
    if not names:
        raise OptionError("no method is named: expected names, or all")
    if AUTO in names:
        raise OptionError(f"'{AUTO}' is no method of its own, it chooses among them: name methods, or {ALL}")
    if ALL not in names:
        return [METHODS.find(name) for name in names], []
    METHODS.discover()
    found, broken = [], []
    for name in METHODS:
        try:
            found.append(METHODS.find(name))
        except IdentikitError as error:  # of another package: it must not keep the others from answering
            broken.append(Answer(name, name, failure=str(error), objects=True))
    return found, broken


def _tasks(chosen: Sequence[type[Method]], options: Mapping[str, Mapping[str, Any]], seed: int) -> list[Task]:
    names = [method.name for method in chosen]
    for name in options:
        if name not in names:
            raise OptionError(f"options are given for '{name}', which is not compared.{did_you_mean(name, names)}")
    return [Task(method, method.resolve_options(options.get(method.name)), seed) for method in chosen]


def _checked_truth(truth: Mapping[str, float], problem: Problem) -> dict[str, float]:
    for name, value in truth.items():
        if name not in problem.free:
            is_fixed = name in problem.fixed
            why = "is fixed, not estimated" if is_fixed else "is no parameter of the model"
            raise OptionError(f"the truth of '{name}' is given, which {why}.{did_you_mean(name, problem.free)}")
        if not math.isfinite(value):
            raise OptionError(f"the truth of '{name}' is {value}: expected a finite number")
    return {name: float(truth[name]) for name in problem.free if name in truth}


def _marked_stopped(report: ComparisonReport, done: int, all_: int) -> ComparisonReport:
    text = f"stopped on request, when {done} of {all_} methods had answered"
    return replace(
        report,
        status=Status(Code.NOT_CONVERGED, text),
        sentences=(f"{text[0].upper()}{text[1:]}.", *report.sentences),
        findings=(finding("stopped_early", text), *report.findings),
    )
