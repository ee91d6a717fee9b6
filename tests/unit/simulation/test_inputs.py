"""Inputs as merged cubic pieces: equal to the interpolation they stand for, and few."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from identikit.errors import DataError, OptionError
from identikit.model import HOLDS
from identikit.simulation import Pieces, sampled

TIME = np.sort(np.random.default_rng(1).uniform(0, 10, 60))
VALUES = np.random.default_rng(2).normal(size=60)
BETWEEN = np.random.default_rng(3).uniform(TIME[0], TIME[-1], 500)


def test_linear_hold_equals_numpy() -> None:
    np.testing.assert_allclose(sampled(TIME, {"u": VALUES})(BETWEEN)[0], np.interp(BETWEEN, TIME, VALUES), atol=1e-12)


def test_cubic_hold_equals_scipys_natural_spline() -> None:
    spline = CubicSpline(TIME, VALUES, bc_type="natural")
    found = sampled(TIME, {"u": VALUES}, "cubic")(BETWEEN)[0]
    np.testing.assert_allclose(found, spline(BETWEEN), atol=1e-8 * np.abs(spline(BETWEEN)).max())


def test_zero_order_hold_keeps_each_value_until_the_next_sample() -> None:
    pieces = sampled(TIME, {"u": VALUES}, "zero_order")
    np.testing.assert_array_equal(pieces(BETWEEN)[0], VALUES[np.searchsorted(TIME, BETWEEN, side="right") - 1])
    np.testing.assert_array_equal(pieces(TIME)[0], VALUES)  # the last sample too
    assert pieces(TIME[-1:] + 1)[0] == VALUES[-1]


@pytest.mark.parametrize("hold", HOLDS)
def test_every_hold_goes_through_its_samples(hold: str) -> None:
    pieces = sampled(TIME, {"u": VALUES, "w": VALUES**2}, hold)
    np.testing.assert_allclose(pieces(TIME), [VALUES, VALUES**2], atol=1e-8)


def test_a_schedule_of_steps_sampled_ten_thousand_times_is_a_few_pieces() -> None:
    time = np.linspace(0, 64, 10_000)
    values = np.where((time > 4) & (time < 8), 1.5, np.where((time > 20) & (time < 24), 0.5, 1.0))
    pieces = sampled(time, {"u": values, "constant": np.full_like(time, 3.0)}, "zero_order")
    assert len(pieces.begins) == 5
    np.testing.assert_array_equal(pieces(time)[0], values)


def test_a_ramp_is_one_piece_and_a_triangle_two() -> None:
    time = np.linspace(0, 10, 5001)
    assert len(sampled(time, {"u": 0.3 * time - 1}).begins) == 1
    assert len(sampled(time, {"u": np.minimum(time, 10 - time)}).begins) == 2


@pytest.mark.parametrize(("hold", "spacing", "frequency"), [("cubic", 0.002, 3.0), ("linear", 1e-4, 0.1)])
def test_finely_sampled_curves_are_not_merged_into_one(hold: str, spacing: float, frequency: float) -> None:
    """Neighbours differ by less than the merging rule, the whole by everything: departures add up."""
    time = np.arange(0, 20, spacing)
    values = 0.2 * np.sin(frequency * time)
    pieces = sampled(time, {"u": values}, hold)
    assert len(pieces.begins) > 10
    assert len(pieces.begins) < len(time) / 2  # merging still pays
    middle = time[:-1] + spacing / 2
    reference = CubicSpline(time, values, bc_type="natural") if hold == "cubic" else None
    expected = reference(middle) if reference else np.interp(middle, time, values)
    np.testing.assert_allclose(pieces(middle)[0], expected, atol=1e-8 * 0.2)


@pytest.mark.parametrize("hold", HOLDS)
def test_gaps_are_bridged_by_their_neighbours(hold: str) -> None:
    values = VALUES.copy()
    values[[0, 10, 11, 59]] = np.nan
    known = np.isfinite(values)
    found = sampled(TIME, {"u": values}, hold)(TIME)[0]
    assert np.isfinite(found).all()
    np.testing.assert_allclose(found[known], values[known], atol=1e-8)
    if hold == "zero_order":
        assert found[10] == found[11] == values[9]
        assert found[0] == values[1]
    if hold == "linear":
        np.testing.assert_allclose(found[10:12], np.interp(TIME[10:12], TIME[[9, 12]], values[[9, 12]]))


def test_constant_inputs_never_change() -> None:
    np.testing.assert_array_equal(Pieces.constant([1.0, -2.0])(np.array([-5.0, 0.0, 1e6])).T, [[1.0, -2.0]] * 3)


def test_errors_name_the_thing() -> None:
    with pytest.raises(OptionError, match="'quadratic'"):
        sampled(TIME, {"u": VALUES}, "quadratic")
    with pytest.raises(DataError, match="input 'u' has 1 finite"):
        sampled(np.array([0.0, 1.0]), {"u": np.array([np.nan, 1.0])})
    with pytest.raises(DataError, match="input 'u' has 3 samples for 60 times"):
        sampled(TIME, {"u": VALUES[:3]})
    with pytest.raises(DataError, match="increasing"):
        sampled(TIME[::-1], {"u": VALUES})


def test_inputs_may_be_held_each_in_its_own_way() -> None:
    time = np.array([0.0, 1.0, 2.0, 3.0])
    pieces = sampled(
        time,
        {"valve": np.array([1.0, 2.0, 2.0, 5.0]), "force": np.array([0.0, 1.0, 0.0, 1.0])},
        {"valve": "zero_order", "force": "linear"},
    )
    at = np.array([0.5, 1.5, 2.5, 3.5])
    assert pieces(at)[0] == pytest.approx([1.0, 2.0, 2.0, 5.0])
    assert pieces(at)[1] == pytest.approx([0.5, 0.5, 0.5, 1.0])
