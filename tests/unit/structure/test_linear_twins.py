"""Other parameters with the very same output, where hidden states make up for the difference."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import expm

import identikit as ik
from identikit.model import symbol
from identikit.structure import LinearTwin, linear_twins

MASSES = ik.Model.from_text(
    "two masses",
    equations={
        "x1": "v1",
        "v1": "-k1*x1 - c1*v1 + k2*(x2 - x1) + c2*(v2 - v1) + g",
        "x2": "v2",
        "v2": "(-k2*(x2 - x1) - c2*(v2 - v1))/m2 + g",
    },
    parameters=[ik.Parameter(name, bounds=(0, 1e4)) for name in ("k1", "k2", "c1", "c2", "m2", "g")],
    outputs=["x1"],
)
TRUTH = {"k1": 40.0, "k2": 20.0, "c1": 0.1, "c2": 0.05, "m2": 0.5, "g": 0.0}
SPRINGS = ("k1", "k2", "c1", "c2")


def found(free: tuple[str, ...] = SPRINGS, model: ik.Model = MASSES, **asked: object) -> tuple[LinearTwin, ...]:
    values = {**TRUTH, **asked.pop("values", {})}  # type: ignore[dict-item]
    bounds = {name: model.parameter(name).bounds for name in free} | asked.pop("bounds", {})  # type: ignore[operator]
    return linear_twins(model, ("x1",), free, values, bounds, **asked)  # type: ignore[arg-type]


TIME = np.arange(1001) * 0.02


def motion(values: dict[str, float], start: np.ndarray) -> np.ndarray:
    """x1 by the exponential of the matrix, which shares nothing with what is tested."""
    k1, k2, c1, c2, m2, g = (values[name] for name in TRUTH)
    rates = np.array(
        [
            [0, 1, 0, 0, 0],
            [-k1 - k2, -c1 - c2, k2, c2, g],
            [0, 0, 0, 1, 0],
            [k2 / m2, c2 / m2, -k2 / m2, -c2 / m2, g],
            [0, 0, 0, 0, 0],
        ]
    )
    step, x = expm(rates * TIME[1]), np.append(start, 1.0)
    return np.array([x[0], *((x := step @ x)[0] for _ in TIME[1:])])


@pytest.mark.parametrize("g", [0.0, 9.81])
def test_the_springs_of_two_masses_of_which_one_is_measured_have_a_twin(g: float) -> None:
    """k1 + 3 k2 and k1 k2 are what two frequencies tell; gravity adds the place of rest, which decides."""
    twins = found(values={"g": g})
    if g:
        assert not twins
        return
    (twin,) = twins
    assert twin.p == pytest.approx([60.0, 40 / 3, 0.15, 1 / 30], rel=1e-6)
    start = np.array([0.1, -0.2, 0.05, 0.3])
    other = {**TRUTH, **dict(zip(SPRINGS, twin.p, strict=True))}
    assert motion(other, twin.turn @ start + twin.shift) == pytest.approx(motion(TRUTH, start), abs=1e-8)
    # negative control: with the same beginning the motions are not the same
    assert np.abs(motion(other, start) - motion(TRUTH, start)).max() > 0.05


def test_the_other_mass_measured_too_leaves_no_twin() -> None:
    both = replace(MASSES, outputs=(*MASSES.outputs, replace(MASSES.outputs[0], name="x2", expression=symbol("x2"))))
    assert not linear_twins(both, ("x1", "x2"), SPRINGS, TRUTH, dict.fromkeys(SPRINGS, (0.0, 1e4)))


def test_what_excludes_a_twin_leaves_none() -> None:
    start = np.array([0.1, -0.2, 0.05, 0.3])
    assert not found(bounds={"k1": (0.0, 50.0)})
    assert not found(beginnings=[([False, False, True, False], start)])
    assert found(beginnings=[([True, True, False, False], start)])


def test_parameters_that_are_not_even_locally_identifiable_are_left_to_others() -> None:
    assert not found((*SPRINGS, "m2"))


def test_a_model_that_is_not_linear_in_its_states_is_left_to_others() -> None:
    bent = ik.Model.from_text(
        "bent", equations={"x": "-a*x - b*x**3"}, parameters=[ik.Parameter("a"), ik.Parameter("b")], outputs=["x"]
    )
    assert not linear_twins(bent, ("x",), ("a", "b"), {"a": 1.0, "b": 1.0}, dict.fromkeys("ab", (0.0, 10.0)))


def test_a_fit_names_the_twin_and_its_interval_holds_both() -> None:
    noise = 1e-3 * np.random.default_rng(0).standard_normal(len(TIME))
    record = ik.Record.from_arrays(TIME, {"x1": motion(TRUTH, np.array([0.1, 0.0, 0.0, 0.0])) + noise})
    fix = {"m2": 0.5, "g": 0.0}
    result = ik.fit(record, MASSES, free=list(SPRINGS), fix=fix)
    assert "other_explanation" in {item.code for item in result.findings}
    for name, other in (("k1", 60.0), ("k2", 40 / 3)):
        low, high = result.parameters[name].ci95
        assert low < TRUTH[name] < high
        assert low < other < high
    report = ik.identifiability(MASSES, record, free=list(SPRINGS), fix=fix, parameters={n: TRUTH[n] for n in SPRINGS})
    (said,) = (item for item in report.findings if item.code == "twin_values")
    assert set(said.about) == set(SPRINGS) and "with other values of x2 and v2" in said.text
    # negative control: what is hidden is known when the record begins
    known = ik.fit(record, MASSES, free=list(SPRINGS), fix=fix, initial={"x2": 0.0})
    assert "other_explanation" not in {item.code for item in known.findings}
    assert known.parameters["k1"].value == pytest.approx(40.0, abs=5 * known.parameters["k1"].std)
    assert known.parameters["k1"].std < 1.0
