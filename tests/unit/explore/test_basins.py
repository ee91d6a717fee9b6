"""Basins: the claimed end of a start is where an independent integration comes to rest."""

from __future__ import annotations

import numpy as np
import pytest

import reference
from identikit.errors import ModelError, OptionError
from identikit.explore import ESCAPED, UNDECIDED, Basins, basins
from identikit.model import Model, library_model

MAGNETS = library_model("magnetic_pendulum")
BUCKLED = {"k": -1.0, "k3": 0.25}


NEAR = 0.02  # what is left of the swing after 12 s; the wells are 0.94 apart


def magnetic_end(theta: float, mu: float = 0.0509) -> float:
    """Where the pendulum with magnets is after 12 s, by SciPy and the equation typed in again."""

    def rate(t: float, x: np.ndarray) -> tuple[float, float]:
        pull = 11.74**2 * np.sin(x[0]) - 2 * 138.3 * x[0] + 3 * 21.3 * x[0] ** 2 + 4 * 163.1 * x[0] ** 3
        return x[1], -2 * mu * 11.74 * x[1] - pull

    return float(reference.smooth(rate, [theta, 0.0], np.array([0.0, 12.0]))[0, -1])


def end_at(found: Basins, start: float) -> float:
    """The claimed place of rest of the start next to this one."""
    index = int(found.attractor[np.argmin(np.abs(found.start - start))])
    return found.attractors[index].state[found.name]


@pytest.fixture(scope="module")
def magnetic() -> Basins:
    return basins(MAGNETS)


def test_the_magnetic_pendulum_has_two_ends(magnetic: Basins) -> None:
    assert [item.state["theta"] for item in magnetic.attractors] == pytest.approx([-0.5229, 0.42146], abs=1e-4)
    assert set(magnetic.attractor) == {0, 1}
    assert len(magnetic.start) == 1001
    assert magnetic.share(0) + magnetic.share(1) == 1


def test_starts_near_a_well_stay_in_it_and_far_ones_may_spill_over(magnetic: Basins) -> None:
    near = (magnetic.start > -0.7) & (magnetic.start < 0.55)
    assert np.array_equal(magnetic.attractor[near] == 1, magnetic.start[near] > 0)
    beyond = magnetic.start > 0.6
    assert {0, 1} == set(magnetic.attractor[beyond])


def test_ends_are_those_of_an_independent_integration(magnetic: Basins) -> None:
    for start in magnetic.start[::125]:
        assert magnetic_end(start) == pytest.approx(end_at(magnetic, start), abs=NEAR)


def test_on_both_sides_of_a_boundary_the_independent_ends_differ_as_claimed(magnetic: Basins) -> None:
    assert len(magnetic.boundaries) == 13
    for item in magnetic.boundaries[::4]:
        sides = [magnetic_end(item.start - 1e-6), magnetic_end(item.start + 1e-6)]
        claimed = [magnetic.attractors[index].state["theta"] for index in (item.left, item.right)]
        assert sides == pytest.approx(claimed, abs=NEAR)
        assert item.within < 1e-7
        # negative control: away from the boundary both sides end alike
        assert magnetic_end(item.start + 1e-3) == pytest.approx(sides[1], abs=NEAR)


def test_a_symmetric_beam_has_mirrored_basins() -> None:
    found = basins(library_model("duffing"), BUCKLED, between=(-3.2, 3.2), starts=400)
    assert np.array_equal(found.attractor, 1 - found.attractor[::-1])
    skewed = basins(MAGNETS, between=(-0.9, 0.9), starts=400)  # negative control
    assert not np.array_equal(skewed.attractor, 1 - skewed.attractor[::-1])


def test_the_velocity_can_be_varied_too() -> None:
    found = basins(library_model("duffing"), BUCKLED, along="v", between=(-1.0, 1.0), starts=101, initial={"x": 2.0})
    assert found.held == {"x": 2.0}
    assert found.potential is None
    slow = np.abs(found.start) < 1  # less than the depth of the well
    assert set(found.attractor[slow]) == {1}
    fast = basins(library_model("duffing"), BUCKLED, along="v", between=(-3.0, 3.0), starts=101, initial={"x": 2.0})
    assert set(fast.attractor) == {0, 1}


