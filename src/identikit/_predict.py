"""The front door for prediction: a fitted model on a record that it was not fitted to.

With y the outputs, p the estimate with covariance C, x0 the initial state and sigma the noise that the fit found, the
variance of a prediction is

    G C G' + S V S' + sigma^2,      G = dy/dp + S dx0/dp,   S = dy/dx0.

A known initial state has V = 0 and dx0/dp = 0. One that is estimated from samples of the record has, with S and P =
dy/dp there in units of the noise, V = (S'S)^-1 and dx0/dp = -V S'P: it moves along when the parameters do.
"""

from __future__ import annotations

import time as clock
from collections.abc import Mapping
from dataclasses import dataclass, replace
from os import PathLike, fspath
from typing import Any, Unpack

import numpy as np

from identikit.diagnose import fit_quality, residual_colour
from identikit.errors import DataError, OptionError, SimulationError, did_you_mean
from identikit.method import initial_states_at, provenance
from identikit.problem import Observed, Problem
from identikit.progress import Cancelled, Listener, Progress, watched
from identikit.question import Columns, Data, Initial, Question
from identikit.result import Code, NoiseFound, Prediction, Result, Status
from identikit.simulation import Tangent, tangent

MOST_CURVE_POINTS = 5000  # samples in a saved curve
DENSE_POINTS = 2000  # of the model's curve between them
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
    question = _question(fitted, data, columns)
    problem = question.problem()
    p = np.array([fitted.value(name) for name in problem.free])
    covariance = _covariance(fitted)
    with watched(progress) as run:
        try:
            estimating = run.stage("solving", 0.0, 0.8, "initial states")
            starts = _starts(question, problem, p, initial, part, estimating)
            judging, paths = run.part(0.8, 1.0, "judging"), []
            for index, (record, start) in enumerate(zip(problem.records, starts, strict=True)):
                judging(index / len(starts), f"predicting {record.name}")
                paths.append(_Path.of(problem, record, p, start, covariance, _noise(fitted, problem)))
            found = _concluded(fitted, question, problem, paths, begun)
            run.stage("done", 1.0, 1.0, "done")
            return found
        except Cancelled:
            stopped = Status(Code.NOT_CONVERGED, "the prediction was stopped on request")
            how = initial if isinstance(initial, str) else "known"
            return Prediction(fitted.model, fitted.method, stopped, how, {}, (), {}, {}, {})


@dataclass(frozen=True)
class _Start:
    """An initial state [states]; which of its components were estimated; from which samples; and what is judged."""

    how: str
    state: np.ndarray
    estimated: np.ndarray
    used: np.ndarray
    judged: np.ndarray


