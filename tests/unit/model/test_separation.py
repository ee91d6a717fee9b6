"""Equations as sums of coefficient(parameters) times basis(record): when they come apart, and that nothing is lost."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from identikit.model import LIBRARY, TIME, Separation, jointly_affine, library_model, separate, symbol

x, y, a, b, c, known = (symbol(name) for name in ("x", "y", "a", "b", "c", "known"))
MOVING, FREE = {x, y}, {a, b, c}


def joined(separation: Separation, index: int) -> sp.Expr:
    return sp.Add(*(separation.coefficients[j] * separation.basis[k] for j, k in separation.terms[index]))


def same(first: sp.Expr, second: sp.Expr) -> bool:
    """Equal at random points."""
    random = np.random.default_rng(0)
    for _ in range(3):
        point = {
            item: sp.Float(random.uniform(0.2, 0.9))
            for item in sorted(first.free_symbols | second.free_symbols, key=str)
        }
        difference, size = (complex(sp.N(item.xreplace(point))) for item in (first - second, first))
        if abs(difference) > 1e-10 * (1 + abs(size)):
            return False
    return True


@pytest.mark.parametrize(
    "text, coefficients",
    [
        ("a*x + b*y", {"a", "b"}),
        ("(x - y)/(a*b) + x/c", {"1/(a*b)", "1/c"}),
        ("(a*x + b*y)**2", {"a**2", "a*b", "b**2"}),
        ("a**2*sin(x - b)", {"a**2*sin(b)", "a**2*cos(b)"}),
        ("a*cosh(x + b)", {"a*sinh(b)", "a*cosh(b)"}),
        ("exp(a + x*y)", {"exp(a)"}),
        ("Abs(a*x*b)*sign(c*y)", {"Abs(a*b)*sign(c)"}),
        ("1/(a*x + a*b*x)", {"1/(a*(b + 1))"}),
        ("x/(known + a)", {"1/(a + known)"}),
        ("known*x + (known - a)*y", {"1", "a"}),
        ("a*x + b*x", {"a + b"}),
        ("3*a*x - 2*a*y", {"a"}),
    ],
)
def test_an_equation_comes_apart_into_the_fewest_terms(text: str, coefficients: set[str]) -> None:
    names = {str(item): item for item in (*MOVING, *FREE, known)}
    expression = sp.sympify(text, names)
    found = separate([expression], MOVING, FREE)
    assert found is not None
    wanted = [sp.sympify(item, names) for item in coefficients]
    assert len(found.coefficients) == len(wanted)
    assert all(any(sp.simplify(item - other) == 0 for other in wanted) for item in found.coefficients)
    assert same(joined(found, 0), expression)


def test_a_lost_term_would_be_noticed() -> None:
    """Negative control of the comparison used here."""
    assert not same(a * x + 1e-6 * b * y, a * x)


@pytest.mark.parametrize("text", ["exp(a*x)", "1/(a + x)", "x**a", "sin(a*x)", "sqrt(a*x + b)", "tanh(x + a)"])
def test_what_does_not_come_apart_is_reported(text: str) -> None:
    expression = sp.sympify(text, {str(item): item for item in (*MOVING, *FREE)})
    assert separate([a * x, expression], MOVING, FREE) is None


def test_kept_numbers_and_records_are_told_from_the_free_parameters() -> None:
    """exp(a x) with a fixed is a basis function like any other."""
    found = separate([b * sp.exp(a * x)], MOVING, {b})
    assert found is not None and found.coefficients == (b,) and found.basis == (sp.exp(a * x),)


def test_too_many_terms_are_refused_rather_than_multiplied_out() -> None:
    assert separate([(a * x + b * y + c + x) ** 40], MOVING, FREE) is None


@pytest.mark.parametrize("name", LIBRARY)
def test_library_equations_are_the_sum_of_their_terms(name: str) -> None:
    model = library_model(name)
    moving = {TIME, *map(symbol, (*model.state_names, *model.input_names))}
    found = separate(model.equations, moving, set(map(symbol, model.default_free)))
    if name in ("tank_reactor", "double_pendulum", "driven_double_pendulum", "driven_furuta", "miura_origami"):
        assert found is None
        return
    assert found is not None
    for index, equation in enumerate(model.equations):
        assert same(joined(found, index), equation), model.state_names[index]
        assert not set(map(symbol, model.default_free)) & set().union(*(phi.free_symbols for phi in found.basis))


def test_chua_has_fourteen_coefficients_that_are_powers_of_its_eleven_parameters() -> None:
    model = library_model("coupled_chua")
    free = [symbol(name) for name in model.default_free]
    found = separate(model.equations, set(map(symbol, model.state_names)), free)
    assert found is not None and len(found.coefficients) == 14 and len(free) == 11
    powers = found.powers(free)
    assert powers is not None
    for coefficient, row in zip(found.coefficients, powers, strict=True):
        assert sp.Mul(*(p**e for p, e in zip(free, row, strict=True))) == coefficient


def test_a_sum_is_not_taken_for_a_product_of_powers() -> None:
    found = separate([x / (a + b)], MOVING, FREE)
    assert found is not None and found.powers([a, b, c]) is None


def test_parameters_are_linear_together_or_not() -> None:
    assert jointly_affine((a * x + b * sp.sin(y), c * x), (a, b, c)) == (a, b, c)
    assert jointly_affine((a * b * x, c * x), (a, b, c)) == (a, c)  # each alone, but not both
    assert jointly_affine((sp.exp(a * x) + b,), (a, b)) == (b,)
