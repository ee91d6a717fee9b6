"""The picture of a fit shows every output and record, also from a saved result, and is written whole."""

from __future__ import annotations

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
    return [axes.get_ylabel() for axes in figure.axes if axes.get_ylabel()]


def test_axes_carry_names_and_units() -> None:
    figure = plot_fit(fitted())
    assert labels(figure) == ["x [m]", "residual [m]"]
    assert "time [s]" in [axes.get_xlabel() for axes in figure.axes]


def test_every_output_has_its_own_panels() -> None:
    assert labels(plot_fit(fitted(("x", "y", "z")))) == [
        *("x [m]", "residual [m]"),
        *("y [m]", "residual [m]"),
        *("z [m]", "residual [m]"),
    ]


@pytest.mark.parametrize(("outputs", "records", "drawn"), [(("x",), 6, 6), (("x",), 9, 6), (("x", "y"), 4, 3)])
def test_records_beyond_the_limit_are_said_in_words(outputs: tuple[str, ...], records: int, drawn: int) -> None:
    figure = plot_fit(fitted(outputs, records, samples=30))
    assert len(labels(figure)) == 2 * drawn * len(outputs)
    said = f"{drawn} of {records} records" in figure.get_suptitle()
    assert said is (records > drawn)


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
