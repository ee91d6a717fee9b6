"""Variants: further values of a method's options that other packages bring, such as a procedure as it was published.

A package has an entry point in the group "identikit.variants" for each, named METHOD.OPTION.VALUE, that leads to a
`Variant`. The option then takes the value as one of its own, and the method calls the variant's work.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from identikit.errors import IdentikitError
from identikit.registry import Registry

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from identikit.method._option import Option


@dataclass(frozen=True)
class Variant:
    """Another way that a method goes for one value of one of its options.

    Arguments:
        meaning: what the value does, for the list of options.
        work: what the method calls in the place of its own; each method says with what.
        options: of its own, taken with this value only.
        settings: frozen records of chosen numbers; results echo them.
    """

    meaning: str
    work: Callable[..., Any]
    options: tuple[Option, ...] = ()
    settings: tuple[DataclassInstance, ...] = ()


_PUBLISHED = "identikit-published"

VARIANTS: Registry[Variant] = Registry(
    "variant",
    {},
    group="identikit.variants",
    elsewhere={
        "pinn.settings.report": _PUBLISHED,
        "neural_ode.settings.report": _PUBLISHED,
        "topological.formula.printed": _PUBLISHED,
        "sindy.engine.pysindy": _PUBLISHED,
        "uas.nussbaum.linear_cosine": _PUBLISHED,
        "uas.nussbaum.square_cosine": _PUBLISHED,
        "uas.nussbaum.gaussian_cosine": _PUBLISHED,
    },
)


def variant_named(method: str, option: str, value: object) -> Variant | None:
    """The variant for a value of an option; None where no package is known to bring it.

    Raises MissingDependencyError, with the line that installs it, where the package that brings it is not there.
    """
    name = f"{method}.{option}.{value}"
    return VARIANTS.find(name) if VARIANTS.is_named(name) else None


def variants_of(method: str, option: str) -> dict[str, Variant | None]:
    """What installed packages bring for an option, by its value; None in the place of one that cannot be imported."""
    VARIANTS.discover()
    found = dict[str, Variant | None]()
    for name in VARIANTS:
        prefix, _, value = name.rpartition(".")
        if prefix == f"{method}.{option}":
            try:
                found[value] = VARIANTS.find(name)
            except IdentikitError:
                found[value] = None
    return found
