"""Sample by sample: estimates, gaps, resuming, and samples that are refused."""

import math
from pathlib import Path

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.errors import InputError

TIMES = np.arange(0, 20, 0.01)
TRUTH = {"zeta": 0.05, "mu_c": 0.02, "k": 20.0}


def measured(seed: int = 0) -> np.ndarray:
    states, _ = reference.horizontal_pendulum(TIMES, **TRUTH)
    return states[0] + 0.002 * np.random.default_rng(seed).standard_normal(len(TIMES))


def identifier(sigma: float = 0.002) -> ik.KalmanIdentifier:
    return ik.KalmanIdentifier(
        "horizontal_pendulum",
        noise={"theta": sigma},
        free=list(TRUTH),
        fix={"mu_q": 0.0},
        start={"zeta": 0.1, "mu_c": 0.05, "k": 18.0},
        spread={"k": 0.2},
    )


def test_estimates_come_to_the_truth_with_gaps_and_missing_samples() -> None:
    filtering = identifier()
    for i, (t, y) in enumerate(zip(TIMES, measured(), strict=True)):
        if 500 <= i < 540:
            continue  # nothing arrives at all
        estimate = filtering.update(t, math.nan if i % 7 == 3 else y)
    assert estimate.consistent
    assert 0.7 < estimate.nis < 1.4
    for name, value in TRUTH.items():
        found, std = estimate[name]
        assert abs(found - value) < 4 * std
        assert std < 0.2 * value  # a start is known to a factor e


def test_wrong_levels_are_told_by_the_innovations() -> None:
    """Negative control of `consistent`."""
    filtering = identifier(0.0002)
    for t, y in zip(TIMES[:600], measured()[:600], strict=True):
        estimate = filtering.update(t, y)
    assert not estimate.consistent
    assert estimate.nis > 4


def test_a_saved_identifier_goes_on_to_the_last_bit(tmp_path: Path) -> None:
    one, y = identifier(), measured()
    for i in range(300):
        one.update(TIMES[i], y[i])
    one.save(tmp_path / "state.json")
    other = ik.KalmanIdentifier.load(tmp_path / "state.json")
    for i in range(300, 400):
        a, b = one.update(TIMES[i], y[i]), other.update(TIMES[i], y[i])
    assert np.array_equal(a.numbers, b.numbers)
    assert np.array_equal(a.deviations, b.deviations)
    assert (a.nis, a.samples) == (b.nis, b.samples)


def test_a_drifting_parameter_is_followed() -> None:
    """A filter without drift stays behind: the negative control."""
    times = np.arange(0, 40, 0.01)
    theta = 0.4 * np.cos(np.cumsum(np.sqrt(20 * (1 + 0.1 * times / 40))) * 0.01)
    errors = []
    for drift in ({"k": 0.02}, {}):
        filtering = ik.KalmanIdentifier(
            ik.Model.from_text("spring", equations={"x''": "-k*x"}, parameters={"k": 20.0}),
            noise={"x": 0.002}, free=["k"], initial={"x": (0.4, 0.1), "x_dot": (0.0, 1.0)}, drift=drift,
        )  # fmt: skip
        for t, y in zip(times, theta + 0.002 * np.random.default_rng(1).standard_normal(len(times)), strict=True):
            estimate = filtering.update(t, y)
        errors.append(abs(estimate["k"][0] - 22.0) / 22.0)
    assert errors[0] < 0.02 < errors[1]


@pytest.mark.parametrize(
    ("sample", "words"),
    [
        ((0.5, 0.1), "does not come after"),
        ((math.nan, 0.1), "expected a finite number"),
        ((2.0, [0.1, 0.2]), "2 values are given for 1 outputs"),
        ((2.0, "a"), "expected numbers"),
        ((2.0, {"angle": 0.1}), "not among the outputs"),
        ((2.0, math.inf), "finite"),
        ((2.0, 0.1, [0.0]), "1 values are given for 2 inputs"),
        ((2.0, 0.1, [math.nan, 0.0]), "finite"),
        ((1e9, 0.1), "cannot follow"),
    ],
)
def test_a_refused_sample_changes_nothing(sample: tuple[object, ...], words: str) -> None:
    tried, untouched, y = identifier(), identifier(), measured()
    for i in range(60):
        tried.update(TIMES[i], y[i])
        untouched.update(TIMES[i], y[i])
    with pytest.raises(InputError, match=words):
        tried.update(*sample)  # type: ignore[arg-type]
    a, b = tried.update(TIMES[60], y[60]), untouched.update(TIMES[60], y[60])
    assert np.array_equal(a.numbers, b.numbers)
    assert np.array_equal(a.deviations, b.deviations)


def test_nothing_is_taken_after_the_end() -> None:
    filtering = identifier()
    filtering.update(0.0, 0.5)
    filtering.close()
    with pytest.raises(InputError, match="closed"):
        filtering.update(0.1, 0.5)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"noise": {}}, "no output has a noise level"),
        ({"noise": {"theta": 0.0}}, "above zero"),
        ({"noise": {"angle": 1.0}}, "not an output"),
        ({"noise": {"theta": 1.0}, "free": ["mass"]}, "not a parameter"),
        ({"noise": {"theta": 1.0}, "start": {"zeta": -1.0}}, "outside its bounds"),
        ({"noise": {"theta": 1.0}, "process": {"omega": -1.0}}, "of at least zero"),
        ({"noise": {"theta": 1.0}, "initial": {"theta": "x"}}, "expected a value"),
        ({"noise": {"theta": 1.0}, "hold": "cubic"}, "hold"),
    ],
)
def test_a_wrong_setup_is_one_clear_message(given: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        ik.KalmanIdentifier("horizontal_pendulum", **given)  # type: ignore[arg-type]


def test_a_file_that_is_no_identifier_is_refused(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}")
    with pytest.raises(InputError, match="not a saved identifier"):
        ik.KalmanIdentifier.load(tmp_path / "other.json")
    with pytest.raises(InputError, match="no such file"):
        ik.KalmanIdentifier.load(tmp_path / "nothing.json")
