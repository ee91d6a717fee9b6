"""The front door for prediction: a fitted model on a record that it was not fitted to.

The fitted parameters stay where they are; the state that the record begins in is found by the likelihood. The band is
that of `Likelihood.curve` with the covariance of the fit, and for what is measured the noise of the fit is added.
"""

from __future__ import annotations

import math
import time as clock
from collections.abc import Sequence, Set
from dataclasses import replace
from os import PathLike, fspath
from typing import Unpack

import numpy as np
from scipy.special import stdtrit

from identikit.diagnose import fit_quality, residual_colour
from identikit.errors import DataError, OptionError, SimulationError
from identikit.likelihood import Curve, Likelihood, NoiseModel
from identikit.method import Evidence, curve_artifacts, provenance
from identikit.problem import EVERY, NoiseGiven, Problem, noise_of_outputs
from identikit.progress import Cancelled, Listener, Progress, watched
from identikit.question import Columns, Data, Initial, Question
from identikit.result import Code, NoiseFound, Prediction, Result, Status

WITHIN = 1.96  # standard errors: 95 % of what is measured lies in the band
FEWEST_VALUES = 4  # measured values per state in the part of a record that gives the initial state


def predict(
    result: Result | str | PathLike[str],
    data: Data,
    *,
    initial: Initial = "estimated",
    part: float = 0.2,
    progress: Listener | None = None,
    **columns: Unpack[Columns],
) -> Prediction:
    """Apply a fitted model to another record and say how well it does.

    Arguments:
        result: a fit, or the file it was saved in.
        data: as in `fit`.
        initial: where the record's initial state comes from: "estimated" = the one that fits the whole record best;
            "first_part" = the one that fits the first part best, and then only the rest is judged; {state: value} =
            known; a list of these = one for each record.
        part: how much of each record the first part is.
        progress: as in `fit`; a prediction that is stopped has no numbers, and its status says so.
        columns: time, segments, units, outputs, inputs and hold where they differ from those of the fit; trim.

    Raises InputError when something given is wrong, SimulationError when the model cannot be integrated.
    """
    begun = clock.perf_counter()
    fitted = result if isinstance(result, Result) else Result.load(fspath(result))
    question = _question(fitted, data, initial, columns)
    problem = _posed(question, fitted)
    judged = [np.ones(len(record.time), bool) for record in problem.records]
    told = problem
    if initial == "first_part":
        if not 0 < part < 1:
            raise OptionError(f"part is {part:g}: expected a share of the record between 0 and 1, such as 0.2")
        told = problem.unmeasured_after(part)
        judged = [record.time > record.time[0] + part * np.ptp(record.time) for record in problem.records]
    _check_values(told)
    with watched(progress) as run:
        try:
            return _predicted(fitted, question, problem, told, judged, initial, begun, run)
        except Cancelled:
            stopped = Status(Code.NOT_CONVERGED, "the prediction was stopped on request")
            how = initial if isinstance(initial, str) else "known"
            return Prediction(fitted.model, fitted.method, stopped, how, {}, (), {}, {}, {})


