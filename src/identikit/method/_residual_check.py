"""What the residuals of an estimate say: noise, quality of the fit, likelihood, and whether it is more than chance."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from identikit.diagnose import fit_quality, residual_colour
from identikit.errors import DataError
from identikit.likelihood import log_likelihood
from identikit.measurement import noise_level
from identikit.method._settings import JUDGEMENT
from identikit.problem import Problem
from identikit.result import FitQuality, NoiseFound

CHANCE = 4.0  # standard deviations of chi-squared by which a curve must explain more than chance does


def residual_tests(
    problem: Problem, residual: np.ndarray, sigma: np.ndarray
) -> tuple[dict[str, NoiseFound], dict[str, FitQuality], dict[str, Any]]:
    """Noise, quality of the fit and tests of every output, by name."""
    noise, quality, tests = {}, {}, {}
    measured = np.concatenate([record.values for record in problem.records])
    for j, name in enumerate(problem.outputs):
        white, test = residual_colour(residual[:, j])
        noise[name] = NoiseFound(float(sigma[j]), white)
        quality[name] = fit_quality(measured[:, j], residual[:, j])
        tests[name] = {
            "whiteness_p": test.p_value,
            "autocorrelation": [float(value) for value in test.autocorrelation[:5]],
        }
    return noise, quality, tests


def near_noise(problem: Problem, noise: Mapping[str, NoiseFound]) -> bool:
    """Whether what is left over of every output is white, or not much more than the record's own noise."""
    for j, name in enumerate(problem.outputs):
        if noise[name].white:
            continue
        try:
            own = [noise_level(record.time, record.values[:, j]).sigma for record in problem.records]
        except DataError:  # too few samples to tell
            return False
        if noise[name].sigma > JUDGEMENT.near_noise * float(np.sqrt(np.mean(np.square(own)))):
            return False
    return True


def likelihood_facts(problem: Problem, residual: np.ndarray, sigma: np.ndarray) -> dict[str, Any]:
    """log L, and how many unknowns (initial states and noise levels too) and measured values it has."""
    states = sum(not item.known for record in problem.initial for item in record.values())
    levels = sum(name not in problem.noise for name in problem.outputs)
    return {
        "log": float(log_likelihood(residual, sigma)),
        "unknowns": len(problem.free) + states + levels,
        "values": int(np.isfinite(residual).sum()),
    }


def by_chance(problem: Problem, residual: np.ndarray, sigma: np.ndarray) -> bool:
    """Whether the curve explains no more of the measured values than as many unknowns explain of white noise.

    Twice the logarithm of the likelihood ratio against no curve at all is then chi-squared with as many degrees of
    freedom as there are unknowns, plus 2 log n, what is gained by choosing the best of n frequencies.
    """
    measured = np.concatenate([record.values for record in problem.records])
    level = np.maximum(np.sqrt(np.nanmean(measured**2, axis=0)), 1e-300)
    facts = likelihood_facts(problem, residual, sigma)
    unknowns, values = facts["unknowns"], facts["values"]
    limit = unknowns + CHANCE * math.sqrt(2 * unknowns) + 2 * math.log(max(values, 1))
    return bool(2 * (facts["log"] - float(log_likelihood(measured, level))) < limit)
