"""What a verdict needs of an unscented pass over the records, begun where the extended smoother ended.

It begins at that estimate with ten times its standard errors, so that what is known beforehand counts one per cent, and
takes the levels of noise from it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from identikit.likelihood import NoiseModel, Trace, triangular
from identikit.method._report import Evidence
from identikit.method.filtering._kalman_evidence import kalman_evidence
from identikit.method.filtering._settings import KALMAN
from identikit.method.filtering._smoother import Smoothed, state_deviations
from identikit.method.filtering._unscented import Unscented, unscented
from identikit.model import observe
from identikit.numerics import Information
from identikit.problem import Observed, Problem


def unscented_evidence(problem: Problem, smoothed: Smoothed, own_noise: np.ndarray, trace: Trace) -> Evidence:
    """Parameters, information, residuals and innovations of the unscented filter; not converged where it is lost."""
    extended = kalman_evidence(problem, smoothed, own_noise, trace)
    p, low = smoothed.p, problem.limits[0]
    logarithmic = (low >= 0) & (p > 0)
    size = np.where(logarithmic, np.maximum(p, 1e-300), 1.0)
    root = Information.of_rows(smoothed.linear.information_rows).root / size[:, None]
    widest = np.linalg.norm(root, axis=1) * KALMAN.unscented_spread
    root = KALMAN.unscented_spread * root / np.maximum(widest, 1.0)[:, None]
    theta = np.where(logarithmic, np.log(size), p)
    first = smoothed.smoother.blocks.layout.first_of_record
    nodes, spread = smoothed.point.nodes[first], KALMAN.unscented_spread * state_deviations(smoothed)[first]
    passes: list[Unscented] = []
    for record, x, std in zip(problem.records, nodes, spread, strict=True):
        before = np.zeros((len(x) + len(theta), len(x) + len(theta)))
        before[: len(x), : len(x)] = np.diag(std)
        before[len(x) :, len(x) :] = _square(root)
        mean = np.concatenate([x, theta])
        found = unscented(
            problem, record, mean, before, logarithmic, smoothed.smoother.intensity, smoothed.smoother.sigma
        )
        passes.append(found)
        theta, root = found.theta, found.root
    own = np.clip(np.where(logarithmic, np.exp(np.where(logarithmic, theta, 0.0)), theta), *problem.limits)
    if not (np.isfinite(own).all() and np.isfinite(root).all()):
        return replace(extended, converged=False)
    scaled = np.where(logarithmic, own, 1.0)[:, None] * _square(root)
    draws = np.concatenate([found.draws for found in passes])
    residual = np.concatenate(
        [_residual(problem, r, own, s.states) for r, s in zip(problem.records, passes, strict=True)]
    )
    return replace(
        extended,
        p=own,
        information=np.linalg.pinv(scaled),
        residual=residual,
        draws=np.where(np.isfinite(NoiseModel.of(problem).measured), draws, np.nan),
        initial_states=tuple(
            {
                name: {"value": float(found.states[0, i]), "std": float(found.deviations[0, i])}
                for i, name in enumerate(problem.model.state_names)
            }
            for found in passes
        ),
    )


def _square(root: np.ndarray) -> np.ndarray:
    """A factor [n, n] of the same covariance."""
    return triangular(root.T).T


def _residual(problem: Problem, record: Observed, p: np.ndarray, states: np.ndarray) -> np.ndarray:
    observation = observe(problem.model, problem.outputs)
    x = states[:, list(observation.wanted)]
    return record.values - observation(record.time, x, record.pieces(record.time), problem.vector(p))
