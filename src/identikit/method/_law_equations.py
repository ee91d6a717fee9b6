"""The equations of a law with their numbers, in words."""

from __future__ import annotations

from typing import Any

from identikit.model import Model, as_numbers, five_digits, to_text


def law_artifact(model: Model) -> dict[str, dict[str, Any]]:
    """The equations of a model whose parameters have values, as the artifact "law"."""
    numbers = as_numbers({p.name: p.value for p in model.parameters if p.value is not None})
    equations = {
        name: to_text(five_digits(equation.subs(numbers)))
        for name, equation in zip(model.state_names, model.equations, strict=True)
    }
    return {"law": {"kind": "equation", "equations": equations}}