def _predicted(
    fitted: Result,
    question: Question,
    problem: Problem,
    told: Problem,
    judged: list[np.ndarray],
    initial: Initial,
    begun: float,
    progress: Progress,
) -> Prediction:
    """`told` is what the initial states are found from, `judged` which samples of each record count."""
    progress.stage("solving", 0.0, 0.8, "finding the initial state")
    p = np.array([fitted.value(name) for name in problem.free])
    likelihood = Likelihood(told)
    covariance = _covariance(fitted)
    places = range(len(problem.records))
    samples = [likelihood.curve(p, problem.records[k].time, k, covariance) for k in places]
    if not all(np.isfinite(curve.values).all() for curve in samples):
        raise SimulationError(
            f"the model '{problem.model.name}' could not be integrated along the record at these parameters: the "
            "solution grows without bound or needs steps that are too small; give the initial state, or another one"
        )
    progress.stage("judging", 0.8, 1.0, "judging the prediction")
    made = _judged(fitted, problem, samples, judged)
    states = tuple(
        {
            name: {"value": float(values[i]), "std": float(spread[i]) if np.isfinite(spread[i]) else None}
            for i, name in enumerate(problem.model.state_names)
        }
        for values, spread in zip(likelihood.initial_states(p), (at.initial_std for at in samples), strict=True)
    )

    def between(record: int, times: np.ndarray | None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        found = samples[record] if times is None else likelihood.curve(p, times, record, covariance)
        return found.time, found.values, found.std

    residual = np.concatenate([r.values - at.values for r, at in zip(problem.records, samples, strict=True)])
    evidence = Evidence(p, np.zeros((0, len(p))), residual, samples[0].noise, states, True, False, {})
    progress.stage("done", 1.0, 1.0, "done")
    return replace(
        made,
        initial=initial if isinstance(initial, str) else "known",
        initial_states=states,
        artifacts=curve_artifacts(problem, evidence, between),
        seconds={"total": clock.perf_counter() - begun},
        provenance={**provenance(problem, {}, question.seed), "fit": dict(fitted.provenance)},
        question=question.as_dict(),
    )


def _question(fitted: Result, data: Data, initial: Initial, columns: Columns) -> Question:
    """What was asked of the fit, about other data, with every parameter where the fit has left it."""
    missing = [name for name in fitted.free if fitted.parameters[name].value is None]
    if missing:
        raise DataError(f"the fit has no value for {', '.join(missing)}: {fitted.status.message}")
    if isinstance(initial, str) and initial not in ("estimated", "first_part"):
        raise OptionError(f"initial is '{initial}': expected 'estimated', 'first_part' or {{state: value}}")
    fixed = {
        name: item.value for name, item in fitted.parameters.items() if item.role != "free" and item.value is not None
    }
    # what the model knows of its own experiment's beginning says nothing of another record's
    names = tuple(fitted.initial_states[0]) if fitted.initial_states else ()
    start = dict.fromkeys(names, "free") if isinstance(initial, str) else initial
    asked = replace(
        Question.of(fitted), free=fitted.free, fix=fixed, start={}, priors={}, noise={}, initial=start, trim=None
    )
    return asked.changed(data=data, **columns)


def _posed(question: Question, fitted: Result) -> Problem:
    """The problem, with the noise that the fit found in the outputs that are measured here."""
    experiment = question.experiment()
    loaded = replace(question, data=experiment, trim=None)
    columns = set.intersection(*(set(record.channels) for record in experiment))
    problem = loaded.changed(noise=_noise(fitted, loaded.problem().outputs, columns)).problem()
    return problem if question.hold is not None else problem.held(fitted.diagnostics.get("holds", {}).get("chosen", {}))


def _noise(fitted: Result, outputs: Sequence[str], columns: Set[str]) -> dict[str, NoiseGiven]:
    """The noise of every output as in the fit; where its column of standard deviations is missing here, the rms of the
    fit's residuals."""
    known = [name for name in outputs if name in fitted.noise and fitted.noise[name].sigma > 0]
    asked = {name: item for name, item in Question.of(fitted).noise.items() if name in known or name == EVERY}
    found: dict[str, NoiseGiven] = {}
    for name, noise in noise_of_outputs(known, None, asked).items():
        if noise.absolute:
            found[name] = fitted.noise[name].sigma
        elif noise.column is None:
            found[name] = {"kind": noise.kind.value, "level": fitted.noise[name].sigma}
        elif noise.column in columns:
            found[name] = {"kind": noise.kind.value, "column": noise.column}
        else:
            found[name] = fitted.fit[name].rmse
    return found


def _check_values(problem: Problem) -> None:
    for record, states in zip(problem.records, problem.initial, strict=True):
        count, needed = int(np.isfinite(record.values).sum()), FEWEST_VALUES * sum(s.free for s in states.values())
        if count < needed:
            raise DataError(
                f"{record.name}: {count} measured values are too few to find the initial state from; at least {needed} "
                "are needed: use a longer part, or give the initial state"
            )


def _covariance(fitted: Result) -> np.ndarray:
    """Of the free parameters; one whose uncertainty the fit does not know counts as known."""
    found = np.zeros((len(fitted.free), len(fitted.free)))
    if fitted.covariance is not None:
        places = [fitted.free.index(name) for name in fitted.covariance["names"]]
        found[np.ix_(places, places)] = fitted.covariance["matrix"]
    return found


def _tails(freedom: float | None) -> tuple[float, float]:
    """Of noise with a level of one: how far 95 % of it reach, and its rms; that of Student's t is its level where it
    has none."""
    if freedom is None:
        return WITHIN, 1.0
    return float(stdtrit(freedom, 0.975)), math.sqrt(freedom / (freedom - 2)) if freedom > 2 else 1.0


def _judged(fitted: Result, problem: Problem, samples: list[Curve], judged: list[np.ndarray]) -> Prediction:
    """How good the prediction is, on the samples that count; errors are judged in the scale in which noise is alike."""
    measured = np.concatenate([record.values for record in problem.records])
    residual = measured - np.concatenate([curve.values for curve in samples])
    residual[~np.concatenate(judged)] = np.nan
    scale = NoiseModel.of(problem)
    error = scale.scaled(residual)
    spread = scale.scaled_slope(residual, np.concatenate([curve.std for curve in samples])[..., None])[..., 0]
    quality, noise, tests = {}, {}, {}
    for j, name in enumerate(problem.outputs):
        known = np.isfinite(residual[:, j])
        white, test = residual_colour(error[:, j])
        quality[name] = fit_quality(measured[:, j], residual[:, j])
        left = float(np.sqrt(np.nanmean(error[:, j] ** 2)))
        shape = problem.noise[name]
        sigma = left if shape.known_level is None else shape.known_level
        freedom = fitted.noise[name].freedom if name in fitted.noise else None
        noise[name] = NoiseFound(sigma, white, shape.title, freedom=freedom, absolute=shape.absolute)
        quantile, size = _tails(freedom)
        reach = np.hypot(WITHIN * np.nan_to_num(spread[known, j]), quantile * sigma)
        tests[name] = {
            "whiteness_p": test.p_value,
            "autocorrelation": [float(value) for value in test.autocorrelation[:5]],
            "over_noise": None if shape.known_level is None else left / (size * sigma),
            "inside": float(np.mean(np.abs(error[known, j]) <= reach)),
        }
    values = {name: item.value for name, item in fitted.parameters.items() if item.value is not None}
    return Prediction(fitted.model, fitted.method, fitted.status, "", values, (), quality, noise, tests)
