"""Dates, times of day and times since 1970 become seconds from the first; whatever cannot be one is named."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest

from identikit.errors import DataError
from identikit.measurement import Record, load, trim

START = datetime(2023, 12, 31, 23, 59, 59, 250_000, tzinfo=UTC)
STEPS = [0.0, 0.5, 1.25, 86_400.0]  # into another second, minute, day, month and year


def _loaded(folder: Path, stamps: list[str], header: str = "time") -> Record:
    path = folder / "run.csv"
    path.write_text(f"{header};y\n" + "".join(f"{stamp};{row}\n" for row, stamp in enumerate(stamps)), encoding="utf-8")
    (record,) = load(path)
    return record


@pytest.mark.parametrize(
    "form",
    [
        "%Y-%m-%dT%H:%M:%S.%fZ",
        "%Y-%m-%d %H:%M:%S.%f",
        "%Y-%m-%dT%H:%M:%S.%f+01:00",
        "%Y-%m-%d %H:%M:%S.%f-0530",
        "%Y/%m/%d %H:%M:%S,%f",
        "%d.%m.%Y %H:%M:%S.%f",
        "%Y-%m-%d %H:%M:%S.%f UTC",
    ],
)
def test_date_times_become_seconds_from_the_first(tmp_path: Path, form: str) -> None:
    record = _loaded(tmp_path, [(START + timedelta(seconds=step)).strftime(form) for step in STEPS])
    np.testing.assert_allclose(record.time, STEPS, rtol=0, atol=1e-9)
    assert record.time_unit == "s"
    (remark,) = record.remarks
    assert remark.code == "time_from_stamps" and START.strftime(form) in remark.text


def test_stamps_as_python_writes_them_may_differ_in_length(tmp_path: Path) -> None:
    """isoformat leaves out a fraction of zero."""
    steps = [0.0, 0.5, 0.75, 1.0]
    record = _loaded(tmp_path, [(START + timedelta(seconds=step)).isoformat() for step in steps])
    np.testing.assert_allclose(record.time, steps, rtol=0, atol=1e-9)


def test_a_change_of_the_offset_from_utc_is_no_jump_in_time(tmp_path: Path) -> None:
    record = _loaded(tmp_path, ["2023-10-29T02:59:59+02:00", "2023-10-29T02:00:00+01:00", "2023-10-29T02:00:01+01:00"])
    np.testing.assert_array_equal(record.time, [0, 1, 2])


def test_nanoseconds_are_kept(tmp_path: Path) -> None:
    record = _loaded(tmp_path, [f"2023-04-03T12:00:00.{n:09d}Z" for n in (5, 12, 40)])
    np.testing.assert_allclose(record.time, [0, 7e-9, 35e-9], rtol=1e-12)


def test_a_time_of_day_goes_on_after_midnight(tmp_path: Path) -> None:
    record = _loaded(tmp_path, ["23:59:58.5", "23:59:59.5", "00:00:00.5", "00:00:01.5"])
    np.testing.assert_array_equal(record.time, [0, 1, 2, 3])


@pytest.mark.parametrize(("unit", "size"), [("s", 1), ("ms", 1e3), ("us", 1e6), ("ns", 1e9)])
def test_times_since_1970_are_known_by_their_size(tmp_path: Path, unit: str, size: float) -> None:
    steps = np.array([0.0, 0.25, 1.5, 3600.0])
    record = _loaded(tmp_path, [f"{(1_680_523_200 + step) * size:.6f}" for step in steps])
    np.testing.assert_allclose(record.time, steps, rtol=0, atol=1e-6)
    assert record.time_unit == "s"
    assert f"in {unit}: " in record.remarks[0].text and "2023-04-03T12:00:00" in record.remarks[0].text


@pytest.mark.parametrize(
    ("stamps", "header"),
    [
        ([0.0, 1.0, 2.0], "time"),
        ([1.2e9, 1.2e9 + 1e6, 1.2e9 + 2e6], "time"),  # nanoseconds since the computer was started, at 1 kHz
        ([1.7e9, 1.7e9 + 1, 1.7e9 + 2], "t_us"),  # half an hour in microseconds
        ([1.7e9, 1.7e9 + 1, 1.7e9 + 2], "time [min]"),
    ],
)
def test_other_numbers_stay_as_they_are(tmp_path: Path, stamps: list[float], header: str) -> None:
    """Negative control."""
    record = _loaded(tmp_path, [repr(stamp) for stamp in stamps], header)
    np.testing.assert_array_equal(record.time, stamps)
    assert "time_from_stamps" not in [remark.code for remark in record.remarks]


def test_the_only_column_of_dates_is_the_time_whatever_its_name(tmp_path: Path) -> None:
    record = _loaded(tmp_path, ["2023-04-03 12:00:00", "2023-04-03 12:00:01", "2023-04-03 12:00:02"], "Aufnahme")
    np.testing.assert_array_equal(record.time, [0, 1, 2])


def test_trimming_and_messages_count_from_the_start(tmp_path: Path) -> None:
    stamps = [f"2023-04-03T12:00:{second:02d}Z" for second in range(10)]
    assert trim(_loaded(tmp_path, stamps), 2, 5).time.tolist() == [2, 3, 4, 5]
    with pytest.raises(DataError, match=r"runs backwards at line 5, from 2.0 to 1.0"):
        _loaded(tmp_path, [*stamps[:3], stamps[1], *stamps[4:]])


@pytest.mark.parametrize(
    ("stamps", "said"),
    [
        (["03/04/2023 12:00", "03/04/2023 12:01", "03/04/2023 12:02"], "day and month cannot be told apart"),
        (["2023-04-03T12:00:00", "yesterday", "2023-04-03T12:00:02"], "line 3 holds 'yesterday'"),
        (["2023-04-03T12:00:00", "2023-04-03T12:00:01Z", "2023-04-03T12:00:02"], "line 3 holds .*all with a time zone"),
        (["2023-02-28T12:00:00", "2023-02-29T12:00:00", "2023-03-01T12:00:00"], "line 3 holds '2023-02-29"),
        (["2023-04-03T12:00:00", "2023-04-03T25:00:00", "2023-04-04T12:00:00"], "line 3 holds '2023-04-03T25"),
        (["2023-04-03T12:00:00", "", "2023-04-03T12:00:02"], "the time at line 3 is missing"),
        (["0023-04-03", "0023-04-04", "0023-04-05"], "line 2 holds '0023-04-03'"),
        (["soon", "later", "never"], "is not all numbers: line 2 holds 'soon'"),
    ],
)
def test_what_is_no_time_is_named(tmp_path: Path, stamps: list[str], said: str) -> None:
    with pytest.raises(DataError, match=said):
        _loaded(tmp_path, stamps)
