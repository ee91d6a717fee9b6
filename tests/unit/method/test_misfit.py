"""Whether a model describes a record: residuals against the record's own noise, and parameters between its parts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import identikit as ik
from identikit.likelihood import Agreement, Part
from identikit.method import Misfit
from identikit.problem import Problem
from identikit.result import FitQuality, NoiseFound, Severity

MODEL = ik.Model.from_text(
    "two", equations={"x": "-c*x", "y": "-k*y"}, parameters={"c": 0.1, "k": 4.0}, outputs=["x", "y"]
)
TIME = np.linspace(0, 5, 60)
PROBLEM = Problem.pose(MODEL, ik.Record.from_arrays(TIME, x=np.exp(-0.1 * TIME), y=np.exp(-4 * TIME)))
P = np.array([0.1, 4.0])
WHITE, COLOURED, UNTESTED = NoiseFound(0.1, True), NoiseFound(0.1, False), NoiseFound(0.1, None)


def quality(percent: float) -> FitQuality:
    return FitQuality(0.1, percent, percent)


def misfit(noise: NoiseFound = COLOURED, percent: float = 80.0, excess: float = 5.0) -> Misfit:
    """Of x; y is as it should be."""
    return Misfit({"x": noise, "y": WHITE}, {"x": quality(percent), "y": quality(99.9)}, {"x": excess, "y": 1.0})


def parts(c: list[float], k: list[float], std: float = 0.001, p_value: float = 1e-9) -> Agreement:
    """What each part says."""
    made = tuple(
        Part(0, float(i), i + 1.0, np.ones(2), np.array([a, b]) - P, np.array([std, std]))
        for i, (a, b) in enumerate(zip(c, k, strict=True))
    )
    return Agreement(made, p_value, "time", np.zeros(2), np.zeros(2), np.zeros(2))


APART = parts([0.1, 0.15, 0.2], [4.0, 4.0, 4.0])


def refused(case: Misfit, agreement: Agreement | None = None) -> list[tuple[str, tuple[str, ...]]]:
    found = case.refusals(PROBLEM, P, agreement)
    assert all(item.severity is Severity.REFUSAL for item in found)
    return [(item.code, item.about) for item in found]


# What is left over against the record's own noise


def test_the_excess_is_the_error_over_the_records_own_noise() -> None:
    fits = {"x": FitQuality(0.3, 90.0, 99.0), "y": FitQuality(0.05, 99.0, 99.9)}
    found = Misfit.of(PROBLEM, np.array([0.1, 0.05]), {"x": COLOURED, "y": WHITE}, fits)
    assert found.excess == pytest.approx({"x": 3.0, "y": 1.0})
    assert Misfit.of(PROBLEM, None, {"x": COLOURED, "y": WHITE}, fits).excess == {"x": 1.0, "y": 1.0}
    assert Misfit.of(PROBLEM, np.array([0.0, 0.05]), {"x": COLOURED, "y": WHITE}, fits).excess["x"] == 1.0


@pytest.mark.parametrize(
    ("noise", "excess"),
    [
        (NoiseFound(0.1, False, freedom=3.0), 1.0),  # gross errors make up most of the error, and are no pattern
        (NoiseFound(0.1, False, freedom=3.0, absolute=False), 3.0),  # a level in another unit says nothing of it
        (NoiseFound(0.1, False), 3.0),
    ],
)
def test_of_noise_with_outliers_the_level_of_the_others_counts(noise: NoiseFound, excess: float) -> None:
    fits = {"x": FitQuality(0.3, 90.0, 99.0), "y": FitQuality(0.05, 99.0, 99.9)}
    assert Misfit.of(PROBLEM, np.array([0.1, 0.05]), {"x": noise, "y": WHITE}, fits).excess["x"] == pytest.approx(
        excess
    )


@pytest.mark.parametrize(
    ("case", "white", "missed"),
    [
        (misfit(), False, ("x",)),
        (misfit(WHITE), True, ()),
        (misfit(UNTESTED), False, ()),  # what was not tested is no pattern
        (misfit(excess=1.5), False, ()),  # coloured, and as small as the record's own noise
        (misfit(replace(COLOURED, memory=(0.5,))), False, ()),  # its memory was fitted
    ],
)
def test_a_pattern_is_coloured_and_more_than_noise(case: Misfit, white: bool, missed: tuple[str, ...]) -> None:
    assert (case.white, case.missed, case.pattern) == (white, missed, bool(missed))


# Refusals


def test_a_pattern_in_a_tenth_of_the_signal_is_refused_and_in_less_it_is_not() -> None:
    assert refused(misfit(percent=89.0)) == [("unexplained_pattern", ("x",))]
    assert refused(misfit(percent=91.0)) == []
    assert refused(misfit(WHITE, percent=50.0)) == [], "noise is no pattern, however much of it"
    both = Misfit(dict.fromkeys("xy", COLOURED), dict.fromkeys("xy", quality(70.0)), dict.fromkeys("xy", 5.0))
    assert refused(both) == [("unexplained_pattern", ("x",)), ("unexplained_pattern", ("y",))]
    (text,) = [item.text for item in misfit(percent=89.0).refusals(PROBLEM, P, None)]
    assert "explains 89 % of x" in text and "5 times" in text


def test_a_parameter_that_every_part_knows_and_that_differs_is_refused() -> None:
    found = misfit(percent=95.0)
    assert refused(found, APART) == [("unsteady_parameter", ("c",))]
    (text,) = [item.text for item in found.refusals(PROBLEM, P, APART)]
    assert "c is 0.1 in the first part of the record and 0.2 in the last (between 0.1 and 0.2)" in text


@pytest.mark.parametrize(
    ("case", "agreement"),
    [
        (misfit(percent=99.5), APART),  # less than a hundredth is left over
        (misfit(WHITE, percent=95.0), APART),  # what is left over is noise
        (misfit(percent=95.0), None),
        (misfit(percent=95.0), parts([0.1, 0.15, 0.2], [4.0] * 3, p_value=0.5)),  # by chance
        (misfit(percent=95.0), parts([0.1, 0.11, 0.12], [4.0] * 3)),  # by less than a quarter
        (misfit(percent=95.0), parts([0.1, 0.15, 0.2], [4.0] * 3, std=0.05)),  # no part knows it well
        (misfit(percent=95.0), parts([0.1, 0.15, 0.2], [4.0] * 3, std=0.0)),  # no part tells it
    ],
)
def test_otherwise_it_is_not(case: Misfit, agreement: Agreement | None) -> None:
    assert refused(case, agreement) == []


def test_the_largest_value_is_the_measure_whatever_its_sign() -> None:
    """-0.2 to -0.1 is half of the largest; 4 to 5.2 is less than a quarter of the largest, and more of the smallest."""
    found = refused(misfit(percent=95.0), parts([-0.1, -0.15, -0.2], [4.0, 4.5, 5.2]))
    assert found == [("unsteady_parameter", ("c",))]
    one_knows_badly = parts([0.1, 0.15, 0.2], [4.0] * 3)
    last = replace(one_knows_badly.parts[-1], std=np.array([0.05, 0.001]))
    assert refused(misfit(percent=95.0), replace(one_knows_badly, parts=(*one_knows_badly.parts[:-1], last))) == []


def test_both_reasons_are_given() -> None:
    assert refused(misfit(), APART) == [("unexplained_pattern", ("x",)), ("unsteady_parameter", ("c",))]


# Remarks


def test_coloured_residuals_are_a_remark_that_says_whether_the_model_misses_something() -> None:
    (pattern,), (noise,) = misfit(percent=95.0).findings(), misfit(percent=95.0, excess=1.0).findings()
    assert pattern.code == noise.code == "coloured_residuals" and pattern.about == ("x",)
    assert pattern.severity is Severity.WARNING
    assert "(5 % of the signal)" in pattern.text and "5 times the record's own noise" in pattern.text
    assert "the noise is coloured, or the model misses something" in noise.text
    assert misfit(WHITE).findings() == misfit(UNTESTED).findings() == ()
