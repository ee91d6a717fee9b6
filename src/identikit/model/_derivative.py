"""Derivatives of expressions, taken so that a long chain of them can be cancelled."""

from __future__ import annotations

import sympy as sp

from identikit.progress import poll


def derivative(expression: sp.Expr, *variables: sp.Symbol) -> sp.Expr:
    """SymPy's derivative after a poll: those of large equations, some hundred of them, take seconds."""
    poll()
    return sp.diff(expression, *variables)
