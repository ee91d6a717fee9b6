"""Cleaning: what each step does, that it is logged, and that nothing is invented."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.errors import DataError, OptionError
from identikit.measurement import Record, detrend, drop_outliers, rename, resample, select, trim

T = np.linspace(0.0, 10.0, 1001)


def swing(noise: float = 0.0, seed: int = 0) -> Record:
    theta = np.sin(2 * np.pi * T) + noise * np.random.default_rng(seed).standard_normal(len(T))
    return Record.from_arrays(T, theta=theta, omega=2 * np.pi * np.cos(2 * np.pi * T), units={"theta": "rad"})


def test_trim_keeps_the_samples_between_both_times_and_says_so() -> None:
    cut = trim(swing(), 2.0, 5.0)
    assert (cut.time[0], cut.time[-1], len(cut)) == (2.0, 5.0, 301)
    assert cut.history == ("trim: kept 301 of 1001 samples, from 2 to 5",)
    assert cut.channels["theta"].unit == "rad"
    assert trim(swing(), start=9.0).time[-1] == 10.0


def test_trim_refuses_empty_ranges() -> None:
    with pytest.raises(OptionError, match="start must be before end"):
        trim(swing(), 5.0, 2.0)
    with pytest.raises(DataError, match=r"only 0 sample\(s\)"):
        trim(swing(), 50.0, 60.0)


def test_steps_leave_the_original_alone_and_add_up_in_the_history() -> None:
    original = swing()
    cleaned = detrend(trim(original, 1.0), "theta")
    assert original.history == ()
    assert [step.split(":")[0] for step in cleaned.history] == ["trim", "detrend (constant)"]


def test_detrend_removes_mean_or_line_despite_missing_values() -> None:
    values = 3.0 + 2.0 * T
    values[100:300] = np.nan
    record = Record.from_arrays(T, y=values)
    assert np.nanmax(np.abs(detrend(record, ["y"], kind="linear").channels["y"].values)) < 1e-12
    assert abs(np.nanmean(detrend(record, "y").channels["y"].values)) < 1e-12
    assert "slope 2 and middle 13" in detrend(record, "y", kind="linear").history[0]
    with pytest.raises(OptionError, match="kind"):
        detrend(record, "y", kind="cubic")
    with pytest.raises(DataError, match="no channel 'z'"):
        detrend(record, "z")


@pytest.mark.parametrize(("kind", "tolerance"), [("linear", 6e-4), ("cubic", 1e-6)])
def test_resample_follows_a_smooth_signal(kind: str, tolerance: float) -> None:
    new = resample(swing(), 0.003, kind)
    assert new.uniform
    assert new.spacing == pytest.approx(0.003)
    np.testing.assert_allclose(new.channels["theta"].values, np.sin(2 * np.pi * new.time), atol=tolerance)


def test_resample_to_the_same_spacing_changes_nothing() -> None:
    record = swing(0.1)
    new = resample(record, 0.01)
    assert len(new) == len(record)
    np.testing.assert_allclose(new.channels["theta"].values, record.channels["theta"].values, atol=1e-12)


def test_resample_invents_nothing_in_gaps() -> None:
    theta = np.sin(T)
    theta[200:220] = np.nan  # 2.00 ... 2.19 missing
    theta[500] = np.nan  # one sample is bridged
    for kind in ("linear", "cubic"):
        new = resample(Record.from_arrays(T, theta=theta), 0.005, kind)
        missing = new.time[np.isnan(new.channels["theta"].values)]
        assert missing.min() > 1.99
        assert missing.max() < 2.2
        assert f"{len(missing)} values in gaps" in new.history[0]
    bridged = resample(Record.from_arrays(T, theta=theta), 0.005, largest_gap=100.0)
    assert np.isfinite(bridged.channels["theta"].values).all()


def test_resample_keeps_an_empty_channel_empty() -> None:
    assert np.isnan(resample(Record.from_arrays(T, y=np.full(1001, np.nan)), 0.1).channels["y"].values).all()


@pytest.mark.parametrize(
    "options",
    [
        {"spacing": 0.0},
        {"spacing": np.nan},
        {"spacing": 6.0},
        {"spacing": 1e-9},
        {"spacing": 0.1, "kind": "best"},
        {"spacing": 0.1, "largest_gap": 0.5},
    ],
)
def test_resample_refuses_options_outside_their_rule(options: dict[str, float]) -> None:
    with pytest.raises(OptionError, match="resample"):
        resample(swing(), **options)  # type: ignore[arg-type]


def test_outliers_are_found_and_counted() -> None:
    record = swing(0.001)
    theta = np.array(record.channels["theta"].values)
    wild = np.random.default_rng(1).choice(1001, 20, replace=False)
    theta[wild] += 0.5
    cleaned = drop_outliers(Record.from_arrays(T, theta=theta), "theta")
    assert set(np.flatnonzero(np.isnan(cleaned.channels["theta"].values))) == set(wild)
    assert cleaned.history == ("drop_outliers (threshold 5, window 21): removed 20 of theta",)


@pytest.mark.parametrize("samples_per_period", [20, 50, 100, 400])
def test_a_clean_swing_has_no_outliers(samples_per_period: int) -> None:
    """Negative control: the motion itself, its turning points and its ends are not outliers."""
    t = np.arange(2000) / samples_per_period
    record = Record.from_arrays(t, y=np.exp(-0.05 * t) * np.sin(2 * np.pi * t + 0.3))
    assert np.isfinite(drop_outliers(record, "y").channels["y"].values).all()


def test_few_good_values_of_white_noise_are_lost() -> None:
    """Negative control: about one in a thousand."""
    noise = np.random.default_rng(0).standard_normal(20000)
    cleaned = drop_outliers(Record.from_arrays(np.arange(20000.0), y=noise), "y")
    assert np.isnan(cleaned.channels["y"].values).mean() < 0.003


def test_a_sensor_step_at_rest_is_no_outlier() -> None:
    values = np.zeros(200)
    values[[50, 90, 130]] = 0.001
    values[150] = 1.0
    cleaned = drop_outliers(Record.from_arrays(np.arange(200.0), y=values), "y").channels["y"].values
    assert np.flatnonzero(np.isnan(cleaned)).tolist() == [150]


def test_missing_values_do_not_disturb_the_search_for_outliers() -> None:
    record = swing(0.001)
    theta = np.array(record.channels["theta"].values)
    theta[400:460] = np.nan
    theta[::7] = np.nan
    theta[300] = 5.0
    cleaned = drop_outliers(Record.from_arrays(T, theta=theta), "theta").channels["theta"].values
    assert set(np.flatnonzero(np.isnan(cleaned) & np.isfinite(theta))) == {300}


@pytest.mark.parametrize("options", [{"threshold": 0.0}, {"window": 4}, {"window": 3}, {"window": 2001}])
def test_drop_outliers_refuses_options_outside_their_rule(options: dict[str, float]) -> None:
    with pytest.raises(OptionError, match="drop_outliers"):
        drop_outliers(swing(), "theta", **options)  # type: ignore[arg-type]


def test_select_and_rename() -> None:
    assert list(select(swing(), ["omega"]).channels) == ["omega"]
    renamed = rename(swing(), {"theta": "angle"})
    assert list(renamed.channels) == ["angle", "omega"]
    assert renamed.history == ("rename: theta is now angle",)
    with pytest.raises(OptionError, match="same name"):
        rename(swing(), {"theta": "omega"})
    with pytest.raises(OptionError, match="at least one channel"):
        select(swing(), [])
