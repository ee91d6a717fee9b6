"""Laws of friction are identified from motions that stick and slide, by an independent integrator."""

from __future__ import annotations

import math

import numpy as np
import pytest

import identikit as ik
import reference

TIME = np.arange(2500) * 0.01
TRUTH = {"f_c": 0.6, "f_s": 1.0, "v_s": 0.1}


def force(t: float, x: np.ndarray) -> float:
    return 2 * math.sin(0.8 * t) + 0.8 * math.sin(2.3 * t) - 4 * x[0]


@pytest.mark.study
def test_all_three_numbers_of_stribeck_friction_are_found_with_honest_errors() -> None:
    def rate(t: float, x: np.ndarray, s: list[float]) -> tuple[float, float]:
        return x[1], force(t, x) - s[0] * (0.6 + 0.4 * math.exp(-((x[1] / 0.1) ** 2)))

    friction = reference.Switch(lambda t, x: x[1], lambda t, x: force(t, x), pinned=1)  # f_s = 1
    states, events = reference.event_driven(rate, [friction], (0, 0), TIME)
    assert sum(mode == 0 for _, _, mode in events) >= 3
    model = ik.Model.from_text(
        "slide",
        equations={"x": "v", "v": "2*sin(0.8*t) + 0.8*sin(2.3*t) - 4*x - stribeck(v; f_c, f_s, v_s)"},
        parameters=[ik.Parameter(name, bounds=(1e-3, 10)) for name in TRUTH],
        outputs=["x"],
    )
    errors = []
    for seed in range(4):
        noise = 0.001 * np.random.default_rng(seed).standard_normal(len(TIME))
        result = ik.fit(ik.Record.from_arrays(TIME, {"x": states[0] + noise}), model)
        assert result.ok
        found = [result.parameters[name] for name in TRUTH]
        errors.append([(item.value - true) / item.std for item, true in zip(found, TRUTH.values(), strict=True)])
        assert all(item.std < 1.2 * item.crlb < 0.01 * true for item, true in zip(found, TRUTH.values(), strict=True))
    assert np.abs(errors).max() < 4
    assert 0.4 < np.sqrt(np.mean(np.square(errors))) < 1.8  # 12 values: outside in one of a thousand


DRIVE = {"m": 2.0, "c": 1.0, "f": 1.5, "offset": 0.3}  # what the library's friction_drive has


def driven(first_velocity: float, seed: int) -> ik.Result:
    """A driven mass from the library, first velocity free; noise of 0.002 m, of which some draws did not settle."""
    time = np.arange(1001) * 0.02

    def pushed(t: float) -> float:
        return 4 * math.sin(1.3 * t) + 2.5 * math.sin(3.1 * t) + DRIVE["offset"]

    def rate(t: float, x: np.ndarray, s: list[float]) -> tuple[float, float]:
        return x[1], (pushed(t) - DRIVE["c"] * x[1] - DRIVE["f"] * s[0]) / DRIVE["m"]

    friction = reference.Switch(lambda t, x: x[1], lambda t, x: pushed(t) / DRIVE["f"], pinned=1)
    states, _ = reference.event_driven(rate, [friction], (0.0, first_velocity), time)
    noise = 0.002 * np.random.default_rng([seed, 100]).standard_normal(len(time))
    record = ik.Record.from_arrays(time, {"x": states[0] + noise})
    return ik.fit(record, "friction_drive", inputs={"u": "4*sin(1.3*t) + 2.5*sin(3.1*t)"}, method="shooting")


def test_a_motion_that_friction_holds_at_first_settles_and_begins_at_rest() -> None:
    said = []
    for seed in (5, 22):
        result = driven(0.0, seed)
        assert result.ok
        errors = [(result.value(name) - value) / result.parameters[name].std for name, value in DRIVE.items()]
        assert np.abs(errors).max() < 4
        said += [item for item in result.findings if item.code == "begins_at_rest"]
    assert said and all(item.about == ("v",) for item in said)


def test_a_motion_that_begins_with_a_speed_is_not_taken_for_one_at_rest() -> None:
    result = driven(0.5, 5)
    assert result.ok and "begins_at_rest" not in {item.code for item in result.findings}
    assert abs(result.initial_states[0]["v"]["value"] - 0.5) < 0.02
