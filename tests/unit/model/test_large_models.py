"""Large equations are derived, and right, or refused with a sentence. (That takes seconds; no test asserts a time.)"""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import sympy as sp

from identikit.errors import ModelError
from identikit.model import Model, derivative, dynamics_of, is_affine, jointly_affine, parse, size, symbol


def nested_maxima(count: int) -> Model:
    text = "x"
    for i in range(count):
        text = f"max({text}, -k*x*{i + 1}/22 - {i}/9)"
    return Model.from_text("maxima", equations={"x'": f"-k*x + 0.1*{text}"}, parameters={"k": 1.0})


def product_of_sums(count: int) -> Model:
    text = "*".join(f"(1 + a*x*{i + 1}/200 + b*y/{i + 3})" for i in range(count))
    return Model.from_text(
        "product", equations={"x'": f"-x - 0.0001*{text}", "y'": "-y + b*x"}, parameters={"a": 0.1, "b": 0.2}
    )


def fifty_parameters() -> Model:
    text = " + ".join(f"p{i}*sin({i + 1}*x)" for i in range(50))
    return Model.from_text(
        "fifty", equations={"x''": f"-x - ({text})"}, parameters={f"p{i}": 0.1 / (i + 1) for i in range(50)}
    )


def coupled(count: int) -> Model:
    equations = {
        f"x{i}''": f"-k{i}*x{i} - x{i}**3" + "".join(f" - g*sin(x{i} - x{j})" for j in range(count) if j != i)
        for i in range(count)
    }
    return Model.from_text("coupled", equations=equations, parameters={"g": 0.1} | {f"k{i}": 1.0 for i in range(count)})


def nested_powers() -> Model:
    text = "x"
    for i in range(12):
        text = f"(1 + ({text})**2)**(a/{i + 3})"
    return Model.from_text("powers", equations={"x'": f"-x + 0.01*{text}"}, parameters={"a": 0.5})


MODELS = {
    "22 nested maxima": lambda: nested_maxima(22),
    "a product of 59 sums": lambda: product_of_sums(59),
    "50 parameters": fifty_parameters,
    "20 coupled states": lambda: coupled(10),
    "nested powers": nested_powers,
}


@pytest.mark.parametrize("case", MODELS)
def test_the_derivatives_of_a_large_model_are_those_of_differences(case: str) -> None:
    model = MODELS[case]()
    dynamics = dynamics_of(model, model.default_free)
    x = np.linspace(0.3, 0.5, len(model.states))
    p = np.array([parameter.value for parameter in model.parameters], float)

    def rate(x: np.ndarray, p: np.ndarray) -> np.ndarray:
        return np.array(dynamics.rate(np, 0.0, list(x), [], [], list(p), []), float)

    at = dynamics.linearise(np, 0.0, list(x), [], [], list(p), [])
    step = 1e-6
    for j in (0, len(x) - 1):
        shift = step * np.eye(len(x))[j]
        expected = (rate(x + shift, p) - rate(x - shift, p)) / (2 * step)
        assert [at.state.get((i, j), 0.0) for i in range(len(x))] == pytest.approx(expected, rel=1e-5, abs=1e-8)
    for j in (0, len(p) - 1):
        shift = step * np.eye(len(p))[j]
        expected = (rate(x, p + shift) - rate(x, p - shift)) / (2 * step)
        assert [at.parameter.get((i, j), 0.0) for i in range(len(x))] == pytest.approx(expected, rel=1e-5, abs=1e-8)


def test_a_derivative_taken_part_by_part_is_that_of_sympy() -> None:
    """So large that nothing is multiplied out to see what cancels."""
    known = {name: symbol(name) for name in "xab"}
    text = (
        "a*x*sin({0}*a*x)**2*exp(-b*x) + ({0} + x**2)**(a/3)/(b + x) + max(a*x, abs(x - b/{0})) + atan2(x, {0}*a + x)"
    )
    expression = parse(" + ".join(text.format(i) for i in range(1, 9)), known)
    assert size(expression) > 300
    at = {known["x"]: 0.7, known["a"]: 1.3, known["b"]: 0.4}
    for name in "xab":
        expected = sp.diff(expression, known[name]).subs(at).evalf()
        assert float(derivative(expression, known[name]).subs(at).evalf()) == pytest.approx(float(expected), rel=1e-12)


def test_a_sum_of_hundreds_of_terms_is_read() -> None:
    x = symbol("x")
    assert parse(" + ".join(["x"] * 900), {"x": x}) == 900 * x
    assert parse("x" + " - 1" * 900, {"x": x}) == x - 900
    assert parse("2*x - 3*x/4 + x*x*x/x - 1", {"x": x}) == x**2 + sp.Rational(5, 4) * x - 1


def test_depth_counts_what_is_nested() -> None:
    """Every level of 1 + a*(...) is a sum within a product within a sum."""

    def nested(levels: int) -> str:
        return "(1 + a*" * levels + "x" + ")" * levels

    known = {"a": symbol("a"), "x": symbol("x")}
    assert parse(nested(39), known)
    with pytest.raises(ModelError, match="nested 81 deep, at most 80 can be differentiated"):
        parse(nested(40), known)


def test_what_is_nested_too_deeply_is_refused_with_what_to_do() -> None:
    text = "1"
    for i in range(60):
        text = f"(1 + a*x*{text}/{i + 2})"
    with pytest.raises(ModelError, match=r"nested 1\d\d deep, at most 80 can be differentiated: multiply it out"):
        parse(text, {"a": symbol("a"), "x": symbol("x")})


def test_a_sum_of_thousands_of_terms_is_refused_by_its_size() -> None:
    with pytest.raises(ModelError, match="at most 8000 "):
        parse(" + ".join(["x"] * 4000), {"x": symbol("x")})


def test_a_maximum_reads_back_as_it_prints_and_can_be_pickled() -> None:
    a, b = symbol("a"), symbol("b")
    found = parse("max(a, min(b, 2)) - max(1, 3)", {"a": a, "b": b})
    assert str(found) == "max(a, min(b, 2)) - 3"
    assert parse(str(found), {"a": a, "b": b}) == found
    assert pickle.loads(pickle.dumps(found)) == found
    assert "max" in sp.latex(found)


def test_the_slope_of_a_maximum_is_that_of_the_larger() -> None:
    a, b = symbol("a"), symbol("b")
    slope = sp.diff(parse("max(a, 3*b)", {"a": a, "b": b}), b)
    assert slope.subs({a: 0, b: 1}) == 3 and slope.subs({a: 9, b: 1}) == 0


def test_affinity_is_seen_from_the_form_and_in_small_expressions_from_what_cancels() -> None:
    a, b, x = sp.symbols("a b x", real=True)
    assert is_affine([a * x**2 + b * sp.sin(x) + 1], [a, b])
    assert is_affine([a * (b + x) - a * b], [a, b])  # the product cancels
    assert not is_affine([a * b * x], [a, b])
    assert not is_affine([sp.exp(a)], [a]) and not is_affine([1 / a], [a])
    assert jointly_affine([a * b * x], [a, b]) == (a,)


def test_size_counts_what_is_written() -> None:
    x = symbol("x")
    expression = x
    for _ in range(60):
        expression = sp.sin(expression) * sp.cos(expression) + 1
    assert size(expression) > 2**60  # written out; shared in memory it is some two hundred parts
