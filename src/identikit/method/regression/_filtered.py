"""Both sides of the equations through one filter, as rows that vanish at the true parameters.

    rho(p) = - int K'(t - c) left(x, p) dt - int K(t - c) right(x, p) dt,     K a bump of compact support at c.

Where the equations come apart as sums of theta_j(p) phi_j(x) (see model/_separation), the phi are filtered once: then
rho(p) = F theta(p), and with F = Q R the few rows R theta(p) have the same sum of squares as the thousands of rho,
so that a search never touches the record again.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import sympy as sp

from identikit.likelihood import Reconstruction, curve_values, reconstruct
from identikit.measurement import SmoothCurve
from identikit.method._settings import REGRESSION
from identikit.method.regression._domain import domain, inside
from identikit.model import Model, Program, Separation, derivative, jointly_affine, separate, symbol
from identikit.numerics import pseudo_inverse
from identikit.problem import Problem

EquationRows = list[tuple[np.ndarray, np.ndarray]]  # per equation: rows [R], derivatives [R, free]


@dataclass(frozen=True)
class RegressionEquations:
    """The testable equations: left sides (to be differentiated) and right sides, and the parameters looked for."""

    reconstruction: Reconstruction
    free: tuple[str, ...]

    @cached_property
    def sides(self) -> tuple[list[sp.Expr], list[sp.Expr]]:
        """Left and right in terms of curves, inputs, time and parameters."""
        model = self.reconstruction.model
        states = dict(zip(map(symbol, model.state_names), self.reconstruction.states, strict=True))
        left = [self.reconstruction.states[i] for i in self.reconstruction.remaining]
        right = [model.equations[i].xreplace(states) for i in self.reconstruction.remaining]
        return left, right

    @cached_property
    def domain(self) -> Program | None:
        """What must be positive along the record for the sides to have values."""
        return domain([side for sides in self.sides for side in sides], self.free, self.reconstruction)

    @cached_property
    def program(self) -> Program:
        """left, right, then their derivatives, parameter after parameter."""
        left, right = self.sides
        both = [*left, *right]
        slopes = [derivative(expression, symbol(name)) for name in self.free for expression in both]
        return Program([*both, *slopes], self.reconstruction.symbols)

    @cached_property
    def separation(self) -> Separation | None:
        """Left sides, then right sides, as sums of theta(p) phi(x); None if they do not come apart."""
        parameters = set(map(symbol, self.reconstruction.model.parameter_names))
        left, right = self.sides
        moving = [item for item in self.reconstruction.symbols if item not in parameters]
        return separate([*left, *right], moving, set(map(symbol, self.free)))

    @cached_property
    def coefficient_program(self) -> Program:
        """theta, then its derivatives, parameter after parameter."""
        assert self.separation is not None
        theta = self.separation.coefficients
        slopes = [derivative(item, symbol(name)) for name in self.free for item in theta]
        return Program([*theta, *slopes], [symbol(name) for name in self.reconstruction.model.parameter_names])

    @cached_property
    def basis_program(self) -> Program:
        assert self.separation is not None
        return Program(self.separation.basis, self.reconstruction.symbols)

    @cached_property
    def one_to_one(self) -> bool:
        """Whether coefficients that a linear regression finds give every parameter, up to its sign, in one way."""
        powers = self.separation.powers([symbol(name) for name in self.free]) if self.separation is not None else None
        return powers is not None and bool(np.linalg.matrix_rank(np.array(powers, float)) == len(self.free))

    @property
    def count(self) -> int:
        return len(self.reconstruction.remaining)

    @cached_property
    def linear(self) -> tuple[str, ...]:
        """The largest set of parameters, found greedily, in which the equations are jointly affine."""
        left, right = self.sides
        functions = self.separation.coefficients if self.separation is not None else (*left, *right)
        return tuple(str(item) for item in jointly_affine(functions, tuple(map(symbol, self.free))))

    @property
    def used(self) -> tuple[bool, ...]:
        """Which free parameters appear at all."""
        left, right = self.sides
        present: set[sp.Symbol] = set().union(*(e.free_symbols for e in (*left, *right)))
        return tuple(symbol(name) in present for name in self.free)


@lru_cache(maxsize=32)
def regression_equations(model: Model, outputs: tuple[str, ...], free: tuple[str, ...]) -> RegressionEquations:
    return RegressionEquations(reconstruct(model, outputs), free)


@dataclass(frozen=True)
class Part:
    """One record on a uniform grid: curve values, the filter and its slope, which windows show motion, and which
    points lie where the equations can be evaluated: noise takes a level near zero below it, and then sqrt(h) is none.
    """

    values: list[np.ndarray]
    bump: np.ndarray
    slope: np.ndarray
    stride: int
    moving: np.ndarray
    inside: np.ndarray

    @classmethod
    def of(
        cls,
        problem: Problem,
        index: int,
        equations: RegressionEquations,
        curves: Sequence[SmoothCurve],
        relative_width: float,
    ) -> Part:
        """`relative_width` is the filter's support in units of the signal's own time scale."""
        record = problem.records[index]
        scale = float(np.median([curve.time_scale for curve in curves]))
        span = float(record.time[-1] - record.time[0])
        half = min(0.5 * relative_width * scale, span / 8)
        points = int(np.clip(span / half * REGRESSION.points_per_width, 64, REGRESSION.most_points))
        grid = np.linspace(record.time[0], record.time[-1], points)
        spacing = grid[1] - grid[0]
        reach = max(4, round(half / spacing))
        s = np.arange(-reach, reach + 1) / reach
        bump = (1 - s * s) ** 4
        slope = -8 * s * (1 - s * s) ** 3 / (reach * spacing)
        values = curve_values(curves, record, grid, np.zeros(len(problem.model.parameters)))
        stride = max(1, reach // 6)
        moving = _moving_windows(curves, grid, len(bump), stride)
        values = values[: -len(problem.model.parameters)]
        within = inside(equations.domain, values, list(problem.vector(np.zeros(len(problem.free)))))
        whole = moving & _windows(within[None], len(bump), stride)[0].all(axis=-1)
        moving = whole if whole.any() else moving
        return cls(values, bump / len(bump), slope / len(bump), stride, moving, within)

    def table(self, program: Program, p: list[float]) -> np.ndarray:
        """The program's outputs on the grid, [outputs, points]."""
        points = self.values[0].shape
        with np.errstate(all="ignore"):
            found = program(np, [*self.values, *p])
        table = np.stack([np.broadcast_to(np.asarray(value, float), points) for value in found])
        return table if self.inside.all() else np.where(self.inside, table, 0.0)

    def filtered(self, table: np.ndarray, weights: np.ndarray) -> np.ndarray:
        """Every row of the table weighted over every moving window, [rows, windows]."""
        with np.errstate(all="ignore"):  # parameters without a value give rows of NaN, which the search passes over
            return np.asarray((_windows(table, len(weights), self.stride) @ weights)[:, self.moving])


