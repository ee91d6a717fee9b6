"""Where along a record the equations can be evaluated at what was measured."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import sympy as sp

from identikit.likelihood import Reconstruction
from identikit.model import Program, not_negative, symbol


def domain(expressions: Sequence[sp.Expr], free: Sequence[str], reconstruction: Reconstruction) -> Program | None:
    """What must be positive along a record for the expressions to have values and slopes; None if nothing must.

    sqrt(h), log(h) and h**0.7 need h > 0, and noise takes a level that is nearly zero below it. Conditions that hold
    free parameters are left to the search, which passes over parameters without a value.
    """
    sought = set(map(symbol, free))
    conditions = set().union(*map(not_negative, expressions))
    known = sorted((item for item in conditions if not item.free_symbols & sought), key=str)
    return Program(known, reconstruction.symbols) if known else None


def inside(conditions: Program | None, values: Sequence[np.ndarray], p: Sequence[float]) -> np.ndarray:
    """Times at which all conditions hold, given values for `Reconstruction.symbols` and the parameters."""
    found = np.ones(values[0].shape, bool)
    if conditions is not None:
        with np.errstate(all="ignore"):
            for condition in conditions(np, [*values, *p]):
                found &= np.asarray(condition) > 0
    return found
