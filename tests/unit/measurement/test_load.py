"""Loading: every accepted way of writing a table, and one clear message for every broken one."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pytest

from identikit.errors import DataError, OptionError, UnitError
from identikit.measurement import load

SHARED = Path(__file__).resolve().parents[4] / "shared" / "data"
ROWS = [(0.0, 1.5), (0.1, -2.0), (0.2, 3e-4), (0.3, 4.0)]


@pytest.fixture
def write(tmp_path: Path):  # type: ignore[no-untyped-def]
    def writer(text: str | bytes, name: str = "run.csv") -> Path:
        path = tmp_path / name
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return writer


def table(separator: str = ",", end: str = "\n", header: str = "t{0}theta") -> str:
    lines = [header.format(separator), *(f"{t}{separator}{theta}" for t, theta in ROWS)]
    return end.join(lines) + end


@pytest.mark.parametrize(
    "text",
    [
        table(","),
        table(", "),
        table(";"),
        table("\t"),
        table("   "),
        table(",", "\r\n"),
        table(",", "\r"),
        table(",", header="\ufefft{0}theta"),
        table(",", header='"t"{0}"theta [deg]"'),
        table(",", header=" t {0} theta "),
        table("  ", header="t [s]{0}theta [deg]"),
        "# made by hand\n\n" + table(",").replace("0.2", "% pause\n\n0.2") + "\n\n",
        table(",").replace("0.1,", '"0.1",'),
        table(",", header="# t{0}theta"),
        table(",").replace("\n", ",\n"),
        table(",").rstrip("\n"),
        table(",") + "\x1a",
    ],
)
def test_the_usual_ways_of_writing_a_table_are_read(write, text: str) -> None:  # type: ignore[no-untyped-def]
    (record,) = load(write(text))
    np.testing.assert_array_equal(record.time, [row[0] for row in ROWS])
    np.testing.assert_array_equal(record.require("theta").values, [row[1] for row in ROWS])
    assert list(record.channels) == ["theta"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_the_usual_encodings_are_read(write, encoding: str) -> None:  # type: ignore[no-untyped-def]
    (record,) = load(write(table(header="t{0}theta [°]").encode(encoding)))
    assert record.channels["theta"].unit == "°"


def test_empty_and_nan_cells_are_missing_values(write) -> None:  # type: ignore[no-untyped-def]
    (record,) = load(write("t,a,b\n0,1,\n1,NaN,2\n2,nan,3\n3,NA,4\n"))
    np.testing.assert_array_equal(record.channels["a"].values, [1, np.nan, np.nan, np.nan])
    np.testing.assert_array_equal(record.channels["b"].values, [np.nan, 2, 3, 4])


def test_units_come_from_header_suffix_and_override(write) -> None:  # type: ignore[no-untyped-def]
    path = write("t_ms,theta [deg],x (mm),y (left)\n0,1,1,1\n1,2,2,2\n2,3,3,3\n")
    (record,) = load(path)
    assert record.time_unit == "ms"
    units = {name: channel.unit for name, channel in record.channels.items()}
    assert units == {"theta": "deg", "x": "mm", "y (left)": ""}
    (record,) = load(path, units={"t_ms": "s", "theta": "rad"})
    assert (record.time_unit, record.channels["theta"].unit) == ("s", "rad")
    with pytest.raises(DataError, match="Did you mean 'theta'"):
        load(path, units={"thet": "rad"})
    with pytest.raises(UnitError, match="parrots"):
        load(path, units={"theta": "parrots"})


@pytest.mark.parametrize(
    ("header", "time_of", "unit"),
    [
        ("x,T", "T", ""),
        ("x,Time [ms]", "Time", "ms"),
        ("t_s,time", "time", ""),
        ("x,time_sec", "time_sec", "s"),
        ("x,timestamp", "timestamp", ""),
        ("x,timestamp_us", "timestamp_us", "us"),
    ],
)
def test_the_time_column_is_found_by_its_name(write, header: str, time_of: str, unit: str) -> None:  # type: ignore[no-untyped-def]
    (record,) = load(write(f"{header}\n0,1\n1,2\n2,3\n"))
    assert time_of not in record.channels
    assert record.time_unit == unit


def test_without_a_time_column_the_message_lists_the_columns(write) -> None:  # type: ignore[no-untyped-def]
    path = write("Year, Lynx\n1,2\n2,3\n3,4\n")
    with pytest.raises(DataError, match=r"Year, Lynx.*Say which one is the time") as caught:
        load(path)
    assert caught.value.remedy == "name_time"
    assert load(path, time="Year")[0].duration == 2.0
    with pytest.raises(DataError, match="Did you mean 'Year'"):
        load(path, time="year_")


def test_a_text_column_is_tolerated_until_it_is_used(write) -> None:  # type: ignore[no-untyped-def]
    path = write("# note\nt,label,theta,phi\n0,a,1,0.5\n1,b,2,bad\n2,c,3,inf\n")
    (record,) = load(path)
    assert list(record.channels) == ["theta"]
    with pytest.raises(DataError, match=r"run.csv: the column 'label' .* line 3 holds 'a'"):
        record.require("label")
    with pytest.raises(DataError, match="line 4 holds 'bad'"):
        record.require("phi")


def test_infinities_are_named(write) -> None:  # type: ignore[no-untyped-def]
    (record,) = load(write("t;theta;x\n0;0,5;1\n1;0,6;inf\n2;0,7;1\n"))
    with pytest.raises(DataError, match="line 3 holds 'inf'"):
        record.require("x")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("\n \n", "is empty"),
        ("# only\n# comments\n", "is empty"),
        ("t,theta\n", "no data"),
        ("t,theta\n# later\n\n", "no data"),
        ("t,theta\n0,1\n1,2\n", "2 row.s. of data .line 2.; at least 3"),
        ("0,1\n1,2\n2,3\n", r"line 1, has no header row: .*0,1.*Name the columns"),
        ("t,theta,theta\n0,1,1\n1,2,2\n2,3,3\n", "two columns are named 'theta'"),
        ("t,theta[deg],theta[rad]\n0,1,1\n1,2,2\n2,3,3\n", "two columns are named 'theta'"),
        ("t,theta\n0,1\n1,2,7\n2,3\n", r"line 3 has 3 cell\(s\) .*2 columns"),
        ("t,theta\n0,1\n1,2\n2,3\n3\n", r"line 5 has 1 cell\(s\).*cut off"),
        ("t\n0\n1\n2\n", "no column besides the time"),
        (
            "#c\nt,theta\n0,1\n\n2,2\n1,3\n",
            r"column 't': the time runs backwards at line 6, from 2.0 to 1.0.*numbers them as segments",
        ),
        ("t,theta\n0,1\n1,2\n1,3\n", "repeats the one before it"),
        ("t,theta\n0,1\n,2\n1,3\n", "line 3 is missing"),
        ("t,theta\n0,1\nx,2\n1,3\n", "time column 't' is not all numbers: line 3 holds 'x'"),
        ("t,theta\n0,1\ninf,2\n3,3\n", "line 3 holds 'inf'"),
        (b"t,theta\n\x00\x01\x02\xff", "not a text file"),
        (bytes(range(256)) * 4, "not a text file"),
        (b"\xff\xfe\x00", "not a text file"),
    ],
)
def test_every_broken_text_file_has_its_message(write, text: str | bytes, said: str) -> None:  # type: ignore[no-untyped-def]
    path = write(text)
    with pytest.raises(DataError, match=said) as caught:
        load(path)
    assert str(path) in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_file_without_header_is_read_with_given_columns(write) -> None:  # type: ignore[no-untyped-def]
    path = write("0,1\n1,2\n2,3\n")
    (record,) = load(path, columns=["t", "theta [deg]"])
    np.testing.assert_array_equal(record.require("theta").values, [1, 2, 3])
    with pytest.raises(DataError, match="2 cells, but 3 column names"):
        load(path, columns=["t", "a", "b"])


def test_paths_that_are_no_readable_file_are_named(tmp_path: Path, write) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(DataError, match="There is no file"):
        load(tmp_path / "none.csv")
    with pytest.raises(DataError, match="is a folder"):
        load(tmp_path)
    with pytest.raises(DataError, match=r"spreadsheet .* Save it as .xlsx"):
        load(write("x", "run.ods"))
    with pytest.raises(DataError, match=r"'.jpg', which is not known. Accepted are .csv"):
        load(write("x", "run.jpg"))
    with pytest.raises(DataError, match="No file was given"):
        load([])
    with pytest.raises(DataError, match="There is no file"):
        load("a\0b.csv")
    with pytest.raises(DataError, match="cannot be opened"):
        load("a" * 5000)


def test_segments_become_records(write) -> None:  # type: ignore[no-untyped-def]
    lines = ["t,run,y", *(f"{t},{run},{t + 1}" for run in (0, 1, 0) for t in range(3))]
    experiment = load(write("\n".join(lines)), segments="run")
    assert [record.name for record in experiment] == ["run[run=0]", "run[run=1]", "run[run=0#2]"]
    assert [len(record) for record in experiment] == [3, 3, 3]
    assert list(experiment[0].channels) == ["y"]


def test_segments_may_be_named_by_text(write) -> None:  # type: ignore[no-untyped-def]
    lines = ["t,run,y", *(f"{t},{run},{t + 1}" for run in ("up", "down") for t in range(3))]
    experiment = load(write("\n".join(lines)), segments="run", name="trial")
    assert [record.name for record in experiment] == ["trial[run=up]", "trial[run=down]"]


def test_broken_segments_are_named(write) -> None:  # type: ignore[no-untyped-def]
    path = write("t,run,y\n0,0,1\n1,0,2\n2,0,3\n0,1,1\n0,1,2\n1,1,3\n")
    with pytest.raises(DataError, match=r"run=1.*line 6 repeats"):
        load(path, segments="run")
    with pytest.raises(DataError, match=r"no column 'ran' for the segments\. Did you mean 'run'"):
        load(path, segments="ran")
    with pytest.raises(DataError, match="is the time column"):
        load(path, segments="t")
    with pytest.raises(DataError, match=r"run=1.* has 1 row"):
        load(write("t,run,y\n0,0,1\n1,0,2\n2,0,3\n0,1,1\n", "b.csv"), segments="run")
    with pytest.raises(DataError, match="no finite value at line 3"):
        load(write("t,run,y\n0,0,1\n1,,2\n2,0,3\n", "c.csv"), segments="run")


def test_several_files_become_several_records(write) -> None:  # type: ignore[no-untyped-def]
    paths = [write(table(), "a.csv"), write(table(), "b.csv")]
    assert [record.name for record in load(paths)] == ["a", "b"]
    assert [record.name for record in load(paths, name="x")] == ["x[0]", "x[1]"]
    assert [record.name for record in load([paths[0], paths[0]])] == [str(paths[0])] * 2
    with pytest.raises(DataError, match="same channels"):
        load([paths[0], write("t,phi\n0,1\n1,2\n2,3\n", "c.csv")])


def test_parquet_is_read(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    import pyarrow.parquet as parquet

    path = tmp_path / "run=1" / "run.parquet"
    path.parent.mkdir()
    columns = {
        "t": [0, 1, 2],
        "theta [deg]": [1.5, None, 2.5],
        "ok": [True, False, None],
        "label": ["a", "b", None],
    }
    parquet.write_table(pa.table(columns), path)
    (record,) = load(path)
    np.testing.assert_array_equal(record.channels["theta"].values, [1.5, np.nan, 2.5])
    np.testing.assert_array_equal(record.channels["ok"].values, [1, 0, np.nan])
    assert record.channels["theta"].unit == "deg"
    with pytest.raises(DataError, match="row 1 holds 'a'"):
        record.require("label")
    with pytest.raises(OptionError, match="has its own names"):
        load(path, columns=["a"])
    path.write_bytes(b"PAR1garbage")
    with pytest.raises(DataError, match="cannot be read as a Parquet file"):
        load(path)


def test_matlab_vectors_are_read_at_top_level_and_in_a_struct(tmp_path: Path) -> None:
    from scipy.io import savemat

    vectors = {"t": np.arange(4.0), "theta": np.arange(4.0)[:, None] * 2}
    for name, content in {"flat": {**vectors, "fs": 100.0}, "nested": {"data": vectors}}.items():
        path = tmp_path / f"{name}.mat"
        savemat(path, content)
        np.testing.assert_array_equal(load(path)[0].require("theta").values, [0, 2, 4, 6])
    savemat(tmp_path / "ragged.mat", {"t": np.arange(4.0), "y": np.arange(3.0)})
    with pytest.raises(DataError, match=r"different lengths: t \(4\), y \(3\)"):
        load(tmp_path / "ragged.mat")
    savemat(tmp_path / "scalar.mat", {"a": 1.0})
    with pytest.raises(DataError, match="no vectors"):
        load(tmp_path / "scalar.mat")


def test_unreadable_matlab_files_are_named(write) -> None:  # type: ignore[no-untyped-def]
    head = b"MATLAB 7.3 MAT-file".ljust(124) + b"\x00\x02IM"
    with pytest.raises(DataError, match="cannot be read as an HDF5 file"):
        load(write(head + b"\0" * 400, "new.mat"))
    for content in (b"garbage" * 40, b"", b"\0" * 300):
        with pytest.raises(DataError, match=r"cannot be read as a MATLAB file|no vectors"):
            load(write(content, "bad.mat"))


def test_thirty_thousand_rows_load_quickly(write) -> None:  # type: ignore[no-untyped-def]
    rows = "\n".join(f"{0.002 * i:.4f},{np.sin(0.01 * i):.9g}" for i in range(30001))
    path = write("t,theta\n" + rows + "\n")
    best = min(_seconds(path) for _ in range(5))
    assert best < 0.1  # measured 6 ms; the margin is for busy machines


def _seconds(path: Path) -> float:
    begin = time.perf_counter()
    load(path)
    return time.perf_counter() - begin


@pytest.mark.skipif(not SHARED.is_dir(), reason="the shared measurements are not on this machine")
def test_the_shared_measurements_load_as_they_are() -> None:
    single = load(SHARED / "multiarm_single_pendulum/single_pendulum_free_swing.csv", segments="segment")
    assert len(single) == 6
    assert (single[0].name, single[0].time_unit) == ("single_pendulum_free_swing[segment=0]", "s")
    double = load(SHARED / "multiarm_double_pendulum/double_pendulum_free_swing.csv", segments="segment")
    assert len(double) == 30
    robot = load(sorted((SHARED / "dfki_double_pendulum").glob("*.csv")))
    assert [record.uniform for record in robot] == [False, False]
    (animals,) = load(SHARED / "lynx_hare/hudson-bay-lynx-hare.csv", time="Year")
    assert (len(animals), list(animals.channels)) == (21, ["Lynx", "Hare"])
