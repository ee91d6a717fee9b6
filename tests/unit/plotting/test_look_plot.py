"""The picture of a look: a row per column, outliers marked, long records thinned without losing a spike."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import identikit as ik
from identikit.plotting import plot_look
from motions import SIGMA, TIMES, viscous, white


def look(columns: int = 1, **more: np.ndarray) -> ik.LookReport:
    series = {f"x{i}": viscous() + SIGMA * white(i) for i in range(columns)}
    return ik.look(ik.Record.from_arrays(TIMES, {**series, **more}, time_unit="s", name="swing"))


@pytest.mark.parametrize("columns", [1, 3, 9])
def test_each_measured_column_has_a_row_up_to_eight(columns: int) -> None:
    figure = plot_look(look(columns))
    assert len(figure.axes) == 4 * min(columns, 8)
    title = figure.get_suptitle()
    assert "free decay" in title
    assert ("1 more columns are not drawn" in title) == (columns > 8)


def test_outliers_are_marked_and_survive_thinning(tmp_path: Path) -> None:
    y = viscous() + SIGMA * white(1)
    y[[700, 1900]] = 4.0
    report = ik.look(ik.Record.from_arrays(TIMES, x=y))
    assert len(report.curves["x"]["t"]) < len(y)
    assert np.nanmax(report.curves["x"]["high"]) == 4.0
    report.save(tmp_path / "look.json")
    history = plot_look(ik.LookReport.load(tmp_path / "look.json"), tmp_path / "look.png").axes[0]
    marked = next(line for line in history.lines if line.get_marker() == "x")
    assert np.asarray(marked.get_xdata()).tolist() == pytest.approx([7.0, 19.0])
    assert (tmp_path / "look.png").stat().st_size > 10_000


def test_commands_come_last_and_columns_that_say_nothing_are_left_out() -> None:
    command = np.where(TIMES < 9, 0.0, 1.0)
    figure = plot_look(look(1, u=command, still=np.ones(len(TIMES)), run=np.repeat(np.arange(4.0), 1000)))
    assert [axes.get_ylabel() for axes in figure.axes[::4]] == ["x0", "u"]


def test_a_record_in_which_nothing_changes_is_said_to_be_one() -> None:
    report = ik.look(ik.Record.from_arrays(TIMES, still=np.ones(len(TIMES))))
    assert "no column changes" in plot_look(report).texts[0].get_text()
