"""Roots and fractional powers of states that end where their argument does: zero beyond, and so is their slope.

An empty tank has no outflow: a sqrt(h) of a level that a trial step takes below zero is zero, not undefined, and the
slope 1/(2 sqrt(h)), infinite at h = 0, is left out there. So a tank can begin empty, and can run empty. Powers with a
negative exponent that stand in the equations themselves stay as they are: there the motion really ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sympy as sp


class GuardedPower(sp.Function):  # type: ignore[misc]
    """base**exponent where the base is positive, zero elsewhere."""

    nargs = 2


def guarded(expressions: Sequence[sp.Expr], equations: Iterable[sp.Expr], states: Iterable[sp.Symbol]) -> list[sp.Expr]:
    """Expressions made from the equations (themselves, their derivatives) with fractional powers of states guarded."""
    own, moving = _fractional(equations), set(states)
    found = {power for power in _fractional(expressions) if power.free_symbols & moving}
    kept = {power for power in own if power.exp.is_negative}
    replacement: dict[sp.Expr, sp.Expr] = {}
    for power in sorted(found - kept, key=sp.count_ops):  # inner ones first, so that outer ones hold them
        replacement[power] = GuardedPower(power.base.xreplace(replacement), power.exp)
    return [expression.xreplace(replacement) for expression in expressions] if replacement else list(expressions)


def _fractional(expressions: Iterable[sp.Expr]) -> set[sp.Pow]:
    atoms: set[sp.Pow] = set().union(*(expression.atoms(sp.Pow) for expression in expressions))
    return {power for power in atoms if power.exp.is_number and not power.exp.is_integer}


def guarded_power(xp: Any, base: Any, exponent: Any) -> Any:
    """Evaluate it with the array module `xp`."""
    inside = base > 0
    return xp.where(inside, xp.where(inside, base, 1.0) ** exponent, 0.0)
