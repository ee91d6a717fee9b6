"""Multiple shooting on records of many kinds. Data come from an independent integrator."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.likelihood import cut
from identikit.problem import Problem
from identikit.result import Code, Result

SIGMA = 0.002
PENDULUM = {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025, "k": 20.0}


def swing(time: np.ndarray, seed: int = 0, sigma: float = SIGMA, **truth: float) -> np.ndarray:
    clean = reference.horizontal_pendulum(time, **truth)[0][0]
    return clean + sigma * np.random.default_rng(seed).standard_normal(len(time))


def assert_within(result: Result, truth: dict[str, float], deviations: float = 4.0) -> None:
    assert result.status.code is Code.OK, result.status.message
    for name in result.free:
        found = result.parameters[name]
        assert found.value is not None and found.std is not None
        assert abs(found.value - truth[name]) < deviations * found.std, (name, found)


def test_four_parameters_without_a_start_from_position_alone() -> None:
    time = np.arange(6001) * 0.01
    result = ik.fit(ik.Record.from_arrays(time, theta=swing(time, **PENDULUM)), "horizontal_pendulum")
    assert_within(result, PENDULUM)
    assert result.noise["theta"].white
    assert result.noise["theta"].sigma == pytest.approx(SIGMA, rel=0.05)
    assert result.initial_states[0]["theta"]["value"] == pytest.approx(np.pi / 6, abs=1e-3)


def test_a_record_that_comes_to_rest_is_fitted_whole() -> None:
    time = np.arange(6001) * 0.01
    truth = {"zeta": 0.0, "mu_c": 0.1, "mu_q": 0.0, "k": 20.0}
    for seed in range(3):
        record = ik.Record.from_arrays(time, theta=swing(time, seed, **truth))
        asked = {"free": ["mu_c", "k"], "fix": {"zeta": 0.0, "mu_q": 0.0}, "method": "shooting"}
        result = ik.fit(record, "horizontal_pendulum", **asked)
        assert_within(result, truth)


@pytest.mark.study
def test_a_known_excitation_is_followed_sampled_or_as_an_expression() -> None:
    time = np.arange(3001) * 0.01
    states = reference.horizontal_pendulum(time, **PENDULUM, q_v=lambda t: 0.2 * np.sin(3 * t))[0]
    values = states[0] + SIGMA * np.random.default_rng(2).standard_normal(len(time))
    by_expression = ik.fit(
        ik.Record.from_arrays(time, theta=values), "horizontal_pendulum", inputs={"q_v": "0.2*sin(3*t)"}
    )
    assert_within(by_expression, PENDULUM)
    record = ik.Record.from_arrays(time, theta=values, q_v=0.2 * np.sin(3 * time))
    sampled = ik.fit(record, "horizontal_pendulum", hold="cubic")
    assert_within(sampled, PENDULUM)
    ignored = ik.fit(ik.Record.from_arrays(time, theta=values), "horizontal_pendulum")
    assert ignored.noise["theta"].sigma > 3 * SIGMA  # negative control: leaving it out shows


def test_several_records_share_parameters_but_not_initial_states() -> None:
    time, truth = np.arange(1001) * 0.02, {"c": 0.1, "k": 1.0, "k3": 0.5}
    slope = lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3]  # noqa: E731
    records = []
    for i, begin in enumerate((2.0, 1.2, -1.6)):
        noise = 0.01 * np.random.default_rng(i).standard_normal(len(time))
        records.append(ik.Record.from_arrays(time + 100 * i, x=reference.smooth(slope, [begin, 0.0], time)[0] + noise))
    result = ik.fit(ik.Experiment(tuple(records)), "duffing")
    assert_within(result, truth)
    starts = [states["x"]["value"] for states in result.initial_states]
    assert starts == pytest.approx([2.0, 1.2, -1.6], abs=5e-3)
    alone = ik.fit(records[0], "duffing")
    assert result.parameters["c"].std < alone.parameters["c"].std


def test_what_one_short_record_cannot_tell_apart_is_said_so() -> None:
    time = np.arange(401) * 0.01
    result = ik.fit(ik.Record.from_arrays(time, theta=swing(time, **PENDULUM)), "horizontal_pendulum")
    assert result.status.code is Code.NOT_IDENTIFIABLE
    assert "cannot be told apart" in result.status.message
    assert result.parameters["k"].identifiable
    assert not result.parameters["zeta"].identifiable


def test_a_forced_system_needs_no_mass_given() -> None:
    """With a known force in newtons even the mass is identifiable; in a free decay it is not."""
    time = np.arange(1500) * 0.02
    slope = lambda t, x: [x[1], (-0.2 * x[1] - x[0] - 0.5 * x[0] ** 3 + 2 * np.cos(1.33 * t)) / 1.5]  # noqa: E731
    values = reference.smooth(slope, [0.3, 0.0], time)[0] + 0.01 * np.random.default_rng(3).standard_normal(1500)
    truth = {"m": 1.5, "c": 0.2, "k": 1.0, "k3": 0.5}
    record = ik.Record.from_arrays(time, x=values)
    forced = ik.fit(record, "duffing", free=list(truth), fix={"F": 2.0, "Omega": 1.33})
    assert_within(forced, truth)
    free_decay = reference.smooth(lambda t, x: [x[1], (-0.2 * x[1] - x[0]) / 1.5], [1.0, 0.0], time)[0]
    hopeless = ik.fit(
        ik.Record.from_arrays(time, x=free_decay + 0.01), "duffing", free=["m", "c", "k"], fix={"k3": 0.0}
    )
    assert hopeless.status.code is not Code.OK


def test_a_model_from_a_jax_function_is_fitted_from_given_starting_values() -> None:
    model = ik.Model.from_function(
        "spring",
        lambda t, x, u, p: [x["v"], -p["k"] * x["x"] - p["c"] * x["v"]],
        states=["x", "v"],
        parameters={"k": 3.0, "c": 0.2},
        outputs=["x"],
    )
    time = np.arange(1000) * 0.02
    clean = reference.smooth(lambda t, x: [x[1], -4.0 * x[0] - 0.1 * x[1]], [1.0, 0.0], time)[0]
    record = ik.Record.from_arrays(time, x=clean + 0.01 * np.random.default_rng(4).standard_normal(1000))
    result = ik.fit(record, model, start={"k": 3.5, "c": 0.2})
    assert_within(result, {"k": 4.0, "c": 0.1})


def test_an_unmeasured_state_is_found_with_the_parameters_but_not_its_scale() -> None:
    """Lotka-Volterra with the predator never seen: b only sets the predator's unit, so it cannot be found."""
    positive = {name: ik.Parameter(name, bounds=(0.01, 10)) for name in ("a", "b", "c")}
    model = ik.Model.from_text(
        "prey",
        equations={"u": "a*u - b*u*v", "v": "-c*v + 0.5*u*v"},
        parameters=positive,
        outputs=["u"],
    )
    time = np.linspace(0, 20, 600)
    slope = lambda t, x: [x[0] - 0.8 * x[0] * x[1], -0.7 * x[1] + 0.5 * x[0] * x[1]]  # noqa: E731
    clean = reference.smooth(slope, [2.0, 1.0], time)[0]
    record = ik.Record.from_arrays(time, u=clean + 0.02 * np.random.default_rng(5).standard_normal(600))
    result = ik.fit(record, model, fix={"b": 0.8})
    assert_within(result, {"a": 1.0, "c": 0.7})
    assert result.initial_states[0]["v"]["value"] == pytest.approx(1.0, abs=0.05)
    unscaled = ik.fit(record, model)
    assert unscaled.status.code is Code.NOT_IDENTIFIABLE
    assert not unscaled.parameters["b"].identifiable
    assert unscaled.parameters["a"].identifiable


