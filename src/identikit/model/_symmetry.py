"""Symmetry: other parameters, with other states, under which a model says the very same of what is measured.

    f(t, T x, u, T p) = T f(t, x, u, p),      h(t, T x, u, T p) = h(t, x, u, p)

No record can tell p from T p then. T changes signs, exchanges, and shifts by constants: -w for w in w^2 sin x, one of
two equal parts for the other, a whole turn in an angle. Whether a T is a symmetry is decided by evaluating both sides
at random points, which takes microseconds where a proof by algebra may take minutes: what is not an identity differs at
almost every point.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import sympy as sp

from identikit.model._domain import state_bounds
from identikit.model._model import Model
from identikit.model._parser import TIME, symbol
from identikit.model._program import Program

TRIED_POINTS = 32  # at which both sides are compared
FEWEST_USABLE = 4  # of them must lie where the equations can be evaluated
OTHERWISE = 1.7  # factor on a parameter that must be noticed
EQUAL = 1e-9  # relative difference up to which both sides are the same number: rounding of large sums


@dataclass(frozen=True)
class Relabelling:
    """T z = sign * z[source] + shift, entry by entry."""

    source: tuple[int, ...]
    sign: tuple[float, ...]
    shift: tuple[float, ...]

    @classmethod
    def nothing(cls, count: int) -> Relabelling:
        return cls(tuple(range(count)), (1.0,) * count, (0.0,) * count)

    @classmethod
    def of(
        cls,
        count: int,
        *,
        flipped: Sequence[int] = (),
        exchanged: Sequence[tuple[int, int]] = (),
        shifted: Mapping[int, float] | None = None,
    ) -> Relabelling:
        """Of `count` entries: these change sign, these pairs change places, these move by so much."""
        source = list(range(count))
        for i, j in exchanged:
            source[i], source[j] = j, i
        sign = tuple(-1.0 if i in flipped else 1.0 for i in range(count))
        return cls(tuple(source), sign, tuple((shifted or {}).get(i, 0.0) for i in range(count)))

    def __call__(self, values: np.ndarray) -> np.ndarray:
        """T z of values [..., n]."""
        return np.asarray(self.sign) * values[..., list(self.source)] + np.asarray(self.shift)

    def slope(self, values: np.ndarray) -> np.ndarray:
        """How changes [..., n] of z change T z; derivatives with respect to T z follow from those to z in this way."""
        return np.asarray(self.sign) * values[..., list(self.source)]

    def unslope(self, values: np.ndarray) -> np.ndarray:
        """Derivatives with respect to z, from those with respect to T z; the other way round of `slope`."""
        return (np.asarray(self.sign) * values)[..., list(np.argsort(self.source))]

    def sizes(self, values: np.ndarray) -> np.ndarray:
        """Sizes [..., n] that belong to entries of z, put where T takes them."""
        return values[..., list(self.source)]

    def unsized(self, values: np.ndarray) -> np.ndarray:
        """The sizes of the entries of z, from those of T z."""
        return values[..., list(np.argsort(self.source))]

    def after(self, first: Relabelling) -> Relabelling:
        """This one applied to what `first` gives."""
        sign, shift = np.array(self.sign), np.array(self.shift)
        source = list(self.source)
        return Relabelling(
            tuple(first.source[i] for i in source),
            tuple(float(s) for s in sign * np.array(first.sign)[source]),
            tuple(float(s) for s in sign * np.array(first.shift)[source] + shift),
        )

    @property
    def changed(self) -> tuple[int, ...]:
        """Entries that do not stay as they are."""
        return tuple(
            i
            for i, (source, sign, shift) in enumerate(zip(self.source, self.sign, self.shift, strict=True))
            if source != i or sign != 1.0 or shift != 0.0
        )


class SymmetryTest:
    """Whether relabellings of free parameters and states leave a model with measured `outputs` as it is.

    Arguments:
        values: free parameters near which the points are taken, in the order of `free`.
        fixed: values of all other parameters: what holds only at a fixed zero holds.

    Not for models that are functions: nothing is claimed of them.
    """

    def __init__(
        self,
        model: Model,
        outputs: tuple[str, ...],
        free: tuple[str, ...],
        values: np.ndarray,
        fixed: Mapping[str, float],
    ) -> None:
        self._model, self._outputs = model, outputs
        random = np.random.default_rng(0)
        size = np.where(values == 0, 1.0, values)
        self._free = size * 10.0 ** random.uniform(-1, 1, (TRIED_POINTS, len(free)))
        self._states = random_states(model, TRIED_POINTS, random)
        self._inputs = random.normal(size=(TRIED_POINTS, len(model.inputs)))
        self._time = random.uniform(0.1, 10.0, TRIED_POINTS)
        self._place = [free.index(name) if name in free else None for name in model.parameter_names]
        self._fixed = [0.0 if name in free else fixed[name] for name in model.parameter_names]
        self._here = self._evaluated(self._states, self._free) if model.symbolic else None

    @cached_property
    def matters(self) -> tuple[bool, ...]:
        """Which free parameters have an effect at any of the points: what has none is no part of a symmetry."""
        if self._here is None:
            return (False,) * self._free.shape[1]
        scaled = np.where(np.eye(self._free.shape[1], dtype=bool)[:, None], OTHERWISE, 1.0) * self._free
        there = self._evaluated(np.broadcast_to(self._states, (len(scaled), *self._states.shape)), scaled)
        unnoticed = np.asarray(self._same(there, self._here).all(axis=-1))
        return tuple(map(bool, ~unnoticed))

    def holding(self, candidates: Sequence[tuple[Relabelling, Relabelling]]) -> tuple[bool, ...]:
        """Of relabellings (parameters, states) which are symmetries; all are evaluated at once."""
        if self._here is None or not candidates:
            return (False,) * len(candidates)
        moved = np.stack([states(self._states) for _, states in candidates])
        free = np.stack([parameters(self._free) for parameters, _ in candidates])
        there = self._evaluated(moved, free)
        count = len(self._model.states)
        rates = np.stack([states.slope(self._here[:, :count]) for _, states in candidates])
        outputs = np.broadcast_to(self._here[:, count:], (len(candidates), *self._here[:, count:].shape))
        expected = np.concatenate([rates, outputs], axis=-1)
        usable = (np.isfinite(there) & np.isfinite(expected)).all(axis=-1)
        return tuple(map(bool, self._same(there, expected).all(axis=-1) & (usable.sum(axis=-1) >= FEWEST_USABLE)))

    def _same(self, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """At which points all numbers are the same, or some are none."""
        with np.errstate(invalid="ignore"):
            equal = (np.abs(first - second) <= EQUAL * (np.abs(first) + np.abs(second))).all(axis=-1)
        return np.asarray(equal | ~(np.isfinite(first) & np.isfinite(second)).all(axis=-1))

    def _evaluated(self, states: np.ndarray, free: np.ndarray) -> np.ndarray:
        """Rates and outputs [..., points, states + outputs]."""
        shape = states.shape[:-1]
        parameters = [
            value if place is None else free[..., place] for place, value in zip(self._place, self._fixed, strict=True)
        ]
        values = [self._time, *np.moveaxis(states, -1, 0), *self._inputs.T, *parameters]
        with np.errstate(all="ignore"):  # outside the equations' domain there are no numbers to compare
            found = _program(self._model, self._outputs)(np, values)
        return np.stack([np.broadcast_to(np.asarray(item, float), shape) for item in found], axis=-1)


def random_states(model: Model, points: int, random: np.random.Generator) -> np.ndarray:
    """States [points, states] of sizes from 0.03 to 10, of either sign where the model allows it."""
    sizes = 10.0 ** random.uniform(-1.5, 1.0, (points, len(model.states)))
    signs = np.where(random.uniform(size=sizes.shape) < 0.5, -1.0, 1.0)
    low, high = np.array(state_bounds(model), float).T
    return np.where(low >= 0, sizes, np.where(high <= 0, -sizes, signs * sizes))


@lru_cache(maxsize=32)
def _program(model: Model, outputs: tuple[str, ...]) -> Program:
    names = (*model.state_names, *model.input_names, *model.parameter_names)
    expressions: list[sp.Expr] = [*model.equations, *(model.output(name).expression for name in outputs)]
    return Program(expressions, [TIME, *map(symbol, names)])