@dataclass(frozen=True)
class _Path:
    """A predicted trajectory of one record, with its uncertainty."""

    record: Observed
    start: _Start
    trajectory: Tangent
    sigma: np.ndarray  # noise of each output
    covariance: np.ndarray  # C
    start_covariance: np.ndarray  # V
    start_slope: np.ndarray  # dx0/dp

    @classmethod
    def of(
        cls,
        problem: Problem,
        record: Observed,
        p: np.ndarray,
        start: _Start,
        covariance: np.ndarray,
        noise: np.ndarray,
    ) -> _Path:
        span = float(record.time[0]), float(record.time[-1])
        path = tangent(
            problem.model, problem.outputs, problem.free, span, problem.vector(p), start.state, record.pieces
        )
        values, to_start, to_free = path(record.time)
        residual = np.where(start.judged[:, None], record.values - values, np.nan)
        sigma = np.where(np.isfinite(noise), noise, np.sqrt(np.nanmean(residual**2, axis=0)))
        sigma = np.maximum(sigma, np.finfo(float).tiny)
        rows = start.used[:, None] & np.isfinite(record.values)
        S = (to_start / sigma[:, None])[rows] * start.estimated  # what is known does not move
        P = (to_free / sigma[:, None])[rows]
        V = np.linalg.pinv(S.T @ S, hermitian=True) if start.estimated.any() else np.zeros((S.shape[1], S.shape[1]))
        return cls(record, start, path, sigma, covariance, V, -V @ (S.T @ P))

    def __call__(self, times: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Outputs [times, outputs] and their standard errors, the noise not counted."""
        values, to_start, to_free = self.trajectory(times)
        G = to_free + to_start @ self.start_slope
        variance = np.einsum("toa,ab,tob->to", G, self.covariance, G)
        variance += np.einsum("toa,ab,tob->to", to_start, self.start_covariance, to_start)
        return values, np.sqrt(np.maximum(variance, 0.0))

    def initial_state(self, names: tuple[str, ...]) -> dict[str, dict[str, float | None]]:
        spread = self.start_covariance + self.start_slope @ self.covariance @ self.start_slope.T
        std = np.sqrt(np.maximum(np.diag(spread), 0.0))
        return {
            name: {"value": float(self.start.state[i]), "std": float(std[i]) if self.start.estimated[i] else None}
            for i, name in enumerate(names)
        }


def _question(fitted: Result, data: Data, columns: Columns) -> Question:
    """What was asked of the fit, about other data, with every parameter where the fit has left it."""
    missing = [name for name in fitted.free if fitted.parameters[name].value is None]
    if missing:
        raise DataError(f"the fit has no value for {', '.join(missing)}: {fitted.status.message}")
    fixed = {
        name: item.value for name, item in fitted.parameters.items() if item.role != "free" and item.value is not None
    }
    asked = replace(
        Question.of(fitted), free=fitted.free, fix=fixed, start={}, priors={}, noise={}, initial=None, trim=None
    )
    return asked.changed(data=data, **columns)


def _covariance(fitted: Result) -> np.ndarray:
    """Of the free parameters; one whose uncertainty the fit does not know counts as known."""
    found = np.zeros((len(fitted.free), len(fitted.free)))
    if fitted.covariance is not None:
        places = [fitted.free.index(name) for name in fitted.covariance["names"]]
        found[np.ix_(places, places)] = fitted.covariance["matrix"]
    return found


def _noise(fitted: Result, problem: Problem) -> np.ndarray:
    """The noise that the fit found in each output, NaN in one that it did not have."""
    return np.array([fitted.noise[name].sigma if name in fitted.noise else np.nan for name in problem.outputs])


def _starts(
    question: Question, problem: Problem, p: np.ndarray, initial: Initial, part: float, progress: Progress
) -> list[_Start]:
    """An initial state for each record."""
    every = [np.ones(len(record.time), bool) for record in problem.records]
    if initial == "first_part":
        if not 0 < part < 1:
            raise OptionError(f"part is {part:g}: expected a share of the record between 0 and 1, such as 0.2")
        used = [r.time <= r.time[0] + part * (r.time[-1] - r.time[0]) for r in problem.records]
        states = _estimated(problem.split(part)[0], p, progress)
        free = np.ones(len(problem.model.states), bool)
        return [_Start("first_part", x, free, mask, ~mask) for x, mask in zip(states, used, strict=True)]
    known = _known(problem, initial)
    names = problem.model.state_names
    estimated = np.array([[not isinstance(one.get(name), float) for name in names] for one in known])
    if estimated.any():
        asked = question if initial == "estimated" else question.changed(initial=initial)
        states = _estimated(problem if asked is question else asked.problem(), p, progress)
    else:
        states = np.array([[one[name] for name in names] for one in known])
    how = "estimated" if initial == "estimated" else "known"
    return [_Start(how, x, free, mask, mask) for x, free, mask in zip(states, estimated, every, strict=True)]


def _known(problem: Problem, initial: Initial) -> list[Mapping[str, Any]]:
    """What is known of the initial state of each record."""
    if isinstance(initial, str):
        if initial != "estimated":
            raise OptionError(f"initial is '{initial}': expected 'estimated', 'first_part' or {{state: value}}")
        initial = {}
    known = [initial] * len(problem.records) if isinstance(initial, Mapping) else list(initial)
    if len(known) != len(problem.records):
        raise OptionError(f"{len(known)} initial states are given for {len(problem.records)} records: give one each")
    for name in {name for one in known for name in one}:
        if name not in problem.model.state_names:
            raise OptionError(
                f"model '{problem.model.name}' has no state '{name}'.{did_you_mean(name, problem.model.state_names)}"
            )
    return [{name: float(v) if isinstance(v, int) else v for name, v in one.items()} for one in known]


def _estimated(problem: Problem, p: np.ndarray, progress: Progress) -> np.ndarray:
    for record in problem.records:
        count, needed = int(np.isfinite(record.values).sum()), FEWEST_VALUES * len(problem.model.states)
        if count < needed:
            raise DataError(
                f"{record.name}: {count} measured values are too few to find the initial state from; at least {needed} "
                "are needed: use a longer part, or give the initial state"
            )
    found = initial_states_at(problem, p, progress)
    if found is None:
        raise SimulationError(
            f"the model '{problem.model.name}' could not be integrated from any initial state that fits the record: "
            "give the initial state"
        )
    return found


def _concluded(fitted: Result, question: Question, problem: Problem, paths: list[_Path], begun: float) -> Prediction:
    artifacts: dict[str, dict[str, Any]] = {}
    residuals, errors = [], []
    for path in paths:
        values, std = path(path.record.time)
        residuals.append(np.where(path.start.judged[:, None], path.record.values - values, np.nan))
        errors.append(np.sqrt(std**2 + path.sigma**2))
        artifacts |= _curves(problem, path, values)
    residual, error = np.concatenate(residuals), np.concatenate(errors)
    measured = np.concatenate([record.values for record in problem.records])
    quality, noise, tests = {}, {}, {}
    for j, name in enumerate(problem.outputs):
        known = np.isfinite(residual[:, j])
        white, test = residual_colour(residual[:, j])
        quality[name] = fit_quality(measured[:, j], residual[:, j])
        level = fitted.noise[name].sigma if name in fitted.noise else None
        noise[name] = NoiseFound(paths[0].sigma[j] if level is None else level, white)
        tests[name] = {
            "whiteness_p": test.p_value,
            "autocorrelation": [float(value) for value in test.autocorrelation[:5]],
            "over_noise": quality[name].rmse / level if level else None,
            "inside": float(np.mean(np.abs(residual[known, j]) <= WITHIN * error[known, j])),
        }
    return Prediction(
        model=fitted.model,
        method=fitted.method,
        status=fitted.status,
        initial=paths[0].start.how,
        parameters={name: item.value for name, item in fitted.parameters.items() if item.value is not None},
        initial_states=tuple(path.initial_state(problem.model.state_names) for path in paths),
        fit=quality,
        noise=noise,
        residuals=tests,
        artifacts=artifacts,
        seconds={"total": clock.perf_counter() - begun},
        provenance={**provenance(problem, {}, question.seed), "fit": dict(fitted.provenance)},
        question=question.as_dict(),
    )


def _curves(problem: Problem, path: _Path, values: np.ndarray) -> dict[str, dict[str, Any]]:
    """Artifacts of one record: samples, and the model between them with its standard error."""
    record = path.record
    every = max(1, -(-len(record.time) // MOST_CURVE_POINTS))
    times = np.linspace(record.time[0], record.time[-1], DENSE_POINTS)
    dense, spread = path(times)
    return {
        f"{name}, {record.name}": {
            "kind": "curve",
            "output": name,
            "record": record.name,
            "unit": problem.model.output(name).unit,
            "time_unit": problem.model.time_unit,
            "t": record.time[::every],
            "measured": record.values[::every, j],
            "modelled": values[::every, j],
            "dense_t": times,
            "dense": dense[:, j],
            "dense_std": spread[:, j],
            "sigma": float(path.sigma[j]),
        }
        for j, name in enumerate(problem.outputs)
    }
