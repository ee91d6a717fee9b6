"""Programs: shared subexpressions change nothing, NumPy and JAX agree, zeros are known."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from identikit.errors import ModelError
from identikit.model import LIBRARY, Program, dynamics_of, library_model, parse, symbol
from identikit.simulation import jax

X, Y = symbol("x"), symbol("y")
KNOWN = {"x": X, "y": Y}


def test_shared_subexpressions_give_the_same_numbers() -> None:
    texts = ["sin(x*y)*exp(x*y)", "sin(x*y) + sqrt(1 + sin(x*y)**2)", "x*y", "exp(x*y)/(1 + sin(x*y)**2)"]
    expressions = [parse(text, KNOWN) for text in texts]
    together = Program(expressions, [X, Y])
    assert together.shared  # otherwise this shows nothing
    x, y = np.random.default_rng(1).normal(size=(2, 50))
    for expression, value in zip(expressions, together(np, [x, y]), strict=True):
        plain = sp.lambdify([X, Y], expression, "numpy")(x, y)
        np.testing.assert_allclose(value, plain, rtol=1e-14)


EVERYTHING = [
    "sin(x) + cos(y) + tan(x) + atan(y) + atan2(x, y) + sinh(x) + cosh(y) + tanh(x)",
    "asin(x/9) + acos(y/9) + exp(x) + log(y**2 + 1) + sqrt(x**2 + 1) + abs(x*y)",
    "sign(x) + min(x, y) + max(x, 0.5) + heaviside(y) + smooth_sign(x, 0.2)",
    "x**2 - y**3 + x**4 - y**5 + (x**2 + 1)**-0.5 + (y**2 + 1)**(-3) + (x**2 + 1)**1.7",
]


@pytest.mark.parametrize("text", EVERYTHING)
def test_numpy_and_jax_agree(text: str) -> None:
    """To 1e-12 of the value, for every function of the whitelist and its derivative."""
    expression = parse(text, KNOWN)
    program = Program([expression, sp.diff(expression, X), sp.diff(expression, Y)], [X, Y])
    x, y = np.random.default_rng(2).normal(size=(2, 40))
    ours = program(np, [x, y])
    theirs = program(jax().numpy, [x, y])
    for a, b in zip(ours, theirs, strict=True):
        assert np.asarray(b).dtype == np.float64
        np.testing.assert_allclose(a, np.asarray(b), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", LIBRARY)
def test_numpy_and_jax_agree_on_the_library(name: str) -> None:
    model = library_model(name)
    dynamics = dynamics_of(model, model.default_free)
    random = np.random.default_rng(3)
    assert model.ready is not None

    def about(values: list[float], size: float = 0.0) -> list[np.ndarray]:
        """Near the ready experiment: far from it a model need not be defined."""
        return [value * (1 + 0.01 * random.normal(size=20)) + size * random.normal(size=20) for value in values]

    x = about([model.ready.initial.get(name, 0.0) for name in model.state_names], size=1e-3)
    u = about([item.value for item in model.inputs])
    p = about([item.value or 0.0 for item in model.parameters])
    s = [np.full(20, 0.3)] * len(dynamics.guards)
    t = random.uniform(0, 10, 20)
    ours = dynamics.linearise(np, t, x, u, u, p, s)
    theirs = dynamics.linearise(jax().numpy, t, x, u, u, p, s)
    pairs = [(a, b) for a, b in zip(ours.rate, theirs.rate, strict=True)]
    pairs += [(a, theirs.state[place]) for place, a in ours.state.items()]
    for a, b in pairs:
        np.testing.assert_allclose(a, np.asarray(b), rtol=1e-9, atol=1e-12 * (1 + np.max(np.abs(a))))


def test_structural_zeros_are_known_and_constants_are_numbers() -> None:
    program = Program([X - X, sp.diff(Y, X), X * Y, sp.Integer(3)], [X, Y])
    assert program.structurally_zero == (True, True, False, False)
    assert program(np, [np.ones(2), np.ones(2)])[3] == 3.0


def test_the_derivative_of_a_jump_is_zero() -> None:
    slope = Program([sp.diff(parse("sign(x)*y", KNOWN), X)], [X, Y])
    assert slope(np, [np.array([0.5, 0.0, -1.0]), np.ones(3)])[0] * np.ones(3) == pytest.approx([0, 0, 0])


def test_an_undefined_symbol_is_named() -> None:
    with pytest.raises(ModelError, match="y"):
        Program([X + Y], [X])


def test_a_function_without_a_numerical_form_is_named() -> None:
    with pytest.raises(ModelError, match="gamma"):
        Program([sp.gamma(X)], [X])(np, [1.0])
