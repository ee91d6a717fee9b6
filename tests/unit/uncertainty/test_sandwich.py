"""The sandwich: the bound where residuals are white, wider where they are coloured."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.problem import Problem
from identikit.uncertainty import assessed

FREE = ["c", "k", "k3"]
TIME = np.linspace(0, 40, 400)
CLEAN = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [2.0, 0.0], TIME)[0]


def widened(memory: float) -> np.ndarray:
    """Standard errors over those of the curvature, with white noise believed."""
    noise = np.random.default_rng(4).standard_normal(len(TIME))
    for i in range(1, len(noise)):
        noise[i] = memory * noise[i - 1] + np.sqrt(1 - memory**2) * noise[i]
    record = ik.Record.from_arrays(TIME, x=CLEAN + 0.03 * noise)
    asked = {"free": FREE, "noise": "white"}
    result = ik.fit(record, "duffing", **asked)
    problem = Problem.pose(ik.library_model("duffing"), record, **asked)
    plain, wide = (assessed(problem, result, kind) for kind in ("fisher", "sandwich"))
    return np.array([(wide.parameters[name].std or 0) / (plain.parameters[name].std or 1) for name in FREE])


def test_white_residuals_leave_the_bound() -> None:
    assert widened(0.0) == pytest.approx(1.0, abs=0.4)


def test_coloured_residuals_widen_it() -> None:
    """Noise of 0.9 from sample to sample holds (1 + 0.9)/(1 - 0.9) = 19 times the power at low frequencies."""
    assert widened(0.9).min() > 1.5


def test_a_record_of_too_few_blocks_is_refused() -> None:
    record = ik.Record.from_arrays(TIME[:40], x=CLEAN[:40] + 0.03 * np.random.default_rng(1).standard_normal(40))
    result = ik.fit(record, "duffing", free=FREE, uncertainty="sandwich")
    assert "uncertainty_not_assessed" in {item.code for item in result.findings}
    assert "uncertainty" not in result.diagnostics
