"""Units: what converts, what does not, and that the shortcut table agrees with pint."""

from __future__ import annotations

import itertools
import math
import subprocess
import sys

import numpy as np
import pytest

from identikit import units
from identikit.errors import UnitError
from identikit.units import check, convert, is_unit, split_header

SAME_ROW_PAIRS = [pair for row in units._COMMON_ROWS for pair in itertools.permutations(row, 2)]


def test_the_shortcut_table_agrees_with_pint() -> None:
    registry = pytest.importorskip("pint").UnitRegistry()
    for source, target in SAME_ROW_PAIRS:
        quantity = registry.Quantity(3.7, registry.parse_units(source))
        expected = quantity.to(registry.parse_units(target)).magnitude
        assert convert(3.7, source, target) == pytest.approx(expected, rel=1e-14), (source, target)


def test_common_conversions_do_not_import_pint() -> None:
    program = (
        "import sys; from identikit.units import convert, split_header, check;"
        "convert(1.0, 'deg', 'rad'); convert(1.0, 'foo', 'foo'); convert(1.0, '', 'K');"
        "convert(1.0, 'm', '');"
        "check('rad/s'); split_header('theta (deg)'); split_header('theta [furlong]');"
        "sys.exit('pint' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    ("value", "source", "target", "expected"),
    [
        (180.0, "deg", "rad", math.pi),
        (1001.0, "ms", "s", 1.001),
        (20.0, "degC", "K", 293.15),
        (300.0, "K", "degC", 26.85),
        (50.0, "degF", "degC", 10.0),
        (0.5, "1", "rad", 0.5),
        (50.0, "%", "1", 0.5),
        (60.0, "rpm", "rad/s", 2 * math.pi),
        (1.0, "turn/s", "rad/s", 2 * math.pi),
        (2.0, "m/s^2", "cm/s**2", 200.0),
        (2.0, "m/s²", "cm/s^2", 200.0),
        (3.0, "kgf", "N", 29.41995),
        (3.0, "Hz", "1/s", 3.0),
        (2.0, "degC/s", "K/s", 2.0),
        (7.0, "", "m", 7.0),
        (7.0, "parrots", "", 7.0),
        (7.0, "parrots", "parrots", 7.0),
        (7.0, " deg ", "deg", 7.0),
    ],
)
def test_known_conversions(value: float, source: str, target: str, expected: float) -> None:
    result = convert(value, source, target)
    assert isinstance(result, float)
    assert result == pytest.approx(expected, rel=1e-12)


def test_arrays_convert_to_new_arrays_and_nan_stays_nan() -> None:
    values = np.array([0.0, np.nan, 90.0])
    result = convert(values, "deg", "rad")
    np.testing.assert_allclose(result, [0.0, np.nan, math.pi / 2])
    assert values[2] == 90.0


@pytest.mark.parametrize(
    ("source", "target", "said"),
    [
        ("m", "rad", ["'m'", "'rad'", "length", "'deg'"]),
        ("C", "K", ["coulomb", "degC"]),
        ("Hz", "rad/s", ["2 pi", "turn/s"]),
        ("deg/s", "kHz", ["2 pi"]),
        ("s", "N*m/K", ["'s'", "time"]),
        ("furlongs_per", "m", ["furlongs_per", "not known"]),
        ("m", "m/", ["'m/'"]),
        ("9**9**9**9", "m", ["not a unit"]),
        ("m^(9^9)", "m", ["not a unit"]),
        ("m" * 50, "m", ["not a unit"]),
        ("10 m", "m", ["10 m"]),
    ],
)
def test_what_does_not_fit_raises_a_unit_error_naming_both(source: str, target: str, said: list[str]) -> None:
    with pytest.raises(UnitError) as caught:
        convert(1.0, source, target)
    for words in said:
        assert words in str(caught.value)


def test_check_accepts_known_and_empty_units_only() -> None:
    for unit in ("", "rad", "lbf*ft", "µm", "m/s^2"):
        check(unit)
    with pytest.raises(UnitError, match="parrots"):
        check("parrots")


def test_a_bare_number_is_not_a_unit() -> None:
    assert is_unit("deg")
    assert not is_unit("2")
    assert not is_unit("")


@pytest.mark.parametrize(
    ("header", "name", "unit"),
    [
        ("theta[deg]", "theta", "deg"),
        ("theta [deg]", "theta", "deg"),
        ("theta (deg)", "theta", "deg"),
        ("theta(m/s^2)", "theta", "m/s^2"),
        ("theta (N/(m*s))", "theta", "N/(m*s)"),
        ("  theta ", "theta", ""),
        ('\ufeff"theta [deg]"', "theta", "deg"),
        ("'theta'", "theta", ""),
        ("theta (left)", "theta (left)", ""),
        ("theta (left) (deg)", "theta (left)", "deg"),
        ("theta(t)", "theta(t)", ""),
        ("sensor (2)", "sensor (2)", ""),
        ("theta []", "theta", ""),
        ("[deg]", "[deg]", ""),
        ("(deg)", "(deg)", ""),
        ("", "", ""),
    ],
)
def test_headers_split_into_name_and_unit(header: str, name: str, unit: str) -> None:
    assert split_header(header) == (name, unit)
