"""Unknowns written so that the record knows each as well everywhere."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from identikit.uncertainty.posterior._straightening import Straightening

INF = np.array([np.inf])


def of(estimate: float, steps: tuple[float, float], ratio: float, low: float, high: float) -> Straightening:
    """Of one unknown, from the ratio of its standard errors above and below."""
    one = np.array([[steps[0]], [steps[1]]])
    return Straightening.of(np.array([estimate]), one, np.array([np.log(ratio)]), np.array([low]), np.array([high]))


@given(st.floats(0.6, 150), st.floats(0.01, 0.5), st.floats(0, 0.5))
def test_a_quality_factor_becomes_its_damping(quality: float, below: float, above: float) -> None:
    """The standard error of Q is Q^2 times that of 1/Q, wherever it is looked at, also to one side only."""
    steps = -below * (quality - 0.5), above * (200 - quality)
    ratio = ((quality + steps[1]) / (quality + steps[0])) ** 2
    made = of(quality, steps, ratio, 0.5, 200.0)
    u = np.linspace(0.5, 200, 50)
    damping = (1 / quality - 1 / u) * quality**2
    assert made.straight(u[:, None])[:, 0] == pytest.approx(damping, rel=1e-6, abs=1e-9 * quality)


@given(
    st.floats(-5, 5), st.floats(0.01, 3), st.floats(0.01, 100), st.floats(1e-3, 10), st.floats(1e-3, 10), st.booleans()
)
def test_v_is_finite_between_bounds_rises_and_leads_back(
    estimate: float, step: float, ratio: float, below: float, above: float, open_above: bool
) -> None:
    low, high = estimate - below, np.inf if open_above else estimate + above
    made = of(estimate, (-min(step, below / 2), min(step, (high - estimate) / 2)), ratio, low, high)
    ends = np.array([low, estimate + 50.0 if open_above else high])
    u = np.linspace(*ends, 30)[:, None]
    v = made.straight(u)
    assert np.isfinite(v).all() and (np.diff(v[:, 0]) > 0).all()
    assert made.back(v) == pytest.approx(u, abs=1e-7)
    assert made.straight(np.array([estimate])) == pytest.approx(0.0) and made.slope(np.zeros(1)) == pytest.approx(1.0)
    size = 1e-6 * min(below, above, 1.0)
    inside = v[1:-1]
    rise = (made.back(inside + size) - made.back(inside - size)) / (2 * size)
    assert made.slope(inside) == pytest.approx(rise, rel=1e-3)
    logs = np.log(made.slope(inside + size)) - np.log(made.slope(inside - size))
    assert made.log_slope_change(inside) == pytest.approx(logs / (2 * size), rel=1e-3, abs=1e-3)


def test_what_is_not_bounded_where_v_would_be_infinite_stays_as_it_is() -> None:
    assert of(1.0, (-0.5, 0.5), 4.0, -np.inf, np.inf).bend == pytest.approx(0.0)
    assert of(1.0, (-0.5, 0.5), 4.0, 0.0, np.inf).bend > 0.5
    assert of(1.0, (-0.5, 0.5), 4.0, -np.inf, 9.0).bend == pytest.approx(0.0)
    assert of(1.0, (-0.5, 0.5), 0.25, -np.inf, 9.0).bend < 0
    assert of(1.0, (-0.5, 0.5), 4.0, 0.0, np.inf).straight(INF) < np.inf
