"""Decimal commas are read where the cells leave no doubt, asked about where they do, and never mixed with points."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from identikit.errors import DataError
from identikit.measurement import load


def _write(folder: Path, text: str) -> Path:
    path = folder / "run.csv"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    "text",
    [
        "t;theta\n0;0,5\n0,1;-1,25e-1\n0,2;12,3456\n",
        "t\ttheta\n0\t0,5\n0,1\t-1,25e-1\n0,2\t12,3456\n",
        "t theta\n0 0,5\n0,1 -1,25e-1\n0,2 12,3456\n",
        't,theta\n0,"0,5"\n"0,1","-1,25e-1"\n"0,2","12,3456"\n',
        "t;theta;note\n0;0,5;a.b\n0,1;-1,25e-1;\n0,2;12,3456;x, y\n",
        "# made in Berlin\nt;theta\n0;0,5\n\n0,1;-1,25e-1\n0,2;12,3456\n",
    ],
)
def test_a_table_with_decimal_commas_is_read_without_being_told(tmp_path: Path, text: str) -> None:
    (record,) = load(_write(tmp_path, text))
    np.testing.assert_array_equal(record.time, [0, 0.1, 0.2])
    np.testing.assert_array_equal(record.require("theta").values, [0.5, -0.125, 12.3456])
    assert [remark.code for remark in record.remarks] == ["decimal_comma"]


def test_columns_may_be_named_where_numbers_have_commas_and_blanks_separate(tmp_path: Path) -> None:
    (record,) = load(_write(tmp_path, "0,0 0,5\n0,1 0,6\n0,2 0,7\n"), columns=["t", "theta"])
    np.testing.assert_array_equal(record.require("theta").values, [0.5, 0.6, 0.7])


def test_commas_that_may_separate_thousands_are_asked_about(tmp_path: Path) -> None:
    path = _write(tmp_path, "t;x\n0;1,234\n1;2,345\n2;3,456\n")
    with pytest.raises(DataError, match=r"'1,234' a decimal mark, or does it separate thousands") as caught:
        load(path)
    assert caught.value.remedy == "say_decimal"
    np.testing.assert_array_equal(load(path, decimal=",")[0].require("x").values, [1.234, 2.345, 3.456])
    with pytest.raises(DataError, match="'1,234'"):
        load(path, decimal=".")[0].require("x")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("t;x\n0;1.234,5\n1;2.345,6\n2;3.456,7\n", "'1.234,5' .thousands separators are not read"),
        ("t;x\n0;1,234,567\n1;2,345,678\n2;3,456,789\n", "'1,234,567' .thousands separators"),
        ("t;x\n0;1 234\n1;2 345\n2;3 456\n", "'1 234' .thousands separators"),
        ("t;x\n0;0,5\n1;0.6\n2;0,7\n", "'0,5' .a decimal comma, where other cells have decimal points"),
    ],
)
def test_thousands_separators_and_mixtures_are_refused_where_they_are_needed(
    tmp_path: Path, text: str, said: str
) -> None:
    (record,) = load(_write(tmp_path, text))
    with pytest.raises(DataError, match=said):
        record.require("x")


def test_a_point_that_may_separate_thousands_beside_decimal_commas_is_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"the point in '1.234' may separate thousands"):
        load(_write(tmp_path, "t;n;x\n0,5;1.234;0,5\n1,5;2.345;0,6\n2,5;3.456;0,7\n"))
    (record,) = load(_write(tmp_path, "t;n;x\n0,5;0.25;0,5\n1,5;2.345;0,6\n2,5;3.456;0,7\n"))
    np.testing.assert_array_equal(record.require("n").values, [0.25, 2.345, 3.456])


def test_commas_as_separators_and_decimal_marks_at_once_are_explained(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"line 2 has 4 cell.*comma is the decimal mark too.*semicolons"):
        load(_write(tmp_path, "t,x\n0,0,0,5\n0,1,0,6\n0,2,0,7\n"))
