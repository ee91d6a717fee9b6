"""The front door for one fit."""

from __future__ import annotations

from dataclasses import replace
from typing import Unpack

from identikit.progress import Listener, watched
from identikit.question import Asked, Data, ModelLike, Question, find_model, text_of
from identikit.result import Result


def fit(
    data: Data | Question,
    model: ModelLike | None = None,
    *,
    progress: Listener | None = None,
    **asked: Unpack[Asked],
) -> Result:
    """Estimate the parameters of a model from measurements.

    Arguments:
        data: a file, several files, a Record, an Experiment, a DataFrame, {name: values}; or a Question, and then
            nothing else is needed: what else is given changes it.
        model: a Model, a library name such as "horizontal_pendulum", a TOML file, or an earlier Result.
        progress: called often with a ProgressEvent (stage, fraction, sentence, values); returning False stops the
            work, within two seconds in any phase, and the best so far is returned, marked so.
        method, options: "auto" or a name from `identikit methods`, and the method's own options.
        free, fix, start, bounds: parameters to estimate, known values, starting values, bounds.
        initial: known values, bounds or priors of initial states.
        outputs, inputs, hold: which column is which output and input, and how inputs are interpolated.
        time, segments, units, trim: how files are read, and which part of them is used.
        uncertainty, uncertainty_options: where intervals come from (docs/uncertainty.md).
        seed: for whatever is random.
        priors, noise, smooth_friction: see `identikit.Question`, which says more about all of these.

    Returns a Result, also when the method does not apply or does not converge: look at `result.status`.
    Raises InputError (see identikit.errors) when something given is wrong.
    """
    question = Question.ask(data, model, **asked)
    found = find_model(question.model)
    problem = replace(question, model=found).problem()
    # the methods take longer to import than it takes to say what is wrong with data and model
    from identikit.method import method_named

    chosen = method_named(question.method)
    settled = chosen.resolve_options(question.options)
    from identikit.uncertainty import AS_FITTED, assessed, check_uncertainty

    check_uncertainty(question.uncertainty, question.uncertainty_options, problem.free)
    with watched(progress) as run:
        kind, options = question.uncertainty, question.uncertainty_options
        share = 1.0 if kind == AS_FITTED else 0.5
        result = chosen.run(problem, options=settled, seed=question.seed, progress=run.part(0.0, share))
        if not run.stopped:
            result = assessed(problem, result, kind, options, question.seed, run.part(share, 1.0))
    saved = question.as_dict(result.provenance.get("data_sha256"))
    return replace(result, question=saved, model_text=text_of(found))