def _windows(table: np.ndarray, length: int, stride: int) -> np.ndarray:
    return np.lib.stride_tricks.sliding_window_view(table, length, axis=1)[:, ::stride]


def _moving_windows(curves: Sequence[SmoothCurve], grid: np.ndarray, length: int, stride: int) -> np.ndarray:
    """Windows in which some curve moves by more than its noise; all of them if none does."""
    spread = np.stack([_windows(curve(grid)[None], length, stride)[0].std(axis=-1) for curve in curves])
    moving = np.asarray(
        (spread > REGRESSION.resting * np.array([curve.sigma for curve in curves])[:, None]).any(axis=0)
    )
    return moving if moving.any() else np.ones_like(moving)


class DirectRows:
    """rho(p) by evaluating the equations along the record for every p."""

    def __init__(self, problem: Problem, equations: RegressionEquations, parts: Sequence[Part]) -> None:
        self.problem, self.equations, self.parts = problem, equations, parts

    def full(self, p: np.ndarray) -> EquationRows:
        """Per equation: all rows over all records, with derivatives."""
        count, free = self.equations.count, len(self.problem.free)
        found = []
        for part in self.parts:
            table = part.table(self.equations.program, list(self.problem.vector(p)))
            sides = table.reshape(free + 1, 2, count, -1)
            left, right = (sides[:, side].reshape((free + 1) * count, -1) for side in (0, 1))
            rows = -part.filtered(left, part.slope) - part.filtered(right, part.bump)
            found.append(rows.reshape(free + 1, count, -1))
        together = np.concatenate(found, axis=2)
        return [(together[0, i], together[1:, i].T) for i in range(count)]

    short = full  # rows with the same sum of squares: here there are no fewer

    def left_sizes(self, p: np.ndarray) -> np.ndarray:
        """The root mean square of each equation's filtered left side."""
        count = self.equations.count
        tables = [part.table(self.equations.program, list(self.problem.vector(p)))[:count] for part in self.parts]
        filtered = [part.filtered(table, part.slope) for part, table in zip(self.parts, tables, strict=True)]
        return np.sqrt(np.mean(np.concatenate(filtered, axis=1) ** 2, axis=1))


