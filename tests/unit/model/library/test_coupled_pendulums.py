"""Two coupled pendulums."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
import ready
from identikit.model import library_model
from identikit.simulation import simulate

PENDULUMS = library_model("coupled_pendulums")
TIME = np.linspace(0, 100, 501)


def test_energy_is_conserved() -> None:
    a, b = 3.0, -0.7
    q1, q2, p1, p2 = simulate(PENDULUMS, TIME, {"a": a, "b": b}, {"q1": 0.4, "p2": 0.9}, tolerance=1e-11).states
    energy = (p1**2 + p2**2 + a * (q1**2 + q2**2)) / 2 + b * q1 * q2
    np.testing.assert_allclose(energy, energy[0], rtol=1e-9)


@pytest.mark.parametrize(("side", "sign"), [("together", 1), ("opposed", -1)])
def test_the_modes_have_the_frequencies_of_the_matrix(side: str, sign: int) -> None:
    a, b = 2.0, -1.0
    found = simulate(PENDULUMS, TIME, {"a": a, "b": b}, {"q1": 1.0, "q2": sign}, tolerance=1e-11).outputs
    expected = np.cos(np.sqrt(a + sign * b) * TIME)
    np.testing.assert_allclose(found["q1"], expected, atol=1e-8)
    np.testing.assert_allclose(found["q2"], sign * expected, atol=1e-8)


def test_its_ready_experiment_tells_both_stiffnesses() -> None:
    ready.assert_recovered(PENDULUMS)


def test_angles_alone_suffice() -> None:
    whole = ready.record_of(PENDULUMS)
    angles = ik.Record.from_arrays(whole.time, q1=whole.channels["q1"].values, q2=whole.channels["q2"].values)
    result = ik.fit(angles, PENDULUMS)
    assert result.ok, result.status.message
    for name, truth in (("a", 2.0), ("b", -1.0)):
        found = result.parameters[name]
        assert found.std is not None and found.std < 0.002
        assert abs(result.value(name) - truth) < 4 * found.std
