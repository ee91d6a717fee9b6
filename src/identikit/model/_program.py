"""SymPy expressions as a straight-line program, run by NumPy or traced by JAX.

Common subexpressions are shared once, across all outputs. The program is a list of (symbol, expression)
pairs that is interpreted: under JAX only the trace sees the interpreter, under NumPy every instruction works
on whole arrays, so generated source code would gain nothing, and nothing has to be evaluated as text.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, reduce
from operator import add, mul
from typing import Any

import sympy as sp

from identikit.errors import ModelError
from identikit.model._extremum import Maximum, Minimum
from identikit.model._guarded_power import GuardedPower, guarded_power

FUNCTION_COST = 8  # operations that a sine takes, or an exponential

Operation = Callable[[list[Any], Any], Any]


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
        self.structurally_zero = tuple(expression == 0 for expression in expressions)

    def work(self, wanted: Sequence[bool]) -> int:
        """Operations that those of the outputs cost which are wanted; a function counts as several."""
        needed = set().union(*(one.free_symbols for one, want in zip(self.outputs, wanted, strict=True) if want))
        total = sum(_cost(one) for one, want in zip(self.outputs, wanted, strict=True) if want)
        for name, expression in reversed(self.shared):
            if name in needed:
                needed |= expression.free_symbols
                total += _cost(expression)
        return total

    @cached_property
    def _operations(self) -> tuple[list[Operation], list[Operation]]:
        slots = {name: index for index, name in enumerate((*self.inputs, *(name for name, _ in self.shared)))}
        shared = [_operation(expression, slots) for _, expression in self.shared]
        return shared, [_operation(expression, slots) for expression in self.outputs]

    def __call__(self, xp: Any, values: Sequence[Any]) -> list[Any]:
        """Run on `values` (one array or number per input) with the array module `xp`."""
        shared, outputs = self._operations
        memory = list(values)
        if len(memory) != len(self.inputs):
            raise ValueError(f"{len(memory)} values for {len(self.inputs)} symbols")
        for operation in shared:
            memory.append(operation(memory, xp))
        return [operation(memory, xp) for operation in outputs]


def _cost(expression: sp.Expr) -> int:
    return int(expression.count_ops()) + FUNCTION_COST * len(expression.atoms(sp.Function))


def _operation(expression: sp.Expr, slots: dict[sp.Symbol, int]) -> Operation:
    """The expression as nested functions of (memory, array module): the tree is walked once, not at every run."""
    if expression.is_Symbol:
        slot = slots[expression]
        return lambda memory, xp: memory[slot]
    if expression.is_number:
        number = float(expression)
        return lambda memory, xp: number
    parts = [_operation(argument, slots) for argument in expression.args]
    if expression.is_Add:
        return lambda memory, xp: reduce(add, [part(memory, xp) for part in parts])
    if expression.is_Mul:
        if expression.args[0] == -1:
            return lambda memory, xp: -reduce(mul, [part(memory, xp) for part in parts[1:]])
        return lambda memory, xp: reduce(mul, [part(memory, xp) for part in parts])
    if expression.is_Pow:
        base, power = parts
        exponent = expression.exp
        return lambda memory, xp: _power(base(memory, xp), exponent, power(memory, xp), xp)
    function = _FUNCTIONS.get(expression.func)
    if function is None:
        raise ModelError(f"the function {expression.func.__name__} cannot be evaluated numerically here")
    return lambda memory, xp: function(xp, *[part(memory, xp) for part in parts])


def _power(base: Any, exponent: sp.Expr, value: Any, xp: Any) -> Any:
    if exponent.is_Integer:
        count = int(exponent)
        if count < 0:
            return 1.0 / _power(base, -exponent, -value, xp)
        if count <= 4:  # a product is exact, differentiates well and costs less than a general power
            return reduce(mul, [base] * count)
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
    Minimum: lambda xp, x, y: xp.minimum(x, y),
    Maximum: lambda xp, x, y: xp.maximum(x, y),
    sp.Heaviside: lambda xp, x, *_: 0.5 * (1.0 + xp.sign(x)),
    sp.DiracDelta: _zero,
    GuardedPower: guarded_power,
}
