"""Dynamics as a key of compiled programs, and models as text that tells one compiled program from another."""

from __future__ import annotations

from collections.abc import Sequence

import sympy as sp

from identikit.model import Dynamics, Model, dynamics_of


class KeyedDynamics:
    """Dynamics hashed by what they say, so that equal models share compiled kernels."""

    def __init__(self, dynamics: Dynamics) -> None:
        self.dynamics = dynamics
        self.key = dynamics.key

    @property
    def program(self) -> str | None:
        """The right-hand side as text; None where it is a function, which only tracing can tell from another."""
        return self.key if self.dynamics.model.symbolic else None

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KeyedDynamics) and other.key == self.key


def program_text(
    model: Model, outputs: Sequence[str] = (), free: Sequence[str] = (), static: Sequence[object] = ()
) -> str | None:
    """What a kernel of a model closes over, as text for `compiled`; None where the right-hand side is a function.

    Arguments:
        outputs: those that the kernel evaluates. free: parameters that it derives for.
        static: whatever else decides the program, of types whose `repr` says all of them.
    """
    if not model.symbolic:
        return None
    expressions = [sp.srepr(model.output(name).expression) for name in outputs]
    return repr((dynamics_of(model, free).key, tuple(free), tuple(outputs), expressions, tuple(static)))
