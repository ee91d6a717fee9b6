"""Positions and velocities among the states, and work along a path."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
from identikit.model import (
    TIME,
    common_divisor,
    degrees_of_freedom,
    equations_of_motion,
    kinematic_pairs,
    split_sum,
    sum_terms,
    symbol,
    work_along,
)


def test_pairs_of_position_and_velocity_are_found_in_any_order_and_only_if_there_are_no_other_states() -> None:
    assert degrees_of_freedom(ik.library_model("pendulum")) == ((0, 1),)
    assert degrees_of_freedom(ik.library_model("coupled_pendulums")) == ((0, 2), (1, 3))
    turned = ik.Model.from_text("turned", equations={"v": "-x", "x": "v"}, parameters={}, outputs=["x"])
    assert degrees_of_freedom(turned) == ((1, 0),)
    assert degrees_of_freedom(ik.library_model("lorenz")) == ()
    assert degrees_of_freedom(ik.library_model("bouc_wen")) == ()


def test_work_of_a_force_of_position_depends_on_the_ends_only() -> None:
    path = np.sin(np.linspace(0, 20, 300))[:, None] * [1.0, 2.0]
    work = work_along(np.sin, path)
    assert work == pytest.approx(np.cos(path[0]) - np.cos(path), abs=1e-12)
    assert np.abs(work).max() > 0.1


def test_an_equation_of_motion_restores_at_rest_and_damps_in_motion() -> None:
    duffing = ik.library_model("duffing")
    motion = equations_of_motion(duffing, {"F": 0.0, "m": 2.0})[0]
    assert (motion.position, motion.velocity, str(motion.x)) == (0, 1, "x")
    assert TIME not in motion.acceleration.free_symbols  # a force of zero is gone, and the time with it
    assert {str(item) for item in motion.restoring.free_symbols} == {"x", "k", "k3"}
    assert equations_of_motion(duffing)[0].inertia(duffing, ["c", "k", "k3"]) == "m"
    assert equations_of_motion(duffing)[0].inertia(duffing, ["m"]) == ""  # negative control: it is looked for
    assert [item.position for item in equations_of_motion(ik.library_model("coupled_pendulums"))] == [0, 1]
    assert equations_of_motion(ik.library_model("lorenz")) == ()


def test_a_sum_is_split_by_what_its_terms_hold() -> None:
    a, b, x = (symbol(name) for name in "abx")
    without, others = split_sum(sum_terms(a * (x + b) - 3 * x), {b})
    assert without == a * x - 3 * x and others == a * b


def test_positions_are_found_beside_states_of_other_kinds() -> None:
    assert kinematic_pairs(ik.library_model("bouc_wen")) == ((0, 1),)  # its hysteresis is a state of its own
    assert kinematic_pairs(ik.library_model("lorenz")) == ()


def test_the_mass_that_divides_every_force_is_found() -> None:
    duffing = ik.library_model("duffing")
    assert common_divisor(duffing.equations[1], duffing.parameter_names) == "m"
    assert common_divisor(symbol("k") * symbol("x") / symbol("m") + 1, ["m"]) == ""
