"""Every wrong input ends in exit code 2 and one line that says what is wrong; nothing is written."""

from __future__ import annotations

import math
import tempfile
from pathlib import Path

import pytest

from front_doors import stub_door
from identikit.cli.main import main

ROWS = [(0.05 * i, 2 * math.exp(-0.01 * i) * math.cos(0.05 * i)) for i in range(60)]
EQUATIONS = '[parameters]\nk = {}\n[equations]\nx = "v"\nv = "%s"\n'


def table(header: str, rows) -> str:
    return "\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n"


FILES = {
    "good.csv": table("t,x", ROWS),
    "text.csv": table("t,x", [*ROWS[:10], (ROWS[10][0], "oops"), *ROWS[11:]]),
    "backwards.csv": table("t,x", [*ROWS[:10], (0.1, 1.0), *ROWS[11:]]),
    "repeating.csv": table("t,x", [*ROWS[:10], (ROWS[9][0], 1.0), *ROWS[11:]]),
    "empty.csv": "",
    "header_only.csv": "t,x\n",
    "two_rows.csv": table("t,x", ROWS[:2]),
    "constant.csv": table("t,x", [(t, 1.0) for t, _ in ROWS]),
    "all_nan.csv": table("t,x", [(t, "nan") for t, _ in ROWS]),
    "infinite.csv": table("t,x", [*ROWS[:10], (ROWS[10][0], "inf"), *ROWS[11:]]),
    "wrong_unit.csv": table("t[s],x[rad]", ROWS),
    "angle_in_metres.csv": table("t[s],theta[m]", ROWS),
    "wrong_time_unit.csv": table("t[kg],x[m]", ROWS),
    "no_time.csv": table("a,x", ROWS),
    "two_words.csv": table("t,cart position", ROWS),
    "binary.csv": "\x01\x02\x03" * 50,
    "misspelt.csv": table("t,xx", ROWS),
    "undefined.toml": EQUATIONS % "-kk*x",
    "evil.toml": EQUATIONS % "__import__('os').system('touch owned')",
    "attribute.toml": EQUATIONS % "x.__class__",
    "tower.toml": EQUATIONS % "-9**9**9*x",
    "broken.toml": "[equations\n",
    "fine.toml": EQUATIONS % "-k*x",
}


def fit(*rest: str, data: str = "good.csv", model: str = "duffing") -> list[str]:
    return ["fit", data, "--model", model, "--json", "out.json", "--plot", "out.png", *rest]


def simulate(*rest: str, model: str = "duffing") -> list[str]:
    return ["simulate", model, *rest, "-o", "out.csv"]


