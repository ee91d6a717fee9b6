"""Numbers that cannot be computed with are refused with a sentence; those that can be, are fitted without a warning."""

from __future__ import annotations

import numpy as np
import pytest

import identikit
from identikit.errors import DataError
from identikit.measurement import Channel, Record
from identikit.method import METHODS
from identikit.model import Model

TIME = np.linspace(0, 10, 201)
SWING = np.exp(-0.1 * TIME) * np.cos(2 * TIME) + 0.01 * np.random.default_rng(0).standard_normal(len(TIME))
OSCILLATOR = Model.from_text("oscillator", equations={"x''": "-k*x - c*x'"}, parameters={"k": 4.0, "c": 0.2})
REFUSED = {
    "1e300": (TIME, 1e300 * SWING, "holds .*e\\+300 at sample"),
    "one spike of 1e300": (TIME, np.where(TIME[100] == TIME, 1e300, SWING), "1e\\+300 at sample 100"),
    "1e308 both ways": (TIME, 1.7e308 * np.sign(SWING), "cannot be computed with"),
    "a constant of 1e300": (TIME, np.full(201, 1e300), "cannot be computed with"),
    "1e-300": (TIME, 1e-300 * SWING, "varies by .*e-300 only"),
    "denormal": (TIME, 5e-324 * np.round(100 * SWING), "smaller unit"),
    "infinite": (TIME, np.where(TIME[100] == TIME, np.inf, SWING), "infinite at sample 100"),
    "times of 1e300": (1e300 * TIME, SWING, "time in another unit"),
    "times of 1e-300": (1e-300 * TIME, SWING, "time in another unit"),
    "times over all doubles": (1.7e308 * (TIME / 5 - 1), SWING, "time in another unit"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_sizes_beyond_arithmetic_are_refused_with_a_sentence(case: str) -> None:
    time, values, expected = REFUSED[case]
    with pytest.raises(DataError, match=expected):
        identikit.fit(Record(time, {"x": Channel(values)}), OSCILLATOR)


@pytest.mark.parametrize("size", [1e48, 1e-48])
@pytest.mark.parametrize("method", [name for name in METHODS if name not in ("averaging", "reference_points")])
def test_sizes_just_within_are_fitted_or_objected_to(method: str, size: float) -> None:
    """Negative control: nothing overflows on the way, and where the method applies it finds the same numbers."""
    result = identikit.fit(Record(TIME, {"x": Channel(size * SWING)}), OSCILLATOR, method=method)
    str(result)
    if METHODS.find(method).identifies:
        assert result.status.code == "not_applicable" or result.value("k") == pytest.approx(4, rel=0.02)


@pytest.mark.parametrize(("begin", "scale"), [(0.0, 1e18), (0.0, 1e-17), (1e18, 1e6)])
def test_times_of_any_usual_unit_are_fitted(begin: float, scale: float) -> None:
    time = begin + scale * TIME
    result = identikit.fit(Record(time, {"x": Channel(SWING)}), OSCILLATOR, method="least_squares")
    found = result.parameters["k"]
    assert str(result) and abs(found.value - 4 / scale**2) < 4 * found.std < 4 * 0.02 * found.value
