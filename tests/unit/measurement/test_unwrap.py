"""Angles that jump by a full turn are told from those that do not, and joined."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.errors import OptionError
from identikit.measurement import Record, jumps, unwrap

TURN = 2 * np.pi
T = np.arange(400) * 0.02
TURNING = 3 * T - 0.8 * T**2 / 2 + 0.01 * np.random.default_rng(0).standard_normal(len(T))


def _wrapped(angle: np.ndarray, low: float = -np.pi) -> np.ndarray:
    return np.asarray((angle - low) % TURN + low)


@pytest.mark.parametrize("low", [-np.pi, 0.0])
def test_a_wrapped_angle_is_joined_to_what_it_was(low: float) -> None:
    wrapped = _wrapped(TURNING, low)
    assert jumps(wrapped, TURN) >= 1
    record = unwrap(Record.from_arrays(T, theta=np.degrees(wrapped), units={"theta": "deg"}), "theta")
    joined = np.radians(record.channels["theta"].values)
    np.testing.assert_allclose(joined - joined[0], TURNING - TURNING[0], atol=1e-9)
    assert "unwrap: theta joined" in record.history[-1]


def test_missing_samples_do_not_hide_a_jump() -> None:
    wrapped = _wrapped(TURNING)
    wrapped[50:53] = np.nan
    values = unwrap(Record.from_arrays(T, theta=wrapped, units={"theta": "rad"}), "theta").channels["theta"].values
    assert np.isnan(values[50:53]).all()
    assert np.nanmax(np.abs(np.diff(values))) < 0.2


@pytest.mark.parametrize(
    "angle",
    [
        TURNING,  # continuous over more than a turn
        np.sin(3 * T),
        np.sign(np.sin(3 * T)) * 1.2,  # a square wave of less than a turn
        np.where(np.arange(len(T)) == 200, 15.0, np.sin(3 * T)),  # a wild sample beyond a turn
        np.random.default_rng(0).uniform(-np.pi, np.pi, len(T)),  # too quick to tell
        np.full(len(T), np.nan),
    ],
)
def test_other_angles_have_no_jumps(angle: np.ndarray) -> None:
    """Negative control."""
    assert jumps(angle, TURN) == 0


def test_what_is_no_angle_needs_its_turn() -> None:
    record = Record.from_arrays(T, counts=(np.round(_wrapped(TURNING, 0.0) / TURN * 4096) % 4096))
    with pytest.raises(OptionError, match="not an angle"):
        unwrap(record, "counts")
    values = unwrap(record, "counts", turn=4096).channels["counts"].values
    np.testing.assert_allclose((values - values[0]) * TURN / 4096, TURNING - TURNING[0], atol=2e-3)
