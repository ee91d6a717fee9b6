"""Random expressions evaluate as Python does; random text never does anything but parse or be refused."""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress

import numpy as np
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from identikit.errors import ModelError
from identikit.model import Program, parse, symbol

KNOWN = {name: symbol(name) for name in ("x", "y", "k")}
MANY = settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))

Tree = tuple[str, Callable[[dict[str, float]], float]]

ONE = {
    "sin": math.sin, "cos": math.cos, "atan": math.atan, "tanh": math.tanh, "exp": math.exp,
    "sqrt": math.sqrt,
    "abs": abs, "log": math.log, "sinh": math.sinh, "asin": math.asin,
}  # fmt: skip
TWO = {"min": min, "max": max, "atan2": math.atan2}


def _binary(operator: str, left: Tree, right: Tree) -> Tree:
    def value(at: dict[str, float]) -> float:
        a, b = left[1](at), right[1](at)
        if operator == "**":
            return math.pow(a, b)
        return {"+": a + b, "-": a - b, "*": a * b}[operator] if operator != "/" else a / b

    return f"({left[0]}) {operator} ({right[0]})", value


def _power(base: Tree, exponent: float) -> Tree:
    return f"({base[0]})**{exponent}", lambda at: math.pow(base[1](at), exponent)


def _call(name: str, argument: Tree) -> Tree:
    return f"{name}({argument[0]})", lambda at: ONE[name](argument[1](at))


def _pair(name: str, left: Tree, right: Tree) -> Tree:
    return f"{name}({left[0]}, {right[0]})", lambda at: float(TWO[name](left[1](at), right[1](at)))


numbers = st.one_of(
    st.integers(0, 9).map(lambda n: (str(n), lambda at: float(n))),
    st.floats(0.01, 100).map(lambda f: (repr(f), lambda at: f)),
)
names = st.sampled_from(sorted(KNOWN)).map(lambda name: (name, lambda at: at[name]))
trees = st.recursive(
    st.one_of(numbers, names, names),
    lambda inner: st.one_of(
        st.builds(_binary, st.sampled_from("+-*/"), inner, inner),
        st.builds(_power, inner, st.sampled_from([2, 3, 0.5, -1, 7])),
        st.builds(_call, st.sampled_from(sorted(ONE)), inner),
        st.builds(_pair, st.sampled_from(sorted(TWO)), inner, inner),
        inner.map(lambda tree: (f"-({tree[0]})", lambda at: -tree[1](at))),
    ),
    max_leaves=12,
)


@MANY
@given(trees, st.tuples(*[st.floats(-3, 3).filter(lambda v: abs(v) > 1e-3)] * 3))
def test_a_printed_tree_evaluates_like_python(tree: Tree, point: tuple[float, ...]) -> None:
    """To 1e-9 of the value, wherever it is well conditioned: nearby points must agree in Python itself."""
    text, value = tree
    at = dict(zip(sorted(KNOWN), point, strict=True))
    near = {name: number * (1 + 1e-13) for name, number in at.items()}
    try:
        expected, nudged = value(at), value(near)
    except (ValueError, ZeroDivisionError, OverflowError, TypeError):
        assume(False)
        return
    assume(math.isfinite(expected) and abs(expected) < 1e12)
    assume(abs(nudged - expected) <= 1e-10 * max(abs(expected), 1e-3))
    try:
        expression = parse(text, KNOWN)
    except ModelError:
        assume(False)  # such as x/(y - y), which SymPy sees through
        return
    program = Program([expression], [KNOWN[name] for name in sorted(KNOWN)])
    with np.errstate(all="ignore"):
        found = program(np, [np.float64(number) for number in point])[0]
    assume(np.isfinite(found))  # a rearranged power may overflow where the written one does not
    assert abs(found - expected) <= 1e-9 * max(abs(expected), 1e-3)


@MANY
@given(st.text(max_size=60))
def test_any_text_is_an_expression_or_a_model_error(text: str) -> None:
    with suppress(ModelError):
        parse(text, KNOWN)


PIECES = [
    "x",
    "y",
    "k",
    "t",
    "pi",
    "1",
    "2.5",
    "1e9",
    "+",
    "-",
    "*",
    "/",
    "**",
    "(",
    ")",
    ",",
    "sin(",
    "max(",
    "abs(",
    "log(",
    "sign(",
    "sqrt(",
    "'",
    ".",
    "[",
    "]",
    "==",
    "if",
    "lambda",
    ":",
    "9",
    "0",
    "#",
    "_",
    "\\",
    " ",
    "\n",
]


@MANY
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join))
def test_any_jumble_of_tokens_is_an_expression_or_a_model_error(text: str) -> None:
    try:
        expression = parse(text, KNOWN)
    except ModelError:
        return
    program = Program([expression], [*KNOWN.values(), symbol("t")])
    with np.errstate(all="ignore"):
        program(np, [np.float64(0.5)] * 4)
