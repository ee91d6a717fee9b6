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


def test_a_tank_is_not_looked_for_at_temperatures_that_do_not_exist() -> None:
    """Below zero the equations have another root, which only a box that asks for it finds."""
    tank = library_model("tank_reactor")
    (found,) = equilibria(tank)
    assert found.state["T"] == pytest.approx(341.38, rel=2e-5)
    asked = equilibria(tank, box={"C": (-2, 4), "T": (-400, 600)})
    assert any(item.state["T"] < 0 for item in asked)


def test_counts_rest_at_zero_and_in_balance_also_beyond_the_start() -> None:
    nobody, balance = equilibria(library_model("lotka_volterra"))
    assert list(nobody.state.values()) == [0, 0]
    assert (balance.state["hare"], balance.state["lynx"]) == pytest.approx((0.8 / 0.024, 0.55 / 0.028))
    assert balance.stable and not balance.attracting


def test_the_lorenz_system_rests_at_three_states() -> None:
    found = equilibria(library_model("lorenz"))
    size = np.sqrt(8 / 3 * 27)
    assert [item.state["x"] for item in found] == pytest.approx([-size, 0, size])
    assert [item.state["z"] for item in found] == pytest.approx([27, 0, 27])
    assert not any(item.stable for item in found)


def test_the_coupled_circuits_rest_where_all_their_linear_pieces_say() -> None:
    """In each of the 3^4 combinations of the diodes' pieces the equations are linear: solved one by one."""
    g_a, g_b, r_0, r_c = -0.74, -0.41, 0.019, 10.0
    resistors = np.array([1.599, 1.228, 0.917, 3.628])
    rests = []
    for pieces in np.ndindex(3, 3, 3, 3):
        side = np.array(pieces) - 1
        slope, shift = np.where(side == 0, g_a, g_b), side * (g_a - g_b)
        # at rest v2 = -R_0 i and i = (v2 - v1)/R, so i = -v1/(R + R_0)
        matrix = np.diag(-1 / (resistors + r_0) - slope - 4 / r_c) + 1 / r_c
        v1 = np.linalg.solve(matrix, shift)
        if np.array_equal(np.where(np.abs(v1) <= 1, 0, np.sign(v1)), side):
            rests.append(v1)
    found = equilibria(library_model("coupled_chua"))
    assert len(found) == len(rests) == 3
    ours = sorted([item.state[f"v1_{j}"] for j in (1, 2, 3, 4)] for item in found)
    assert ours == [pytest.approx(v1, abs=1e-9) for v1 in sorted(v1.tolist() for v1 in rests)]


def test_of_a_line_of_rest_states_one_is_given_and_marked() -> None:
    """Hysteresis rests wherever alpha x + (1 - alpha) z = 0."""
    (found,) = equilibria(library_model("bouc_wen"))
    assert not found.isolated and found.stable and not found.attracting
    assert found.state["x"] == pytest.approx(0, abs=1e-9)
    (isolated,) = equilibria(library_model("duffing"))
    assert isolated.isolated and isolated.attracting


def test_states_stay_positive_only_if_the_equations_keep_them_so() -> None:
    """Both systems rest at x = y = -2 too, which is looked for only where a motion could come there."""

    def rests(equations: dict[str, str]) -> list[float]:
        model = Model.from_text("two", equations=equations, parameters={"a": 1.0})
        found = equilibria(model, initial={"x": 1.0, "y": 1.0})
        assert all(item.state["x"] == pytest.approx(item.state["y"], abs=1e-9) for item in found)
        return [item.state["x"] for item in found]

    kept = {"x": "a*y - x", "y": "y*(x - 1)*(x + 2)"}
    assert rests(kept) == pytest.approx([0.0, 1.0], abs=1e-9)
    crossing = {"x": "a*y - x", "y": "(1 - x)*(x + 2)"}  # y falls below zero, and then x follows
    assert rests(crossing) == pytest.approx([-2.0, 1.0], abs=1e-9)
