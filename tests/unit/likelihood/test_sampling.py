"""A sampler that knows nothing of identikit, on the likelihood as it is."""

from __future__ import annotations

import emcee
import numpy as np
import pytest

import identikit as ik
import reference
from identikit.problem import Problem


@pytest.mark.study
def test_an_ensemble_sampler_finds_the_estimate_and_its_standard_errors() -> None:
    """With flat priors the posterior of a well-determined problem is the normal one of the fit."""
    time = np.arange(150) * 0.2
    x = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [2.0, 0.0], time)[0]
    record = ik.Record.from_arrays(time, x=x + 0.05 * np.random.default_rng(0).standard_normal(150))
    model, free = ik.library_model("duffing"), ["c", "k", "k3"]
    result = ik.fit(record, model, free=free)
    estimate = np.array([result.value(name) for name in free])
    std = np.array([result.parameters[name].std for name in free], float)
    likelihood = ik.Likelihood(Problem.pose(model, record, free=free), near=estimate)
    sampler = emcee.EnsembleSampler(16, 3, lambda z: likelihood.value(estimate + std * z), vectorize=True)
    sampler.random_state = np.random.RandomState(1).get_state()
    sampler.run_mcmc(np.random.default_rng(1).standard_normal((16, 3)), 160)
    draws = sampler.get_chain(discard=40, flat=True)
    # 16 walkers of 120 steps, correlated over some 20: a hundred independent draws
    assert draws.mean(axis=0) == pytest.approx(np.zeros(3), abs=0.5)
    assert draws.std(axis=0) == pytest.approx(np.ones(3), rel=0.35)
