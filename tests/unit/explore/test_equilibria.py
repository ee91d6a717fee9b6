"""Equilibria are where the equations vanish, with the eigenvalues of the linearised model."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.errors import ModelError, OptionError
from identikit.explore import equilibria
from identikit.model import Model, library_model


def test_a_pendulum_rests_hanging_and_upright() -> None:
    hanging, upright = equilibria(library_model("pendulum"))
    assert hanging.state["theta"] == pytest.approx(0, abs=1e-9)
    assert upright.state["theta"] == pytest.approx(np.pi, abs=1e-9)
    assert (hanging.stable, upright.stable) == (True, False)
    assert np.sort_complex(upright.eigenvalues).real == pytest.approx([-11.8591, 11.7411], abs=1e-3)


def test_an_undamped_pendulum_is_stable_with_imaginary_eigenvalues() -> None:
    hanging = equilibria(library_model("pendulum"), {"mu": 0.0})[0]
    assert hanging.stable
    assert np.abs(hanging.eigenvalues.imag) == pytest.approx([11.8, 11.8])


@pytest.mark.parametrize("mu_c", [0.0, 0.1])
def test_the_horizontal_pendulum_sags_a_little(mu_c: float) -> None:
    (found,) = equilibria(library_model("horizontal_pendulum"), {"mu_c": mu_c})
    assert found.state["theta"] == pytest.approx(0.0499377, abs=1e-7)
    assert found.stable
    assert np.abs(found.eigenvalues) == pytest.approx([4.47771] * 2, abs=1e-5)


def test_inputs_move_the_rest_state() -> None:
    (found,) = equilibria(library_model("horizontal_pendulum"), inputs={"q_v": -1.0})
    assert found.state["theta"] == pytest.approx(0.0, abs=1e-9)


def test_a_buckled_beam_has_three_rest_states() -> None:
    found = equilibria(library_model("duffing"), {"k": -1.0, "k3": 0.25})
    assert [item.state["x"] for item in found] == pytest.approx([-2, 0, 2], abs=1e-9)
    assert [item.stable for item in found] == [True, False, True]


def test_the_origami_rests_at_its_two_stable_heights() -> None:
    found = equilibria(library_model("miura_origami"), box={"X": (0.0, 0.06), "V": (-1, 1)})
    assert [(item.state["X"] + 0.0401) * 1e3 for item in found] == pytest.approx([50.45, 60.07, 81.45], abs=0.006)
    assert [item.stable for item in found] == [True, False, True]


def test_the_tank_rests_cool() -> None:
    (found,) = equilibria(library_model("tank_reactor"), box={"C": (0, 2), "T": (273, 600)})
    assert (found.state["C"], found.state["T"]) == pytest.approx((1.5965, 341.38), rel=2e-5)
    assert found.stable


def test_a_relay_rests_on_either_side() -> None:
    model = Model.from_text("relay", equations={"x": "-a*x + sign(x)"}, parameters={"a": 2.0})
    assert [item.state["x"] for item in equilibria(model)] == pytest.approx([-0.5, 0.0, 0.5])


def test_roots_outside_the_box_are_left_out() -> None:
    found = equilibria(library_model("duffing"), {"k": -1.0, "k3": 0.25}, box={"x": (0.5, 5.0)})
    assert [item.state["x"] for item in found] == pytest.approx([2])


def test_nothing_rests_under_a_forcing_in_time() -> None:
    with pytest.raises(ModelError, match="depends on time"):
        equilibria(library_model("duffing"), {"F": 1.0})


def test_a_drift_has_no_equilibrium() -> None:
    assert equilibria(Model.from_text("drift", equations={"x": "a"}, parameters={"a": 1.0})) == []


def test_wrong_boxes_are_refused() -> None:
    with pytest.raises(ModelError, match="no state 'y'"):
        equilibria(library_model("duffing"), box={"y": (0, 1)})
    with pytest.raises(OptionError, match="lower first"):
        equilibria(library_model("duffing"), box={"x": (1, 0)})
