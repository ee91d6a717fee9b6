"""The equations of a law with their numbers, in words."""

from __future__ import annotations

from typing import Any

import sympy as sp

from identikit.model import Model, as_numbers, to_text


def law_artifact(model: Model) -> dict[str, dict[str, Any]]:
    """The equations of a model whose parameters have values, as the artifact "law"."""
    numbers = as_numbers({p.name: p.value for p in model.parameters if p.value is not None})
    equations = {
        name: to_text(rounded_numbers(equation.subs(numbers)))
        for name, equation in zip(model.state_names, model.equations, strict=True)
    }
    return {"law": {"kind": "equation", "equations": equations}}


def rounded_numbers(expression: sp.Expr) -> sp.Expr:
    """Numbers to five digits, for people."""
    return expression.xreplace({item: sp.Float(f"{float(item):.5g}") for item in expression.atoms(sp.Float)})
