"""All methods, in the order in which people meet them. A new method is a row here.

From outside: `identikit.method.METHODS.register("name", "package.module:Class")`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from identikit.method._option import variants_asked
from identikit.registry import Registry

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    from identikit.method._base import Discoverer, Method

AUTO = "auto"  # chooses among the methods; not one of them

METHODS: Registry[type[Method]] = Registry(
    "method",
    {
        "shooting": "identikit.method.shooting:Shooting",
        "galerkin": "identikit.method.galerkin:Galerkin",
        "least_squares": "identikit.method.least_squares:LeastSquares",
        "energy": "identikit.method.energy:Energy",
        "averaging": "identikit.method.averaging:Averaging",
        "reference_points": "identikit.method.reference_points:ReferencePoints",
        "restoring_force": "identikit.method.restoring_force:RestoringForce",
        "sindy": "identikit.method.sindy:Sindy",
        "symbolic": "identikit.method.symbolic:Symbolic",
        "envelope": "identikit.method.envelope:Envelope",
        "topological": "identikit.method.topological:Topological",
        "pinn": "identikit.method.pinn:Pinn",
        "kalman": "identikit.method.kalman:Kalman",
        "neural_ode": "identikit.method.neural_ode:NeuralOde",
        "uas": "identikit.method.uas:Uas",
    },
    group="identikit.methods",
    advice=f"Or {AUTO}, which chooses.",
)


# What finds equations, for the front door `discover`; an engine is a row here and a class that keeps `Discoverer`.
DISCOVERERS: Registry[type[Discoverer]] = Registry(
    "way to discover",
    {
        "sindy": "identikit.method.sindy:Sindy",
        "symbolic": "identikit.method.symbolic:Symbolic",
        "pinn": "identikit.method.pinn:Pinn",
        "missing": "identikit.method.missing._discoverer:MissingTerms",
        "neural_ode": "identikit.method.neural_ode:NeuralOde",
    },
    group="identikit.discoverers",
    advice="Or auto.",
)


def discoverer_named(name: str, known: bool) -> Discoverer:
    """What finds equations by that name; `auto` seeks what a known model lacks, else the whole law."""
    return DISCOVERERS.find(("missing" if known else "sindy") if name == "auto" else name)()


def method_names() -> tuple[str, ...]:
    return tuple(METHODS)


def method_named(name: str) -> Method:
    """The method of that name, or `auto`, which chooses among them."""
    if name == AUTO:
        from identikit.method.auto import Auto

        return Auto()
    return METHODS.find(name)()


def settings_of(name: str, options: Mapping[str, Any]) -> tuple[DataclassInstance, ...]:
    """The chosen numbers of the method of that name and of variants asked for; none of one that has no row (yet)."""
    if name not in METHODS:
        return ()
    method = METHODS.find(name)
    variants = variants_asked(method.options, options, name)
    return (*method.settings, *(record for variant in variants for record in variant.settings))
