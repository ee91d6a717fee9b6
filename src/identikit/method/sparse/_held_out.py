"""A law judged where it was not fitted: its constants from the first part of every record, the rest predicted."""

from __future__ import annotations

import numpy as np

from identikit.errors import IdentikitError
from identikit.likelihood import Likelihood, Preparation
from identikit.method.sparse._settings import SPARSE
from identikit.problem import Problem
from identikit.progress import Progress


def held_out(
    problem: Problem, p: np.ndarray, progress: Progress, most_rounds: float = np.inf
) -> dict[str, dict[str, float]]:
    """{output: {"rmse", "fit_percent"}} over the end of every record; empty where the first part gives no fit.

    After `most_rounds` evaluations constants stay where they are: the first part may leave some of them open. The
    prediction starts from the state that fits the first part. Chaotic motion departs from any prediction.
    """
    training = problem.split(SPARSE.held_out)[0]
    preparation = Preparation.of(training)
    nodes = preparation.nodes(p)
    outcome = preparation.solver(nodes).run(p, nodes, preparation.sigma, progress, most_rounds=most_rounds)
    if outcome is None:
        return {}
    likelihood = Likelihood(problem.unmeasured_after(SPARSE.held_out))
    try:
        curves = [likelihood.curve(outcome.p, r.time, k).values for k, r in enumerate(problem.records)]
    except IdentikitError:
        return {}
    found = {}
    for j, name in enumerate(problem.outputs):
        errors, values = [], []
        for record, curve in zip(problem.records, curves, strict=True):
            late = record.time > record.time[0] + SPARSE.held_out * np.ptp(record.time)
            late &= np.isfinite(record.values[:, j])
            errors.append(record.values[late, j] - curve[late, j])
            values.append(record.values[late, j])
        left, seen = np.concatenate(errors), np.concatenate(values)
        if not len(left) or not np.isfinite(left).all():
            return {}
        rmse = float(np.sqrt(np.mean(left**2)))
        found[name] = {"rmse": rmse, "fit_percent": float(100 * (1 - rmse / max(float(np.std(seen)), 1e-300)))}
    return found
