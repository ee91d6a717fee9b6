"""Options and files may come in any order, with several values, repetition, commas and negative numbers."""

from __future__ import annotations

import argparse
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import identikit as ik
from front_doors import question_of, stub_door
from identikit import model, plotting, simulation
from identikit.cli.main import COMMANDS, main

RECORD = ik.Record.from_arrays(np.arange(3.0), x=np.zeros(3))


def simulated(monkeypatch: pytest.MonkeyPatch, *words: str) -> dict[str, Any]:
    """What `identikit simulate` with these words asks for."""
    with monkeypatch.context() as patched:
        stub = stub_door(patched, "simulate", RECORD)
        assert main(["simulate", *words]) == 0
    return stub.calls[0][1]


@pytest.mark.parametrize(
    "tokens",
    [
        ("swing.csv", "--model", "m", "--free", "a,b"),
        ("--model", "m", "--free", "a,b", "swing.csv"),
        ("--free", "a,b", "swing.csv", "--model=m"),
        ("--model", "m", "--free", "a", "b", "swing.csv"),
        ("--free", "a", "--model", "m", "swing.csv", "--free", "b"),
        ("--model", "m", "--free=a,b", "--", "swing.csv"),
    ],
)
def test_the_data_file_may_stand_anywhere(tokens: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    found = question_of(monkeypatch, *tokens)
    assert (found.data, found.model, found.free) == (("swing.csv",), "m", ("a", "b"))


def test_data_files_may_stand_on_both_sides_of_options(monkeypatch: pytest.MonkeyPatch) -> None:
    found = question_of(monkeypatch, "a.csv", "--model", "m", "b.csv", "--fix", "k=1", "c.csv")
    assert found.data == ("a.csv", "b.csv", "c.csv")


def test_an_existing_file_is_data_even_if_it_looks_like_a_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("swing", "run=1"):
        Path(name).touch()
    found = question_of(monkeypatch, "--model", "m", "--free", "a", "swing", "--fix", "k=1", "run=1")
    assert (found.free, found.fix, found.data) == (("a",), {"k": 1.0}, ("swing", "run=1"))


@pytest.mark.parametrize(
    "tokens",
    [
        ("--fix", "a=1", "b=-2", "--fix", "c=3"),
        ("--fix", "a=1,b=-2,c=3"),
        ("--fix", "a=1, b=-2", "c = 3"),
        ("--fix=a=1", "--fix=b=-2,c=3"),
    ],
)
def test_pairs_may_be_repeated_listed_or_joined_by_commas(
    tokens: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert question_of(monkeypatch, "swing.csv", "--model", "m", *tokens).fix == {"a": 1.0, "b": -2.0, "c": 3.0}


def test_commas_inside_expressions_do_not_separate_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    found = simulated(monkeypatch, "m", "--input", "q=atan2(t,1),p=max(0, 1-t)")
    assert found["inputs"] == {"q": "atan2(t,1)", "p": "max(0, 1-t)"}


def test_negative_numbers_are_values_not_options(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["--start", "k=-3", "--bounds", "k=-5:5", "--trim", "-1:5"]
    found = question_of(monkeypatch, "a.csv", "--model", "m", *words)
    assert (found.start, found.bounds, found.trim) == ({"k": -3.0}, {"k": (-5.0, 5.0)}, (-1.0, 5.0))
    assert simulated(monkeypatch, "m", "--snr", "-3", "-o", "x.csv")["snr"] == -3.0
    assert Path("x.csv").exists()
    simulated(monkeypatch, "m", "-oy.csv")
    assert Path("y.csv").exists()


def test_ranges_may_be_open(monkeypatch: pytest.MonkeyPatch) -> None:
    words = ["--bounds", "a=-5:5", "b=0:", "c=:1e3", "d=0:inf", "--trim", ":"]
    found = question_of(monkeypatch, "a.csv", "--model", "m", *words)
    assert found.bounds == {"a": (-5.0, 5.0), "b": (0.0, math.inf), "c": (-math.inf, 1000.0), "d": (0.0, math.inf)}
    assert found.trim == (None, None)


@pytest.mark.parametrize("text", ["1", "1:2:3", "a:b", "nan:1", ""])
def test_a_malformed_range_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit", "a.csv", "--model", "m", "--bounds", f"k={text}"]) == 2
    said = capsys.readouterr().err
    assert f"--bounds k={text}" in said and "expected" in said
    assert not text or main(["fit", "a.csv", "--model", "m", "--trim", text]) == 2


def choices(command: str, option: str) -> tuple[str, ...]:
    """The words that an option takes, as its help lists them."""
    parser = argparse.ArgumentParser()
    COMMANDS.find(command).configure(parser)
    return next(tuple(action.choices or ()) for action in parser._actions if option in action.option_strings)


def test_choices_on_the_command_line_are_those_of_the_library(capsys: pytest.CaptureFixture[str]) -> None:
    assert choices("fit", "--hold") == choices("simulate", "--hold") == model.HOLDS
    assert choices("simulate", "--snr-kind") == simulation.SNR_KINDS
    assert main(["fit", "a.csv", "--model", "m", "--plot", "out.gif"]) == 2
    assert f"expected one of {', '.join(plotting.FORMATS)}\n" in capsys.readouterr().err
