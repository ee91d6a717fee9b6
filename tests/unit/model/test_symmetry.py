"""Relabellings of parameters and states, and whether a model notices them."""

from __future__ import annotations

import numpy as np

from identikit.model import Model, Relabelling, SymmetryTest


def holds(model: Model, values: dict[str, float], parameters: Relabelling, states: Relabelling) -> bool:
    test = SymmetryTest(model, model.output_names, tuple(values), np.array(list(values.values())), {})
    return test.holding([(parameters, states)])[0]


def test_one_relabelling_after_another_is_one_relabelling() -> None:
    z = np.array([1.0, 2.0, 5.0])
    first = Relabelling.of(3, flipped=[0], exchanged=[(0, 2)])
    second = Relabelling.of(3, shifted={2: 10.0}, flipped=[2])
    assert np.allclose(second.after(first)(z), second(first(z)))
    assert first(z).tolist() == [-5.0, 2.0, 1.0]


def test_derivatives_and_sizes_follow() -> None:
    """A function of T z has, by z, the derivatives that `unslope` says; `slope` leads back."""
    there = Relabelling.of(3, flipped=[0], exchanged=[(0, 2)], shifted={1: 3.0})
    weights = np.array([1.0, 10.0, 100.0])
    z, step = np.array([0.3, -0.2, 0.7]), 1e-3 * np.eye(3)
    slopes = np.array([(weights @ there(z + d) - weights @ there(z)) / 1e-3 for d in step])
    assert np.allclose(there.unslope(weights), slopes)
    assert np.allclose(there.slope(slopes), weights)
    assert np.allclose(there.unsized(there.sizes(weights)), weights)


def test_an_even_parameter_may_change_its_sign_and_an_odd_one_may_not() -> None:
    model = Model.from_text("swing", equations={"x''": "-w**2*sin(x) - c*x'"}, parameters={"w": 3, "c": 0.1})
    still = Relabelling.nothing(2)
    assert holds(model, {"w": 3.0, "c": 0.1}, Relabelling.of(2, flipped=[0]), still)
    assert not holds(model, {"w": 3.0, "c": 0.1}, Relabelling.of(2, flipped=[1]), still)


def test_a_hidden_state_may_change_its_sign_with_its_couplings() -> None:
    model = Model.from_text(
        "hidden", equations={"x": "a*z - x", "z": "b*x - z"}, parameters={"a": 1, "b": 2}, outputs=["x"]
    )
    both, mirrored = Relabelling.of(2, flipped=[0, 1]), Relabelling.of(2, flipped=[1])
    assert holds(model, {"a": 1.0, "b": 2.0}, both, mirrored)
    assert not holds(model, {"a": 1.0, "b": 2.0}, both, Relabelling.nothing(2))


def test_a_root_that_has_no_value_proves_nothing() -> None:
    model = Model.from_text("root", equations={"x": "-sqrt(k)*x"}, parameters={"k": 2})
    assert not holds(model, {"k": 2.0}, Relabelling.of(1, flipped=[0]), Relabelling.nothing(1))


def test_what_has_no_effect_is_seen() -> None:
    model = Model.from_text("idle", equations={"x": "-k*x"}, parameters={"k": 2, "n": 1})
    assert SymmetryTest(model, ("x",), ("k", "n"), np.array([2.0, 1.0]), {}).matters == (True, False)
