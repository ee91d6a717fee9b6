"""Tables without a header, without a time, with titles above and units below the header."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from identikit.errors import DataError, OptionError
from identikit.measurement import load


@pytest.fixture
def write(tmp_path: Path):  # type: ignore[no-untyped-def]
    def writer(text: str) -> Path:
        path = tmp_path / "run.csv"
        path.write_text(text)
        return path

    return writer


@pytest.mark.parametrize(
    "text", ["0,1\n1,2\n2,3\n", "2023-04-03T12:00:00,1\n2023-04-03T12:00:01,2\n2023-04-03T12:00:02,3\n"]
)
def test_a_first_row_of_data_is_no_header(write, text: str) -> None:  # type: ignore[no-untyped-def]
    path = write(text)
    with pytest.raises(DataError, match="line 1, has no header row") as caught:
        load(path)
    assert caught.value.remedy == "name_columns"
    (record,) = load(path, columns=["t", "theta [deg]"])
    np.testing.assert_array_equal(record.time, [0, 1, 2])
    assert record.channels["theta"].unit == "deg"


def test_given_names_replace_a_header_and_its_units(write) -> None:  # type: ignore[no-untyped-def]
    (record,) = load(write("a,b\ns,deg\n0,1\n1,2\n2,3\n"), columns=["t", "theta"])
    np.testing.assert_array_equal(record.channels["theta"].values, [1, 2, 3])
    assert record.channels["theta"].unit == ""


@pytest.mark.parametrize("units", ["s,deg,", "(s),(deg),", "[s],[deg],"])
def test_a_row_of_units_under_the_header_is_read(write, units: str) -> None:  # type: ignore[no-untyped-def]
    (record,) = load(write(f"t,theta,n\n{units}\n0,1,4\n1,2,5\n2,3,6\n"))
    assert record.time_unit == "s"
    assert {name: channel.unit for name, channel in record.channels.items()} == {"theta": "deg", "n": ""}


def test_a_row_of_words_under_the_header_is_no_row_of_units(write) -> None:  # type: ignore[no-untyped-def]
    """Negative control."""
    with pytest.raises(DataError, match="line 2 holds 'left'"):
        load(write("t,theta\nleft,right\n0,1\n1,2\n2,3\n"))


def test_titles_above_the_header_are_passed_over_and_said(write) -> None:  # type: ignore[no-untyped-def]
    (record,) = load(write("Swing of Monday\nBench 3\nt,theta\n0,1\n1,2\n2,3\n"))
    np.testing.assert_array_equal(record.channels["theta"].values, [1, 2, 3])
    assert record.remarks[0].code == "title_skipped" and "Swing of Monday" in record.remarks[0].text


def test_without_a_time_column_the_rate_gives_the_time(write) -> None:  # type: ignore[no-untyped-def]
    path = write("theta\n1\n2\n4\n")
    np.testing.assert_array_equal(load(path, rate=150)[0].time, np.arange(3) / 150)
    np.testing.assert_array_equal(load(path, dt=0.01)[0].time, np.arange(3) * 0.01)
    assert load(path, dt=0.01)[0].time_unit == "s"
    (record,) = load(write("1\n2\n4\n"), columns=["theta"], rate=150)
    np.testing.assert_array_equal(record.channels["theta"].values, [1, 2, 4])


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ({"rate": 0.0}, "above zero"),
        ({"dt": float("inf")}, "above zero"),
        ({"rate": 1.0, "dt": 1.0}, "give one of them"),
        ({"rate": 1.0, "time": "t"}, "give one of them"),
        ({"decimal": ";"}, r"expected '\.' or ','"),
        ({"sheet": "Run 1"}, "holds one table"),
    ],
)
def test_what_makes_no_sense_is_refused(write, said: dict, expected: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(OptionError, match=expected):
        load(write("t,theta\n0,1\n1,2\n2,3\n"), **said)