def test_segments_cover_every_sample_once_and_end_where_the_next_begins() -> None:
    time = np.sort(np.random.default_rng(6).uniform(0, 20, 500))
    problem = Problem.pose(ik.library_model("duffing"), ik.Record.from_arrays(time, x=np.cos(time)))
    layout = cut(problem, [1.5])
    assert layout.first_sample[0] == 0 and layout.first_sample[-1] == 500
    assert (np.diff(layout.first_sample) > 0).all()
    assert layout.begin[1:] == pytest.approx(layout.end[:-1])
    assert layout.begin[0] == time[0] and layout.end[-1] == time[-1]
    grown, keep = layout.grown(4)
    assert len(grown.begin) == keep.sum() == -(-len(layout.begin) // 4)
    assert grown.end[-1] == time[-1]


@pytest.mark.parametrize("mu", [5.0, 20.0])
def test_a_relaxation_oscillation_is_fitted_without_a_guess(mu: float) -> None:
    from scipy.integrate import solve_ivp

    time = np.linspace(0, 3 * (1.614 * mu + 7 * mu ** (-1 / 3)), 3000)
    slope = lambda t, x: [x[1], mu * (1 - x[0] ** 2) * x[1] - x[0]]  # noqa: E731
    clean = solve_ivp(slope, (0, time[-1]), [2.0, 0.0], "Radau", time, rtol=1e-9, atol=1e-11).y[0]
    for seed in range(2):
        noise = 0.03 * np.random.default_rng(seed).standard_normal(len(time))
        result = ik.fit(ik.Record.from_arrays(time, x=clean + noise), "van_der_pol")
        assert result.ok and result.noise["x"].white
        assert_within(result, {"mu": mu, "w0": 1.0})


def test_a_stiff_relaxation_oscillation_is_fitted_by_whole_records() -> None:
    """Its jumps take a fraction of a sample; short segments alone ended at 22, with residuals six times the noise."""
    from scipy.integrate import solve_ivp

    mu, time = 55.0, np.linspace(0, 180, 2000)
    slope = lambda t, x: [x[1], mu * (1 - x[0] ** 2) * x[1] - x[0]]  # noqa: E731
    clean = solve_ivp(slope, (0, time[-1]), [2.0, 0.0], "Radau", time, rtol=1e-9, atol=1e-11).y[0]
    noise = 0.03 * np.random.default_rng(0).standard_normal(len(time))
    result = ik.fit(ik.Record.from_arrays(time, x=clean + noise), "van_der_pol", fix={"w0": 1.0})
    assert result.ok and result.noise["x"].white
    assert_within(result, {"mu": mu})


def test_a_wrong_model_is_told_that_better_was_looked_for() -> None:
    time = np.linspace(0, 20, 1000)
    clean = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - 4 * x[0] - 3 * x[0] ** 3], [1.5, 0.0], time)[0]
    model = ik.Model.from_text(
        "line",
        states={"x": "", "v": ""},
        equations={"x": "v", "v": "-c*v - k*x"},
        parameters=[ik.Parameter("c", bounds=(0, 10)), ik.Parameter("k", bounds=(0.01, 100))],
        outputs={"x": "x"},
    )
    record = ik.Record.from_arrays(time, x=clean + 0.01 * np.random.default_rng(0).standard_normal(1000))
    result = ik.fit(record, model)
    said = [item.text for item in result.findings if item.code == "better_looked_for"]
    assert len(said) == 1 and "attempts" in said[0]
    assert len(result.diagnostics["tried"]) > 1


