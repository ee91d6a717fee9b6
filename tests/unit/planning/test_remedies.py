"""What would help is what does: weak remedies before strong ones, and none against a structure."""

from __future__ import annotations

import numpy as np

import identikit as ik
from identikit.planning import (
    Budget,
    Choice,
    PresentGiven,
    Task,
    expected,
    present_plan,
    remedies,
    wanted_criterion,
)

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


def test_the_smallest_change_that_reaches_a_goal_is_named() -> None:
    oscillator = ik.library_model("duffing")
    plan = present_plan(oscillator, PresentGiven())
    told = expected(plan.likelihood(), plan.centre)
    draws = np.array([[plan.parameters[item] for item in oscillator.parameter_names]])

    def named(kind: str, name: str, lacking: float) -> list[tuple[str, float]]:
        """The change of one kind, and the error that it leaves over what is wanted, where it is `lacking` times."""
        wanted = float(told.std[plan.free.index(name)]) / lacking
        criterion = wanted_criterion(None, plan, {name: wanted}, False)
        task = Task(plan, {}, {}, {}, Budget(plan.samples, 60.0, 0.01), criterion, draws)
        found = remedies(task, Choice("present", plan, 0.0), told)
        return [(item.text, float(np.exp(item.score))) for item in found if item.kind == kind]

    ((text, left),) = named("larger", "c", 3.0)
    assert "4 times as far" in text and left < 1, "not the first that halves, 2 times, nor the strongest, 8 times"
    ((text, left),) = named("longer", "k", 1.3)
    assert "2 times as long" in text and 0.65 < left < 1, "that reaches it, though it does not halve"
    ((text, left),) = named("larger", "c", 30.0)
    assert "2 times as far" in text and 1 < left < 15, "the weakest that helps, where none reaches it"
    assert named("longer", "k", 3.0) == [], "that neither reaches it nor halves"
