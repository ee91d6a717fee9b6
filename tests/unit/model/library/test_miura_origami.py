"""The origami spring has two wells where the source's values put them, and its force is the slope of its energy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import identikit as ik
from identikit.model import library_model
from identikit.model.library.miura_origami import crease_energy, restoring_force, stiffness
from identikit.simulation import sampled, simulate, synthesize

MODEL = library_model("miura_origami")
BRACKETS = {"nested": (0.045, 0.055), "unstable": (0.055, 0.07), "bulged": (0.07, 0.09)}


def rest(which: str) -> float:
    return float(brentq(lambda height: float(restoring_force(height)), *BRACKETS[which], xtol=1e-14))


def by_the_printed_angles(theta: float) -> tuple[float, float]:
    """Height and energy from the folding angle, with the branch rule of the source written out."""
    b = a_A = 0.0381
    gamma = {"A": np.pi / 3, "B": np.pi * 75 / 180}
    a_B = a_A * np.cos(gamma["A"]) / np.cos(gamma["B"])

    def angles(theta_A: float) -> list[float]:
        fold = {"A": theta_A, "B": np.arccos(np.cos(theta_A) * np.tan(gamma["A"]) / np.tan(gamma["B"]))}
        found = []
        for cell in "AB":
            half = np.arcsin(np.cos(fold[cell]) / np.sqrt(1 - (np.sin(fold[cell]) * np.sin(gamma[cell])) ** 2))
            second = 2 * half if fold[cell] > 0 else 2 * np.pi - 2 * half
            found += [np.pi - 2 * fold[cell], second, np.pi - 2 * fold[cell], 2 * np.pi - second]
        return [*found, fold["B"] - fold["A"]]

    k = [0.0181 * b, 0.0181 * a_A] * 2 + [2.1134 * b, 2.1134 * a_B] * 2 + [4 * 0.0181 * b]
    bend = np.array(angles(theta)) - np.array(angles(-0.5194))
    theta_B = np.arccos(np.cos(theta) * np.tan(gamma["A"]) / np.tan(gamma["B"]))
    height = a_B * np.sin(theta_B) * np.sin(gamma["B"]) - a_A * np.sin(theta) * np.sin(gamma["A"])
    return height, 0.5 * float(k @ bend**2)


@pytest.mark.parametrize("theta", [-1.2, -0.5194, -0.1, 1e-3, 0.441, 1.3])
def test_energy_and_height_are_those_of_the_printed_angles(theta: float) -> None:
    height, energy = by_the_printed_angles(theta)
    assert float(crease_energy(height)) == pytest.approx(energy, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize(
    ("which", "height", "slope"), [("nested", 50.45, 168), ("unstable", 60.07, -55.5), ("bulged", 81.45, 127)]
)
def test_it_rests_at_two_heights_and_not_between(which: str, height: float, slope: float) -> None:
    assert rest(which) * 1e3 == pytest.approx(height, abs=0.006)
    assert float(stiffness(rest(which))) == pytest.approx(slope, abs=0.6)


def test_the_barriers_are_those_of_the_energy() -> None:
    top = crease_energy(rest("unstable"))
    assert float(top - crease_energy(rest("bulged"))) * 1e3 == pytest.approx(6.44, abs=0.005)
    assert float(top - crease_energy(rest("nested"))) * 1e3 == pytest.approx(1.47, abs=0.005)


def test_force_and_stiffness_are_slopes() -> None:
    heights = np.linspace(0.040, 0.102, 63)
    step = 1e-7
    for function, slope in ((crease_energy, restoring_force), (restoring_force, stiffness)):
        difference = (function(heights + step) - function(heights - step)) / (2 * step)
        assert np.abs(slope(heights) / difference - 1).max() < 1e-5


def test_stiff_film_leaves_one_well() -> None:
    heights = np.linspace(0.04, 0.1, 400)
    changes = [np.count_nonzero(np.diff(np.sign(restoring_force(heights, k_1=k_1)))) for k_1 in (0.0181, 0.2)]
    assert changes == [3, 1]


def test_beyond_its_range_the_force_stays_finite() -> None:
    assert np.isfinite(restoring_force(np.array([-0.01, 0.0, 0.01, 0.0381, 0.1041, 0.2]))).all()


@pytest.mark.parametrize("which", ["nested", "bulged"])
def test_at_rest_it_stays_put(which: str) -> None:
    start = rest(which) - MODEL.parameter("X_0").value
    found = simulate(MODEL, np.linspace(0, 5, 11), initial={"X": start, "V": 0.0}).states
    assert np.abs(found[0] - start).max() < 1e-9


def test_the_model_accelerates_by_its_restoring_force() -> None:
    height, step = 0.065, 1e-4
    found = simulate(MODEL, np.array([0, step]), initial={"X": height - 0.0401, "V": 0.0}, tolerance=1e-12)
    assert found.states[1, -1] / step == pytest.approx(-float(restoring_force(height)) / 0.135, rel=1e-3)


@pytest.mark.study
def test_the_ready_experiment_jumps_between_wells_and_gives_the_parameters_back() -> None:
    time = np.arange(0, MODEL.ready.duration, MODEL.ready.spacing)
    w = 13.2 * np.pi
    base = {"Y": 0.00617 * np.sin(w * time), "W": 0.00617 * w * np.cos(w * time)}
    solution = simulate(MODEL, time, inputs=sampled(time, base, "cubic"))
    height = solution.states[0] - base["Y"] + 0.0401
    assert height.min() < 0.048 < 0.085 < height.max()
    result = ik.fit(synthesize(MODEL, solution, MODEL.ready.noise, seed=0), MODEL, method="shooting")
    assert result.status.code == "ok", result.status.message
    for name in MODEL.default_free:
        estimate, truth = result.parameters[name], MODEL.parameter(name).value
        assert abs(estimate.value - truth) < 4 * estimate.std
        assert estimate.std < 0.01 * abs(truth)
