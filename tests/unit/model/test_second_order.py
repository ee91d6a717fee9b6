"""Positions and velocities among the states, and work along a path."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
from identikit.model import degrees_of_freedom, work_along


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
