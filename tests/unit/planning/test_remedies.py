"""What would help is what does: weak remedies before strong ones, and none against a structure."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

import identikit as ik
from identikit.planning import (
    Budget,
    Choice,
    PresentGiven,
    Remedy,
    Task,
    expected,
    present_plan,
    remedies,
    wanted_criterion,
)
from identikit.planning import _remedies as module

MOTOR = ik.Model.from_text(
    "motor",
    states={"w": "rad/s", "i": "A"},
    equations={"w": "(k*i - c*w)/J", "i": "(u - R*i - k*w)/L"},
    parameters=[
        ik.Parameter("J", 0.01, "kg*m^2", (0.0001, 1)),
        ik.Parameter("c", 0.1, "", (0, 10)),
        ik.Parameter("k", 0.05, "", (0.0001, 10)),
        ik.Parameter("R", 1.0, "", (0.01, 100)),
        ik.Parameter("L", 0.5, "", (0.001, 100)),
    ],
    inputs=[ik.Input("u", "V")],
    outputs=["w"],
)


def helpful(free: list[str], noise: float) -> dict[tuple[str, ...], str]:
    given = PresentGiven(free=free, duration=2.0, dt=0.005, noise={"w": noise}, inputs={"u": "12*sign(sin(4*t))"})
    plan = present_plan(MOTOR, given)
    criterion = wanted_criterion(None, plan, {}, False)
    draws = np.array([[plan.parameters[name] for name in MOTOR.parameter_names]])
    task = Task(plan, {}, {}, {}, Budget(plan.samples, 2.0, 0.005), criterion, draws)
    told = expected(plan.likelihood(), plan.centre)
    choice = Choice("present", plan, task.score(plan, {}))
    return {item.about: item.text for item in remedies(task, choice, told) if item.kind in ("exact", "sensor")}


def test_no_sensor_is_so_exact_that_it_tells_what_the_structure_hides() -> None:
    """Speed alone tells three numbers of a motor's five."""
    found = helpful(["J", "c", "k", "R", "L"], noise=0.01)
    assert ("w",) not in found and ("i",) in found
    assert "times as exact" in helpful(["J", "c", "L"], noise=20.0)["w",], "negative control: here noise is all"


def test_the_smallest_change_that_reaches_a_goal_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    oscillator = ik.library_model("duffing")
    plan = present_plan(oscillator, PresentGiven())
    told = expected(plan.likelihood(), plan.centre)
    name = plan.free[0]
    draws = np.array([[plan.parameters[item] for item in oscillator.parameter_names]])

    def named(lacking: float, *reached: float) -> list[float]:
        """Strengths of one remedy that bring the error to so many times what is wanted, where it is `lacking` times."""
        criterion = wanted_criterion(None, plan, {name: float(told.std[0]) / lacking}, False)
        task = Task(plan, {}, {}, {}, Budget(plan.samples, 60.0, 0.01), criterion, draws)

        def tried(*_: object) -> Iterator[Remedy]:
            yield from (Remedy("longer", (), f"{ratio}", float(np.log(ratio))) for ratio in reached)

        monkeypatch.setattr(module, "_tried", tried)
        return [float(item.text) for item in remedies(task, Choice("present", plan, 0.0), told)]

    assert named(8.0, 3.9, 0.9, 0.2) == [0.9], "not the first that halves, nor the strongest"
    assert named(1.3, 1.2, 0.95, 0.3) == [0.95], "that reaches it, though it does not halve"
    assert named(8.0, 5.0, 3.9, 2.0) == [3.9], "the weakest that helps, where none reaches it"
    assert named(8.0, 7.0, 5.0) == []
