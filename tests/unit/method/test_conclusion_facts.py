"""What a fit concludes from its residuals: levels, quality, whiteness, counts, and errors from few values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import identikit as ik
import reference
from identikit.diagnose import fit_quality, residual_colour
from identikit.result import Code, Ending, Result, Severity

TIME = np.arange(300) * 0.05
SPRING = ik.Model.from_text(
    "spring", equations={"x''": "-c*x' - k*x"}, parameters={name: ik.Parameter(name, bounds=(0, 100)) for name in "ck"}
)
CLEAN = reference.smooth(lambda t, x: [x[1], -0.3 * x[1] - 4 * x[0]], [1.0, 0.0], TIME)[0]


def noise(sigma: float = 0.02, seed: int = 0, count: int = len(TIME)) -> np.ndarray:
    return sigma * np.random.default_rng(seed).standard_normal(count)


def fitted(values: np.ndarray, **asked: object) -> Result:
    record = ik.Record.from_arrays(TIME[: len(values)], x=values)
    return ik.fit(record, SPRING, method="shooting", **asked)  # type: ignore[arg-type]


def codes(result: Result) -> dict[str, tuple[str, ...]]:
    return {item.code: item.about for item in result.findings}


# Counts


@pytest.mark.parametrize(
    ("asked", "unknowns", "shape"),
    [
        ({}, 5, 0),  # two parameters, two first states, one level
        ({"fix": {"c": 0.3}}, 4, 0),
        ({"initial": {"x": 1.0}}, 4, 0),
        ({"noise": {"x": 0.02}}, 4, 0),
        ({"noise": "student"}, 5, 1),
        ({"noise": "white"}, 5, 0),
    ],
)
def test_unknowns_are_parameters_first_states_and_levels(asked: dict[str, object], unknowns: int, shape: int) -> None:
    found = fitted(CLEAN + noise(), **asked).diagnostics["likelihood"]
    assert (found["unknowns"], found["shape"], found["values"]) == (unknowns, shape, 300)


def test_each_memory_is_a_number_of_the_shape() -> None:
    result = fitted(CLEAN + noise(), noise="ar")
    assert result.diagnostics["likelihood"]["shape"] == len(result.noise["x"].memory) >= 1


def test_missing_samples_are_no_values() -> None:
    values = CLEAN + noise()
    values[40:60] = np.nan
    assert fitted(values).diagnostics["likelihood"]["values"] == 280


def test_the_likelihood_is_that_of_normal_residuals_at_their_level() -> None:
    result = fitted(CLEAN + noise(), noise="white")
    rmse = result.fit["x"].rmse
    expected = -150 * (math.log(2 * math.pi * rmse**2) + 1)
    assert result.diagnostics["likelihood"]["log"] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize("count", [60, 300])
def test_standard_errors_and_intervals_allow_for_few_values(count: int) -> None:
    result = fitted(CLEAN[:count] + noise(count=count), noise="white")
    for name in "ck":
        item = result.parameters[name]
        assert item.std is not None and item.crlb is not None and item.ci95 is not None
        assert item.std / item.crlb == pytest.approx(math.sqrt(count / (count - 5)), rel=1e-6)
        reach = (item.ci95[1] - item.ci95[0]) / 2 / item.std
        assert reach == pytest.approx(stats.t(count - 5).ppf(0.975), rel=1e-6)


# Residuals


def test_quality_is_error_and_explained_variation() -> None:
    measured, residual = np.array([0.0, 2.0, 4.0, np.nan, 6.0]), np.array([0.5, -0.5, 0.5, np.nan, 0.5])
    found = fit_quality(measured, residual)
    spread = math.sqrt(5.0)
    assert found.rmse == pytest.approx(0.5)
    assert found.fit_percent == pytest.approx(100 * (1 - 0.5 / spread))
    assert found.r2_percent == pytest.approx(100 * (1 - 0.25 / 5))
    assert fit_quality(np.ones(3), np.array([0.1, 0.0, -0.1])).fit_percent == -math.inf


def test_residuals_are_white_if_they_are_not_correlated_or_hardly() -> None:
    white = noise(1.0, seed=3, count=2000)
    assert residual_colour(white)[0]
    assert not residual_colour(np.convolve(white, [1.0, 0.6], "valid"))[0]
    long = noise(1.0, seed=4, count=60_000)
    hardly = np.convolve(long, [1.0, 0.03], "valid")
    found, test = residual_colour(hardly)
    assert found and not test.white, "a long record proves what does not matter"
    assert not residual_colour(np.convolve(long, [1.0, 0.08], "valid"))[0]
    alternating = np.convolve(long, [1.0, -0.3], "valid")
    assert not residual_colour(alternating)[0], "against is correlated too"


def test_what_was_tested_is_in_the_diagnostics() -> None:
    result = fitted(CLEAN + noise())
    found = result.diagnostics["residuals"]["x"]
    assert len(found["autocorrelation"]) == 5 and np.abs(found["autocorrelation"]).max() < 0.2
    assert 0.01 < found["whiteness_p"] <= 1
    assert result.noise["x"].sigma == pytest.approx(result.fit["x"].rmse, rel=1e-9)


@pytest.mark.parametrize("offset", [0.0, 1.0])
def test_a_curve_through_nothing_but_noise_is_refused(offset: float) -> None:
    """Whatever little it explains, as many unknowns explain of noise alone; and nothing of an offset."""
    result = fitted(noise(1.0, seed=5) + offset, start={"c": 0.3, "k": 4.0}, noise="white")
    assert result.status.code is not Code.OK


def test_a_motion_under_as_much_noise_is_not() -> None:
    """Negative control: 20 % of the spread is explained, and that is far more than chance."""
    result = fitted(CLEAN + noise(0.3, seed=5), noise="white")
    assert result.fit["x"].fit_percent < 50
    assert result.status.code is Code.OK


# The noise that was chosen


@pytest.mark.parametrize(("asked", "words"), [("ar", "autoregressive"), ("student", "Student")])
def test_a_shape_that_is_not_white_is_a_note(asked: str, words: str) -> None:
    result = fitted(CLEAN + noise(), noise=asked)
    (note,) = [item for item in result.findings if item.code == "noise_chosen"]
    assert note.about == ("x",) and note.severity is Severity.NOTE
    assert words in note.text and "as asked" in note.text


def test_rounding_is_a_note_too_and_white_noise_is_none() -> None:
    coarse = 0.1 * np.round((CLEAN + noise()) / 0.1)
    result = fitted(coarse)
    (note,) = [item for item in result.findings if item.code == "noise_chosen"]
    assert "rounded to steps of 0.1" in note.text and "as the residuals show it" in note.text
    assert "noise_chosen" not in codes(fitted(CLEAN + noise()))


# What is still determined


def test_an_idle_parameter_leaves_nothing_to_add() -> None:
    idle = ik.Model.from_text(
        "idle", equations={"x''": "-c*x' - k*x"}, parameters={"c": 0.3, "k": 4.0, "m": 1.0}, outputs=["x"]
    )
    result = ik.fit(ik.Record.from_arrays(TIME, x=CLEAN + noise()), idle, method="shooting")
    assert result.status.code is Code.NOT_IDENTIFIABLE
    assert codes(result)["no_effect"] == ("m",) and "still_determined" not in codes(result)
    assert "Still determined" not in result.status.message


SUM = ik.Model.from_text(
    "sum", equations={"x''": "-c*x' - (a + b)*x"}, parameters={"c": 0.3, "a": 2.0, "b": 2.0}, outputs=["x"]
)


def test_of_parameters_that_stand_in_for_each_other_their_sum_is_told_and_nothing_where_all_are_known() -> None:
    record = ik.Record.from_arrays(TIME, x=CLEAN + noise())
    result = ik.fit(record, SUM, method="shooting")
    assert result.status.code is Code.NOT_IDENTIFIABLE
    assert set(codes(result)["still_determined"]) == {"a", "b"}
    assert "Still determined: a + b = " in result.status.message
    (value,) = [item["value"] for item in result.diagnostics["identifiability"]["combinations"].values()]
    assert value == pytest.approx(4.0, abs=0.05)
    assert result.verdict is not None and result.verdict.code is Ending.CONVERGED
    assert result.verdict.findings == (), "how the work ended is one thing, what the record tells another"
    known = ik.fit(record, SUM, method="shooting", fix={"b": 2.0})
    assert known.ok and "still_determined" not in codes(known)


# Parts


def test_of_parameters_that_differ_between_parts_only_those_are_named_that_matter() -> None:
    """A spring that softens, and a damping that stays."""
    time = np.arange(1500) * 0.04
    x = reference.smooth(lambda t, x: [x[1], -0.05 * x[1] - (4 - 0.002 * t) * x[0]], [1.0, 0.0], time)[0]
    values = x + noise(0.01, count=1500)
    result = ik.fit(ik.Record.from_arrays(time, x=values), SPRING, method="shooting")
    (drift,) = [item for item in result.findings if item.code == "parts_disagree"]
    assert drift.about == ("k",) and "c " not in drift.text
    table = result.artifacts["parts"]
    assert table["what"] == "parts" and table["p_value"] < 1e-3
    assert len(table["parameters"]["k"]["value"]) == len(table["begin"]) == len(table["amplitude"])
    assert np.all(np.diff(table["amplitude"]) < 0)
    # the first and the last part's amplitude are in the sentence
    first, last = table["amplitude"][0], table["amplitude"][-1]
    assert table["along"] == "time" or f"from {first:.3g} to {last:.3g}" in drift.text


# A model that does not describe the record


STIFF = reference.smooth(lambda t, x: [x[1], -0.3 * x[1] - 4 * x[0] - 3 * x[0] ** 3], [1.5, 0.0], TIME)[0]


@pytest.mark.parametrize("method", ["shooting", "least_squares"])
def test_a_pattern_in_more_than_a_tenth_of_the_signal_is_a_misfit_of_the_likeliest_curve_alone(method: str) -> None:
    """Another method's curve may miss the record for want of precision."""
    record = ik.Record.from_arrays(TIME, x=STIFF + noise(0.005))
    result = ik.fit(record, SPRING, method=method, noise="white")
    refused = [item.code for item in result.findings if item.severity is Severity.REFUSAL]
    assert result.status.code is not Code.OK
    assert ("unexplained_pattern" in refused) == (method == "shooting")
    assert result.status.code is Code.MISFIT


def test_of_a_model_that_does_not_describe_the_record_nothing_is_determined_all_the_same() -> None:
    result = ik.fit(ik.Record.from_arrays(TIME, x=STIFF + noise(0.005)), SUM, method="shooting", noise="white")
    assert result.status.code is Code.MISFIT and "inseparable" in codes(result)
    assert "still_determined" not in codes(result) and not result.diagnostics["identifiability"]["combinations"]
