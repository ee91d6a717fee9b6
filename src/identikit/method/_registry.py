"""All methods, in the order in which people meet them. A new method is a row here."""

from __future__ import annotations

from identikit.errors import OptionError, did_you_mean
from identikit.method._base import Method
from identikit.method.averaging import Averaging
from identikit.method.energy import Energy
from identikit.method.envelope import Envelope
from identikit.method.galerkin import Galerkin
from identikit.method.least_squares import LeastSquares
from identikit.method.reference_points import ReferencePoints
from identikit.method.restoring_force import RestoringForce
from identikit.method.shooting import Shooting
from identikit.method.topological import Topological

METHODS: tuple[type[Method], ...] = (
    Shooting,
    Galerkin,
    LeastSquares,
    Energy,
    Averaging,
    ReferencePoints,
    RestoringForce,
    Envelope,
    Topological,
)

DEFAULT = "shooting"


def method_names() -> tuple[str, ...]:
    return tuple(method.name for method in METHODS)


def method_named(name: str) -> Method:
    """The method of that name; `auto` is the default one."""
    wanted = DEFAULT if name == "auto" else name
    for method in METHODS:
        if method.name == wanted:
            return method()
    raise OptionError(f"unknown method '{name}'.{did_you_mean(name, ('auto', *method_names()))}")
