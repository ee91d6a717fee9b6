"""The fit itself notices where its intervals will not hold."""

from __future__ import annotations

import identikit as ik
import quality_factor
from identikit.result import Result


def bent(result: Result) -> list[tuple[str, ...]]:
    return [item.about for item in result.findings if item.code == "likelihood_bent"]


def test_half_a_period_is_warned_of() -> None:
    assert bent(ik.fit(quality_factor.record(3), quality_factor.model())) == [("Q",)]


def test_many_periods_are_not() -> None:
    """Negative control: the same oscillator over ten periods."""
    record = quality_factor.record(3, duration=10, samples=600)
    assert bent(ik.fit(record, quality_factor.model())) == []


def test_a_straight_parameter_over_half_a_period_is_not() -> None:
    """Negative control: the same damping as a coefficient, in which the likelihood is nearly a parabola."""
    record = quality_factor.record(3, sigma=0.03)
    assert bent(ik.fit(record, quality_factor.model("d", "d", 1.0, (-10, 100)))) == []
