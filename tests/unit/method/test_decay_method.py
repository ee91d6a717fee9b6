"""What the methods for free decays share: progress that never falls, and stopping with the best so far."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.method import method_named
from identikit.problem import Problem
from identikit.result import Code, Result

TIME = np.arange(1500) * 0.01


def decay() -> Problem:
    theta = reference.horizontal_pendulum(TIME, (0.5, 0.0), zeta=0.1)[0][0]
    noisy = theta + 0.002 * np.random.default_rng(0).standard_normal(len(TIME))
    fixed = {"mu_c": 0.0, "mu_q": 0.0, "k": 20.0}
    return Problem.pose(ik.library_model("horizontal_pendulum"), ik.Record.from_arrays(TIME, theta=noisy), fix=fixed)


def followed(name: str, patience: int) -> tuple[Result, list[float]]:
    method, calls = method_named(name), []

    def progress(fraction: float, sentence: str) -> bool:
        calls.append(fraction)
        return len(calls) <= patience

    return method.estimate(decay(), options=method.resolve_options({}), progress=progress), calls


@pytest.mark.parametrize("name", ["envelope", "topological"])
def test_the_fraction_never_falls_and_ends_at_one(name: str) -> None:
    result, calls = followed(name, 10**6)
    assert result.status.code is Code.OK
    assert calls == sorted(calls) and calls[-1] == 1.0


@pytest.mark.parametrize("name", ["envelope", "topological"])
@pytest.mark.parametrize("patience", [0, 3])
def test_a_stop_is_answered_with_the_best_so_far(name: str, patience: int) -> None:
    result, calls = followed(name, patience)
    assert "stopped" in result.status.message
    assert np.isfinite(result.value("zeta"))
    assert len(calls) < patience + 8
