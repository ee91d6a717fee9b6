"""Files as they come: each kind is read with one option at most, each refusal names the option that helps."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from identikit.cli.main import main

TIME = np.arange(120) * 0.05
NOISE = 0.001 * np.random.default_rng(1).standard_normal(len(TIME))
SWING = 0.3 * np.exp(-0.05 * TIME) * np.cos(np.sqrt(4 - 0.0025) * TIME) + NOISE  # x'' + 0.1 x' + 4 x = 0
MODEL = """
name = "spring"
[parameters]
k = { unit = "1/s^2", bounds = [0.1, 100] }
c = { unit = "1/s", bounds = [0, 10] }
[equations]
"x''" = "-k*x - c*x'"
[outputs]
x = { expression = "x", unit = "m" }
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("spring.toml").write_text(MODEL)
    pairs = list(zip(TIME, SWING, strict=True))
    _write("headless.csv", "", [f"{t:.3f},{x:.8f}" for t, x in pairs])
    _write("timeless.csv", "x", [f"{x:.8f}" for x in SWING])
    _write("commas.csv", "t;x_mm", [f"{t:.3f};{1000 * x:.5f}".replace(".", ",") for t, x in pairs])
    _write("epoch.csv", "timestamp,x", [f"{1.7e12 + 1000 * t:.0f},{x:.8f}" for t, x in pairs])
    _write("long.csv", "observable,time,value", [f"x,{t:.3f},{x:.8f}" for t, x in pairs])
    _write("raw.csv", "t,pos 1", [f"{t:.3f},{5 + 1000 * x:.5f}" for t, x in pairs])
    return tmp_path


def _write(name: str, header: str, rows: list[str]) -> None:
    Path(name).write_text("\n".join([header, *rows] if header else rows) + "\n")


@pytest.mark.parametrize(
    "words",
    [
        ["headless.csv", "--columns", "t,x"],
        ["timeless.csv", "--rate", "20"],
        ["timeless.csv", "--dt", "0.05"],
        ["commas.csv"],
        ["epoch.csv"],
        ["long.csv"],
        ["raw.csv", "--map", "x=(`pos 1` - 5)/1000"],
    ],
)
def test_every_kind_of_file_gives_the_same_fit(folder: Path, words: list[str]) -> None:
    assert main(["fit", *words, "--model", "spring.toml", "--json", "fit.json", "--quiet"]) == 0
    saved = json.loads(Path("fit.json").read_text())
    for name, truth in (("k", 4.0), ("c", 0.1)):
        found = saved["parameters"][name]
        assert abs(found["value"] - truth) < 4 * found["std"], (name, found)


def test_how_a_file_was_read_is_saved_and_repeated(folder: Path) -> None:
    first = ["fit", "headless.csv", "--columns", "t,pos", "--map", "x=pos + 0", "--model", "spring.toml"]
    assert main([*first, "--trim", "0:5", "--no-unwrap", "--json", "fit.json", "--quiet"]) == 0
    assert main(["fit", "--again", "fit.json", "--json", "again.json", "--quiet"]) == 0
    one, two = (json.loads(Path(name).read_text()) for name in ("fit.json", "again.json"))
    assert one["parameters"]["k"] == two["parameters"]["k"]
    assert two["question"]["columns"] == ["t", "pos"] and two["question"]["outputs"] == {"x": "pos + 0"}
    assert two["question"]["unwrap"] is False
    # a rate instead of the time column: the new way of counting time takes the place of the old one
    words = ["fit", "--again", "fit.json", "--dt", "0.05", "--json", "dt.json", "--quiet"]
    assert main(words) == 0
    assert json.loads(Path("dt.json").read_text())["question"]["dt"] == 0.05


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["headless.csv"], r"line 1, has no header row.*\(--columns t,A,B\)"),
        (["timeless.csv"], r"no column named 't'.*\(--time COL, --rate HZ or --dt SECONDS\)"),
        (["headless.csv", "--columns", "t,,x"], "names separated by commas"),
        (["timeless.csv", "--rate", "-3"], "number above zero"),
        (["timeless.csv", "--rate", "20", "--dt", "0.05"], "give one of them"),
        (["raw.csv", "--map", "x=pos1"], "has no column 'pos1'.*Did you mean 'pos 1'.*Known: pos 1"),
        (["raw.csv", "--map", "x=`pos 2` - 5"], "no column 'pos 2'.*Did you mean 'pos 1'"),
        (["raw.csv", "--unit", "pos=mm"], "'pos', which is not a column. .*Known: t, pos 1"),
        (["raw.csv", "--segments", "run"], "no column 'run' for the segments. Known: t, pos 1"),
        (["raw.csv", "--long", "name,value"], "no column 'name'. Known: t, pos 1"),
        (["raw.csv", "--sheet", "one"], "holds one table"),
        (["epoch.csv", "--trim", "50:60"], "the record runs from 0 to 5.95"),
    ],
)
def test_a_refusal_says_what_there_is_and_what_helps(
    folder: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fit", *words, "--model", "spring.toml", "--json", "fit.json"]) == 2
    error = capsys.readouterr().err
    assert re.search(said, error), error
    assert not Path("fit.json").exists()
