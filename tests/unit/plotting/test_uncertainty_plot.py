"""Pictures of intervals are drawn from what a saved result holds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import identikit as ik
import quality_factor
from identikit.errors import OptionError
from identikit.plotting import plot_fit, plot_uncertainty
from identikit.problem import Problem
from identikit.result import Result, load_saved
from identikit.uncertainty import assessed


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Result:
    """A fit with every kind of interval, written and read again."""
    record, model = quality_factor.record(3), quality_factor.model()
    result = ik.fit(record, model)
    for kind, options in {"fisher": {}, "bootstrap": {"replicates": 50}, "profile": {"pair": "w0,Q"}}.items():
        result = assessed(Problem.pose(model, record), result, kind, options)
    path = tmp_path_factory.mktemp("saved") / "fit.json"
    result.save(path)
    loaded = load_saved(path)
    assert isinstance(loaded, Result)
    return loaded


def titles(figure) -> list[str]:
    return [part.get_suptitle() for part in figure.subfigs]


def test_every_kind_stands_in_the_comparison_once_and_the_first_is_the_fit(saved: Result) -> None:
    rows = saved.artifacts["intervals"]["rows"]
    assert [row[0] for row in rows[::2]] == ["fit", "fisher", "bootstrap", "profile"]


def test_the_picture_has_a_part_for_all_that_was_found(saved: Result, tmp_path: Path) -> None:
    figure = plot_uncertainty(saved, tmp_path / "intervals.png")
    expected = ["95 % intervals", "Profile likelihood", "Likelihood of w0 and Q together", "Bootstrap: estimates of"]
    assert [title[: len(words)] for title, words in zip(titles(figure), expected, strict=True)] == expected
    assert (tmp_path / "intervals.png").stat().st_size > 10_000


def test_the_picture_of_the_fit_shows_them_below(saved: Result) -> None:
    assert set(titles(plot_fit(saved))) >= set(titles(plot_uncertainty(saved)))


def test_a_drawn_profile_crosses_the_threshold_where_the_shaded_interval_ends(saved: Result) -> None:
    axes = plot_uncertainty(saved).subfigs[1].axes[1]
    curve = next(line for line in axes.lines if line.get_label() == "profile")
    value, drop = curve.get_data()
    threshold = saved.artifacts["profile"]["threshold"]
    crossings = value[1:][np.diff(np.sign(np.asarray(drop) - threshold)) != 0]
    ends = saved.parameters["Q"].ci95
    np.testing.assert_allclose(crossings, ends, atol=np.diff(value).max() * 1.01)


def test_an_open_side_is_drawn_as_an_arrow() -> None:
    time = np.linspace(0, 1, 30)
    model = quality_factor.model(bounds=(0.5, np.inf))
    values = np.cos(2 * np.pi * time) + 0.3 * np.random.default_rng(5).standard_normal(30)
    result = ik.fit(ik.Record.from_arrays(time, x=values), model, uncertainty="profile")
    axes = plot_uncertainty(result).subfigs[0].axes[1]
    assert ">" in {line.get_marker() for line in axes.lines}


def test_a_result_without_a_kind_says_what_to_do() -> None:
    result = ik.fit(quality_factor.record(3), quality_factor.model())
    with pytest.raises(OptionError, match="fit with a kind of uncertainty"):
        plot_uncertainty(result)
