"""What draws of a posterior rest on: coordinates without edges, unknowns written so that the record knows each as well
everywhere, the volume that an information gives, and the interval that draws give."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from identikit.uncertainty.posterior._coordinates import Coordinates
from identikit.uncertainty.posterior._reference_prior import log_volume
from identikit.uncertainty.posterior._straightening import Straightening
from identikit.uncertainty.posterior._summary import interval

LOW = np.array([-np.inf, 0.0, -np.inf, 0.0, 0.0, -1e3])
HIGH = np.array([np.inf, np.inf, 5.0, 5.0, 1.0, 1e3])
MIDDLE = np.array([0.3, 0.05, 4.99, 2.0, 0.5, 20.0])


def coordinates() -> Coordinates:
    rows = np.random.default_rng(0).normal(size=(20, 6))
    found = Coordinates.about(MIDDLE, rows.T @ rows, LOW, HIGH)
    assert found is not None
    return found


@pytest.mark.parametrize("seed", range(5))
def test_slope_and_factor_are_those_of_the_way_back(seed: int) -> None:
    c = coordinates()
    q = c.centre + 2 * c.root @ np.random.default_rng(seed).normal(size=6)
    u, slope, factor, change = c.at_flat(q)
    assert (u > LOW).all() and (u < HIGH).all()
    assert c.flat(u) == pytest.approx(q, abs=1e-6)
    assert factor == pytest.approx(float(np.log(slope).sum()))
    for i, step in enumerate(np.diag(1e-6 * c.soft)):
        above, below = c.at_flat(q + step), c.at_flat(q - step)
        assert (above[0][i] - below[0][i]) / (2 * step[i]) == pytest.approx(slope[i], rel=1e-4, abs=1e-7)
        assert (above[2] - below[2]) / (2 * step[i]) == pytest.approx(change[i], rel=1e-3, abs=1e-3)


def test_far_from_a_bound_nothing_is_bent() -> None:
    c = coordinates()
    q = np.array([0.3, 40.0, -50.0, 2.5, 0.5, 20.0])
    u, slope, _, _ = c.at_flat(q)
    near = np.abs(u - q) < 0.05 * c.soft
    assert near[[0, 1, 2, 5]].all() and slope[[0, 1, 2, 5]] == pytest.approx(1.0, abs=1e-3)


def test_a_direction_that_nothing_holds_has_no_coordinates() -> None:
    nothing = np.diag([1.0, 0.0])
    half = np.array([0.0, 0.0]), np.array([np.inf, np.inf])
    assert Coordinates.about(np.ones(2), nothing, *half) is None
    assert Coordinates.about(np.ones(2), nothing, np.zeros(2), np.array([np.inf, 3.0])) is not None


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


def test_volumes_change_as_densities_do() -> None:
    """Information A of u is T'A T of T^-1 u, and a density changes by |det T|."""
    random = np.random.default_rng(0)
    rows, turn = random.normal(size=(9, 4)), random.normal(size=(4, 4)) * [1e-6, 1.0, 1e3, 1e8]
    before, after = log_volume(rows.T @ rows), log_volume(turn.T @ rows.T @ rows @ turn)
    assert after - before == pytest.approx(np.log(abs(np.linalg.det(turn / [1e-6, 1.0, 1e3, 1e8]))) + np.log(1e5))
    assert log_volume(np.diag([1.0, 0.0])) == -np.inf


def test_an_interval_reaches_a_bound_only_where_the_draws_do() -> None:
    """Both are cut and much wider than the way to the bound; one density is largest at it, the other vanishes there."""
    random = np.random.default_rng(5)
    for _ in range(20):
        at_bound = random.exponential(1.0, 400)
        away = 0.3 + random.exponential(1.0, 400)
        assert interval(at_bound, 0.0, np.inf, cut=True)[0] == 0.0
        assert interval(away, 0.0, np.inf, cut=True)[0] >= 0.3


@pytest.mark.parametrize("cut", [False, True])
def test_intervals_of_few_draws_hold_95_percent_on_the_average(cut: bool) -> None:
    random = np.random.default_rng(6)
    ends = np.array([interval(random.standard_normal(200), -9.0, 9.0, cut) for _ in range(400)])
    held = float(np.mean(stats.norm.cdf(ends[:, 1]) - stats.norm.cdf(ends[:, 0])))
    # the shortest of many intervals that hold so many draws is a little too short by chance
    assert held == pytest.approx(0.947 if cut else 0.95, abs=0.004)
