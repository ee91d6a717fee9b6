"""Options and files may come in any order, with several values, repetition, commas and negative numbers."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from identikit.cli import fit, simulate
from identikit.cli._arguments import CommandParser, numbers, open_range, ranges
from identikit.errors import OptionError


def parse(command, *tokens: str):
    parser = CommandParser(prog="identikit")
    command.configure(parser)
    return parser.parse_args(list(tokens))


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
def test_the_data_file_may_stand_anywhere(tokens: tuple[str, ...]) -> None:
    found = parse(fit, *tokens)
    assert (found.data, found.model, found.free) == (["swing.csv"], "m", ["a", "b"])


def test_data_files_may_stand_on_both_sides_of_options() -> None:
    assert parse(fit, "a.csv", "--model", "m", "b.csv", "--fix", "k=1", "c.csv").data == [
        "a.csv",
        "b.csv",
        "c.csv",
    ]


def test_an_existing_file_is_data_even_if_it_looks_like_a_value(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("swing", "run=1"):
        Path(name).touch()
    found = parse(fit, "--model", "m", "--free", "a", "swing", "--fix", "k=1", "run=1")
    assert (found.free, found.fix, found.data) == (["a"], {"k": "1"}, ["swing", "run=1"])


@pytest.mark.parametrize(
    "tokens",
    [
        ("--fix", "a=1", "b=-2", "--fix", "c=3"),
        ("--fix", "a=1,b=-2,c=3"),
        ("--fix", "a=1, b=-2", "c = 3"),
        ("--fix=a=1", "--fix=b=-2,c=3"),
    ],
)
def test_pairs_may_be_repeated_listed_or_joined_by_commas(tokens: tuple[str, ...]) -> None:
    found = parse(fit, "swing.csv", "--model", "m", *tokens)
    assert numbers(found.fix, "--fix") == {"a": 1.0, "b": -2.0, "c": 3.0}


def test_commas_inside_expressions_do_not_separate_pairs() -> None:
    found = parse(simulate, "m", "--input", "q=atan2(t,1),p=max(0, 1-t)")
    assert found.input == {"q": "atan2(t,1)", "p": "max(0, 1-t)"}


def test_negative_numbers_are_values_not_options() -> None:
    found = parse(fit, "a.csv", "--model", "m", "--start", "k=-3", "--bounds", "k=-5:5", "--trim", "-1:5")
    assert (found.start, found.bounds, found.trim) == ({"k": "-3"}, {"k": "-5:5"}, "-1:5")
    assert parse(simulate, "m", "--snr", "-3", "-o", "x.csv").snr == -3.0
    assert parse(simulate, "m", "-ox.csv").output == "x.csv"


def test_ranges_may_be_open() -> None:
    given = {"a": "-5:5", "b": "0:", "c": ":1e3", "d": "0:inf"}
    assert ranges(given, "--bounds") == {
        "a": (-5.0, 5.0),
        "b": (0.0, math.inf),
        "c": (-math.inf, 1000.0),
        "d": (0.0, math.inf),
    }
    assert open_range(":", "--trim :") == (None, None)


@pytest.mark.parametrize("text", ["1", "1:2:3", "a:b", "nan:1", ""])
def test_a_malformed_range_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match="expected"):
        open_range(text, f"--trim {text}")


def test_choices_on_the_command_line_are_those_of_the_library() -> None:
    from identikit import model, plotting
    from identikit import simulation as library
    from identikit.cli import _data_options

    assert _data_options.HOLDS == model.HOLDS
    assert simulate.SNR_KINDS == library.SNR_KINDS
    assert _data_options.PLOT_ENDINGS == plotting._style.FORMATS