@pytest.mark.parametrize("values", [{}, {"mu_c": 5.0}, {"mu": 0.0, "mu_q": 0.1}])
def test_a_pendulum_always_ends_hanging_also_from_beyond_the_top(values: dict[str, float]) -> None:
    found = basins(library_model("pendulum"), values, between=(-4.0, 9.0), starts=101)
    assert len(found.attractors) == 1
    assert found.share(0) == 1
    assert found.boundaries == ()
    assert "Every start ends there" in str(found)


def test_a_motion_that_friction_holds_on_a_slope_counts_for_the_well_on_that_side() -> None:
    """mu_c above the steepest slope: nothing moves from where it is released."""
    rough = Model.from_text(
        "rough wells",
        equations={"x": "v", "v": "x - x**3 - c*v - f*sign(v)"},
        parameters={"c": 0.1, "f": 10.0},
    )
    found = basins(rough, between=(-1.3, 1.3), starts=14)
    assert np.array_equal(found.attractor == 1, found.start > 0)


def test_the_lorenz_system_below_chaos_goes_to_one_of_two_states() -> None:
    found = basins(library_model("lorenz"), {"rho": 15.0}, starts=41)
    assert len(found.attractors) == 2

    def rate(t: float, x: np.ndarray) -> tuple[float, float, float]:
        return 10 * (x[1] - x[0]), x[0] * (15 - x[2]) - x[1], x[0] * x[1] - 8 / 3 * x[2]

    for start in found.start[::13]:
        end = reference.smooth(rate, [start, 7.0, 27.0], np.array([0.0, 30.0]))[0, -1]
        assert end == pytest.approx(end_at(found, start), abs=1e-2)


def test_what_is_not_at_rest_in_time_is_undecided_and_said_to_be() -> None:
    found = basins(MAGNETS, duration=0.05, between=(0.7, 1.0), starts=50)
    assert set(found.attractor) == {UNDECIDED}
    assert found.boundaries == ()
    assert "50 of 50 starts undecided" in str(found)


def test_what_falls_over_the_edge_leaves() -> None:
    soft = basins(library_model("duffing"), {"k3": -0.05}, starts=101)
    hill = np.sqrt(1 / 0.05)
    assert np.array_equal(soft.attractor == ESCAPED, np.abs(soft.start) > hill)
    assert "leave without bound" in str(soft)
    assert [item.start for item in soft.boundaries] == pytest.approx([-hill, hill], rel=1e-6)
    assert (soft.boundaries[0].left, soft.boundaries[0].right) == (ESCAPED, 0)


def test_a_start_right_on_the_boundary_hides_it_from_nobody() -> None:
    """One state: x' = x - x^3 rests at -1 and 1, and at 0 for ever."""
    flip = Model.from_text("flip", equations={"x": "a*x - x**3"}, parameters={"a": 1.0})
    found = basins(flip, between=(-1.0, 1.0), starts=101)
    assert int(np.sum(found.attractor == UNDECIDED)) == 1
    (boundary,) = found.boundaries
    assert (boundary.start, boundary.left, boundary.right) == (pytest.approx(0, abs=1e-8), 0, 1)


@pytest.mark.parametrize(
    ("name", "values", "words"),
    [
        ("duffing", {"F": 1.0}, "depends on time"),
        ("duffing", {"c": 0.0}, "nothing damps"),
        ("van_der_pol", {}, "unstable"),
        ("fitzhugh_nagumo", {}, "unstable"),
        ("lotka_volterra", {}, "draw no motions"),
        ("coupled_pendulums", {}, "draw no motions"),
        ("bouc_wen", {}, "a whole line"),
        ("friction_drive", {}, "never vanishes"),
        ("double_pendulum", {}, "damped so weakly"),
    ],
)
def test_models_without_basins_are_refused_in_words(name: str, values: dict[str, float], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        basins(library_model(name), values)


def test_wrong_requests_are_refused() -> None:
    with pytest.raises(ModelError, match="no state 'phi'"):
        basins(MAGNETS, along="phi")
    with pytest.raises(OptionError, match="lower first"):
        basins(MAGNETS, between=(1.0, 0.0))
    with pytest.raises(OptionError, match="at least two"):
        basins(MAGNETS, starts=1)
    with pytest.raises(OptionError, match="duration"):
        basins(MAGNETS, duration=-1.0)
