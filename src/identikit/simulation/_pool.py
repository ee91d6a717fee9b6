"""One kernel for many sets of free parameters.

A kernel derives for a pool: the model's default free parameters and those that are asked for, in the model's order.
Which column of the sensitivities belongs to which of them is an argument, and columns come in a few numbers, so that a
fit with other free parameters compiles nothing. The columns that are asked have the same bits whichever kernel of the
pool they come from. Where deriving for the pool, or for more columns than are asked, would make a kernel much slower,
it is not shared.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from identikit.model import Dynamics, Model, dynamics_of

COLUMNS = (2, 4, 8, 16)  # numbers of parameter columns that kernels have
SLOWER = 1.15  # a kernel that takes longer than this, relative to one for the asked columns alone, is not shared ...
SLOWER_BUT_COMPILED = 2.0  # ... unless it is compiled already, which pays for some hundred evaluations
OVERHEAD = 20.0  # operations that an evaluation costs besides those of the equations: measured on small systems

_in_use: dict[Hashable, set[int]] = {}  # numbers of columns of the kernels asked for in this process


@dataclass(frozen=True)
class Pool:
    """Dynamics that derive for a pool of parameters, and the places in it of those that are asked."""

    dynamics: Dynamics
    places: tuple[int, ...]
    sensitive: bool = True

    @classmethod
    def of(cls, dynamics: Dynamics) -> Pool:
        """The pool for dynamics that derive for just the parameters that are asked."""
        model, asked = dynamics.model, dynamics.free
        names = _pool(model, frozenset(asked)) if model.symbolic else asked
        shared = dynamics if names == asked else dynamics_of(model, names)
        return cls(shared, tuple(names.index(name) for name in asked))

    @classmethod
    def without(cls, dynamics: Dynamics) -> Pool:
        """No derivatives at all."""
        return cls(dynamics_of(dynamics.model), (), False)

    def derived(self, use: Hashable) -> np.ndarray:
        """For every parameter column of a kernel the place in the pool of the parameter it is for, as `Drive` has it.

        Arguments:
            use: what else tells one kernel of these dynamics from another.
        """
        asked = len(self.places)
        if not asked:  # values alone, for many parameters at once: always by the leanest kernel
            return np.zeros(0, int)
        rounded = next((count for count in COLUMNS if count >= asked), asked)
        fewest = rounded if self._slower(rounded) <= SLOWER else asked
        compiled = _in_use.setdefault((self.dynamics.key, use), set())
        shareable = [count for count in compiled if count >= asked and self._slower(count) <= SLOWER_BUT_COMPILED]
        count = min(shareable, default=fewest)
        compiled.add(count)
        return np.array([*self.places, *[len(self.dynamics.free)] * (count - asked)], int)

    def columns(self, derived: np.ndarray) -> int:
        """Columns of X after the states' own values."""
        return len(self.dynamics.x) + len(derived) if self.sensitive else 0

    def _slower(self, count: int) -> float:
        """By how much an evaluation takes longer with so many columns than with those that are asked."""
        states = len(self.dynamics.x)
        return self._work(states + count) / self._work(states + len(self.places))

    def _work(self, columns: int) -> float:
        return OVERHEAD + columns * _work_of_column(self.dynamics.model)


@lru_cache(maxsize=256)
def _pool(model: Model, asked: frozenset[str]) -> tuple[str, ...]:
    """The parameters that a kernel derives for: the pool, or those that are asked alone if it costs too much."""
    usual = set(model.default_free)
    alone, pool = (tuple(n for n in model.parameter_names if n in chosen) for chosen in (asked, asked | usual))
    if alone == pool:
        return alone
    dynamics = dynamics_of(model, pool)
    column = _work_of_column(model) * (len(model.states) + len(alone))
    work, work_alone = (OVERHEAD + column + dynamics.work(chosen) for chosen in (pool, alone))
    return pool if work <= SLOWER * work_alone else alone


@lru_cache(maxsize=256)
def _work_of_column(model: Model) -> float:
    """Operations that a column of sensitivities costs: a product for every entry of df/dx, and sums."""
    dynamics = dynamics_of(model)
    entries = sum(len(equation.free_symbols & set(dynamics.x)) for equation in dynamics.equations)
    return float(entries + len(dynamics.x))
