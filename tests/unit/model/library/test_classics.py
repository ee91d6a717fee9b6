"""Van der Pol, Lorenz and FitzHugh-Nagumo: what is known of them holds."""

from __future__ import annotations

import numpy as np
import pytest

import ready
from identikit.model import library_model
from identikit.simulation import simulate


@pytest.mark.parametrize(("mu", "largest"), [(0.1, 2.0), (1.0, 2.0086), (5.0, 2.0216)])
def test_the_limit_cycle_of_van_der_pol_has_its_known_amplitude(mu: float, largest: float) -> None:
    model = library_model("van_der_pol")
    for begin in (0.1, 4.0):
        x = simulate(model, np.linspace(0, 150, 30001), {"mu": mu, "w0": 1.0}, {"x": begin}).outputs["x"]
        assert np.abs(x[-4000:]).max() == pytest.approx(largest, abs=1e-3)


def test_lorenz_stays_on_its_attractor_and_visits_both_wings() -> None:
    x, y, z = simulate(library_model("lorenz"), np.linspace(0, 60, 6001), tolerance=1e-9).states[:, 500:]
    assert 15 < x.max() < 22 and -22 < x.min() < -15
    assert np.abs(y).max() < 30
    assert z.min() > 0 and z.max() < 50
    assert z.mean() == pytest.approx(23.55, abs=0.5)


def test_lorenz_rests_at_its_fixed_points() -> None:
    side = np.sqrt(8 / 3 * 27)
    found = simulate(library_model("lorenz"), np.linspace(0, 1, 11), initial={"x": side, "y": side, "z": 27}).states
    np.testing.assert_allclose(found, np.array([[side], [side], [27.0]]) * np.ones(11), atol=1e-7)


def test_lorenz_contracts_volumes_at_the_known_rate() -> None:
    model = library_model("lorenz")
    end, step, middle = 0.3, 1e-4, {"x": -8.0, "y": 7.0, "z": 27.0}
    columns = []
    for name in middle:
        ends = [
            simulate(model, np.array([0, end]), initial=middle | {name: middle[name] + sign * step}).states[:, -1]
            for sign in (1, -1)
        ]
        columns.append((ends[0] - ends[1]) / (2 * step))
    volume = np.linalg.det(np.stack(columns, axis=1))
    assert np.log(volume) / end == pytest.approx(-(10 + 1 + 8 / 3), rel=1e-4)


def test_fitzhugh_nagumo_fires_again_and_again() -> None:
    voltage = simulate(library_model("fitzhugh_nagumo"), np.linspace(0, 100, 5001)).outputs["V"][1000:]
    assert voltage.max() == pytest.approx(2, abs=0.2) and voltage.min() == pytest.approx(-2, abs=0.2)
    assert 5 <= np.count_nonzero((voltage[:-1] < 0) & (voltage[1:] >= 0)) <= 15


def test_fitzhugh_nagumo_rests_where_both_rates_vanish() -> None:
    values = {"a": 0.2, "b": 0.2, "c": 3.0}
    roots = np.roots([values["b"] / 3, 0, 1 - values["b"], -values["a"]])
    rest = float(roots[np.abs(roots.imag) < 1e-9].real[0])
    begin = {"V": rest, "R": rest**3 / 3 - rest}
    found = simulate(library_model("fitzhugh_nagumo"), np.linspace(0, 2, 3), values, begin).states
    np.testing.assert_allclose(found[:, -1], list(begin.values()), atol=1e-8)


@pytest.mark.parametrize("name", ["van_der_pol", "lorenz", "fitzhugh_nagumo"])
def test_its_ready_experiment_tells_its_parameters(name: str) -> None:
    ready.assert_recovered(library_model(name))
