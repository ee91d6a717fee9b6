"""What a picture of a fit needs, as artifacts: samples, the model's own curve between them, inputs, correlations.

The model's curve is the model: where samples are sparse or missing it is simulated, from the fitted initial state, and
saved as densely as straight lines between its points can pass for it. Where samples already lie so densely, no
simulation is made. A trajectory that one simulation cannot follow (chaos: the fit holds it by its segments) keeps to
the samples and has no dense curve.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from identikit.diagnose import Correlation, autocorrelation, cross_correlation
from identikit.errors import SimulationError
from identikit.method._settings import JUDGEMENT
from identikit.problem import NoiseKind, Observed, Problem
from identikit.simulation import simulate

if TYPE_CHECKING:
    from identikit.method._report import Evidence


# (record, times or None for its samples) -> times, outputs [times, outputs] of the fitted model, their standard errors
FittedCurve = Callable[[int, np.ndarray | None], tuple[np.ndarray, np.ndarray, np.ndarray | None]]


def curve_artifacts(
    problem: Problem, evidence: Evidence, curve: FittedCurve | None = None
) -> dict[str, dict[str, Any]]:
    """Artifacts of kind "curve" (samples and model), "input" and "correlation", named for people.

    Arguments:
        evidence: parameters, residuals of all records one after the other, noise and initial states of the fit.
        curve: the fitted model and its standard error at any time of a record; None: simulated from the record's
            initial state where the samples leave room, without standard errors.
    """
    made: dict[str, dict[str, Any]] = {}
    offsets = np.cumsum([0] + [len(record.time) for record in problem.records])
    residuals = np.split(evidence.residual, offsets[1:-1])
    for index, (record, residual) in enumerate(zip(problem.records, residuals, strict=True)):
        modelled = record.values - residual
        times, values, spread = _dense(problem, evidence, index, modelled, curve)
        around = _noise(problem, evidence, index, times, values)
        every = max(1, -(-len(record.time) // JUDGEMENT.most_curve_points))
        for j, name in enumerate(problem.outputs):
            made[f"{name}, {record.name}"] = {
                "kind": "curve",
                "output": name,
                "record": record.name,
                "unit": problem.model.output(name).unit,
                "time_unit": problem.model.time_unit,
                "t": record.time[::every],
                "measured": record.values[::every, j],
                "modelled": modelled[::every, j],
                "sigma": float(evidence.sigma[j]) if problem.noise[name].absolute else None,
                **_thinned(
                    times,
                    dense=values[:, j],
                    dense_std=None if spread is None else spread[:, j],
                    dense_sigma=None if problem.noise[name].absolute else around[:, j],
                ),
            }
    for record in problem.records:
        made |= _inputs(problem, record)
    return made | _correlations(problem, residuals)


def _dense(
    problem: Problem, evidence: Evidence, index: int, modelled: np.ndarray, curve: FittedCurve | None
) -> tuple[np.ndarray, np.ndarray, np.ndarray | None]:
    """Times, outputs and, if known, standard errors of a record's curve; no times where only samples are known."""
    record = problem.records[index]
    grid = np.linspace(record.time[0], record.time[-1], JUDGEMENT.most_dense_points)
    nothing = np.zeros(0), np.zeros((0, len(problem.outputs))), None
    dense = all(_bend(record.time, column) <= JUDGEMENT.straight for column in modelled.T)
    if curve is not None:
        return curve(index, None if dense else grid)
    if dense:
        return record.time, modelled, None
    if evidence.stopped or index >= len(evidence.initial_states):
        return nothing
    times = np.union1d(grid, record.time)
    try:
        values = _simulated(problem, evidence, index, times)
    except SimulationError:
        return nothing
    away = np.sqrt(np.nanmean((values[np.searchsorted(times, record.time)] - modelled) ** 2, axis=0))
    noise = np.median(_noise(problem, evidence, index, times, values), axis=0)
    allowed = np.maximum(JUDGEMENT.same_curve * np.ptp(values, axis=0), JUDGEMENT.same_noise * noise)
    return (grid, values[np.searchsorted(times, grid)], None) if np.all(away <= allowed) else nothing


