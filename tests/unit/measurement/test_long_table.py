"""Long tables, one row per time and quantity, become columns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from identikit.errors import DataError
from identikit.measurement import Experiment, load

ROWS = [("theta", 0, 1.0), ("omega", 0, 9.0), ("theta", 0.2, 3.0), ("theta", 0.1, 2.0), ("omega", 0.2, 7.0)]


def _loaded(folder: Path, lines: list[str], **said: object) -> Experiment:
    path = folder / "measurements.tsv"
    path.write_text("\n".join(lines))
    return load(path, **said)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("header", "said"),
    [
        ("observableId\ttime\tmeasurement", {}),
        ("variable\tt [s]\tvalue", {}),
        ("what\ttime\thow much", {"long": ("what", "how much")}),
    ],
)
def test_every_quantity_becomes_a_column_in_the_order_of_time(tmp_path: Path, header: str, said: dict) -> None:
    (record,) = _loaded(tmp_path, [header, *("\t".join(map(str, row)) for row in ROWS)], **said)
    np.testing.assert_array_equal(record.time, [0, 0.1, 0.2])
    np.testing.assert_array_equal(record.channels["theta"].values, [1, 2, 3])
    np.testing.assert_array_equal(record.channels["omega"].values, [9, np.nan, 7])
    assert [remark.code for remark in record.remarks] == ["long_table"]


def test_conditions_and_segments_are_records_of_their_own(tmp_path: Path) -> None:
    lines = ["observableId\tsimulationConditionId\treplicateId\ttime\tmeasurement"]
    lines += [f"x\t{c}\t{r}\t{t}\t{t + 1}" for t in range(3) for c in ("a", "b") for r in (1, 2)]
    assert [record.name for record in _loaded(tmp_path, [line.replace("\t2\t", "\t1\t") for line in lines[:1]]
            + [line for line in lines[1:] if line.split("\t")[2] == "1"])] == [
        "measurements[simulationConditionId=a]", "measurements[simulationConditionId=b]"
    ]  # fmt: skip
    with pytest.raises(DataError, match=r"line 2 and line 3 both give 'x' at the time 0.*segments") as caught:
        _loaded(tmp_path, lines)
    assert caught.value.remedy == "name_segments"
    one = [lines[0], *(line for line in lines[1:] if line.split("\t")[1] == "a")]
    names = [record.name for record in _loaded(tmp_path, one, segments="replicateId")]
    assert names == ["measurements[replicateId=1]", "measurements[replicateId=2]"]


def test_units_come_from_their_own_column_or_are_given(tmp_path: Path) -> None:
    lines = ["observable\ttime\tvalue\tunit", *(f"x\t{t}\t{t}\tmm" for t in range(3))]
    assert _loaded(tmp_path, lines)[0].channels["x"].unit == "mm"
    assert _loaded(tmp_path, lines, units={"x": "cm"})[0].channels["x"].unit == "cm"
    with pytest.raises(DataError, match="'x' has the units 'mm' and 'm'"):
        _loaded(tmp_path, [*lines, "x\t3\t3\tm"])


@pytest.mark.parametrize(
    ("lines", "said", "expected"),
    [
        (
            ["observable\ttime\tvalue", "x\t0\ta", "x\t1\t2", "x\t2\t3"],
            {},
            "values in 'value' are not all numbers: line 2",
        ),
        (["observable\ttime\tvalue", "x\t0\t1", "x\tinf\t2", "x\t2\t3"], {}, "line 3 holds 'inf'"),
        (
            ["observable\ttime\tvalue", "x\t0\t1", "x\t1\t2", "x\t2\t3"],
            {"long": ("observabel", "value")},
            "Did you mean",
        ),
        (["observable\ttime\tvalue", "x\t0\t1", "x\t1\t2", "x\t2\t3"], {"segments": "run"}, "no column 'run' for"),
        (["observable\tvalue", "x\t1", "x\t2", "x\t3"], {"dt": 0.1}, "needs a column with the time"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, lines: list[str], said: dict, expected: str) -> None:
    with pytest.raises(DataError, match=expected):
        _loaded(tmp_path, lines, **said)


def test_a_table_of_other_columns_with_these_names_stays_as_it_is(tmp_path: Path) -> None:
    """Negative control: numbers under 'signal' name nothing, and words beside other columns may be remarks."""
    (record,) = _loaded(tmp_path, ["signal\ttime\tvalue", "1\t0\t1", "2\t1\t2", "3\t2\t3"])
    assert list(record.channels) == ["signal", "value"]
    (record,) = _loaded(tmp_path, ["signal\ttime\tvalue\tx", "good\t0\t1\t1", "lost\t1\t2\t1", "good\t2\t3\t2"])
    assert list(record.channels) == ["value", "x"]
