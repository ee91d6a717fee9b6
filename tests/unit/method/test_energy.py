"""The balance of energy: right without noise, unbiased with it, honest where the record says too little."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.method import _conclusion, energy
from identikit.method._status import decide
from identikit.method.balance._coefficients import CoefficientFit
from identikit.method.balance._energy_equations import EnergyEquations
from identikit.method.balance._energy_rows import RecordBalance
from identikit.method.energy import Energy
from identikit.model import Input, Parameter
from identikit.problem import Problem
from identikit.result import Code, Ending, Result

MU, W0 = 0.005, 11.8
PENDULUM = {"w0": W0, "mu": MU}
MAGNETIC = {"mu": 0.0509, "w0": 11.74, "a1": -138.3, "a2": 21.3, "a3": 163.1}
SIGMA = 0.0047
Rate = Callable[[float, np.ndarray], Sequence[float]]


def pendulum(degrees: float, time: np.ndarray) -> np.ndarray:
    return reference.smooth(
        lambda t, x: [x[1], -2 * MU * W0 * x[1] - W0**2 * np.sin(x[0])], [np.radians(degrees), 0.0], time
    )[0]


def magnetic(start: float, time: np.ndarray) -> np.ndarray:
    p = MAGNETIC

    def rate(t: float, x: np.ndarray) -> Sequence[float]:
        force = p["w0"] ** 2 * np.sin(x[0]) + 2 * p["a1"] * x[0] + 3 * p["a2"] * x[0] ** 2 + 4 * p["a3"] * x[0] ** 3
        return [x[1], -2 * p["mu"] * p["w0"] * x[1] - force]

    return reference.smooth(rate, [start, 0.0], time)[0]


def noise(time: np.ndarray, seed: int, sigma: float = SIGMA) -> np.ndarray:
    return sigma * np.random.default_rng(seed).standard_normal(len(time))


def error_norm(result: Result, truth: dict[str, float]) -> float:
    """E_p of the source: root mean square of the relative errors."""
    return float(np.sqrt(np.mean([(result.value(name) / true - 1) ** 2 for name, true in truth.items()])))


def bare(problem: Problem, seed: int = 0, **options: object) -> CoefficientFit:
    """The estimate without the judgement by a trajectory."""
    return Energy().balance(problem, Energy.resolve_options(options), seed).fit


def pendulum_problem(degrees: float, time: np.ndarray, seed: int, sigma: float = SIGMA) -> Problem:
    record = ik.Record.from_arrays(time, theta=pendulum(degrees, time) + noise(time, seed, sigma))
    return Problem.pose(ik.library_model("pendulum"), record)


SHORT = np.arange(1500) / 300


def test_without_noise_the_balance_is_exact() -> None:
    record = ik.Record.from_arrays(SHORT, theta=pendulum(60, SHORT))
    found = bare(Problem.pose(ik.library_model("pendulum"), record), smoothing=1.0)
    assert found.p == pytest.approx([W0, MU], rel=1e-5)


LONG = np.arange(3000) / 300


@pytest.mark.parametrize(("degrees", "limit"), [(10, 0.005), (20, 0.0025), (60, 0.001), (120, 0.001)])
def test_the_pendulum_is_found_at_every_start_angle(degrees: float, limit: float) -> None:
    fits = [bare(pendulum_problem(degrees, LONG, seed)) for seed in range(4)]
    assert np.mean([np.sqrt(np.mean((fit.p / [W0, MU] - 1) ** 2)) for fit in fits]) < limit


def test_the_result_is_judged_by_its_trajectory_and_near_the_bound_in_the_damping() -> None:
    result = Energy().estimate(pendulum_problem(60, SHORT, 0), options=Energy.resolve_options())
    assert result.ok
    assert error_norm(result, PENDULUM) < 0.005
    damping = result.parameters["mu"]
    assert damping.std is not None and damping.crlb is not None
    assert damping.std < 2 * damping.crlb
    assert result.fit["theta"].fit_percent > 95
    assert set(result.diagnostics["energy"]["coefficients"]) == {"w0**2", "mu*w0"}


def test_what_noise_adds_to_the_squared_velocity_is_subtracted(monkeypatch: pytest.MonkeyPatch) -> None:
    problems = [pendulum_problem(20, SHORT, seed) for seed in range(3)]
    corrected = np.mean([bare(problem, smoothing=0.1).p[1] for problem in problems])
    assert corrected == pytest.approx(MU, rel=0.02)
    plain = RecordBalance._without_noise

    def uncorrected(self: RecordBalance, program, at, curves, spread):  # type: ignore[no-untyped-def]
        return plain(self, program, at, curves, [0 * item for item in spread])

    monkeypatch.setattr(RecordBalance, "_without_noise", uncorrected)  # negative control
    assert np.mean([bare(problem, smoothing=0.1).p[1] for problem in problems]) < 0.95 * MU


def test_deviations_are_those_of_the_estimates() -> None:
    fits = [bare(pendulum_problem(30, SHORT, seed), seed) for seed in range(12)]
    z = np.array([(fit.p - [W0, MU]) / fit.deviation for fit in fits])
    assert (np.sqrt(np.mean(z**2, axis=0)) < 1.6).all()
    assert (np.sqrt(np.mean(z**2, axis=0)) > 0.5).all()  # a deviation blown up to cover everything would show


def test_pairs_at_random_or_of_one_span_agree_with_every_pair() -> None:
    problem = pendulum_problem(60, SHORT, 1)
    every, drawn, spans = (bare(problem, **options) for options in ({}, {"pairs": 5000}, {"spans": 3.3}))  # type: ignore[arg-type]
    assert drawn.p == pytest.approx(every.p, rel=0.01)
    assert spans.p == pytest.approx(every.p, rel=0.02)
    assert not np.array_equal(drawn.p, every.p)


def test_chaotic_forced_motion_gives_mass_damping_and_both_stiffnesses() -> None:
    truth = {"m": 1.0, "c": 0.2, "k": 1.0, "k3": 1.0}
    time = np.arange(250 * 25) * (2 * np.pi / 1.33 / 250)

    def rate(t: float, x: np.ndarray) -> Sequence[float]:
        return [x[1], -0.2 * x[1] - x[0] - x[0] ** 3 + 27 * np.cos(1.33 * t)]

    clean = reference.smooth(rate, [1.0, 0.0], time)[0]
    record = ik.Record.from_arrays(time, x=clean + noise(time, 0, 0.01))
    model = ik.library_model("duffing")
    found = bare(Problem.pose(model, record, free=list(truth), fix={"F": 27.0, "Omega": 1.33}))
    assert np.abs((found.p - list(truth.values())) / found.deviation).max() < 4
    assert found.p[[0, 1, 3]] == pytest.approx([1.0, 0.2, 1.0], rel=0.01)
    # negative control: a force that is wrong by a tenth goes into the mass, as it must
    wrong = bare(Problem.pose(model, record, free=list(truth), fix={"F": 29.7, "Omega": 1.33}))
    assert wrong.p[0] == pytest.approx(1.1, rel=0.01)


def test_a_measured_force_of_any_waveform_serves() -> None:
    time = np.arange(4000) * 0.01

    def force(t: float | np.ndarray) -> float | np.ndarray:
        return 3 * np.sin(1.1 * t + np.sin(0.7 * t)) + 2 * np.sin(2.3 * t + 0.02 * t**2)

    def rate(t: float, x: np.ndarray) -> Sequence[float]:
        return [x[1], -0.3 * x[1] - 4 * x[0] + float(force(t)) / 2]

    clean = reference.smooth(rate, [0.5, 0.0], time)[0]
    model = ik.Model.from_text(
        "shaken",
        equations={"x": "v", "v": "(u - c*v - k*x)/m"},
        parameters=[Parameter("m", None, "", (0.01, 100)), Parameter("c", None), Parameter("k", None)],
        inputs=[Input("u")],
        outputs=["x"],
    )
    record = ik.Record.from_arrays(time, x=clean + noise(time, 2, 0.002), u=force(time))
    found = bare(Problem.pose(model, record))
    assert found.p == pytest.approx([2.0, 0.6, 8.0], rel=0.03)


def test_irregular_records_of_their_own_starts_are_balanced_together() -> None:
    random = np.random.default_rng(9)
    records = []
    for index, degrees in enumerate((25.0, 70.0)):
        time = np.sort(random.uniform(0, 5, 1500))
        records.append(
            ik.Record.from_arrays(time, theta=pendulum(degrees, time) + noise(time, index), name=str(degrees))
        )
    found = bare(Problem.pose(ik.library_model("pendulum"), ik.Experiment(tuple(records))))
    assert found.p == pytest.approx([W0, MU], rel=0.02)


def test_several_degrees_of_freedom_share_their_coefficients() -> None:
    time = np.arange(3000) * 0.01
    states = reference.smooth(lambda t, x: [x[2], x[3], -2 * x[0] + x[1], x[0] - 2 * x[1]], [1.0, 0.0, 0.0, 0.0], time)
    record = ik.Record.from_arrays(time, q1=states[0] + noise(time, 0, 0.01), q2=states[1] + noise(time, 1, 0.01))
    found = bare(Problem.pose(ik.library_model("coupled_pendulums"), record))
    assert found.p == pytest.approx([2.0, -1.0], rel=0.01)


def test_dry_friction_and_a_sensor_zero_are_found() -> None:
    time = np.arange(3000) * 0.02
    states, _ = reference.horizontal_pendulum(time, zeta=0.025, mu_c=0.015, mu_q=0.025)
    record = ik.Record.from_arrays(time, theta=states[0] + noise(time, 0, 0.002))
    found = bare(Problem.pose(ik.library_model("horizontal_pendulum"), record, free=["zeta", "mu_c", "mu_q", "k"]))
    assert np.abs((found.p - [0.025, 0.015, 0.025, 20.0]) / found.deviation).max() < 4
    assert found.p[3] == pytest.approx(20.0, rel=0.01)
    shifted = ik.Record.from_arrays(SHORT, theta=pendulum(50, SHORT) + 0.3 + noise(SHORT, 1))
    found = bare(Problem.pose(ik.library_model("pendulum"), shifted, free=["w0", "mu", "offset"]))
    assert found.p == pytest.approx([W0, MU, 0.3], rel=0.02)


def test_what_cannot_be_told_apart_is_said_with_what_can() -> None:
    record = ik.Record.from_arrays(LONG, theta=magnetic(0.9, LONG) + noise(LONG, 0))
    free = ["mu", "w0", "a1", "a2", "a3"]
    result = ik.fit(record, "magnetic_pendulum", method="energy", free=free)
    assert result.status.code is Code.NOT_IDENTIFIABLE
    assert result.verdict is not None and result.verdict.code is Ending.AMBIGUOUS
    (determined,) = (item for item in result.findings if item.code == "still_determined")
    assert "w0**2 + 2*a1" in determined.text and determined.text in result.status.message
    assert result.diagnostics["energy"]["condition"] > 1e3
    fixed = ik.fit(record, "magnetic_pendulum", method="energy")  # negative control: w0 from the test without magnets
    assert fixed.status.code is Code.OK
    assert fixed.diagnostics["energy"]["condition"] < 100
    assert error_norm(fixed, {name: value for name, value in MAGNETIC.items() if name != "w0"}) < 0.03


def test_a_square_that_comes_out_negative_is_reported_not_rooted() -> None:
    """A sensor that counts from upright: sin changes its sign, and w0^2 with it."""
    record = ik.Record.from_arrays(SHORT, theta=pendulum(40, SHORT) + np.pi + noise(SHORT, 0))
    result = ik.fit(record, "pendulum", method="energy")
    assert result.status.code is Code.NOT_CONVERGED
    assert "w0**2 = -" in result.status.message
    assert result.findings[0].code == "coefficients_out_of_reach"
    right = ik.fit(record, "pendulum", method="energy", fix={"offset": np.pi})
    assert right.status.code is Code.OK


@pytest.mark.parametrize(
    ("model", "output", "options", "words"),
    [
        ("lorenz", "x", {}, "second order"),
        ("duffing", "x", {"free": ["c", "Omega"], "fix": {"F": 1.0}}, "Omega cannot be taken apart"),
        ("double_pendulum", "theta1", {}, "measure"),
    ],
)
def test_objections_say_what_is_missing(model: str, output: str, options: dict[str, object], words: str) -> None:
    time = np.arange(200) * 0.05
    chosen = ik.library_model(model)
    name = output if output in chosen.output_names else chosen.output_names[0]
    record = ik.Record.from_arrays(time, {name: np.sin(time)})
    found = Energy().objections(Problem.pose(chosen, record, **options))  # type: ignore[arg-type]
    assert len(found) == 1
    assert words in found[0].text


def test_what_the_rows_leave_over_is_noise_for_the_right_model_and_more_for_a_wrong_one() -> None:
    record = ik.Record.from_arrays(SHORT, theta=pendulum(80, SHORT) + noise(SHORT, 0))
    right = Energy().balance(Problem.pose(ik.library_model("pendulum"), record), Energy.resolve_options())
    assert right.holds
    assert right.imbalance == pytest.approx(1.0, abs=0.3)
    linear = ik.Model.from_text(
        "linear swing",
        equations={"theta": "v", "v": "-c*v - k*theta"},
        parameters={"c": 0.1, "k": 100.0},
        outputs=["theta"],
    )
    wrong = Energy().balance(Problem.pose(linear, record), Energy.resolve_options())
    assert not wrong.holds
    assert wrong.imbalance > 2


def test_chaos_that_no_trajectory_follows_is_no_failure_if_the_balance_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = pendulum_problem(60, SHORT, 0)
    monkeypatch.setattr(_conclusion, "decide", lambda verdict, check: decide(verdict, replace(check, converged=False)))
    held = Energy().estimate(problem, options=Energy.resolve_options())
    assert held.status.code is Code.OK and held.verdict is not None and held.verdict.code is Ending.CONFIRMED
    assert {"balance_holds", "not_followed_though_confirmed"} <= {item.code for item in held.findings}
    # negative control: a balance that does not hold excuses nothing
    monkeypatch.setattr(energy, "BALANCE", replace(energy.BALANCE, off=0.1))
    open_balance = Energy().estimate(problem, options=Energy.resolve_options())
    assert open_balance.status.code is Code.NOT_CONVERGED
    assert open_balance.verdict is not None and open_balance.verdict.code is Ending.CONVERGED
    assert open_balance.findings[0].code == "not_followed"


def test_a_measured_velocity_is_used() -> None:
    model = ik.Model.from_text(
        "swing",
        equations={"q": "s", "s": "-2*mu*w0*s - w0**2*sin(q)"},
        parameters={"w0": 10.0, "mu": 0.01},
        outputs={"angle": "q", "rate": "s"},
    )
    time = np.arange(600) / 60
    states = reference.smooth(lambda t, x: [x[1], -2 * MU * W0 * x[1] - W0**2 * np.sin(x[0])], [1.0, 0.0], time)
    both = ik.Record.from_arrays(time, angle=states[0] + noise(time, 0), rate=states[1] + noise(time, 1))
    angle = ik.Record.from_arrays(time, angle=states[0] + noise(time, 0))
    with_rate, without = (bare(Problem.pose(model, record)) for record in (both, angle))
    assert with_rate.p == pytest.approx([W0, MU], rel=0.005)
    assert with_rate.deviation[0] < 0.5 * without.deviation[0]


def test_conservative_work_is_a_difference_of_potentials() -> None:
    problem = pendulum_problem(60, SHORT, 0)
    equations = EnergyEquations(problem)
    (degree,) = equations.degrees
    assert {equations.labels[j] for j, _ in degree.potential} == {"w0**2"}
    assert {equations.labels[j] for j, _ in degree.work} == {"mu*w0"}
