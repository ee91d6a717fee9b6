"""A prediction agrees with an independent integrator, its band tells the truth, and it survives being saved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from scipy.optimize import least_squares

import identikit as ik
from identikit.errors import DataError, OptionError, ProblemError, SimulationError
from identikit.result import Prediction, Result
from reference import horizontal_pendulum, smooth

TRUTH = {"zeta": 0.03, "mu_c": 0.02, "mu_q": 0.02, "k": 20.0}
NOISE = 0.003


def swing(start: tuple[float, float], duration: float, seed: int) -> ik.Record:
    """A free swing by the independent integrator."""
    time = np.arange(0.0, duration, 0.02)
    theta = horizontal_pendulum(time, start, **TRUTH)[0][0]
    noisy = theta + NOISE * np.random.default_rng(seed).standard_normal(len(time))
    return ik.Record.from_arrays(time, theta=noisy, units={"theta": "rad"}, time_unit="s", name=f"swing {seed}")


@pytest.fixture(scope="module")
def fitted() -> Result:
    return ik.fit(swing((0.5, 0.0), 16.0, 1), "horizontal_pendulum", method="shooting")


@pytest.fixture(scope="module")
def second() -> ik.Record:
    return swing((-0.35, 0.9), 10.0, 2)


def fit_percent(measured: np.ndarray, modelled: np.ndarray) -> float:
    return float(100 * (1 - np.sqrt(np.mean((measured - modelled) ** 2)) / np.std(measured)))


def test_the_fit_per_cent_on_a_second_record_is_that_of_an_independent_integrator(
    fitted: Result, second: ik.Record
) -> None:
    measured = second.channels["theta"].values
    values = {name: fitted.value(name) for name in TRUTH}

    def modelled(start: np.ndarray) -> np.ndarray:
        return horizontal_pendulum(second.time, tuple(start), **values)[0][0]

    best = least_squares(lambda start: modelled(start) - measured, [-0.3, 1.0], x_scale=[0.1, 0.1])
    prediction = fitted.predict(second)
    assert prediction.fit["theta"].fit_percent == pytest.approx(fit_percent(measured, modelled(best.x)), abs=0.01)
    found = prediction.initial_states[0]
    assert [found[name]["value"] for name in ("theta", "omega")] == pytest.approx(best.x, abs=1e-4)
    assert 0.9 < prediction.residuals["theta"]["over_noise"] < 1.1
    assert 0.9 < prediction.residuals["theta"]["inside"] < 0.99
    assert prediction.noise["theta"].white


def test_a_known_initial_state_needs_no_estimation(fitted: Result, second: ik.Record) -> None:
    values = {name: fitted.value(name) for name in TRUTH}
    expected = horizontal_pendulum(second.time, (-0.35, 0.9), **values)[0][0]
    prediction = fitted.predict(second, initial={"theta": -0.35, "omega": 0.9})
    curve = prediction.artifacts["theta, swing 2"]
    assert curve["modelled"] == pytest.approx(expected, abs=1e-7)
    assert curve["dense_std"][0] < 1e-8
    assert prediction.initial == "known"
    percent = fit_percent(second.channels["theta"].values, expected)
    assert prediction.fit["theta"].fit_percent == pytest.approx(percent, abs=1e-3)


def test_from_the_first_part_only_the_rest_is_judged(fitted: Result, second: ik.Record) -> None:
    prediction = fitted.predict(second, initial="first_part", part=0.3)
    modelled = np.asarray(prediction.artifacts["theta, swing 2"]["modelled"])
    rest = second.time > second.time[0] + 0.3 * second.duration
    percent = fit_percent(second.channels["theta"].values[rest], modelled[rest])
    assert prediction.fit["theta"].fit_percent == pytest.approx(percent, abs=1e-6)
    whole = fitted.predict(second).artifacts["theta, swing 2"]["dense_std"]
    assert prediction.artifacts["theta, swing 2"]["dense_std"][-1] > whole[-1]  # less is known of where it started


def test_a_wrong_model_is_found_out_on_the_second_record(fitted: Result, second: ik.Record) -> None:
    stiff = replace(fitted, parameters={**fitted.parameters, "k": replace(fitted.parameters["k"], value=20.4)})
    prediction = stiff.predict(second)
    assert prediction.residuals["theta"]["over_noise"] > 3
    assert not prediction.noise["theta"].white
    assert prediction.fit["theta"].fit_percent < fitted.predict(second).fit["theta"].fit_percent - 2


def oscillator(start: tuple[float, float], seed: int) -> ik.Record:
    time = np.arange(0.0, 10.0, 0.05)
    x = smooth(lambda t, x: (x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3), start, time)[0]
    noisy = x + 0.02 * np.random.default_rng(seed).standard_normal(len(time))
    return ik.Record.from_arrays(time, x=noisy, units={"x": "m"}, time_unit="s", name="run")


@pytest.mark.parametrize("initial", ["estimated", "first_part"])
def test_the_band_covers_the_true_curve_as_often_as_it_says(initial: str) -> None:
    scores = []
    for seed in range(20):
        result = ik.fit(oscillator((1.0, 0.0), 2 * seed), "duffing", method="shooting")
        prediction = result.predict(oscillator((0.0, 1.2), 2 * seed + 1), initial=initial)
        curve = prediction.artifacts["x, run"]
        chosen = np.linspace(0, len(curve["dense_t"]) - 1, 8).astype(int)[1:]
        at = np.array([0.0, *curve["dense_t"][chosen]])
        truth = smooth(lambda t, x: (x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3), (0.0, 1.2), at)[0][1:]
        scores.append((curve["dense"][chosen] - truth) / curve["dense_std"][chosen])
    mean_square = np.mean(np.square(scores), axis=0)
    assert mean_square.mean() == pytest.approx(1.0, abs=0.5)  # neighbouring times are correlated: some 40 draws
    assert np.square(scores).max() < 16


def test_sampled_inputs_drive_the_prediction() -> None:
    model = ik.Model.from_text(
        "driven", equations={"x": "-a*x + u"}, parameters=[ik.Parameter("a", 1.0, "", (0.01, 10))], inputs=["u"]
    )

    def record(seed: int) -> ik.Record:
        time = np.arange(0.0, 8.0, 0.05)
        u = np.interp(time, np.arange(9), np.random.default_rng(seed).normal(size=9))
        x = smooth(lambda t, x: (-0.7 * x[0] + np.interp(t, time, u),), (0.5,), time)[0]
        noise = 0.01 * np.random.default_rng(seed + 100).standard_normal(len(time))
        return ik.Record.from_arrays(time, x=x + noise, force=u, time_unit="s", name=f"run {seed}")

    result = ik.fit(record(1), model, inputs={"u": "force"}, method="shooting")
    prediction = result.predict(record(2))
    assert prediction.residuals["x"]["over_noise"] == pytest.approx(1.0, abs=0.2)


DECAY = ik.Model.from_text("decay", equations={"x": "-k*x"}, parameters=[ik.Parameter("k", 1.0, "", (0.01, 10))])


def decay(seed: int, *, column: bool) -> ik.Record:
    """100 exp(-t), either with errors of 5 % or with standard deviations from 0.01 to 1 in a column of their own."""
    time = np.arange(0.0, 5.0, 0.02)
    curve, draw = 100 * np.exp(-time), np.random.default_rng(seed).standard_normal(len(time))
    spread = np.geomspace(0.01, 1.0, len(time))
    if column:
        return ik.Record.from_arrays(time, x=curve + spread * draw, x_std=spread, time_unit="s", name="run")
    return ik.Record.from_arrays(time, x=curve * np.exp(0.05 * draw), time_unit="s", name="run")


@pytest.mark.parametrize("column", [True, False])
def test_errors_are_judged_in_the_scale_in_which_the_noise_of_the_fit_is_alike(column: bool, tmp_path: Path) -> None:
    noise = {"x": "x_std"} if column else "lognormal"
    fit = ik.fit(decay(1, column=column), DECAY, outputs={"x": "x"}, noise=noise, method="shooting")
    assert not fit.noise["x"].absolute
    prediction = fit.predict(decay(2, column=column))
    assert prediction.residuals["x"]["over_noise"] == pytest.approx(1.0, abs=0.15)
    assert 0.9 < prediction.residuals["x"]["inside"] < 0.99
    assert prediction.noise["x"].white
    curve = prediction.artifacts["x, run"]
    at = np.asarray(curve["dense_t"])
    told = np.geomspace(0.01, 1.0, 250)[np.round(at / 0.02).astype(int)] if column else 5 * np.exp(-at)
    assert curve["dense_sigma"] == pytest.approx(told, rel=0.15)
    prediction.plot(tmp_path / "p.png")


def test_without_the_column_of_standard_deviations_the_rms_of_the_fit_is_the_noise() -> None:
    fit = ik.fit(decay(1, column=True), DECAY, outputs={"x": "x"}, noise={"x": "x_std"}, method="shooting")
    record = decay(2, column=True)
    alone = ik.Record.from_arrays(record.time, x=record.channels["x"].values, time_unit="s", name="run")
    prediction = fit.predict(alone)
    assert prediction.noise["x"].sigma == pytest.approx(fit.fit["x"].rmse) and prediction.noise["x"].absolute
    ratio = prediction.fit["x"].rmse / fit.fit["x"].rmse
    assert prediction.residuals["x"]["over_noise"] == pytest.approx(ratio)


def test_a_prediction_survives_being_saved_and_can_be_drawn(fitted: Result, second: ik.Record, tmp_path: Path) -> None:
    fitted.save(tmp_path / "fit.json")
    prediction = ik.predict(tmp_path / "fit.json", second)
    prediction.save(tmp_path / "p.json")
    loaded = Prediction.load(tmp_path / "p.json")
    assert str(loaded) == str(prediction)
    assert loaded.to_json() == prediction.to_json()
    loaded.plot(tmp_path / "p.png")
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(DataError, match="identikit/prediction/1"):
        Prediction.load(tmp_path / "fit.json")


def test_what_is_wrong_is_said(fitted: Result, second: ik.Record) -> None:
    with pytest.raises(ProblemError, match="Did you mean 'theta'"):
        fitted.predict(second, initial={"teta": 0.1})
    with pytest.raises(OptionError, match="'first_part'"):
        fitted.predict(second, initial="guess")
    with pytest.raises(OptionError, match="between 0 and 1"):
        fitted.predict(second, initial="first_part", part=1.5)
    with pytest.raises(ProblemError, match="2 records, but there are 1"):
        fitted.predict(second, initial=[{"theta": 0.1}, {"theta": 0.1}])
    empty = replace(fitted.parameters["k"], value=None)
    with pytest.raises(DataError, match="no value for k"):
        replace(fitted, parameters={**fitted.parameters, "k": empty}).predict(second)


def test_a_model_that_blows_up_is_an_error_of_simulation() -> None:
    model = ik.Model.from_text("burst", equations={"x": "a*x**2"}, parameters=[ik.Parameter("a", 0.1, "", (0, 100))])
    time = np.arange(0.0, 2.0, 0.05)
    record = ik.Record.from_arrays(time, x=1 / (1 - 0.1 * time) + 1e-3 * np.cos(40 * time), time_unit="s")
    result = ik.fit(record, model, method="shooting")
    with pytest.raises(SimulationError, match="could not be integrated"):
        result.predict(record, initial={"x": 1e4})


def test_noise_with_outliers_lies_in_its_band_as_often_as_it_says() -> None:
    time = np.arange(1500) * 0.02
    clean = smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [2.0, 0.0], time)[0]
    records = [
        ik.Record.from_arrays(time, {"x": clean + 0.02 * np.random.default_rng(seed).standard_t(3, len(time))})
        for seed in (1, 2)
    ]
    found = ik.predict(ik.fit(records[0], "duffing"), records[1])
    assert found.noise["x"].freedom == pytest.approx(3, abs=0.8)
    assert found.residuals["x"]["inside"] == pytest.approx(0.95, abs=0.02)
    # negative control: the band of normal noise of that level
    inside = np.mean(np.abs(records[1].channels["x"].values - clean) < 1.96 * found.noise["x"].sigma)
    assert inside < 0.9
