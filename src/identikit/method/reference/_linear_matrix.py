"""Linear models x' = A(p) x: is a model one, what is its matrix, and which entries are known beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import sympy as sp

from identikit.model import TIME, Model, Program, is_affine, symbol
from identikit.problem import Problem


@dataclass(frozen=True)
class LinearForm:
    """The matrix of a linear model as expressions of its parameters."""

    model: Model
    entries: tuple[tuple[sp.Expr, ...], ...]
    free: tuple[str, ...]

    @property
    def size(self) -> int:
        return len(self.entries)

    @cached_property
    def _program(self) -> Program:
        flat = [entry for row in self.entries for entry in row]
        slopes = [sp.diff(entry, symbol(name)) for name in self.free for entry in flat]
        return Program([*flat, *slopes], [symbol(name) for name in self.model.parameter_names])

    def __call__(self, full: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A [n, n] and dA/dp [free, n, n] at all parameters of the model."""
        values = np.array([float(value) for value in self._program(np, list(full))])
        table = values.reshape(1 + len(self.free), self.size, self.size)
        return table[0], table[1:]

    @cached_property
    def affine(self) -> bool:
        """Whether A depends linearly on the free parameters."""
        names = [symbol(name) for name in self.free]
        flat = {entry for row in self.entries for entry in row}
        return is_affine(flat, names)

    @cached_property
    def own_entry(self) -> dict[tuple[int, int], str]:
        """Entries that are a free parameter by themselves, each appearing nowhere else."""
        places: dict[str, list[tuple[int, int]]] = {name: [] for name in self.free}
        for i, row in enumerate(self.entries):
            for j, entry in enumerate(row):
                for name in self.free:
                    if entry.has(symbol(name)):
                        places[name].append((i, j))
        alone = {found[0]: name for name, found in places.items() if len(found) == 1}
        return {(i, j): name for (i, j), name in alone.items() if self.entries[i][j] == symbol(name)}


@lru_cache(maxsize=32)
def linear_form(model: Model, free: tuple[str, ...]) -> LinearForm | None:
    """The model as x' = A(p) x, or None if it is not of that kind."""
    if not model.symbolic:
        return None
    x = [symbol(name) for name in model.state_names]
    others = {TIME, *x, *map(symbol, model.input_names)}
    rows = []
    for equation in model.equations:
        row = [sp.diff(equation, state) for state in x]
        rest = equation.xreplace(dict.fromkeys(x, sp.Integer(0)))
        if any(entry.free_symbols & others for entry in row) or not rest.is_zero:
            return None
        rows.append(tuple(row))
    return LinearForm(model, tuple(rows), free)


def measured_states(problem: Problem) -> list[tuple[int, float] | None]:
    """For every state the output that shows it and the factor between them; None where there is none."""
    found: list[tuple[int, float] | None] = []
    for name in problem.model.state_names:
        state, hit = symbol(name), None
        for j, output in enumerate(problem.outputs):
            factor = problem.model.output(output).expression / state
            if hit is None and factor.is_number and factor != 0:
                hit = (j, float(factor))
        found.append(hit)
    return found


@dataclass(frozen=True)
class Pattern:
    """A = base + sum_k q_k E_k: which entries of the matrix are unknown, the others being known numbers."""

    base: np.ndarray
    places: tuple[tuple[int, int], ...]

    @classmethod
    def full(cls, size: int) -> Pattern:
        return cls(np.zeros((size, size)), tuple((i, j) for i in range(size) for j in range(size)))

    @classmethod
    def conservative(cls, size: int) -> Pattern:
        """[[0, I], [-K, 0]] with all of K unknown."""
        half = size // 2
        base = np.zeros((size, size))
        base[:half, half:] = np.eye(half)
        return cls(base, tuple((half + i, j) for i in range(half) for j in range(half)))

    def matrix(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """A and dA/dq."""
        A = self.base.copy()
        slopes = np.zeros((len(self.places), *A.shape))
        for k, (i, j) in enumerate(self.places):
            A[i, j] = q[k]
            slopes[k, i, j] = 1.0
        return A, slopes
