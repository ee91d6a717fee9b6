"""Twins of a system that is linear in its states: other parameters with the very same output.

    x' = A x + B u + d,   y = C x + D u + e          A to e depend on the parameters p

With u given and x(0) unknown, the output is determined by the coefficients of

    det(s I - A),   C adj(s I - A) B,   D,   and, where d or e are there, the output at rest  e - C A^-1 d

and, where several outputs share their states, by one turn of these that does for all (see below).

Parameters that are locally identifiable may share these with others far away: two masses of which one is measured have
two frequencies, and their springs are the roots of a quadratic. So the coefficients g(p') = g(p) are solved for p' from
many starts at once. What the hidden states become is linear, since both sides have the same derivatives of y:

    O' x' + o' = O x + o,      O = [C; C A; C A^2; ...],   o the part of d in them

States that are known when a record begins are equations too.

Reference: R. Bellman, K. J. Astrom, Mathematical Biosciences 7 (1970) 329. Coefficients by Faddeev and Le Verrier.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import sympy as sp

from identikit.model import TIME, Model, Program, symbol
from identikit.structure._settings import STRUCTURE


@dataclass(frozen=True)
class LinearTwin:
    """Other values `p` [free] of the free parameters; states become `turn` x + `shift`."""

    p: np.ndarray
    turn: np.ndarray
    shift: np.ndarray


def linear_twins(
    model: Model,
    outputs: Sequence[str],
    free: Sequence[str],
    values: Mapping[str, float],
    bounds: Mapping[str, tuple[float, float]],
    beginnings: Sequence[tuple[Sequence[bool], np.ndarray]] = (),
) -> tuple[LinearTwin, ...]:
    """All twins that were found within the bounds; none where the model is not linear in its states, or where the free
    parameters are not even locally identifiable.

    Arguments:
        values: of all parameters.
        beginnings: of every record, which states are known and the states [states] when it begins.
    """
    system = _system(model, tuple(outputs), tuple(free))
    if system is None or not free:
        return ()
    fixed = np.array([values[name] for name in model.parameter_names])
    search = _Search(system, fixed, [model.parameter_names.index(name) for name in free], list(beginnings))
    return search.found(np.array([bounds[name] for name in free], float))


@dataclass(frozen=True)
class _System:
    """A program of all parameters that gives the entries of A, B, d, C, D and e, and their sizes."""

    entries: Program
    states: int
    inputs: int
    outputs: int

    def __call__(self, p: np.ndarray) -> tuple[np.ndarray, ...]:
        """A, B, d, C, D, e for parameters [sets, all]."""
        n, m, q = self.states, self.inputs, self.outputs
        with np.errstate(all="ignore"):
            flat = [np.broadcast_to(np.asarray(item, p.dtype), len(p)) for item in self.entries(np, list(p.T))]
        table = np.stack(flat, axis=1)
        shapes = ((n, n), (n, m), (n,), (q, n), (q, m), (q,))
        ends = np.cumsum([0, *(int(np.prod(shape)) for shape in shapes)])
        return tuple(table[:, a:b].reshape(-1, *shape) for a, b, shape in zip(ends[:-1], ends[1:], shapes, strict=True))


@lru_cache(maxsize=32)
def _system(model: Model, outputs: tuple[str, ...], free: tuple[str, ...]) -> _System | None:
    """The matrices of a model; None where it is not linear in states and inputs."""
    if not model.symbolic:
        return None
    states = [symbol(name) for name in model.state_names]
    inputs = [symbol(name) for name in model.input_names]
    rows = [*model.equations, *(model.output(name).expression for name in outputs)]
    if any(row.has(sp.sign, sp.Abs, sp.Max, sp.Min, sp.Heaviside) for row in rows):
        return None
    slopes = [[sp.diff(row, x) for x in (*states, *inputs)] for row in rows]
    if any(item.free_symbols & {*states, *inputs, TIME} for row in slopes for item in row):
        return None
    rest = dict.fromkeys((*states, *inputs), sp.S.Zero)
    drives: dict[sp.Expr, list[sp.Expr]] = {}  # functions of time, with their factors in every row
    for place, row in enumerate(rows):
        for term in sp.Add.make_args(sp.expand(row.xreplace(rest))):
            factor, course = term.as_independent(TIME, as_Add=False)
            if course.free_symbols & set(map(symbol, free)):
                return None
            drives.setdefault(course, [sp.S.Zero] * len(rows))[place] += factor
    still = drives.pop(sp.S.One, [sp.S.Zero] * len(rows))
    n, table = len(states), [[*row[len(states) :], *(d[i] for d in drives.values())] for i, row in enumerate(slopes)]
    entries = [
        *(item for row in slopes[:n] for item in row[:n]),
        *(item for row in table[:n] for item in row),
        *still[:n],
        *(item for row in slopes[n:] for item in row[:n]),
        *(item for row in table[n:] for item in row),
        *still[n:],
    ]
    program = Program(entries, [symbol(name) for name in model.parameter_names])
    return _System(program, n, len(table[0]), len(outputs))


class _Search:
    """Solves g(p') = g(p) by damped Gauss-Newton steps, many starts side by side."""

    def __init__(
        self,
        system: _System,
        parameters: np.ndarray,
        places: list[int],
        beginnings: list[tuple[Sequence[bool], np.ndarray]],
    ) -> None:
        self._system, self._parameters, self._places = system, parameters, places
        self._p = parameters[places]
        self._beginnings = [(np.asarray(known, bool), x) for known, x in beginnings if any(known)]
        self._matrices = system(parameters[None])
        self._here = self._invariants(self._p[None])[0]
        self._size = np.maximum(np.abs(self._here), STRUCTURE.twin_floor * np.abs(self._here).max(initial=0.0))

    def found(self, bounds: np.ndarray) -> tuple[LinearTwin, ...]:
        """`bounds` [free, 2]."""
        if not np.isfinite(self._here).all() or not (self._size > 0).all() or not self._locally_identifiable():
            return ()
        low, high = bounds.T
        p = self._starts(low, high)
        misses = self._misses(p)
        damping = np.full(len(p), STRUCTURE.twin_damping)
        unit = np.where(self._p == 0, 1.0, np.abs(self._p))
        for _ in range(STRUCTURE.twin_rounds):
            slopes = self._slopes(p, misses, unit)
            square = np.einsum("kmi,kmj->kij", slopes, slopes)
            right = np.einsum("kmi,km->ki", slopes, misses)
            held = np.maximum(damping[:, None] * np.einsum("kii->ki", square), 1e-30)
            step = np.linalg.solve(square + held[:, :, None] * np.eye(p.shape[1]), right[..., None])
            new = np.clip(p - unit * step[..., 0], low, high)
            there = self._misses(new)
            with np.errstate(over="ignore"):
                better = (there**2).sum(axis=1) < (misses**2).sum(axis=1)
            p, misses = np.where(better[:, None], new, p), np.where(better[:, None], there, misses)
            damping = np.where(better, damping / 5, np.minimum(damping * 4, 1e8))
        solved = p[np.abs(misses).max(axis=1) < STRUCTURE.twin_solved]
        return tuple(item for one in self._distinct(solved) if (item := self._twin(one)) is not None)

    def _starts(self, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Spread over powers of ten about the values, with either sign where bounds allow it."""
        random = np.random.default_rng(0)
        shape = (STRUCTURE.twin_starts, len(self._p))
        usual = np.where(self._p == 0, np.abs(self._p).mean() or 1.0, self._p)
        factors = 10.0 ** random.uniform(-STRUCTURE.twin_decades, STRUCTURE.twin_decades, shape)
        signs = np.where((low < 0) & (high > 0), random.choice([-1.0, 1.0], shape), 1.0)
        return np.clip(usual * factors * signs, low, high)

    def _invariants(self, p: np.ndarray) -> np.ndarray:
        """g [sets, m] at free parameters [sets, free]."""
        full = np.repeat(self._parameters[None], len(p), axis=0).astype(p.dtype)
        full[:, self._places] = p
        A, B, d, C, D, e = self._system(full)
        n, sets = A.shape[1], len(p)
        adjoint = np.broadcast_to(np.eye(n, dtype=A.dtype), A.shape)
        found = [D.reshape(sets, -1)]
        coefficient = np.ones(sets, A.dtype)
        with np.errstate(all="ignore"):
            for k in range(1, n + 1):
                last = adjoint
                found.append((C @ adjoint @ B).reshape(sets, -1))
                product = A @ adjoint
                coefficient = -np.trace(product, axis1=1, axis2=2) / k
                found.append(coefficient[:, None])
                adjoint = product + coefficient[:, None, None] * np.eye(n)
            if d.any() or e.any():  # det A = (-1)^n c_n, adj A = (-1)^(n-1) of the last: -A^-1 = last / c_n
                found.append(e + np.einsum("kqn,knm,km->kq", C, last, d) / coefficient[:, None])
            if self._beginnings or C.shape[1] > 1:
                turn, shift, left = self._turned((A, d, C))
            if C.shape[1] > 1:  # several outputs share their states, and one turn has to do for all
                found.append(1.0 + left)
            for known, x in self._beginnings:
                there = np.einsum("knm,m->kn", turn, x) + shift
                found.append(np.maximum(np.abs(x).max(), 1e-300) + there[:, known])  # compared with their size
        return np.concatenate(found, axis=1)

    def _turned(self, there: tuple[np.ndarray, ...]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """How the states of other parameters follow from those at hand, turn [sets, n, n] and shift [sets, n]; and what
        of the output's derivatives is then not the same [sets, any number], relative."""
        A, _, d, C, _, _ = self._matrices
        (seen, offset), (other, own) = _observed(A, d, C), _observed(*there)
        with np.errstate(all="ignore"):
            inverse = np.linalg.pinv(np.nan_to_num(other))
        turn, shift = inverse @ seen, np.einsum("knm,km->kn", inverse, offset - own)
        size = np.linalg.norm(seen, axis=2)
        left = (other @ turn - seen) / size[..., None]
        return turn, shift, left.reshape(len(other), -1)

    def _misses(self, p: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            found = (self._invariants(p) - self._here) / self._size
        return np.where(np.isfinite(found), found, 1e6)

    def _slopes(self, p: np.ndarray, misses: np.ndarray, unit: np.ndarray) -> np.ndarray:
        """Derivatives [sets, m, free] of the misses, in units of the values."""
        steps = STRUCTURE.twin_step * np.maximum(np.abs(p), STRUCTURE.twin_step * unit)
        columns = []
        for i in range(p.shape[1]):
            moved = p.copy()
            moved[:, i] += steps[:, i]
            columns.append((self._misses(moved) - misses) / steps[:, i, None] * unit[i])
        return np.stack(columns, axis=2)

    def _locally_identifiable(self) -> bool:
        unit = np.where(self._p == 0, 1.0, np.abs(self._p))
        slopes = self._slopes(self._p[None], self._misses(self._p[None]), unit)[0]
        norms = np.linalg.norm(slopes, axis=0)
        if not (norms > 0).all():
            return False
        return bool(np.linalg.svd(slopes / norms, compute_uv=False)[-1] > STRUCTURE.twin_rank)

    def _distinct(self, solved: np.ndarray) -> list[np.ndarray]:
        """One of each, those that are the values themselves left out."""
        unit = np.maximum(np.abs(self._p), np.abs(solved).max(axis=0, initial=0.0))
        unit = np.where(unit == 0, 1.0, unit)
        kept: list[np.ndarray] = [self._p]
        for one in solved:
            if all(np.abs((one - other) / unit).max() > STRUCTURE.twin_apart for other in kept):
                kept.append(one)
        return kept[1:]

    def _twin(self, p: np.ndarray) -> LinearTwin | None:
        full = self._parameters.copy()
        full[self._places] = p
        A, _, d, C, _, _ = self._system(full[None])
        turn, shift, _ = self._turned((A, d, C))
        if not (np.isfinite(turn).all() and np.linalg.matrix_rank(turn[0]) == len(turn[0])):
            return None
        return LinearTwin(p, turn[0], shift[0])


def _observed(A: np.ndarray, d: np.ndarray, C: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """O [sets, n q, n] and o [sets, n q]: derivatives of the outputs as far as inputs have no part in them."""
    rows, offsets = [], []
    row, offset = C, np.zeros(C.shape[:2], C.dtype)
    for _ in range(A.shape[1]):
        rows.append(row)
        offsets.append(offset)
        offset = np.einsum("kqn,kn->kq", row, d)
        row = row @ A
    return np.concatenate(rows, axis=1), np.concatenate(offsets, axis=1)
