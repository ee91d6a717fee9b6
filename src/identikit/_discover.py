"""The front door for laws: which equations does a record obey?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Unpack

import numpy as np

from identikit.errors import DataError, OptionError, did_you_mean
from identikit.measurement import Experiment
from identikit.method import discoverer_named, first_order_suffices, law_artifact
from identikit.model import Input, Model, Output, Parameter, State, model_from_toml, symbol
from identikit.problem import Problem, column_as_read
from identikit.progress import Listener, Progress, watched
from identikit.question import Asked, Data, ModelLike, Question, find_model
from identikit.result import Result

VELOCITY = "{}_dot"  # the state that is the derivative of a measured position


def discover(
    data: Data | Question,
    known: ModelLike | None = None,
    *,
    states: Sequence[str] | None = None,
    order: int | None = None,
    progress: Listener | None = None,
    **asked: Unpack[Asked],
) -> Result:
    """Find the equations that a record obeys, with nothing known of them or a model that lacks something.

    Arguments:
        data: as in `fit`; or a Question, whose model is the known one.
        known: a model whose terms are kept; only what it lacks is sought. None = nothing is known.
        states: the measured columns that the equations are about; None = every column that changes and is no input.
        order: 1 if these are all the states there are, 2 if they are positions whose velocities were not measured;
            None = 1 for several columns, for a single one as the record says.
        method, options: "auto", or a name of `identikit.method.DISCOVERERS`, and its options.
        progress, inputs, outputs, units, trim, seed and all the others: as in `fit`.

    Returns a Result whose parameters are the constants of the law; `discovered` is the law as a model file that `fit`
    reads; artifacts "law", "terms" and "rivals" say what it is made of and how sure that is. Look at `result.status`.
    Raises InputError (see identikit.errors) when something given is wrong.
    """
    question = Question.ask(data, known, **asked)
    if order not in (None, 1, 2):
        raise OptionError(f"order is {order!r}: expected 1 or 2")
    is_known = question.model is not None
    engine = discoverer_named(question.method, is_known)
    settled = engine.resolve_options(question.options)
    if is_known:
        if states is not None or order is not None:
            raise OptionError("a known model says which states there are: leave out states and order")
        question = replace(question, model=find_model(question.model))
    with watched(progress) as run:
        if is_known:
            problem = question.problem()
        else:
            problem = _posed(question, states, order, run.part(0.0, 0.1))
        rest = run if is_known else run.part(0.1, 1.0)
        result = engine.discover(problem, known=is_known, options=settled, seed=question.seed, progress=rest)
        if not run.stopped:
            run.stage("done", 1.0, 1.0, "done")
    if result.discovered is not None and not result.is_discovery:  # an engine that gives the model file alone
        law = law_artifact(model_from_toml(result.discovered))
        result = replace(result, artifacts={**result.artifacts, **law})
    saved = question.as_dict(result.provenance.get("data_sha256"))
    return replace(result, question=saved, model_text=result.discovered or problem.model.to_toml())


def _posed(question: Question, states: Sequence[str] | None, order: int | None, progress: Progress) -> Problem:
    """The record with equations that say nothing yet."""
    if question.fix or question.free or question.start or question.bounds or question.priors:
        raise OptionError("nothing is known of the equations, so there are no parameters to free, fix or start yet")
    experiment = question.experiment()
    columns = _columns(question, experiment, states)
    chosen = order or (1 if len(columns) > 1 else None)
    if chosen is None:
        first = _pose(question, experiment, columns, 1)
        chosen = 1 if first_order_suffices(first, progress) else 2
        if chosen == 1:
            return first
    return _pose(question, experiment, columns, chosen)


def _pose(question: Question, experiment: Experiment, columns: dict[str, str], order: int) -> Problem:
    model = _empty_model(question, experiment, columns, order)
    return Problem.pose(model, experiment, **{**question.posing(), "free": None, "outputs": columns})


def _columns(question: Question, experiment: Experiment, states: Sequence[str] | None) -> dict[str, str]:
    """{state: column or expression} of what is measured."""
    record, given = experiment[0], dict(question.outputs)
    names = list(states) if states is not None else list(given) or _moving(question, experiment)
    if not names:
        raise DataError(f"{record.title}: no column changes, so there is no law to look for")
    repeated = sorted({name for name in names if names.count(name) > 1})
    if repeated:
        raise OptionError(f"state '{repeated[0]}' is named twice: name each once")
    for name in names:
        if name not in given and name not in record.channels:
            raise DataError(
                f"{record.title}: there is no column '{name}'.{did_you_mean(name, record.channels)}",
                remedy="name_column",
                about=name,
            )
        if name not in given and name in question.inputs.values():
            raise OptionError(f"column '{name}' is both a state and an input: choose one")
    strange = [name for name in given if name not in names]
    if strange:
        raise OptionError(f"a column is given for '{strange[0]}', which is not among the states: add it there")
    return {name: given.get(name, name) for name in names}


def _moving(question: Question, experiment: Experiment) -> list[str]:
    """Columns that change, but for those that drive."""
    used = {*question.inputs.values(), *question.inputs}
    found = []
    for name, channel in experiment[0].channels.items():
        values = channel.values[np.isfinite(channel.values)]
        if name not in used and len(values) and values.min() < values.max():
            found.append(name)
    return found


def _empty_model(question: Question, experiment: Experiment, columns: dict[str, str], order: int) -> Model:
    """States, inputs and outputs, each unknown right-hand side a constant of its own."""
    record = experiment[0]

    def unit_of(column: str) -> str:
        return column_as_read(record, column, question.unwrap).unit if column in record.channels else ""

    time_unit = record.time_unit
    states: list[State] = []
    equations = []
    parameters = []
    for name, column in columns.items():
        unit = unit_of(column)
        unknown = Parameter(f"rate_{name}")
        states.append(State(name, unit))
        if order == 2:
            velocity = VELOCITY.format(name)
            states.append(State(velocity, f"{unit}/{time_unit}" if unit and time_unit else ""))
            equations += [symbol(velocity), symbol(unknown.name)]
        else:
            equations.append(symbol(unknown.name))
        parameters.append(unknown)
    return Model(
        name="law",
        states=tuple(states),
        parameters=tuple(parameters),
        equations=tuple(equations),
        outputs=tuple(Output(state.name, symbol(state.name), state.unit) for state in states if state.name in columns),
        inputs=tuple(Input(name, unit_of(column)) for name, column in question.inputs.items()),
        time_unit=time_unit,
    )
