"""Integration steps are short where the motion turns sharply, and only there."""

import numpy as np
from scipy.integrate import solve_ivp

import identikit as ik
from identikit.likelihood import BlockModel, Layout, step_errors, steps_asked_for
from identikit.problem import Problem

SPEED = 2e-3  # at which friction turns


def _rate(t: float, x: np.ndarray) -> list[float]:
    return [x[1], -4 * x[0] - 0.05 * np.tanh(x[1] / SPEED)]


def _posed() -> tuple[BlockModel, np.ndarray]:
    times = np.arange(401) * 0.02
    states = solve_ivp(_rate, (0, 8), [1.0, 0.3], t_eval=times, rtol=1e-11, atol=1e-12).y
    model = ik.Model.from_text(
        "sharp",
        states={"x": "", "v": ""},
        equations={"x": "v", "v": "-4*x - 0.05*tanh(v/speed)"},
        parameters=[ik.Parameter("speed", SPEED, "", (1e-5, 1.0))],
        outputs={"x": "x"},
    )
    problem = Problem.pose(model, ik.Record.from_arrays(times, {"x": states[0]}), free=["speed"])
    one = np.zeros(1, int)
    layout = Layout(times[:1], times[-1:], np.array([0, 401]), one, one, np.zeros(1, np.bool_))
    return BlockModel(problem, layout, 1e-8, np.array([1.0, 2.0]), np.ones(401, int)), states


def test_only_intervals_about_a_reversal_ask_for_more_steps() -> None:
    blocks, states = _posed()
    steps = steps_asked_for(step_errors(blocks, np.array([SPEED]), states.T), 1e-6, 16)
    reversals = np.nonzero(np.diff(np.sign(states[1])))[0]
    distance = np.abs(np.arange(401)[:, None] - reversals).min(axis=1)
    assert len(reversals) == 6
    assert (steps[distance == 0] > 4).all()
    assert (steps[distance > 2] <= 2).all()


def test_steps_that_are_asked_for_follow_the_reference_where_equal_ones_do_not() -> None:
    blocks, states = _posed()
    p, begun = np.array([SPEED]), states[:, :1].T
    steps = steps_asked_for(step_errors(blocks, p, states.T), 1e-7, 16)
    fine = blocks.recut(blocks.layout, steps)
    assert np.abs(fine.states(p, begun).T - states).max() < 2e-5
    assert np.abs(blocks.states(p, begun).T - states).max() > 1e-4  # negative control


def test_other_samples_are_reached_by_steps_as_short() -> None:
    blocks, states = _posed()
    p, begun = np.array([SPEED]), states[:, :1].T
    fine = blocks.recut(blocks.layout, steps_asked_for(step_errors(blocks, p, states.T), 1e-7, 16))
    record = blocks.problem.records[0]
    denser = Problem.pose(
        blocks.problem.model,
        ik.Record.from_arrays(
            np.arange(1601) * 0.005, {"x": np.interp(np.arange(1601) * 0.005, record.time, states[0])}
        ),
        free=["speed"],
    )
    again = fine.resampled(denser)
    assert again.steps.max() <= 4
    assert np.abs(again.states(p, begun).T[:, ::4] - states).max() < 2e-5