def _noise(problem: Problem, evidence: Evidence, index: int, times: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Standard deviations [times, outputs] of samples about the model's values, in the outputs' units."""
    shapes = [problem.noise[name] for name in problem.outputs]
    size = np.where([item.kind is NoiseKind.LOGNORMAL for item in shapes], np.abs(values), 1.0)
    return np.asarray(evidence.sigma * size * problem.records[index].spread_at(times))


def _simulated(problem: Problem, evidence: Evidence, index: int, times: np.ndarray) -> np.ndarray:
    """Outputs [times, outputs] of a record's fitted model."""
    initial = {name: entry["value"] for name, entry in evidence.initial_states[index].items()}
    known = {name: value for name, value in initial.items() if value is not None}
    if len(known) < len(initial):
        raise SimulationError("an initial state is not known")
    parameters = dict(zip(problem.model.parameter_names, problem.vector(evidence.p), strict=True))
    solution = simulate(problem.model, times, parameters, known, problem.records[index].pieces, JUDGEMENT.tolerance)
    return np.stack([solution.outputs[name] for name in problem.outputs], axis=1)


def _bend(time: np.ndarray, values: np.ndarray) -> float:
    """How far straight lines between samples are from a smooth curve through them, as a share of its range.

    Lines over steps h leave h^2 y''/8, a quarter of what a sample is off the line between its neighbours. Infinite
    where a sample is missing.
    """
    if len(time) < 3 or not np.isfinite(values).all():
        return np.inf
    share = (time[1:-1] - time[:-2]) / (time[2:] - time[:-2])
    between = values[:-2] + share * (values[2:] - values[:-2])
    size = float(np.ptp(values))
    return float(np.max(np.abs(values[1:-1] - between))) / 4 / size if size > 0 else 0.0


def _thinned(times: np.ndarray, *, dense: np.ndarray, **more: np.ndarray | None) -> dict[str, Any]:
    """As few points as straight lines need, of the curve and of what else is known along it; nothing without times."""
    if not len(times):
        return {}
    bend = _bend(times, dense)
    enough = int(np.sqrt(JUDGEMENT.straight / bend)) if 0 < bend < np.inf else 1
    fewest = -(-len(times) // JUDGEMENT.most_dense_points)
    kept = np.unique(np.append(np.arange(0, len(times), max(enough, fewest, 1)), len(times) - 1))[
        : JUDGEMENT.most_dense_points
    ]
    known = {name: item[kept] for name, item in more.items() if item is not None}
    return {"dense_t": times[kept], "dense": dense[kept], **known}


def _inputs(problem: Problem, record: Observed) -> dict[str, dict[str, Any]]:
    """The inputs that change, at the places where their pieces meet, finer where they are curved."""
    made: dict[str, dict[str, Any]] = {}
    begin, end = float(record.time[0]), float(record.time[-1])
    meets = record.pieces.begins[(record.pieces.begins > begin) & (record.pieces.begins < end)]
    for i, item in enumerate(problem.model.inputs):
        shape = np.any(record.pieces.coefficients[:, i, 1:], axis=0)
        hold = "cubic" if shape[1:].any() else "linear" if shape[0] else "zero_order"
        times = np.concatenate([[begin], meets, [end]])
        if hold == "cubic":
            times = np.union1d(times, np.linspace(begin, end, JUDGEMENT.most_dense_points // 4))
        values = record.pieces(times)[i]
        if not np.ptp(values) > 0:
            continue
        if hold == "zero_order":  # pieces also meet where only another input changes
            kept = np.concatenate([[True], np.diff(values[:-1]) != 0, [True]])
            times, values = times[kept], values[kept]
        every = -(-len(times) // JUDGEMENT.most_dense_points)
        made[f"input {item.name}, {record.name}"] = {
            "kind": "input",
            "name": item.name,
            "record": record.name,
            "unit": item.unit,
            "time_unit": problem.model.time_unit,
            "hold": hold,
            "t": times[::every],
            "values": values[::every],
        }
    return made


def _correlations(problem: Problem, residuals: list[np.ndarray]) -> dict[str, dict[str, Any]]:
    """Of the residuals of every output, all samples counted, with themselves and with every input that changes."""
    made: dict[str, dict[str, Any]] = {}
    inputs = [record.pieces(record.time) for record in problem.records]
    for j, output in enumerate(problem.outputs):
        own = [residual[:, j] for residual in residuals]
        found: list[tuple[str | None, Correlation | None]] = [(None, autocorrelation(own))]
        found += [
            (item.name, cross_correlation([values[i] for values in inputs], own))
            for i, item in enumerate(problem.model.inputs)
        ]
        for name, item in found:
            if item is not None:
                what = f"residuals of {output} with {name or 'themselves'}"
                made[what] = {
                    "kind": "correlation",
                    "output": output,
                    "input": name,
                    "lags": item.lags,
                    "values": item.values,
                    "bound": item.bound,
                }
    return made
