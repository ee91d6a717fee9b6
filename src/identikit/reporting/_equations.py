"""The equations of a model, from its text: MathML, which browsers show without help, and LaTeX."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

from identikit.errors import IdentikitError
from identikit.model import Input, Model, Parameter, model_from_toml
from identikit.reporting._document import Block, Equation, Equations, Facts, Listing, Section

_NAMED = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)[A-Za-z]+;")


def equations_section(text: str | None, title: str = "Equations", better: str | None = None) -> Section | None:
    """Equations, what their letters mean, and the model file; None where the text holds none.

    `better` is a model file that would describe the record better, to be tried.
    """
    if text is None:
        return None
    other = (Listing("The model with the term that it lacks, as a file to try", better, folded=True),) if better else ()
    try:
        model = model_from_toml(text)
    except IdentikitError:  # saved by another version, or damaged: the text itself is still worth showing
        return Section(title, (Listing("The model as it was saved", text), *other))
    rows = tuple(equations_of(model))
    meanings = _meanings(model)
    blocks = ((Equations(rows),) if rows else ()) + ((Facts(meanings),) if meanings else ())
    return Section(title, (*blocks, Listing("The model as a file", text, folded=True), *other))


def model_fact(text: str | None, name: str) -> str:
    """What a model file says of itself, such as its title or its source; empty where it says nothing."""
    import tomllib

    try:
        return str(tomllib.loads(text or "").get(name) or "").rstrip(".")
    except tomllib.TOMLDecodeError:
        return ""


def model_words(name: str, text: str | None) -> str:
    """A model by its name, and its title if it has one."""
    title = model_fact(text, "title")
    return f"{name} ({title})" if title else name


def equation_blocks(text: str) -> list[Block]:
    """The equations alone."""
    try:
        rows = tuple(equations_of(model_from_toml(text)))
    except IdentikitError:
        return []
    return [Equations(rows)] if rows else []


def equations_of(model: Model) -> list[Equation]:
    """One for the rate of every state, and one for every output that is not simply a state."""
    if model.right_hand_side is not None:
        return []
    import sympy

    t = sympy.Symbol("t")
    found = []
    for state, right in zip(model.states, model.equations, strict=True):
        found.append(_equation(sympy.Derivative(sympy.Symbol(state.name), t), right))
    for output in model.outputs:
        if str(output.expression) not in model.state_names:
            found.append(_equation(sympy.Symbol(output.name), output.expression))
    return found


def _equation(left: Any, right: Any) -> Equation:
    from sympy import latex
    from sympy.printing.mathml import mathml

    parts = [_inside(mathml(side, printer="presentation")) for side in (left, _bare(right))]
    written = f'<math xmlns="http://www.w3.org/1998/Math/MathML"><mrow>{parts[0]}<mo>=</mo>{parts[1]}</mrow></math>'
    return Equation(written, f"{latex(left)} = {latex(right)}")


def _bare(expression: Any) -> Any:
    """Without assumptions on symbols, which some printers show."""
    import sympy

    return expression.xreplace({item: sympy.Symbol(item.name) for item in expression.free_symbols})


def _inside(text: str) -> str:
    """Without the element around it, if there is one, and with letters for their names, which XML does not know."""
    bare = text.removeprefix("<math>").removesuffix("</math>").replace("&dd;", "d")
    return _NAMED.sub(lambda found: unescape(found[0]), bare)


def _meanings(model: Model) -> tuple[tuple[str, str], ...]:
    """What is said of parameters and inputs."""
    found = []
    named: tuple[Parameter | Input, ...] = (*model.parameters, *model.inputs)
    for item in named:
        unit = f" [{item.unit}]" if item.unit else ""
        if item.meaning:
            found.append((f"{item.name}{unit}", item.meaning))
    return tuple(found)
