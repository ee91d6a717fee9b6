"""What is said of the noise of outputs, read: by name or for all, as a kind, a level, a column, or all of these."""

from __future__ import annotations

import math

import pytest

from identikit.errors import ProblemError
from identikit.problem import Noise, NoiseKind, noise_of_outputs

OUTPUTS = ("x", "y")


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (None, {"x": Noise(), "y": Noise()}),
        ({}, {"x": Noise(), "y": Noise()}),
        ("white", {"x": Noise(NoiseKind.WHITE), "y": Noise(NoiseKind.WHITE)}),
        ({"x": "ar"}, {"x": Noise(NoiseKind.AR), "y": Noise()}),
        ({"*": "student", "y": "white"}, {"x": Noise(NoiseKind.STUDENT), "y": Noise(NoiseKind.WHITE)}),
        ({"x": 0.5}, {"x": Noise(level=0.5), "y": Noise()}),
        ({"x": "error"}, {"x": Noise(column="error"), "y": Noise()}),
        ({"x": {"kind": "lognormal", "level": 0.1}}, {"x": Noise(NoiseKind.LOGNORMAL, 0.1), "y": Noise()}),
        ({"x": {"column": "error"}}, {"x": Noise(column="error"), "y": Noise()}),
    ],
)
def test_what_is_not_said_is_chosen_from_the_residuals(asked: object, expected: dict[str, Noise]) -> None:
    assert noise_of_outputs(OUTPUTS, ("x", "y", "error"), asked) == expected  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        ({"z": "white"}, "'z', which is not measured"),
        ({"x": "pink"}, "neither a kind of noise"),
        ({"x": {"kind": "pink"}}, "is 'pink': expected one of"),
        ({"x": {"colour": 1}}, "no entry 'colour'"),
        ({"x": 0.0}, "above zero"),
        ({"x": -1.0}, "above zero"),
        ({"x": math.inf}, "above zero"),
        ({"x": {"column": "nowhere"}}, "'nowhere', which is neither"),
    ],
)
def test_what_makes_no_sense_is_refused(asked: dict[str, object], word: str) -> None:
    with pytest.raises(ProblemError, match=word):
        noise_of_outputs(OUTPUTS, ("x", "y", "error"), asked)  # type: ignore[arg-type]


def test_columns_are_not_asked_for_where_they_are_not_known() -> None:
    assert noise_of_outputs(OUTPUTS, None, {"x": "anywhere"})["x"].column == "anywhere"


def test_a_level_is_known_if_it_is_given_or_stands_in_a_column() -> None:
    assert (Noise().known_level, Noise(level=0.5).known_level, Noise(column="error").known_level) == (None, 0.5, 1.0)
    absolute = [item.absolute for item in (Noise(), Noise(NoiseKind.LOGNORMAL), Noise(column="error"))]
    assert absolute == [True, False, False]


@pytest.mark.parametrize(
    ("noise", "plain", "title"),
    [
        (Noise(), True, "white"),
        (Noise(NoiseKind.WHITE, 0.5), True, "white"),
        (Noise().shaped((0.5,)), False, "autoregressive"),
        (Noise().shaped((), 4.0), False, "Student t with 4 degrees of freedom"),
        (Noise().rounded(0.1), False, "white, rounded to steps of 0.1"),
        (Noise(NoiseKind.LOGNORMAL), False, "log-normal"),
    ],
)
def test_noise_is_plain_where_squares_are_all_there_is(noise: Noise, plain: bool, title: str) -> None:
    assert noise.plain == plain and title in noise.title


def test_a_new_shape_replaces_the_old_one() -> None:
    assert Noise().rounded(0.1).shaped((0.5,), 4.0) == Noise(memory=(0.5,), freedom=4.0)
    assert Noise().shaped((0.5,), 4.0).shaped() == Noise()
