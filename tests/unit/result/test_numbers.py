"""Value, standard error and interval as text: they agree with each other and with the numbers, however extreme."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from identikit.result import apart, stated

ONE_SIDE = 1.96  # standard errors to one end of a 95 % interval of a normal distribution

exponents = st.floats(-12, 12)
mantissas = st.floats(-9.99, 9.99).filter(lambda x: abs(x) > 1e-3)


def number(mantissa: float, exponent: float) -> float:
    return mantissa * 10.0**exponent


@pytest.mark.parametrize(
    ("value", "std", "interval", "expected"),
    [
        (0.3235, 113.0, (0.0, 5.0), ("0.3", "110", "0.0 to 5.0")),
        (0.004, 6000.0, (0.0, 0.01), ("0.0040", "6000", "0.0000 to 0.0100")),
        (0.0, 0.074, (0.0, 0.146), ("0.000", "0.074", "0.000 to 0.146")),
        (1e6, 210.0, (999588.0, 1000412.0), ("1.00000e+06", "2.1e+02", "9.9959e+05 to 1.00041e+06")),
        (9.99e-9, 2.2e-11, (9.948e-9, 1.0033e-8), ("9.990e-09", "2.2e-11", "9.948e-09 to 1.0033e-08")),
        (-0.001, 0.5, (-0.981, 0.979), ("0.00", "0.50", "-0.98 to 0.98")),
        (2.0, math.inf, None, ("2", "-", "")),
        (math.nan, 1.0, None, ("-", "1.0", "")),
        (2.0, 0.0, (2.0, 2.0), ("2", "0", "2 to 2")),
    ],
)
def test_extremes_are_written_to_digits_that_mean_something(value, std, interval, expected) -> None:
    assert stated(value, std, interval) == expected


@given(mantissas, exponents, st.floats(1.0, 9.99), exponents, st.floats(0, 3), st.floats(0, 3))
def test_text_agrees_with_the_numbers_and_with_itself(mantissa, exponent, leading, order, below, above) -> None:
    """Bounds cut the interval anywhere between the value and three standard errors from it."""
    value, std = number(mantissa, exponent), number(leading, order)
    low, high = value - min(below, ONE_SIDE) * std, value + min(above, ONE_SIDE) * std
    shown, deviation, interval = stated(value, std, (low, high))
    first, last = map(float, interval.split(" to "))
    unit = min(std, (high - low) / ONE_SIDE) if high > low else std
    rounding = 0.05001 * unit + 1e-14 * max(abs(value), abs(low), abs(high))
    assert float(deviation) == pytest.approx(std, rel=0.0501)
    assert abs(float(shown) - value) <= rounding
    assert abs(first - low) <= rounding and abs(last - high) <= rounding
    assert first <= float(shown) <= last
    if high - low > 0.5 * unit + 1e-13 * abs(value):
        assert first < last


@given(mantissas, exponents, st.floats(1.0, 9.99), exponents)
def test_value_and_ends_have_one_way_of_writing(mantissa, exponent, leading, order) -> None:
    value, std = number(mantissa, exponent), number(leading, order)
    shown, _, interval = stated(value, std, (value - ONE_SIDE * std, value + ONE_SIDE * std))
    written = [text for text in (shown, *interval.split(" to ")) if float(text)]
    assert len({"e" in text for text in written}) <= 1
    if written and "e" not in written[0]:
        assert len({len(text.partition(".")[2]) for text in written}) == 1
    assert not any(text.startswith("-") and float(text) == 0 for text in (shown, *interval.split(" to ")))


def test_numbers_that_differ_are_never_written_alike() -> None:
    assert apart(64.0512, 64.0534) == ("64.0512", "64.0534")
    assert apart(0.0612, -0.004516) == ("0.061", "-0.005")
    assert apart(20.0, 20.0) == ("20", "20")  # these do not differ