CASES = {
    # files
    "missing file": (fit(data="missing.csv"), "missing.csv"),
    "misspelt file": (fit(data="constnt.csv"), "Did you mean 'constant.csv'?"),
    "misspelt model file": (fit(model="finee.toml"), "no such model file. Did you mean 'fine.toml'?"),
    "binary file": (fit(data="binary.csv"), ".xlsx, .h5, .mat and .parquet"),
    "data as a saved result": (
        ["report", "good.csv"],
        "not a saved result: expected the JSON document of one (another command writes it with --json FILE)",
    ),
    "model as a saved result": (["predict", "fine.toml", "good.csv"], "fine.toml is not a saved result: expected"),
    "folder as data": (fit(data="."), "folder"),
    "text in a number": (fit(data="text.csv"), "'x' cannot be used as numbers: line 12 holds 'oops'"),
    "time backwards": (fit(data="backwards.csv"), "backwards at line 12"),
    "time repeating": (fit(data="repeating.csv"), "at line 12 repeats"),
    "empty file": (fit(data="empty.csv"), "empty.csv is empty"),
    "header only": (fit(data="header_only.csv"), "no data"),
    "two rows": (fit(data="two_rows.csv"), "at least 3"),
    "constant channel": (fit(data="constant.csv"), "'x' is constant"),
    "all nan": (fit(data="all_nan.csv"), "'x' holds no value"),
    "infinite value": (fit(data="infinite.csv"), "line 12 holds 'inf'"),
    "unit does not fit": (fit(data="wrong_unit.csv"), "column 'x': The unit 'rad'"),
    "angle in metres": (fit(data="angle_in_metres.csv", model="pendulum"), "column 'theta': The unit 'm'"),
    "time unit does not fit": (fit(data="wrong_time_unit.csv"), "'kg'"),
    "no time column": (fit(data="no_time.csv"), "--time COL"),
    "no output column": (fit(data="misspelt.csv"), "Columns: xx. (--map x=COLUMN)"),
    "second file missing": (["fit", "good.csv", "missing.csv", "--model", "duffing"], "missing.csv"),
    # columns
    "misspelt column": (fit("--map", "x=xx"), "Did you mean 'x'?"),
    "unknown output": (fit("--map", "y=x"), "no output 'y'"),
    "misspelt column of two words": (
        fit("--map", "x=cart postion", data="two_words.csv"),
        "two_words.csv has no column 'cart postion'. Did you mean 'cart position'?",
    ),
    "misspelt column of an input": (
        fit(
            "--input",
            "q_v=cart postion",
            "--map",
            "theta=cart position",
            data="two_words.csv",
            model="horizontal_pendulum",
        ),
        "two_words.csv has no column 'cart postion'. Did you mean 'cart position'?",
    ),
    "misspelt time column": (fit("--time", "tt"), "Did you mean 't'?"),
    "misspelt segments column": (fit("--segments", "run"), "no column 'run'"),
    "unit of an unknown column": (fit("--unit", "y=deg"), "'y'"),
    "unknown unit": (fit("--unit", "x=flurb"), "'flurb'"),
    "unit by option does not fit": (fit("--unit", "x=deg"), "'deg'"),
    "unknown input": (fit("--input", "F=x"), "no input 'F'"),
    "misspelt input column": (
        fit("--map", "theta=x", "--input", "q_v=xx", model="horizontal_pendulum"),
        "Did you mean 'x'?",
    ),
    "evil input": (
        fit("--map", "theta=x", "--input", "q_v=__import__('os').getcwd()", model="horizontal_pendulum"),
        "input 'q_v'",
    ),
    # models
    "unknown model": (fit(model="duffng"), "Did you mean 'duffing'?"),
    "missing model file": (fit(model="missing.toml"), "missing.toml"),
    "undefined symbol": (fit(model="undefined.toml"), "undefined symbol 'kk'"),
    "code in an equation": (fit(model="evil.toml"), "evil.toml"),
    "attribute in an equation": (fit(model="attribute.toml"), "not allowed"),
    "tower of powers": (fit(model="tower.toml"), "exponent"),
    "broken toml": (fit(model="broken.toml"), "line 1"),
    # parameters, options, methods
    "unknown method": (fit("--method", "shoting"), "Did you mean 'shooting'?"),
    "unknown option": (fit("--option", "segmnt=1"), "Did you mean 'segment'?"),
    "option is no number": (fit("--option", "segment=abc"), "'abc'"),
    "option is nan": (fit("--option", "segment=nan"), "'nan'"),
    "unknown free parameter": (fit("--free", "c,kk"), "Did you mean 'k'?"),
    "no free parameter": (fit("--free", ","), "--free"),
    "free twice": (fit("--free", "c,c"), "twice"),
    "free and fixed": (fit("--free", "c", "--fix", "c=1"), "both free and fixed"),
    "unknown fixed parameter": (fit("--fix", "kk=1"), "'kk'"),
    "start of a fixed parameter": (fit("--start", "m=2"), "'m'"),
    "start outside bounds": (fit("--start", "c=-3"), "outside its bounds"),
    "start outside given bounds": (fit("--start", "k=3", "--bounds", "k=0:1"), "outside its bounds"),
    "bounds the wrong way round": (fit("--bounds", "k=5:1"), "bounds of 'k'"),
    "bounds without colon": (fit("--bounds", "k=5"), "--bounds k=5"),
    "bounds nan": (fit("--bounds", "k=nan:1"), "--bounds k=nan:1"),
    "bounds of an unknown parameter": (fit("--bounds", "kk=0:1"), "'kk'"),
    "pair without value": (fit("--fix", "k="), "--fix k="),
    "pair without name": (fit("--fix", "=3"), "--fix =3"),
    "pair without equals": (fit("--fix", "k"), "--fix k"),
    "pair is no number": (fit("--fix", "k=abc"), "'abc'"),
    "value nan": (fit("--fix", "k=nan"), "finite"),
    "value infinite": (fit("--start", "k=inf"), "finite"),
    "value twice": (fit("--fix", "k=1", "k=2"), "twice"),
    "trim without colon": (fit("--trim", "5"), "--trim 5"),
    "trim the wrong way round": (fit("--trim", "2:1"), "before end"),
    "trim outside the record": (fit("--trim", "50:60"), "runs from 0 to"),
    "smooth friction of zero": (fit("--smooth-friction", "0"), "above zero"),
    "negative seed": (fit("--seed", "-1"), "--seed"),
    "unknown hold": (fit("--hold", "cubicc"), "zero_order"),
    # outputs of fit
    "json folder missing": (["fit", "good.csv", "--model", "duffing", "--json", "no/out.json"], "no folder"),
    "json is a folder": (["fit", "good.csv", "--model", "duffing", "--json", "."], "folder"),
    "json over the data": (["fit", "good.csv", "--model", "duffing", "--json", "good.csv"], "same file"),
    "plot folder missing": (["fit", "good.csv", "--model", "duffing", "--plot", "no/out.png"], "no folder"),
    "plot of unknown kind": (["fit", "good.csv", "--model", "duffing", "--plot", "out.gif"], ".png"),
    "plot over the json": (fit("--plot", "out.png", "--json", "out.png"), "same file"),
    # simulate
    "dt zero": (simulate("--dt", "0"), "above zero"),
    "dt negative": (simulate("--dt", "-0.1"), "above zero"),
    "duration negative": (simulate("--duration", "-5"), "above zero"),
    "duration nan": (simulate("--duration", "nan"), "finite"),
    "too many samples": (simulate("--dt", "1e-9"), "at most 50,000,000"),
    "infinitely many samples": (simulate("--dt", "1e-320"), "at most 50,000,000"),
    "too few samples": (simulate("--dt", "60"), "at least 3"),
    "no ready experiment": (simulate(model="fine.toml"), "duration and dt"),
    "parameter without value": (simulate("--duration", "1", "--dt", "0.1", model="fine.toml"), "--set k="),
    "set an unknown parameter": (simulate("--set", "kk=1"), "'kk'"),
    "set nan": (simulate("--set", "k=nan"), "finite"),
    "unknown initial state": (simulate("--initial", "y=1"), "no state 'y'"),
    "initial state infinite": (simulate("--initial", "x=-inf"), "finite"),
    "noise of an unknown output": (simulate("--noise", "y=1"), "no output 'y'"),
    "noise negative": (simulate("--noise", "x=-1"), "zero or more"),
    "noise and ratio": (simulate("--noise", "x=1", "--snr", "3"), "one of them"),
    "kind without ratio": (simulate("--snr-kind", "ac"), "--snr DB"),
    "hold without inputs": (simulate("--hold", "linear"), "--inputs-from"),
    "simulate an unknown input": (simulate("--input", "F=1"), "no input 'F'"),
    "input not finite": (simulate("--input", "q_v=1/t", model="horizontal_pendulum"), "at t = 0"),
    "input of unknown symbol": (simulate("--input", "q_v=a*t", model="horizontal_pendulum"), "'a'"),
    "inputs from a missing file": (
        simulate("--inputs-from", "missing.csv", model="horizontal_pendulum"),
        "missing",
    ),
    "inputs without their column": (
        simulate("--inputs-from", "good.csv", model="horizontal_pendulum"),
        "(q_h, q_v)",
    ),
    "output folder missing": (["simulate", "duffing", "-o", "no/out.csv"], "no folder"),
    "output is a spreadsheet": (["simulate", "duffing", "-o", "out.xlsx"], ".csv"),
    "blow-up": (simulate("--set", "k3=-5"), "grows without bound"),
    # the command line itself
    "no command": ([], "no command"),
    "unknown command": (["fti"], "'fti'"),
    "unknown flag": (["fit", "good.csv", "--modle", "duffing"], "Did you mean '--model'?"),
    "flag without value": (["fit", "good.csv", "--model", "duffing", "--free"], "--free: expected a value"),
    "no model": (["fit", "good.csv"], "--model"),
    "no data": (["fit", "--model", "duffing"], "DATA"),
    "too many names": (["models", "duffing", "pendulum"], "'pendulum'"),
    "describe an unknown model": (["models", "dufing"], "Did you mean 'duffing'?"),
    "describe an unknown method": (["methods", "shoting"], "Did you mean 'shooting'?"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, content in FILES.items():
        (tmp_path / name).write_text(content)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("case", CASES)
def test_wrong_input_gives_one_line_and_no_file(case: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, expected = CASES[case]
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("identikit: ")
    assert printed.err.count("\n") == 1
    assert expected in printed.err
    assert {path.name: path.read_text() for path in folder.iterdir()} == FILES


def test_a_folder_that_cannot_be_written_is_found_before_the_fit(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    # replaced instead of chmod, which does not stop the superuser that runs tests in a container
    monkeypatch.setattr(tempfile, "TemporaryFile", refuse)
    stub_door(monkeypatch, "fit", lambda *_, **__: pytest.fail("the fit has started"))
    assert main(["fit", "good.csv", "--model", "duffing", "--json", "out.json"]) == 2
    assert "cannot be written to (Permission denied)" in capsys.readouterr().err
    assert {path.name for path in folder.iterdir()} == set(FILES)
