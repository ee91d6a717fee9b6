"""identikit plot draws whatever was saved, in the usual way or as a response, and refuses what it cannot draw."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import identikit as ik
from identikit.cli.main import main
from identikit.plotting import plot_response

TIME = np.arange(400) * 0.05


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plot") / "fit.json"
    values = np.exp(-0.05 * TIME) * np.cos(2 * np.pi * 0.4 * TIME) + 0.01 * np.random.default_rng(0).standard_normal(
        400
    )
    ik.fit(ik.Record.from_arrays(TIME, {"x": values}), "duffing", method="shooting").save(path)
    return path


@pytest.mark.parametrize("kind", ["usual", "response"])
def test_a_saved_fit_is_drawn(saved: Path, tmp_path: Path, kind: str) -> None:
    picture = tmp_path / "picture.png"
    assert main(["plot", str(saved), "-o", str(picture), "--kind", kind]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_the_spectrum_peaks_where_the_motion_is_and_the_model_peaks_with_it(saved: Path) -> None:
    spectrum = plot_response(ik.Result.load(saved)).axes[1]
    for line in spectrum.get_lines():
        frequency, amplitude = (np.asarray(part, float) for part in line.get_data())
        assert frequency[np.argmax(amplitude)] == pytest.approx(0.4, abs=0.06)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["{saved}", "-o", "picture.gif"], "the ending '.gif' is not known"),
        (["{saved}", "-o", "{saved}"], "the ending '.json' is not known"),
        (["{saved}"], "required"),
        (["nothing.json", "-o", "picture.png"], "no such result file"),
    ],
)
def test_what_cannot_be_drawn_is_one_line_and_nothing_written(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str],
    arguments: list[str], message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["plot", *(word.format(saved=saved) for word in arguments)]) == 2
    error = capsys.readouterr().err
    assert message in error and error.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_document_of_another_kind_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "other.json").write_text('{"schema": "recipe/1"}')
    assert main(["plot", str(tmp_path / "other.json"), "-o", str(tmp_path / "picture.png")]) == 2
    assert "schema is 'recipe/1'" in capsys.readouterr().err
