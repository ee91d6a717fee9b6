"""`fit --again` repeats a saved fit and `predict` applies it to other data."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from identikit.cli.main import main
from identikit.result import Prediction, Result


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("again")
    simulate = ["simulate", "duffing", "--duration", "20", "--dt", "0.05"]
    assert main([*simulate, "--seed", "1", "-o", str(made / "one.csv")]) == 0
    assert main([*simulate, "--seed", "2", "--initial", "x=-1", "-o", str(made / "two.csv")]) == 0
    fit = [
        "fit",
        str(made / "one.csv"),
        "--model",
        "duffing",
        "--free",
        "c,k,k3",
        "--method",
        "shooting",
        "--seed",
        "4",
    ]
    assert main([*fit, "--json", str(made / "fit.json"), "--quiet"]) == 0
    return made


def test_a_saved_fit_is_repeated_to_the_same_numbers(folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.json"
    assert main(["fit", "--again", str(folder / "fit.json"), "--json", str(again), "--quiet"]) == 0
    first, second = Result.load(folder / "fit.json"), Result.load(again)
    assert second.parameters == first.parameters
    assert second.provenance == first.provenance
    assert second.question is not None and first.question is not None
    assert {**second.question, "model": ""} == {**first.question, "model": ""}


def test_on_other_data_with_other_options_all_else_is_as_saved(folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "again.json"
    options = ["--fix", "k3=0.5", "--json", str(again), "--quiet"]
    assert main(["fit", str(folder / "two.csv"), "--again", str(folder / "fit.json"), *options]) == 0
    result = Result.load(again)
    assert result.free == ("c", "k")
    assert result.value("k3") == 0.5
    assert result.method == "shooting"
    assert result.question is not None
    assert result.question["data"] == [str(folder / "two.csv")]
    assert result.question["seed"] == 4


def test_a_question_in_toml_is_answered(folder: Path, tmp_path: Path) -> None:
    question = tmp_path / "question.toml"
    question.write_text(
        f'model = "duffing"\ndata = "{folder / "one.csv"}"\nmethod = "shooting"\nfree = ["c", "k", "k3"]\n'
    )
    again = tmp_path / "again.json"
    assert main(["fit", "--again", str(question), "--json", str(again), "--quiet"]) == 0
    assert Result.load(again).value("k") == Result.load(folder / "fit.json").value("k")


def test_predict_prints_saves_and_draws(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved, picture = tmp_path / "p.json", tmp_path / "p.png"
    written = ["--json", str(saved), "--plot", str(picture)]
    assert main(["predict", str(folder / "fit.json"), str(folder / "two.csv"), *written]) == 0
    printed = capsys.readouterr().out
    assert "in 95 % band" in printed and f"Saved: {saved}, {picture}" in printed
    prediction = Prediction.load(saved)
    assert prediction.residuals["x"]["over_noise"] == pytest.approx(1, abs=0.15)
    assert picture.stat().st_size > 1000
    known = ["predict", str(folder / "fit.json"), str(folder / "two.csv"), "--initial", "x=-1", "v=0", "--json", "-"]
    assert main(known) == 0
    assert json.loads(capsys.readouterr().out)["initial"] == "known"
    assert main(["predict", str(folder / "fit.json"), str(folder / "two.csv"), "--first-part", "0.4"]) == 0
    assert "judged on the rest" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["fit"], "--model"),
        (["fit", "--model", "duffing"], "DATA"),
        (["fit", "--again", "none.json"], "no such file"),
        (["fit", "--again", "one.csv"], "one.csv is neither a question (.toml) nor a saved result (JSON) ("),
        (["fit", "one.csv", "--model", "duffing", "--initial", "x=1", "--initial-bounds", "x=0:1"], "choose one"),
        (["fit", "one.csv", "--model", "duffing", "--known-initial", "--initial", "x=1"], "--known-initial"),
        (["fit", "one.csv", "--model", "duffing", "--initial-bounds", "x=0:1", "--initial-prior", "x=1:0.1"], "choose"),
        (["fit", "one.csv", "--model", "duffing", "--prior", "k=1"], "such as 20:0.5"),
        (["fit", "one.csv", "--model", "duffing", "--prior", "k=1:0"], "above zero"),
        (["fit", "one.csv", "--model", "duffing", "--prior", "k=one:2"], "expected a number"),
        (["fit", "one.csv", "--model", "duffing", "--prior", "K=1:0.5"], "Did you mean"),
        (["fit", "--again", "fit.json", "--json", "fit.json"], "same file"),
        (["predict", "fit.json", "two.csv", "--json", "fit.json"], "same file"),
        (["predict", "fit.json", "two.csv", "--plot", "two.csv"], ".png"),
        (["predict", "fit.json", "two.csv", "--initial", "x=1", "--first-part", "0.2"], "give one of them"),
        (["predict", "two.csv", "two.csv"], "not a saved result"),
        (["predict", "fit.json", "two.csv", "--map", "x=y"], "no column 'y'"),
    ],
)
def test_wrong_input_gives_one_line(
    arguments: list[str],
    expected: str,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(folder)
    before = sorted(path.name for path in folder.iterdir())
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == "" and printed.err.count("\n") == 1
    assert expected in printed.err
    assert sorted(path.name for path in folder.iterdir()) == before
