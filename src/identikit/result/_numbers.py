"""Numbers as text: a value, its standard error and its interval, all three to digits that mean something.

The standard error has two digits. The value and both ends of the interval end at the same decimal, that of the second
digit of the standard error; where bounds leave a much narrower interval than the standard error says, at that of the
interval, so that it never reads "0 to 0". Where the largest of them is very large or very small, all have exponents.
"""

from __future__ import annotations

import math

SIGNIFICANT_WITHOUT_STD = 6  # digits
MOST_SIGNIFICANT = 15  # more digits than a double holds are noise
LARGEST_PLAIN = 1e6  # from here on, and below SMALLEST_PLAIN, numbers are written with an exponent
SMALLEST_PLAIN = 1e-4  # see LARGEST_PLAIN
TWO_DIGITS = 0.0501  # relative error of rounding to two digits, and of the rounding of that
ONE_SIDE = 1.96  # standard errors from an estimate to one end of its 95 % interval


def rounded(value: float | None, std: float | None) -> tuple[str, str]:
    """Value and standard error as text: the standard error to two digits, the value to the same decimal.

    >>> rounded(0.0499912, 0.0000123)
    ('0.049991', '0.000012')
    >>> rounded(123456.0, 1234.0)
    ('123500', '1200')
    """
    return stated(value, std)[:2]


def stated(value: float | None, std: float | None, interval: tuple[float, float] | None = None) -> tuple[str, str, str]:
    """Value, standard error and 95 % interval ("low to high", empty without one) as text.

    >>> stated(0.32, 113.0, (0.0, 5.0))
    ('0.3', '110', '0.0 to 5.0')
    """
    ends = interval if interval is not None and all(math.isfinite(end) for end in interval) else None
    resolution = _resolution(std, ends)
    scale = max(abs(number) for number in (value, resolution, 0.0) if number is not None and math.isfinite(number))
    text = _formatted(value, resolution, scale)
    between = "" if ends is None else " to ".join(_end(k, end, resolution, scale) for k, end in enumerate(ends))
    return text, _deviation(std, scale), between


def apart(*values: float) -> tuple[str, ...]:
    """Values as text with as many digits as it takes to tell them apart: all to the second digit of their spread.

    >>> apart(64.0512, 64.0534)
    ('64.0512', '64.0534')
    """
    spread = max(values) - min(values)
    scale = max(abs(value) for value in values)
    return tuple(_formatted(value, spread if spread > 0 else None, scale) for value in values)


def _end(which: int, end: float, resolution: float | None, scale: float) -> str:
    """One end of an interval; an open side, which a saved result does not know the sign of, is infinite."""
    return _formatted(end, resolution, scale) if math.isfinite(end) else ("-inf", "inf")[which]


def _resolution(std: float | None, ends: tuple[float, float] | None) -> float | None:
    """The standard error whose second digit is the last that is shown; None if there is none."""
    if std is None or not math.isfinite(std) or std <= 0:
        return None
    width = ends[1] - ends[0] if ends is not None else math.inf
    return min(std, width / ONE_SIDE) if width > 0 else std


def _deviation(std: float | None, scale: float) -> str:
    if std is None or not math.isfinite(std):
        return "-"
    if std <= 0:
        return f"{std:.{SIGNIFICANT_WITHOUT_STD}g}"
    text = _formatted(std, std, max(scale, std))
    # where it lies below the last digit that a double holds of the value, two digits of its own
    return text if abs(float(text) - std) <= TWO_DIGITS * std else f"{std:.1e}"


def _formatted(value: float | None, resolution: float | None, scale: float) -> str:
    """`value` to the second digit of `resolution`, with an exponent if `scale` is very large or very small."""
    if value is None or not math.isfinite(value):
        return "-"
    if resolution is None:
        return f"{value:.{SIGNIFICANT_WITHOUT_STD}g}"
    decimals = 1 - int(f"{resolution:.1e}".partition("e")[2])
    decimals = min(decimals, MOST_SIGNIFICANT - 1 - math.floor(math.log10(scale)))
    shown = round(value, decimals) + 0.0  # plus zero: no "-0.00"
    if SMALLEST_PLAIN <= scale < LARGEST_PLAIN:
        return f"{shown:.{max(decimals, 0)}f}"
    if shown == 0:
        return "0"
    return f"{shown:.{max(decimals + math.floor(math.log10(abs(shown))), 0)}e}"
