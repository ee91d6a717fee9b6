"""Any table reads back exactly; any mutilation of one loads or gives a message, never another exception."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from identikit.errors import DataError, UnitError
from identikit.measurement import Record, load

FEW = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
finite = st.floats(allow_nan=False, allow_infinity=False)
# Larger times may be times since 1970, which are read as seconds from the first.
moment = st.floats(-9e8, 9e8)
COMMENTS = ("# a, comment; here", "% 1 2 3", "", "   ", "#")


def _load_text(text: str) -> object:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_bytes(text.encode())
        return load(path)


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[float], list[list[float]], str]:
    """Times, channel values and the text of a table in some way of writing it."""
    times = sorted(draw(st.sets(moment, min_size=3, max_size=12)))
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


@st.composite
def records(draw: st.DrawFn) -> Record:
    """What a simulator writes: times, channels with units and without, some values missing.

    With fifteen digits, since workbooks hold no more than sixteen.
    """

    def rounded(value: float) -> float:
        return float(f"{value:.15g}")

    times = sorted(draw(st.sets(moment.map(rounded), min_size=3, max_size=8)))
    size = len(times)
    numbers = st.floats(-1e300, 1e300).map(rounded)
    angle = draw(st.lists(st.one_of(numbers, st.just(float("nan"))), min_size=size, max_size=size))
    speed = draw(st.lists(numbers, min_size=size, max_size=size))
    return Record.from_arrays(times, theta=angle, omega=speed, units={"theta": "deg"}, time_unit="ms")


def _columns(record: Record) -> dict[str, np.ndarray]:
    return {
        "t [ms]": record.time,
        "theta [deg]": record.channels["theta"].values,
        "omega": record.channels["omega"].values,
    }


def _write_csv(record: Record, path: Path) -> None:
    columns = _columns(record)
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    path.write_text("\n".join([",".join(columns), *(",".join(map(repr, row)) for row in rows)]))


def _write_commas(record: Record, path: Path) -> None:
    columns = _columns(record)
    # At least one cell leaves no doubt about the comma.
    rows = [*zip(*(column.tolist() for column in columns.values()), strict=True)]
    lines = [";".join(repr(cell).replace(".", ",") for cell in (*row, 0.5)) for row in rows]
    path.write_text("\n".join([";".join((*columns, "sure")), *lines]))


def _write_long(record: Record, path: Path) -> None:
    lines = [
        f"{name}\t{t!r}\t{value!r}\t{channel.unit}"
        for name, channel in record.channels.items()
        for t, value in zip(record.time.tolist(), channel.values.tolist(), strict=True)
    ]
    path.write_text("\n".join(["observableId\ttime [ms]\tmeasurement\tunit", *lines]))


def _write_parquet(record: Record, path: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pyarrow.table(_columns(record)), path)


def _write_workbook(record: Record, path: Path) -> None:
    book = pytest.importorskip("openpyxl").Workbook()
    columns = _columns(record)
    book.active.append(list(columns))
    for row in zip(*(column.tolist() for column in columns.values()), strict=True):
        book.active.append([None if np.isnan(cell) else cell for cell in row])
    book.save(path)


def _write_hdf5(record: Record, path: Path) -> None:
    with pytest.importorskip("h5py").File(path, "w") as file:
        file.create_dataset("t", data=record.time).attrs["units"] = "ms"
        file.create_dataset("theta", data=record.channels["theta"].values).attrs["units"] = "deg"
        file.create_dataset("omega", data=record.channels["omega"].values)


def _write_matlab(record: Record, path: Path) -> None:
    from scipy.io import savemat

    savemat(path, {"t_ms": record.time, "theta_deg": record.channels["theta"].values, **_columns_of(record, "omega")})


def _columns_of(record: Record, *names: str) -> dict[str, np.ndarray]:
    return {name: record.channels[name].values for name in names}


WRITERS: dict[str, Callable[[Record, Path], None]] = {
    "run.csv": _write_csv,
    "commas.csv": _write_commas,
    "long.tsv": _write_long,
    "run.parquet": _write_parquet,
    "run.xlsx": _write_workbook,
    "run.h5": _write_hdf5,
    "run.mat": _write_matlab,
}


@pytest.mark.parametrize("name", WRITERS)
@settings(FEW, max_examples=25)
@given(made=records())
def test_a_record_comes_back_from_every_kind_of_file(name: str, made: Record) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        WRITERS[name](made, path)
        (record,) = load(path)
    np.testing.assert_array_equal(record.time, made.time)
    assert record.time_unit == "ms"
    for channel, unit in (("theta", "deg"), ("omega", "")):
        found = record.channels.get(channel) or record.channels[f"{channel}_{unit}"]
        np.testing.assert_array_equal(found.values, made.channels[channel].values)
        assert found.unit == unit


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
@given(st.binary(max_size=300), st.sampled_from(["x.csv", "x.mat", "x.parquet", "x.xlsx", "x.h5", "x"]))
def test_any_bytes_load_or_raise_an_input_error(content: bytes, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        try:
            load(path)
        except (DataError, UnitError) as error:
            assert name in str(error)


CELLS = st.one_of(
    st.text(max_size=6),
    st.sampled_from(
        [
            "0,5",
            "1,234",
            "1.234",
            "1.234,5",
            "2023-04-03T12:00:00Z",
            "2023-13-41",
            "12:00:01.5",
            "1e400",
            "NaN",
            "theta",
            "s",
        ]
    ),
    finite.map(repr),
)
HEADERS = st.sampled_from(
    ["t;x", "time,value,observable", "t_min;x_deg", "timestamp x", "observableId\ttime\tmeasurement"]
)


@FEW
@given(
    HEADERS,
    st.lists(st.lists(CELLS, min_size=1, max_size=4), max_size=6),
    st.sampled_from([";", ",", "\t", " "]),
    st.sampled_from(
        [{}, {"decimal": ","}, {"columns": ["t", "x"]}, {"rate": 10.0}, {"long": ("t", "x")}, {"time": "x"}]
    ),
)
def test_any_cells_under_any_header_load_or_raise_an_input_error(
    header: str, rows: list[list[str]], separator: str, said: dict
) -> None:
    text = "\n".join([header, *(separator.join(row) for row in rows)])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_bytes(text.encode(errors="replace"))
        try:
            load(path, **said)
        except (DataError, UnitError) as error:
            assert "table.csv" in str(error) or isinstance(error, UnitError)
