"""SymPy expressions as a straight-line program, run by NumPy or traced by JAX.

Common subexpressions are shared once, across all outputs. The program is a list of (symbol, expression)
pairs that is interpreted: under JAX only the trace sees the interpreter, under NumPy every instruction works
on whole arrays, so generated source code would gain nothing, and nothing has to be evaluated as text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any

import sympy as sp

from identikit.errors import ModelError


class Program:
    """Evaluate `outputs` given values for `inputs`.

    `structurally_zero[i]` tells that output i is identically zero; constants come back as Python floats,
    so a caller can leave out what does not vary.
    """

    def __init__(self, outputs: Sequence[sp.Expr], inputs: Sequence[sp.Symbol]) -> None:
        expressions = list(outputs)
        self.inputs = tuple(inputs)
        used: set[sp.Symbol] = set().union(*(expression.free_symbols for expression in expressions))
        unknown = used - set(self.inputs)
        if unknown:
            raise ModelError(f"undefined symbols in equations: {', '.join(sorted(map(str, unknown)))}")
        # order="none": the canonical order would be reproducible too, but costs seconds on large models
        self.shared, self.outputs = sp.cse(expressions, symbols=sp.numbered_symbols("_c"), order="none")
        self.structurally_zero = tuple(bool(expression.is_zero) for expression in expressions)

    def __call__(self, xp: Any, values: Sequence[Any]) -> list[Any]:
        """Run on `values` (one array or number per input) with the array module `xp`."""
        memory: dict[sp.Symbol, Any] = dict(zip(self.inputs, values, strict=True))
        for name, expression in self.shared:
            memory[name] = _evaluate(expression, memory, xp)
        return [_evaluate(expression, memory, xp) for expression in self.outputs]


def _evaluate(expression: sp.Expr, memory: dict[sp.Symbol, Any], xp: Any) -> Any:
    if expression.is_Symbol:
        return memory[expression]
    if expression.is_number:
        return float(expression)
    arguments = [_evaluate(argument, memory, xp) for argument in expression.args]
    if expression.is_Add:
        return reduce(lambda a, b: a + b, arguments)
    if expression.is_Mul:
        return _product(arguments)
    if expression.is_Pow:
        return _power(arguments[0], expression.exp, arguments[1], xp)
    function = _FUNCTIONS.get(expression.func)
    if function is None:
        raise ModelError(f"the function {expression.func.__name__} cannot be evaluated numerically here")
    return function(xp, *arguments)


def _product(arguments: list[Any]) -> Any:
    if isinstance(arguments[0], float) and arguments[0] == -1.0 and len(arguments) > 1:
        return -reduce(lambda a, b: a * b, arguments[1:])
    return reduce(lambda a, b: a * b, arguments)


def _power(base: Any, exponent: sp.Expr, value: Any, xp: Any) -> Any:
    if exponent.is_Integer:
        count = int(exponent)
        if count < 0:
            return 1.0 / _power(base, -exponent, -value, xp)
        if count <= 4:  # a product is exact, differentiates well and costs less than a general power
            return reduce(lambda a, b: a * b, [base] * count)
        return base**count
    if exponent == sp.Rational(1, 2):
        return xp.sqrt(base)
    if exponent == -sp.Rational(1, 2):
        return 1.0 / xp.sqrt(base)
    return base**value


def _zero(xp: Any, *arguments: Any) -> float:
    # The derivative of a jump: the jump itself is handled where it happens, elsewhere its slope is zero.
    return 0.0


_FUNCTIONS: dict[Any, Callable[..., Any]] = {
    sp.sin: lambda xp, x: xp.sin(x),
    sp.cos: lambda xp, x: xp.cos(x),
    sp.tan: lambda xp, x: xp.tan(x),
    sp.asin: lambda xp, x: xp.arcsin(x),
    sp.acos: lambda xp, x: xp.arccos(x),
    sp.atan: lambda xp, x: xp.arctan(x),
    sp.atan2: lambda xp, y, x: xp.arctan2(y, x),
    sp.sinh: lambda xp, x: xp.sinh(x),
    sp.cosh: lambda xp, x: xp.cosh(x),
    sp.tanh: lambda xp, x: xp.tanh(x),
    sp.exp: lambda xp, x: xp.exp(x),
    sp.log: lambda xp, x: xp.log(x),
    sp.Abs: lambda xp, x: xp.abs(x),
    sp.sign: lambda xp, x: xp.sign(x),
    sp.Min: lambda xp, *xs: reduce(xp.minimum, xs),
    sp.Max: lambda xp, *xs: reduce(xp.maximum, xs),
    sp.Heaviside: lambda xp, x, *_: 0.5 * (1.0 + xp.sign(x)),
    sp.DiracDelta: _zero,
}