def test_a_start_above_half_the_sampling_rate_is_not_followed_to_an_alias() -> None:
    """Samples 0.1 s apart: sqrt(10) rad/s and 2 pi/0.1 + sqrt(10) rad/s take the same values there."""
    model = ik.Model.from_text("o", equations={"x": "v", "v": "-k*x - c*v"}, parameters={"k": None, "c": None})
    time = np.arange(200) * 0.1
    clean = reference.smooth(lambda t, x: [x[1], -10 * x[0] - 0.2 * x[1]], [1.0, 0.0], time)[0]
    record = ik.Record.from_arrays(time, x=clean + 0.02 * np.random.default_rng(0).standard_normal(200))
    alias = (2 * np.pi / 0.1 + np.sqrt(10)) ** 2
    result = ik.fit(record, model, start={"k": alias, "c": 0.2})
    assert "start_too_fast" in {item.code for item in result.findings}
    assert_within(result, {"k": 10.0, "c": 0.2})
    followed = ik.fit(record, model, start={"k": 30.0, "c": 0.2})  # negative control: too stiff, but slow enough
    assert "start_too_fast" not in {item.code for item in followed.findings}
    assert_within(followed, {"k": 10.0, "c": 0.2})


@pytest.mark.study
def test_gross_errors_are_no_reason_to_call_a_right_model_wrong() -> None:
    """One sample in a hundred off by up to 40 standard deviations: most of the residual's mean square is theirs."""
    time = np.arange(800) * 0.05
    clean = reference.smooth(lambda t, x: [x[1], 2 * (1 - x[0] ** 2) * x[1] - x[0]], [0.5, 0.0], time)[0]
    for seed in range(12):
        random = np.random.default_rng(seed)
        gross = random.random(800) < 0.01
        off = np.where(
            gross, random.uniform(10, 40, 800) * random.choice([-1.0, 1.0], 800), random.standard_normal(800)
        )
        result = ik.fit(ik.Record.from_arrays(time, x=clean + 0.07 * off), "van_der_pol")
        assert result.ok, (seed, result.status.message)
        assert_within(result, {"mu": 2.0, "w0": 1.0})


