"""The band around a fitted curve: of a straight line the textbook's, and as wide as the parameters' standard errors."""

from __future__ import annotations

import math

import numpy as np
import pytest

import identikit as ik
from identikit.result import Result

LINE = ik.Model.from_text("line", equations={"n": "r"}, parameters=[ik.Parameter("r", bounds=(-100, 100))])


def band(result: Result, record: str) -> tuple[np.ndarray, np.ndarray]:
    """Times, and the standard errors of the curve there."""
    (curve,) = [
        item for item in result.artifacts.values() if item.get("kind") == "curve" and item.get("record") == record
    ]
    return np.asarray(curve["dense_t"]), np.asarray(curve["dense_std"])


def fitted(rates: list[float]) -> tuple[Result, list[np.ndarray]]:
    random, made, times = np.random.default_rng(0), [], []
    for j, rate in enumerate(rates):
        time = 20.0 * j + np.linspace(0.0, 4.0, 60)
        values = 2.0 + rate * time + 0.05 * random.standard_normal(60)
        made.append(ik.Record.from_arrays(time, {"n": values}, name=f"line {j}"))
        times.append(time)
    return ik.fit(ik.Experiment(tuple(made)), LINE, method="shooting", noise="white"), times


def test_of_one_straight_line_it_is_that_of_the_textbook() -> None:
    result, (time,) = fitted([1.0])
    at, std = band(result, "line 0")
    off = time - time.mean()
    few = (result.parameters["r"].std or 0) / (result.parameters["r"].crlb or math.nan)
    expected = result.fit["n"].rmse * np.sqrt((few**2) * (at - time.mean()) ** 2 / (off @ off) + 1 / 60)
    assert std == pytest.approx(expected, rel=0.03)


def test_where_parts_disagree_it_is_as_much_wider() -> None:
    """At the ends of a record the slope's error is all but the whole."""
    (steady, _), (apart, _) = fitted([1.0] * 6), fitted([1.0, 1.12, 1.05, 1.16, 1.14, 1.2])
    ratio = (apart.parameters["r"].std or 0) / (steady.parameters["r"].std or math.nan)
    assert ratio > 5
    for name in ("line 0", "line 3"):
        wide, usual = band(apart, name)[1], band(steady, name)[1]
        assert wide.max() > 0.4 * ratio * usual.max()
