"""Questions about an expression that are answered by walking through it once, however large it is.

SymPy shares equal parts of an expression in memory, but its own walks (`count_ops`, `expand`, `simplify`, `is_zero`)
visit every part as often as it appears, which for a derivative of nested functions is beyond counting.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from functools import lru_cache

import sympy as sp

from identikit.progress import poll

SMALL = 300  # operations: up to here derivatives of an expression are taken to answer what its form leaves open
NONLINEAR = 2  # a degree, after 0 and 1


def size(expression: sp.Expr) -> int:
    """How many parts the expression has when it is written out; equal parts are counted as often as they appear."""
    known: dict[sp.Basic, int] = {}
    for node in _inside_out(expression):
        known[node] = 1 + sum(known[argument] for argument in node.args)
    return known[expression]


def depth(expression: sp.Expr) -> int:
    """How many parts stand one within the other."""
    known: dict[sp.Basic, int] = {}
    for node in _inside_out(expression):
        known[node] = 1 + max((known[argument] for argument in node.args), default=0)
    return known[expression]


def degree(expression: sp.Expr, symbols: Collection[sp.Symbol]) -> int:
    """0 without the symbols, 1 if the form shows the expression to be jointly affine in them, else NONLINEAR."""
    known: dict[sp.Basic, int] = {}
    for node in _inside_out(expression):
        inside = [known[argument] for argument in node.args]
        if node in symbols:
            found = 1
        elif not any(inside):
            found = 0
        elif node.is_Add:
            found = max(inside)
        elif node.is_Mul:
            found = sum(inside)
        else:
            found = NONLINEAR
        known[node] = min(found, NONLINEAR)
    return known[expression]


def is_affine(expressions: Iterable[sp.Expr], symbols: Collection[sp.Symbol]) -> bool:
    """Whether all expressions are jointly affine in the symbols: no products of them, no functions, no powers.

    What cancels only when it is multiplied out is seen to cancel in small expressions alone.
    """
    wanted = frozenset(symbols)
    return all(_affine(expression, wanted) for expression in expressions)


def jointly_affine(expressions: Iterable[sp.Expr], symbols: Iterable[sp.Symbol]) -> tuple[sp.Symbol, ...]:
    """The largest set of the symbols, found greedily, in which all expressions are jointly affine."""
    functions = tuple(expressions)
    chosen: tuple[sp.Symbol, ...] = ()
    for item in symbols:
        if is_affine((function for function in functions if function.has(item)), (*chosen, item)):
            chosen = (*chosen, item)
    return chosen


def derivative(expression: sp.Expr, variable: sp.Symbol) -> sp.Expr:
    """d expression/d variable; large ones part by part.

    SymPy multiplies the factors of every term of the product rule two by two, which for a product of dozens of sums
    and dozens of parameters takes a minute; here each term is one product, and parts without the variable are skipped.
    """
    poll()
    if size(expression) <= SMALL:
        return sp.diff(expression, variable)
    inside = [derivative(part, variable) if part.has(variable) else sp.S.Zero for part in expression.args]
    moving = [i for i, slope in enumerate(inside) if slope != 0]
    if expression.is_Add:
        return sp.Add(*inside)
    if expression.is_Mul:
        parts = expression.args
        return sp.Add(*(sp.Mul(*parts[:i], inside[i], *parts[i + 1 :]) for i in moving))
    places = [sp.Dummy(real=True) for _ in expression.args]
    outer, arguments = expression.func(*places), dict(zip(places, expression.args, strict=True))
    return sp.Add(*(sp.diff(outer, places[i]).xreplace(arguments) * inside[i] for i in moving))


def not_negative(expression: sp.Expr) -> set[sp.Expr]:
    """What must not be negative for the expression to be a real number: arguments of roots, logarithms, arcsines."""
    found = set()
    for node in _inside_out(expression):
        if node.is_Pow and not node.exp.is_integer and node.exp.is_number:
            found.add(node.base)
        elif isinstance(node, sp.log):
            found.add(node.args[0])
        elif isinstance(node, sp.asin | sp.acos):
            found.add(1 - node.args[0] ** 2)
    return {argument for argument in found if not argument.is_number}


@lru_cache(maxsize=4096)
def _affine(expression: sp.Expr, symbols: frozenset[sp.Symbol]) -> bool:
    if degree(expression, symbols) < NONLINEAR:
        return True
    if size(expression) > SMALL:
        return False
    # Derivatives are taken one after the other: SymPy simplifies those of second order, for seconds on large models.
    slopes = {item: sp.diff(expression, item) for item in symbols if item in expression.free_symbols}
    return all(sp.diff(slope, item).is_zero for slope in slopes.values() for item in slopes)


def _inside_out(expression: sp.Expr) -> Iterable[sp.Basic]:
    """Every distinct part once, after the parts that it is made of; without recursion, which depth would exhaust."""
    seen: set[sp.Basic] = set()
    waiting: list[tuple[sp.Basic, bool]] = [(expression, False)]
    while waiting:
        node, ready = waiting.pop()
        if ready:
            yield node
        elif node not in seen:
            seen.add(node)
            waiting.append((node, True))
            waiting.extend((argument, False) for argument in node.args)
