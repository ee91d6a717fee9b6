"""Coupled Chua circuits: bounded where the printed signs are not, and as an independent right-hand side has them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from identikit.model import library_model, symbol
from identikit.simulation import simulate

CHUA = library_model("coupled_chua")
P = {parameter.name: parameter.value for parameter in CHUA.parameters}


def by_hand(_t: float, x: np.ndarray) -> np.ndarray:
    v1, v2, i = x.reshape(4, 3).T
    resistors = np.array([P["R_1"], P["R_2"], P["R_3"], P["R_4"]])
    diode = np.where(np.abs(v1) < 1, P["G_a"] * v1, P["G_b"] * v1 + (P["G_a"] - P["G_b"]) * np.sign(v1))
    return np.stack(
        [
            ((v2 - v1) / resistors - diode + (v1.sum() - 4 * v1) / P["R_C"]) / P["C_1"],
            ((v1 - v2) / resistors + i) / P["C_2"],
            -(v2 + P["R_0"] * i) / P["L"],
        ],
        axis=1,
    ).ravel()


def start(seed: int) -> dict[str, float]:
    return dict(zip(CHUA.state_names, np.random.default_rng(seed).uniform(-1, 1, 12), strict=True))


def test_there_are_twelve_measured_states_and_eleven_free_parameters() -> None:
    assert CHUA.output_names == CHUA.state_names and len(CHUA.states) == 12
    assert len(CHUA.default_free) == 11


@pytest.mark.parametrize("seed", range(3))
def test_it_stays_bounded_and_does_not_come_to_rest(seed: int) -> None:
    found = simulate(CHUA, np.linspace(0, 150, 3001), initial=start(seed), tolerance=1e-6).outputs
    for j in (1, 2, 3, 4):
        voltage = found[f"v1_{j}"]
        assert np.abs(voltage).max() < 10
        assert np.std(voltage[-500:]) > 0.1


def test_with_the_printed_sign_of_the_inductors_resistance_it_blows_up() -> None:
    r_0 = symbol("R_0")
    printed = replace(CHUA, equations=tuple(equation.subs(r_0, -r_0) for equation in CHUA.equations))
    assert np.abs(simulate(printed, np.linspace(0, 15, 301), initial=start(0), tolerance=1e-6).states).max() > 1e6


def test_it_moves_as_an_independent_integration_says() -> None:
    time = np.linspace(0, 3, 31)  # short: chaos multiplies every difference
    initial = start(4)
    ours = simulate(CHUA, time, initial=initial).states
    theirs = solve_ivp(by_hand, (0, 3), list(initial.values()), "LSODA", time, rtol=1e-11, atol=1e-11, max_step=0.002)
    np.testing.assert_allclose(ours, theirs.y, atol=1e-6)
