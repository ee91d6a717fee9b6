"""A likelihood that a bound cuts is not bent: it is looked at as far as the bounds leave room."""

from __future__ import annotations

import pytest

import identikit as ik
import quality_factor
from identikit.result import Result

RECORD = quality_factor.record(3, sigma=0.03)


def fitted(low: float, high: float) -> Result:
    model = quality_factor.model("d", "d", 0.5 * (max(low, 0.0) + min(high, 2.0)), (low, high))
    return ik.fit(RECORD, model, method="shooting", noise="white")


@pytest.fixture(scope="module")
def free() -> tuple[float, float]:
    """The damping, in which the likelihood is nearly a parabola, and its standard error."""
    item = fitted(-10.0, 100.0).parameters["d"]
    assert item.value is not None and item.std is not None
    return item.value, item.std


@pytest.mark.parametrize("room", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("side", ["above", "below"])
def test_a_bound_within_the_interval_is_no_bend(free: tuple[float, float], side: str, room: float) -> None:
    value, std = free
    bounds = (-10.0, value + room * std) if side == "above" else (value - room * std, 100.0)
    result = fitted(*bounds)
    assert result.value("d") == pytest.approx(value, abs=0.05 * std)
    assert [item.about for item in result.findings if item.code == "likelihood_bent"] == []
    item = result.parameters["d"]
    assert item.ci95 is not None and bounds[side == "above"] in item.ci95


def test_of_what_the_record_does_not_tell_nothing_more_is_said() -> None:
    """Under as much noise the quality factor is not known at all: that its likelihood is bent is no news."""
    result = ik.fit(quality_factor.record(3, sigma=0.6), quality_factor.model(), method="shooting", noise="white")
    assert result.parameters["Q"].identifiable is False
    assert [item.about for item in result.findings if item.code == "likelihood_bent"] in ([], [("w0",)])
