"""What the residuals of an estimate say: noise, quality of the fit, likelihood, and whether it is more than chance."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from scipy.special import stdtrit

from identikit.diagnose import fit_quality, residual_colour
from identikit.likelihood import NoiseModel, log_likelihood
from identikit.problem import Problem
from identikit.result import FitQuality, NoiseFound

CHANCE = 4.0  # standard deviations of chi-squared by which a curve must explain more than chance does


def residual_tests(
    problem: Problem, residual: np.ndarray, sigma: np.ndarray, draws: np.ndarray | None = None
) -> tuple[dict[str, NoiseFound], dict[str, FitQuality], dict[str, Any]]:
    """Noise, quality of the fit and tests of every output, by name; `draws` are what is tested, if not the residual."""
    noise, quality, tests = {}, {}, {}
    model = NoiseModel.of(problem)
    draws = model.judged(residual, sigma) if draws is None else draws
    for j, name in enumerate(problem.outputs):
        shape = problem.noise[name]
        freedom = shape.freedom if math.isfinite(shape.freedom) else None
        white, test = residual_colour(draws[:, j])
        noise[name] = NoiseFound(float(sigma[j]), white, shape.title, shape.memory, freedom, shape.step, shape.absolute)
        quality[name] = fit_quality(model.measured[:, j], residual[:, j])
        tests[name] = {
            "whiteness_p": test.p_value,
            "autocorrelation": [float(value) for value in test.autocorrelation[:5]],
        }
    return noise, quality, tests


def likelihood_facts(problem: Problem, residual: np.ndarray, sigma: np.ndarray) -> dict[str, Any]:
    """log L, and how many unknowns (initial states and noise levels too) and measured values it has.

    `shape` are the numbers of the noise's shape, memory and freedom: criteria that compare models count them, or a
    wrong model would buy with them for nothing what it misses. They are not among the unknowns, by which levels and
    quantiles are corrected: a memory takes no share of the residuals.
    """
    states = sum(not item.known for record in problem.initial for item in record.values())
    levels = sum(item.known_level is None for item in problem.noise.values())
    shape = sum(len(item.memory) + math.isfinite(item.freedom) for item in problem.noise.values())
    return {
        "log": float(NoiseModel.of(problem).log_likelihood(residual, sigma)),
        "unknowns": len(problem.free) + states + levels,
        "shape": shape,
        "values": int(np.isfinite(residual).sum()),
    }


def few_values(problem: Problem, residual: np.ndarray, sigma: np.ndarray) -> float:
    """What a noise level estimated from n values with k unknowns is too small by: sqrt(n / (n - k))."""
    facts = likelihood_facts(problem, residual, sigma)
    return math.sqrt(facts["values"] / max(facts["values"] - facts["unknowns"], 1))


def quantile(problem: Problem, residual: np.ndarray, sigma: np.ndarray) -> float:
    """Standard errors that 95 % of the errors lie within: Student's, since the noise level is an estimate too."""
    facts = likelihood_facts(problem, residual, sigma)
    return float(stdtrit(max(facts["values"] - facts["unknowns"], 1), 0.975))


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
