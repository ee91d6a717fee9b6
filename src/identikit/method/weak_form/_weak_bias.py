"""Bias of estimates from a weak form: samples rounded to a grid, and splines that cannot bend as sharply as a motion.

Both are systematic: no standard error for noise holds them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from identikit.errors import SimulationError
from identikit.method._rounding import Rounding
from identikit.method._twin import Core, Twin
from identikit.problem import Problem
from identikit.simulation import simulate


def rounding_bias(problem: Problem, residual: np.ndarray, influence: Sequence[np.ndarray]) -> np.ndarray:
    """How far the mean error of rounded samples moves the estimate [free]; zeros if no output is rounded coarsely.

    Arguments:
        residual: of the states cleared of noise [samples of all records, outputs].
        influence: how the estimate follows each sample, or each mean of a block of samples where the record was
            thinned, per record [outputs, samples, free].
    """
    ends = np.cumsum([len(record.time) for record in problem.records])[:-1]
    residuals = np.split(residual, ends)
    moved = np.zeros(influence[0].shape[2])
    for j in range(len(problem.outputs)):
        values = np.concatenate([record.values[:, j] for record in problem.records])
        rounding = Rounding.of(values, residual[:, j])
        if rounding is None:
            continue
        for record, left, weights in zip(problem.records, residuals, influence, strict=True):
            error = np.nan_to_num(rounding.mean_error(record.values[:, j] - left[:, j]))
            count = weights.shape[1]
            block = len(error) // count
            moved += error[: count * block].reshape(count, block).mean(axis=1) @ weights[j]
    return moved


def twin_bias(
    problem: Problem,
    p: np.ndarray,
    initial: Sequence[Mapping[str, Mapping[str, float | None]]],
    residual: np.ndarray,
    core: Core,
    seed: int,
) -> np.ndarray | None:
    """Mean error of the estimator on a simulation of the records, which need not follow them; None if there is none.

    Splines round off what a motion does at once, as at every reversal against dry friction; on a simulated motion of
    the same kind that shows as bias.
    """
    parameters = dict(zip(problem.model.parameter_names, map(float, problem.vector(p)), strict=True))
    motion = []
    for record, states in zip(problem.records, initial, strict=True):
        first = {name: float(item["value"] or 0.0) for name, item in states.items()}
        try:
            solution = simulate(problem.model, record.time, parameters, first, record.pieces)
        except SimulationError:
            return None
        motion.append(np.stack([solution.outputs[name] for name in problem.outputs], axis=1))
    found = Twin.of(problem, p, residual, motion).replicates(core, 1, seed)
    return None if found is None else found.bias
