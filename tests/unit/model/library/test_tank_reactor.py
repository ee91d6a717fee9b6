"""The tank reactor settles where it should, and its steps are exact."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
from identikit.model import TIME, library_model, parse
from identikit.model.library.tank_reactor import hot_schedule
from identikit.simulation import Pieces, sampled, simulate, stepped, synthesize
from reference import smooth

MODEL = library_model("tank_reactor")
TRUTH = {"tau": 0.833, "kappa": 0.461, "a": 1.678}
GRID = np.arange(769) / 12


def schedule(expressions: dict[str, str], time: np.ndarray) -> dict[str, np.ndarray]:
    """The inputs just after each time."""
    columns = {}
    for item in MODEL.inputs:
        formula = parse(expressions.get(item.name, repr(item.value)), {})
        columns[item.name] = np.array([float(formula.subs(TIME, t + 1e-9)) for t in time])
    return columns


def rate(t: float, x: np.ndarray, u: dict[str, float]) -> list[float]:
    concentration, temperature = x
    k = TRUTH["kappa"] * np.exp(-1e4 * TRUTH["tau"] * (1 / temperature - 1 / 350))
    alpha = TRUTH["a"] * u["F_co"] ** 1.5 / (u["F_co"] + TRUTH["a"] * u["F_co"] ** 0.5 / 2)
    return [
        -(k + u["F_in"]) * concentration + u["F_in"] * u["C_in"],
        -(alpha + u["F_in"]) * temperature + 130 * k * concentration + u["F_in"] * u["T_in"] + alpha * u["T_co"],
    ]


@pytest.fixture(scope="module")
def cool() -> Pieces:
    return sampled(GRID, schedule(MODEL.ready.inputs, GRID), {item.name: item.hold for item in MODEL.inputs})


def test_the_cool_tank_settles_where_the_source_says() -> None:
    end = simulate(MODEL, np.array([0.0, 200.0]), initial={"C": 1.0, "T": 330.0}).states[:, -1]
    assert end == pytest.approx([1.5965, 341.38], rel=2e-5)


def test_heated_by_its_inflow_as_printed_the_cool_tank_would_not_settle() -> None:
    usual = {item.name: item.value for item in MODEL.inputs}

    def printed(t: float, x: np.ndarray) -> list[float]:
        change = rate(t, x, usual)
        return [change[0], change[1] + 130 * usual["F_in"] * x[0]]

    late = smooth(printed, [1.5965, 341.3754], np.linspace(0, 100, 4001))[1, 2000:]
    assert (late.min(), late.max()) == pytest.approx((353.75, 432.03), abs=0.1)


def test_the_hot_tank_settles_hotter_than_its_coolant() -> None:
    first = [column[0] for column in schedule(hot_schedule(), GRID[:1]).values()]
    assert first == pytest.approx([1.0, 2.0, 323.0, 365.0, 15.0], rel=1e-14)
    end = simulate(MODEL, np.array([0.0, 200.0]), initial={"C": 0.5, "T": 370.0}, inputs=Pieces.constant(first)).states[
        :, -1
    ]
    assert end == pytest.approx([0.264558, 393.9524], rel=1e-6)
    assert np.abs(rate(0.0, end, dict(zip(MODEL.input_names, first, strict=True)))).max() < 1e-5


def test_all_fifteen_steps_and_nothing_else_restart_the_integrator(cool: Pieces) -> None:
    steps = [begin + 4 * index for begin in (4, 16, 28, 40, 52) for index in range(3)]
    assert cool.begins.tolist() == [0.0, *map(float, steps)]


def test_the_run_agrees_with_an_integrator_restarted_at_every_step(cool: Pieces) -> None:
    found = simulate(MODEL, GRID, inputs=cool, tolerance=1e-11).states
    x = np.array([MODEL.ready.initial[name] for name in MODEL.state_names])
    for begin in np.arange(0, 64, 4):
        inputs = {name: column[0] for name, column in schedule(MODEL.ready.inputs, np.array([begin])).items()}
        times = GRID[48 * begin // 4 : 48 * begin // 4 + 49]
        expected = smooth(lambda t, y, u=inputs: rate(t, y, u), x, times)
        here = found[:, 48 * begin // 4 : 48 * begin // 4 + 49]
        assert np.abs(here / expected - 1).max() < 1e-7, begin
        x = expected[:, -1]


@pytest.mark.study
def test_samples_with_zero_order_hold_are_the_same_as_the_expressions() -> None:
    names = ("F_in", "F_co")  # one that enters linearly and one that does not
    steps = {name: MODEL.ready.inputs[name] for name in names}
    by_expression = simulate(MODEL.with_input_expressions(steps), GRID).states
    columns = sampled(GRID, schedule(steps, GRID), "zero_order")
    by_samples = simulate(MODEL, GRID, inputs=columns).states
    assert np.ptp(by_samples[1]) > 5
    assert np.abs(by_expression / by_samples - 1).max() < 1e-6


def test_the_schedule_as_pieces_is_the_same_as_its_samples(cool: Pieces) -> None:
    pieces = stepped(MODEL, MODEL.ready.inputs)
    assert pieces is not None
    assert pieces.begins[1:].tolist() == cool.begins[1:].tolist()
    assert pieces(GRID) == pytest.approx(cool(GRID), rel=1e-14)


def test_only_steps_become_pieces() -> None:
    assert stepped(MODEL, {"F_in": "1 + 0.1*sin(t)"}) is None
    assert stepped(MODEL, {"F_in": "1 + a*heaviside(t - 1)"}) is None
    assert stepped(MODEL, {"F_in": "1 + heaviside(t**2 - 1)"}) is None
    assert stepped(MODEL, {"F_in": "1.5"}) is None


def test_the_ready_experiment_gives_the_parameters_back(cool: Pieces) -> None:
    solution = simulate(MODEL, GRID, inputs=cool)
    record = synthesize(MODEL, solution, MODEL.ready.noise, seed=0)
    result = ik.fit(record, MODEL, method="shooting")
    assert result.status.code == "ok", result.status.message
    for name, truth in TRUTH.items():
        estimate = result.parameters[name]
        assert abs(estimate.value - truth) < 4 * estimate.std
        assert estimate.std < 0.03 * truth


def test_a_fit_with_the_steps_as_expressions_is_the_one_with_their_samples(cool: Pieces) -> None:
    """Each of the fifteen steps as a switch of its own would take minutes to compile."""
    driven = synthesize(MODEL, simulate(MODEL, GRID, inputs=cool), MODEL.ready.noise, seed=1)
    by_columns = ik.fit(driven, MODEL)
    bare = ik.Record.from_arrays(GRID, C=driven.channels["C"].values, T=driven.channels["T"].values, time_unit="min")
    by_expressions = ik.fit(bare, MODEL, inputs=MODEL.ready.inputs)
    for name in TRUTH:
        assert by_expressions.value(name) == pytest.approx(by_columns.value(name), rel=1e-6)
        # negative control: another draw of the noise gives other values, by more than the agreement
        assert abs(by_columns.value(name) / TRUTH[name] - 1) > 1e-5