@dataclass(frozen=True)
class _Columns:
    """One equation: rho = columns @ theta[chosen]; the left side alone is left @ theta[chosen]."""

    chosen: list[int]
    columns: np.ndarray
    left: np.ndarray
    triangle: np.ndarray  # R of columns = Q R


class SeparatedRows:
    """rho(p) = F theta(p), F filtered once."""

    def __init__(self, problem: Problem, equations: RegressionEquations, parts: Sequence[Part]) -> None:
        self.problem, self.equations, self.parts = problem, equations, parts
        tables = self._tables()
        self.columns = [self._filter(equation, tables) for equation in range(equations.count)]

    @property
    def finite(self) -> bool:
        return all(np.isfinite(part.columns).all() for part in self.columns)

    def _tables(self) -> list[np.ndarray]:
        """The basis on every record's grid."""
        fixed = list(self.problem.vector(np.zeros(len(self.problem.free))))  # no free one is in the basis
        return [part.table(self.equations.basis_program, fixed) for part in self.parts]

    def _filter(self, equation: int, tables: list[np.ndarray]) -> _Columns:
        separation = self.equations.separation
        assert separation is not None
        sides = dict(separation.terms[equation]), dict(separation.terms[self.equations.count + equation])
        chosen = sorted(sides[0] | sides[1])
        filtered = []
        for terms, weights in zip(sides, ("slope", "bump"), strict=True):
            rows = [
                part.filtered(table[list(terms.values())], getattr(part, weights)).T
                for part, table in zip(self.parts, tables, strict=True)
            ]
            columns = np.zeros((sum(map(len, rows)), len(chosen)))
            columns[:, [chosen.index(j) for j in terms]] = np.concatenate(rows)
            filtered.append(columns)
        left, right = filtered
        triangle: np.ndarray = np.asarray(np.linalg.qr(-left - right, mode="r"))
        return _Columns(chosen, -left - right, left, triangle)

    def theta(self, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """theta [J] and its derivatives [J, free]."""
        with np.errstate(all="ignore"):
            found = np.array(self.equations.coefficient_program(np, list(self.problem.vector(p))), float)
        table = found.reshape(len(self.problem.free) + 1, -1)
        return table[0], table[1:].T

    def full(self, p: np.ndarray) -> EquationRows:
        theta, slopes = self.theta(p)
        return [(part.columns @ theta[part.chosen], part.columns @ slopes[part.chosen]) for part in self.columns]

    def short(self, p: np.ndarray) -> EquationRows:
        theta, slopes = self.theta(p)
        return [(part.triangle @ theta[part.chosen], part.triangle @ slopes[part.chosen]) for part in self.columns]

    def coefficients(self) -> Iterator[tuple[int, float, float]]:
        """The coefficients that each equation by itself tells by linear least squares: index, value, standard error.

        Only the equation's own scatter counts, as if its rows were independent.
        """
        assert self.equations.separation is not None
        constant = [index for index, theta in enumerate(self.equations.separation.coefficients) if theta == 1]
        for part in self.columns:
            known = [k for k, j in enumerate(part.chosen) if j in constant]
            sought = [k for k, j in enumerate(part.chosen) if j not in constant]
            if not known or not sought:
                continue
            a, b = part.triangle[:, sought], -part.triangle[:, known].sum(axis=1)
            inverse = pseudo_inverse(a)
            value = inverse @ b
            variance = np.sum((b - a @ value) ** 2) / max(len(part.columns) - len(sought), 1)
            deviation = np.sqrt(variance * np.einsum("ij,ij->i", inverse, inverse))
            yield from zip([part.chosen[k] for k in sought], value, deviation, strict=True)

    def left_sizes(self, p: np.ndarray) -> np.ndarray:
        theta, _ = self.theta(p)
        return np.array([np.sqrt(np.mean((part.left @ theta[part.chosen]) ** 2)) for part in self.columns])


def filtered_rows(
    problem: Problem, curves: Sequence[Sequence[SmoothCurve]], relative_width: float
) -> DirectRows | SeparatedRows:
    """The rows of a problem, separated if its equations are."""
    equations = regression_equations(problem.model, problem.outputs, problem.free)
    parts = [Part.of(problem, index, equations, part, relative_width) for index, part in enumerate(curves)]
    if equations.separation is not None:
        separated = SeparatedRows(problem, equations, parts)
        if separated.finite:
            return separated
    return DirectRows(problem, equations, parts)
