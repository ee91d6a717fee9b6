"""Estimates that come without a trajectory are judged by the one that they imply."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.result import Code, Result

TIME = np.arange(600) * 0.05
SPRING = ik.Model.from_text(
    "spring",
    equations={"x": "v", "v": "-c*v - k*x"},
    parameters={name: ik.Parameter(name, bounds=(0, 100)) for name in "ck"},
    outputs=["x"],
)


def fitted(cubic: float, start: float, method: str = "least_squares") -> Result:
    x = reference.smooth(lambda t, s: [s[1], -0.05 * s[1] - 4 * s[0] - cubic * s[0] ** 3], [start, 0.0], TIME)[0]
    noise = 0.002 * np.random.default_rng(0).standard_normal(len(TIME))
    return ik.fit(ik.Record.from_arrays(TIME, x=x + noise), SPRING, method=method)


def about(result: Result, code: str) -> list[tuple[str, ...]]:
    return [item.about for item in result.findings if item.code == code]


def test_where_no_trajectory_follows_the_record_there_is_no_interval() -> None:
    """A hard spring's frequency falls with its amplitude: no linear one keeps in step."""
    result = fitted(3.0, 2.0)
    assert result.status.code is not Code.OK
    assert about(result, "no_interval") == [("c", "k")]
    for name in "ck":
        item = result.parameters[name]
        assert item.value is not None and item.std is None and item.ci95 is None
        assert "no uncertainty" in item.note


@pytest.mark.parametrize("method", ["least_squares", "energy"])
def test_where_one_does_there_is_one(method: str) -> None:
    """Negative control."""
    result = fitted(0.0, 1.0, method)
    assert result.ok and about(result, "no_interval") == []
    for name, truth in (("c", 0.05), ("k", 4.0)):
        item = result.parameters[name]
        assert item.std is not None and item.crlb is not None and item.std >= item.crlb
        assert abs(result.value(name) - truth) < 4 * item.std + 1e-3 * truth
    assert 0.0019 < result.fit["x"].rmse < (0.0022 if method == "least_squares" else 0.02)
    assert result.seconds["total"] >= result.seconds.get("regression", 0.0)
