"""Any table reads back exactly; any mutilation of one loads or gives a message, never another exception."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from identikit.errors import DataError, UnitError
from identikit.measurement import load

FEW = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
finite = st.floats(allow_nan=False, allow_infinity=False)
COMMENTS = ("# a, comment; here", "% 1 2 3", "", "   ", "#")


def _load_text(text: str) -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_bytes(text.encode())
        return load(path)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[float], list[list[float]], str]:
    """Times, channel values and the text of a table in some way of writing it."""
    times = sorted(draw(st.sets(finite, min_size=3, max_size=12)))
    width = draw(st.integers(1, 3))
    rows = [draw(st.lists(finite, min_size=width, max_size=width)) for _ in times]
    separator = draw(st.sampled_from([",", ", ", ";", "\t", " ", "   "]))
    lines = [separator.join(["t", *(f"channel{i}" for i in range(width))])]
    lines += [separator.join(map(repr, [t, *row])) for t, row in zip(times, rows, strict=True)]
    for _ in range(draw(st.integers(0, 3))):
        lines.insert(draw(st.integers(0, len(lines))), draw(st.sampled_from(COMMENTS)))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    text = draw(st.sampled_from(["", "\ufeff"])) + end.join(lines) + draw(st.sampled_from(["", end, end * 2]))
    return times, rows, text


@FEW
@given(tables())
def test_any_table_of_finite_numbers_reads_back_exactly(
    made: tuple[list[float], list[list[float]], str],
) -> None:
    times, rows, text = made
    (record,) = _load_text(text)  # type: ignore[misc]
    np.testing.assert_array_equal(record.time, times)
    for i, column in enumerate(zip(*rows, strict=True)):
        np.testing.assert_array_equal(record.channels[f"channel{i}"].values, column)


PIECES = st.one_of(
    st.text(max_size=4), st.sampled_from(['"', ",", "\n", "\r", "\0", "#", "[", "(deg)", "1e999", "nan"])
)


@FEW
@given(tables(), st.lists(st.tuples(st.floats(0, 1), st.integers(0, 6), PIECES), min_size=1, max_size=6))
def test_any_mutilation_loads_or_raises_an_input_error(
    made: tuple[list[float], list[list[float]], str], cuts: list[tuple[float, int, str]]
) -> None:
    text = made[2]
    for where, length, piece in cuts:
        at = int(where * len(text))
        text = text[:at] + piece + text[at + length :]
    try:
        _load_text(text.encode(errors="replace").decode())
    except (DataError, UnitError) as error:
        assert "table.csv" in str(error) or isinstance(error, UnitError)


@FEW
@given(st.binary(max_size=300), st.sampled_from(["x.csv", "x.mat", "x.parquet", "x"]))
def test_any_bytes_load_or_raise_an_input_error(content: bytes, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        try:
            load(path)
        except (DataError, UnitError) as error:
            assert name in str(error)
