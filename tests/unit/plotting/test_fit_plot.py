"""The picture of a fit shows every output and record, also from a saved result, and is written whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from identikit.errors import OptionError
from identikit.plotting import plot_fit
from identikit.result import Code, FitQuality, NoiseFound, Result, Status


def fitted(outputs: tuple[str, ...] = ("x",), records: int = 1, samples: int = 200) -> Result:
    random = np.random.default_rng(0)
    t = np.linspace(0, 10, samples)
    artifacts = {}
    for output in outputs:
        for record in range(records):
            measured = np.cos(3 * t) + 0.05 * random.standard_normal(samples)
            measured[5:8] = np.nan
            artifacts[f"{output}, run {record}"] = {
                "kind": "curve",
                "output": output,
                "record": f"run {record}",
                "unit": "m",
                "time_unit": "s",
                "t": t,
                "measured": measured,
                "modelled": np.where(np.isnan(measured), np.nan, np.cos(3 * t)),
            }
    return Result(
        "duffing",
        "shooting",
        Status(Code.OK, "converged"),
        {},
        noise={output: NoiseFound(0.05, True) for output in outputs},
        fit={output: FitQuality(0.05, 93.0, 99.0) for output in outputs},
        artifacts=artifacts,
    )


def labels(figure) -> list[str]:
    """Of the panels over time."""
    return [axes.get_ylabel() for axes in figure.axes if axes.get_ylabel() not in ("", "correlation")]


def titles(figure) -> list[str]:
    return [axes.get_title(loc="left") for axes in figure.axes]


def with_artifacts(result: Result, **artifacts: dict) -> Result:
    return replace(result, artifacts={**result.artifacts, **artifacts})


def correlation(output: str, size: float, driven: str | None = None) -> dict:
    lags = np.arange(1, 31)
    values = size * np.cos(lags / 5)
    return {
        "kind": "correlation",
        "output": output,
        "input": driven,
        "lags": lags,
        "values": values,
        "bound": np.full(30, 0.1),
    }


def held(record: str = "run 0") -> dict:
    return {
        "kind": "input",
        "name": "F",
        "record": record,
        "unit": "N",
        "time_unit": "s",
        "hold": "zero_order",
        "t": [0.0, 4.0, 10.0],
        "values": [1.0, 2.0, 2.0],
    }


def test_axes_carry_names_and_units() -> None:
    figure = plot_fit(fitted())
    assert labels(figure) == ["x [m]", "residual [m]"]
    assert "time [s]" in [axes.get_xlabel() for axes in figure.axes]


def test_every_output_has_its_own_panels() -> None:
    assert labels(plot_fit(fitted(("x", "y", "z")))) == ["x [m]", "residual", "y [m]", "residual", "z [m]", "residual"]


def test_twelve_outputs_stay_a_picture_that_can_be_read() -> None:
    figure = plot_fit(with_artifacts(fitted(tuple(f"x{i}" for i in range(12)), samples=30), F=held()))
    assert sum(label.startswith("x") for label in labels(figure)) == 12
    width, height = figure.get_size_inches()
    assert height <= 11
    assert width <= 17
    assert "drawn" not in figure.get_suptitle()


def test_outputs_beyond_twelve_are_said_in_words() -> None:
    figure = plot_fit(fitted(tuple(f"x{i}" for i in range(15)), samples=30))
    assert len(labels(figure)) == 2 * 12
    assert "12 of 15 outputs" in figure.get_suptitle()


@pytest.mark.parametrize(
    ("outputs", "records", "drawn"), [(("x",), 6, 6), (("x",), 9, 6), (("x", "y"), 4, 3), (tuple("abcdef"), 2, 1)]
)
def test_records_beyond_the_limit_are_said_in_words(outputs: tuple[str, ...], records: int, drawn: int) -> None:
    figure = plot_fit(fitted(outputs, records, samples=30))
    assert len(labels(figure)) == 2 * drawn * len(outputs)
    said = f"{drawn} of {records} records" in figure.get_suptitle()
    assert said is (records > drawn)


def test_the_model_is_drawn_between_samples() -> None:
    sparse = fitted(samples=12)
    dense_t = np.linspace(0, 10, 500)
    curve = {**sparse.artifacts["x, run 0"], "dense_t": dense_t, "dense": np.cos(3 * dense_t)}
    model = drawn_model(plot_fit(with_artifacts(sparse, **{"x, run 0": curve})))
    assert np.array_equal(model.get_xdata(), dense_t)
    assert np.abs(model.get_ydata()).max() > 0.999


def test_a_result_without_a_dense_curve_is_drawn_at_its_samples() -> None:
    result = fitted(samples=12)
    known = np.isfinite(result.artifacts["x, run 0"]["modelled"])
    assert np.array_equal(drawn_model(plot_fit(result)).get_xdata(), np.linspace(0, 10, 12)[known])


@pytest.mark.parametrize(("std", "seen"), [(0.1, True), (1e-6, False)])
def test_a_band_is_drawn_where_it_can_be_seen(std: float, seen: bool) -> None:
    dense_t = np.linspace(0, 10, 500)
    curve = {
        **fitted().artifacts["x, run 0"],
        "dense_t": dense_t,
        "dense": np.cos(3 * dense_t),
        "dense_std": np.full(500, std),
    }
    figure = plot_fit(with_artifacts(fitted(), **{"x, run 0": curve}))
    assert any("standard errors" in text.get_text() for text in figure.legends[0].get_texts()) is seen


def test_an_input_stands_over_the_same_time_and_is_held_in_steps() -> None:
    figure = plot_fit(with_artifacts(fitted(), F=held()))
    (panel,) = (axes for axes in figure.axes if axes.get_title(loc="left") == "input F [N]")
    assert panel.lines[0].get_drawstyle() == "steps-post"
    assert panel.get_shared_x_axes().joined(panel, figure.axes[0])
    assert panel.get_xlabel() == "time [s]"
    assert figure.axes[0].get_xlabel() == ""


def test_an_input_of_another_record_is_not_drawn() -> None:
    assert not any(title.startswith("input") for title in titles(plot_fit(with_artifacts(fitted(), F=held("other")))))


def test_correlations_have_confidence_lines() -> None:
    both = with_artifacts(fitted(), own=correlation("x", 0.05), crossed=correlation("x", 0.3, "F"))
    figure = plot_fit(both)
    own, crossed = (axes for axes in figure.axes if axes.get_ylabel() == "correlation")
    assert "autocorrelation: 0 % outside" in own.get_title(loc="left")
    assert "with inputs: 0 %" not in crossed.get_title(loc="left")
    for axes in (own, crossed):
        assert sorted(line.get_ydata()[0] for line in axes.lines if len(line.get_xdata()) == 30) == [-0.1, 0.1]


def test_of_many_correlations_those_beyond_their_lines_are_named() -> None:
    many = {f"r{i}": correlation(f"x{i}", 0.9 if i == 4 else 0.05) for i in range(9)}
    figure = plot_fit(with_artifacts(fitted(), **many))
    (axes,) = (axes for axes in figure.axes if axes.get_ylabel() == "correlation")
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["x4"]


def test_residuals_are_shown_against_the_noise_of_the_record() -> None:
    misfit = fitted(samples=600)
    curve = dict(misfit.artifacts["x, run 0"])
    curve["modelled"] = curve["modelled"] + 0.3 * np.sin(curve["t"])
    figure = plot_fit(with_artifacts(misfit, **{"x, run 0": curve}))
    words = figure.axes[1].get_title(loc="left")
    assert "rms 0.21 m" in words
    assert "noise of the record 0.05" in words


def test_noise_that_the_record_does_not_tell_is_not_said() -> None:
    assert "noise of the record" not in plot_fit(fitted(samples=20)).axes[1].get_title(loc="left")


def drawn_model(figure):
    (line,) = (line for line in figure.axes[0].lines if line.get_label() == "model")
    return line


def test_a_saved_result_is_drawn_like_the_fresh_one(tmp_path: Path) -> None:
    fitted().save(tmp_path / "result.json")
    plot_fit(fitted(), tmp_path / "fresh.png")
    plot_fit(Result.load(tmp_path / "result.json"), tmp_path / "loaded.png")
    assert (tmp_path / "fresh.png").read_bytes() == (tmp_path / "loaded.png").read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fresh.png", "loaded.png", "result.json"]


@pytest.mark.parametrize(("name", "beginning"), [("fit.pdf", b"%PDF"), ("fit.svg", b"<?xml"), ("FIT.PNG", b"\x89PNG")])
def test_the_ending_chooses_the_format(tmp_path: Path, name: str, beginning: bytes) -> None:
    plot_fit(fitted(samples=20), tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(beginning)


def test_an_unknown_ending_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match=r"\.gif"):
        plot_fit(fitted(), tmp_path / "fit.gif")
    assert list(tmp_path.iterdir()) == []


def test_a_result_without_curves_becomes_a_picture_of_its_reason() -> None:
    reason = "4 measured values for 5 unknowns: measure more"
    figure = plot_fit(Result("duffing", "shooting", Status(Code.NOT_APPLICABLE, reason), {}))
    assert reason in " ".join(text.get_text() for text in figure.texts)
    assert "not applicable" in figure.get_suptitle()


def test_a_curve_without_noise_level_or_samples_is_drawn() -> None:
    bare = fitted(samples=20)
    curve = dict(bare.artifacts["x, run 0"], measured=np.full(20, np.nan), modelled=np.full(20, np.nan), unit="")
    figure = plot_fit(Result("duffing", "shooting", bare.status, {}, artifacts={"x": curve}))
    assert labels(figure) == ["x", "residual"]


def test_names_with_dollars_and_backslashes_are_drawn_as_they_are(tmp_path: Path) -> None:
    name = r"$\frac{1}$ <b> \input{a}"
    figure = plot_fit(fitted((name,), records=2), tmp_path / "fit.png")
    assert (tmp_path / "fit.png").exists()  # as mathematics it could not have been drawn
    shown = [axes.yaxis.get_label() for axes in figure.axes if name in axes.get_ylabel()]
    assert shown and not any(text.get_parse_math() for text in shown)
