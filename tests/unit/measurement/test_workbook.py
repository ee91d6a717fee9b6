"""Sheets of Excel workbooks: one is read, of several one is asked for."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from identikit.errors import DataError
from identikit.measurement import load

openpyxl = pytest.importorskip("openpyxl")


def _book(folder: Path, **sheets: list[list[Any]]) -> Path:
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, rows in sheets.items():
        sheet = book.create_sheet(title)
        for row in rows:
            sheet.append(row)
    path = folder / "run.xlsx"
    book.save(path)
    return path


TABLE: list[list[Any]] = [["t [s]", "theta [deg]"], [0, 1.5], [0.1, None], [0.2, 2.5]]


def test_the_only_sheet_with_a_table_is_read(tmp_path: Path) -> None:
    (record,) = load(_book(tmp_path, Data=TABLE, Notes=[["nothing here"]], Empty=[]))
    np.testing.assert_array_equal(record.channels["theta"].values, [1.5, np.nan, 2.5])
    assert (record.time_unit, record.channels["theta"].unit, record.name) == ("s", "deg", "run[Data]")


def test_of_several_sheets_one_must_be_named_and_all_are_records(tmp_path: Path) -> None:
    path = _book(tmp_path, **{"Run 1": TABLE, "Run 2": TABLE})
    with pytest.raises(DataError, match="holds 2 sheets: Run 1, Run 2") as caught:
        load(path)
    assert (caught.value.remedy, caught.value.about) == ("name_sheet", "Run 1")
    with pytest.raises(DataError, match=r"no sheet 'run 1'. Did you mean 'Run 1'"):
        load(path, sheet="run 1")
    assert [record.name for record in load(path, sheet="Run 2")] == ["run[Run 2]"]
    assert [record.name for record in load(path, sheet=["Run 2", "Run 1"])] == ["run[Run 2]", "run[Run 1]"]
    assert [record.name for record in load(path, sheet="all")] == ["run[Run 1]", "run[Run 2]"]


def test_titles_units_and_empty_rows_and_columns_around_the_table_do_not_matter(tmp_path: Path) -> None:
    rows = [["A title"], [], [None, "t", None, "theta"], [None, "s", None, "deg"]]
    rows += [[], [None, 0, None, 1], [None, 1, None, 2], [], [None, 2, None, 3]]
    (record,) = load(_book(tmp_path, Sheet=rows))
    np.testing.assert_array_equal(record.channels["theta"].values, [1, 2, 3])
    assert (record.time_unit, record.channels["theta"].unit) == ("s", "deg")


def test_dates_and_numbers_kept_as_text_are_read(tmp_path: Path) -> None:
    start = datetime(2023, 4, 3, 12)
    rows = [["when", "x"], *([start + timedelta(seconds=0.5 * i), f"{i},25"] for i in range(4))]
    (record,) = load(_book(tmp_path, Sheet=rows))
    np.testing.assert_allclose(record.time, [0, 0.5, 1, 1.5], atol=1e-6)
    np.testing.assert_array_equal(record.channels["x"].values, [0.25, 1.25, 2.25, 3.25])


def test_faults_are_named_by_sheet_and_row(tmp_path: Path) -> None:
    path = _book(tmp_path, One=TABLE, Two=[["t", "x"], [0, 1], [1, "oops"], [2, 3]], Bare=[*TABLE[1:], [0.3, 3]])
    with pytest.raises(DataError, match=r"sheet Two: the column 'x' .* row 3 holds 'oops'"):
        load(path, sheet="Two")[0].require("x")
    with pytest.raises(DataError, match=r"sheet Bare, row 1, has no header row") as caught:
        load(path, sheet="Bare")
    assert caught.value.remedy == "name_columns"
    assert len(load(path, sheet="Bare", columns=["t", "theta"])[0]) == 4
    with pytest.raises(DataError, match="every sheet is empty"):
        load(_book(tmp_path, Empty=[]))
    (tmp_path / "run.xlsx").write_bytes(b"PK\x03\x04 no workbook")
    with pytest.raises(DataError, match="cannot be read as an Excel workbook"):
        load(tmp_path / "run.xlsx")