def test_long_pauses_between_samples_need_no_start() -> None:
    """Three stretches of a swing with pauses of up to twenty seconds: their curves say what a period is, the pauses
    nothing."""
    stretches = ((0.0, 2.5), (5.0, 10.0), (30.0, 37.5))
    time = np.concatenate([np.arange(begin, end, 0.01) for begin, end in stretches])
    clean = reference.horizontal_pendulum(time, (-1.0, 0.0), zeta=0.025, mu_c=0.015, mu_q=0.025)[0][0]
    record = ik.Record.from_arrays(time, theta=clean + 0.002 * np.random.default_rng(1).standard_normal(len(time)))
    asked = {"free": ["zeta", "mu_c", "mu_q", "k"]}
    result = ik.fit(record, "horizontal_pendulum", method="shooting", **asked)
    assert_within(result, {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025, "k": 20.0})
    weak = ik.fit(record, "horizontal_pendulum", method="galerkin", **asked)
    assert weak.status.code == "not_applicable" and "gaps" in weak.status.message


def test_noise_in_proportion_to_a_value_near_zero_does_not_lead_astray() -> None:
    """An epidemic that is over at the end: far from the solution the logarithms of its last cases outweigh the rest."""
    epidemic = ik.Model.from_text(
        "epidemic",
        states={name: ik.State(name, bounds=(0, 1e5)) for name in ("S", "I")},
        equations={"S": "-beta*S*I/1000", "I": "beta*S*I/1000 - gamma*I"},
        parameters=[ik.Parameter("beta", bounds=(0.01, 10)), ik.Parameter("gamma", bounds=(0.01, 5))],
        outputs=["I"],
    )
    time = np.arange(31) * 2.0
    cases = reference.smooth(
        lambda t, x: [-0.5e-3 * x[0] * x[1], 0.5e-3 * x[0] * x[1] - 0.2 * x[1]], [990.0, 10.0], time
    )[1]
    for seed in (200, 204):
        noise = 0.2 * np.random.default_rng(seed).standard_normal(len(time))
        found = ik.fit(ik.Record.from_arrays(time, {"I": cases * np.exp(noise)}), epidemic, noise="lognormal")
        assert found.fit["I"].fit_percent > 60
        assert found.parameters["beta"].value == pytest.approx(0.5, abs=4 * found.parameters["beta"].std)
        assert found.parameters["beta"].std < 0.2
