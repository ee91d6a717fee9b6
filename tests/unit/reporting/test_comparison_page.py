"""The page of a comparison shows every method that agrees, and explains only what it shows."""

from __future__ import annotations

from dataclasses import replace

import pytest
from saved_answers import comparison, look, reproduction

from identikit.plotting import plot_comparison
from identikit.reporting import Drawing, Listing, ReportDocument, Table, document_of
from identikit.result import ComparisonReport, ParameterEstimate, Suggestion, ratio_text


def with_k(report: ComparisonReport, method: str, k: ParameterEstimate) -> ComparisonReport:
    entries = (
        replace(entry, parameters={**entry.parameters, "k": k}) if entry.method == method else entry
        for entry in report.entries
    )
    return replace(report, entries=tuple(entries))


def texts(report: ComparisonReport) -> list[str]:
    return [text.get_text() for axes in plot_comparison(report).axes for text in axes.texts]


def captions(document: ReportDocument) -> list[str]:
    return [block.caption for item in document.sections for block in item.blocks if isinstance(block, Table | Drawing)]


def test_a_method_that_agrees_within_a_wide_interval_is_in_the_picture_and_not_called_far_off() -> None:
    wide = with_k(comparison(), "kalman", ParameterEstimate(24.63, "", 4.0, (16.8, 32.5)))
    drawn = plot_comparison(wide).axes[1]
    row = [line for line in drawn.lines if set(line.get_ydata()) == {3}]  # kalman is the fourth
    assert {line.get_marker() for line in row} >= {"<", ">"}, "its interval is cut at both sides"
    assert "24.63" not in texts(wide)
    assert not any("Far outside" in caption for caption in captions(document_of(wide)))


@pytest.mark.parametrize("value", [24.63, 20.0221, 19.98])
def test_an_estimate_outside_the_frame_is_told_with_digits_that_differ_from_what_is_inside(value: float) -> None:
    far = with_k(comparison(), "kalman", ParameterEstimate(value, "", 1e-6, (value - 2e-6, value + 2e-6)))
    panel = plot_comparison(far).axes[1]
    left, right = panel.get_xlim()
    told = [float(text.get_text()) for text in panel.texts]
    assert len(told) == 1 and not left <= told[0] <= right and told[0] == pytest.approx(value, rel=1e-3)


def test_without_a_truth_nothing_is_explained_that_needs_one() -> None:
    assert any("truth" in caption for caption in captions(document_of(comparison())))  # negative control
    blind = replace(comparison(), truth={})
    assert not any("truth" in caption for caption in captions(document_of(blind)))


def test_a_ratio_that_is_far_off_has_its_power_of_ten() -> None:
    assert [ratio_text(value) for value in (1.014, -3.2, 1004762.63, -1e9)] == ["1.01", "-3.20", "1.0e+06", "-1.0e+09"]


def test_the_page_of_a_look_says_what_to_type_and_which_file() -> None:
    told = Suggestion("damping", "which damping makes it decay", command="identikit damping q.csv --map x=theta")
    report = replace(look("q"), suggestions=(told,), provenance={"records": ["q.csv"]})
    sections = {item.title: item.blocks for item in document_of(report).sections}
    assert sections["What to do next"] == (Listing("damping: which damping makes it decay", told.command),)
    assert ("data", "q.csv") in sections["What was done"][0].rows


def test_the_caption_of_a_published_figure_does_not_repeat_the_title_above_it() -> None:
    item = reproduction("angle")
    pictures = next(section for section in document_of(item).sections if section.title == "Pictures").blocks
    assert all(picture.caption != picture.panels[0].title for picture in pictures)
