"""The equations of a model in weak form: what goes onto the test function, what has to be evaluated.

With the states taken from curves y_j (`reconstruct`), every equation that was not used up to define a state reads
d/dt left(y, y', ...) = right(y, y', ..., u, t, p). Multiplied by a test function w that vanishes at both ends and
integrated by parts,

    0 = int w (left' - right) dt
      = sum_(j,q) c_jq(p) int w^(q) y_j dt  -  int w' flux dt  -  int w source dt.

Terms linear in a curve or one of its derivatives go to the first sum, so no derivative of a measurement is ever taken
there; a(y) y' with a polynomial goes to the flux as its antiderivative. What is left over is evaluated on the curves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import sympy as sp

from identikit.likelihood import Reconstruction, reconstruct
from identikit.measurement import HIGHEST_DERIVATIVE
from identikit.method.regression._domain import domain
from identikit.method.weak_form._settings import GALERKIN
from identikit.model import TIME, Model, Program, derivative, is_affine, symbol

Linear = dict[tuple[int, int], sp.Expr]  # (output, order of the test function's derivative) -> coefficient


@dataclass(frozen=True)
class Entry:
    """One column of a program: which equation it belongs to, and the parameter it is a derivative for (None: value)."""

    equation: int
    parameter: int | None
    kind: str = ""  # "source" or "flux"
    place: tuple[int, int] = (0, 0)  # (output, derivative)


@dataclass(frozen=True)
class WeakEquations:
    """The weak form of the testable equations of one model, with derivatives with respect to `free`."""

    reconstruction: Reconstruction
    free: tuple[str, ...]

    @cached_property
    def _split(self) -> tuple[list[Linear], list[sp.Expr], list[sp.Expr]]:
        model = self.reconstruction.model
        states = dict(zip(map(symbol, model.state_names), self.reconstruction.states, strict=True))
        every: list[Linear] = []
        fluxes, sources = [], []
        for i in self.reconstruction.remaining:
            linear: Linear = {}
            parts, flux = self._linear_part(self.reconstruction.states[i])
            for (j, d), coefficient in parts.items():  # int w (c y^(d))' = (-1)^(d+1) c int w^(d+1) y
                linear[j, d + 1] = linear.get((j, d + 1), sp.S.Zero) + (-1) ** (d + 1) * coefficient
            parts, source = self._linear_part(model.equations[i].xreplace(states))
            for (j, d), coefficient in parts.items():
                linear[j, d] = linear.get((j, d), sp.S.Zero) - (-1) ** d * coefficient
            potential, source = self._total_derivatives(source)
            every.append({place: value for place, value in linear.items() if value != 0})
            fluxes.append(flux - potential)
            sources.append(source)
        return every, fluxes, sources

    @property
    def _curves(self) -> list[sp.Symbol]:
        return self.reconstruction.symbols[1 : 1 + len(self.reconstruction.outputs) * (HIGHEST_DERIVATIVE + 1)]

    @property
    def _moving(self) -> set[sp.Symbol]:
        return {TIME, *self._curves, *map(symbol, self.reconstruction.model.input_names)}

    def _place(self, curve: sp.Symbol) -> tuple[int, int]:
        return divmod(self._curves.index(curve), HIGHEST_DERIVATIVE + 1)

    def _linear_part(self, expression: sp.Expr) -> tuple[Linear, sp.Expr]:
        """{(output, derivative): coefficient(p)} of the terms linear in a curve, and the rest."""
        found: Linear = {}
        moving = self._moving
        if expression.count_ops() < GALERKIN.most_operations:
            rest = []
            for term in sp.Add.make_args(sp.expand(expression)):
                varying = term.free_symbols & moving
                curve = next(iter(varying)) if len(varying) == 1 else None
                slope = derivative(term, curve) if curve in self._curves else None
                if slope is None or slope.free_symbols & moving:
                    rest.append(term)
                else:
                    place = self._place(curve)
                    found[place] = found.get(place, sp.S.Zero) + slope
            return found, sp.Add(*rest)
        for curve in sorted(expression.free_symbols & set(self._curves), key=str):
            slope = derivative(expression, curve)
            if slope != 0 and not slope.free_symbols & moving:
                found[self._place(curve)] = slope
                expression = expression.subs(curve, 0)
        return found, expression

    def _total_derivatives(self, source: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
        """A(y) of the terms a(y) y' with a(y) polynomial, and the rest."""
        potential, rest = [], []
        for term in sp.Add.make_args(source):
            varying = term.free_symbols & self._moving
            places = {self._place(curve): curve for curve in varying if curve in self._curves}
            outputs = {output for output, _ in places}
            if len(varying) == len(places) == 2 and len(outputs) == 1 and {d for _, d in places} == {0, 1}:
                (output,) = outputs
                y, speed = places[output, 0], places[output, 1]
                factor = derivative(term, speed)
                if speed not in factor.free_symbols and factor.is_polynomial(y):
                    potential.append(sp.integrate(factor, y))
                    continue
            rest.append(term)
        return sp.Add(*potential), sp.Add(*rest)

    @property
    def count(self) -> int:
        return len(self.reconstruction.remaining)

    @cached_property
    def orders(self) -> tuple[tuple[int, int], ...]:
        """All (output, order of the test function's derivative) with a coefficient."""
        return tuple(sorted(set().union(*self._split[0])))

    @cached_property
    def places(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each equation its (order of the test function's derivative, output) with a coefficient."""
        return tuple(tuple((q, j) for j, q in part) for part in self._split[0])

    @cached_property
    def evaluated(self) -> frozenset[tuple[int, int]]:
        """Which (output, derivative) have to be evaluated on a curve."""
        rest = [*self._split[1], *self._split[2]]
        used: set[sp.Symbol] = set().union(*(expression.free_symbols for expression in rest))
        return frozenset(self._place(curve) for curve in self._curves if curve in used)

    @property
    def differentiates(self) -> bool:
        """Whether derivatives of curves remain, where the equations are not linear in them."""
        return any(derivative > 0 for _, derivative in self.evaluated)

    @cached_property
    def linear(self) -> bool:
        """Whether the residual is affine in the free parameters."""
        every, fluxes, sources = self._split
        expressions = [*(value for part in every for value in part.values()), *fluxes, *sources]
        free = [symbol(name) for name in self.free]
        return is_affine(expressions, free)

    @cached_property
    def coefficients(self) -> tuple[Program, tuple[Entry, ...]]:
        """c_jq and its derivatives, as a program of the model's parameters."""
        entries, expressions = [], []
        for i, part in enumerate(self._split[0]):
            for place, value in part.items():
                for k, expression in self._with_derivatives(value):
                    entries.append(Entry(i, k, place=place))
                    expressions.append(expression)
        parameters = [symbol(name) for name in self.reconstruction.model.parameter_names]
        return Program(expressions, parameters), tuple(entries)

    @cached_property
    def integrands(self) -> tuple[Program, tuple[Entry, ...]]:
        """flux and source and their derivatives, as a program of `reconstruction.symbols`."""
        entries, expressions = [], []
        for kind, column in zip(("flux", "source"), self._split[1:], strict=True):
            for i, value in enumerate(column):
                for k, expression in self._with_derivatives(value):
                    entries.append(Entry(i, k, kind))
                    expressions.append(expression)
        return Program(expressions, self.reconstruction.symbols), tuple(entries)

    @cached_property
    def sensitivities(self) -> tuple[Program, tuple[Entry, ...]]:
        """Derivatives of flux and source with respect to the curves."""
        entries, expressions = [], []
        for kind, column in zip(("flux", "source"), self._split[1:], strict=True):
            for i, value in enumerate(column):
                for curve in self._curves:
                    slope = derivative(value, curve)
                    if slope != 0:
                        entries.append(Entry(i, None, kind, self._place(curve)))
                        expressions.append(slope)
        return Program(expressions, self.reconstruction.symbols), tuple(entries)

    def _with_derivatives(self, value: sp.Expr) -> list[tuple[int | None, sp.Expr]]:
        if value == 0:
            return []
        found: list[tuple[int | None, sp.Expr]] = [(None, value)]
        for k, name in enumerate(self.free):
            slope = derivative(value, symbol(name))
            if slope != 0:
                found.append((k, slope))
        return found

    @cached_property
    def guards(self) -> Program | None:
        """The arguments of sign() that change along a record, if none holds a free parameter."""
        rest = [*self._split[1], *self._split[2]]
        atoms: set[sp.Expr] = set().union(*(expression.atoms(sp.sign) for expression in rest))
        arguments = sorted((atom.args[0] for atom in atoms if atom.args[0].free_symbols & self._moving), key=str)
        free = {symbol(name) for name in self.free}
        if not arguments or any(argument.free_symbols & free for argument in arguments):
            return None
        return Program(arguments, self.reconstruction.symbols)

    @cached_property
    def domain(self) -> Program | None:
        """What must be positive along the record for the integrands to have values."""
        return domain([value for part in self._split[1:] for value in part], self.free, self.reconstruction)

    @cached_property
    def steps(self) -> tuple[sp.Expr, ...]:
        """Times, as expressions of parameters, at which a step written into the equations happens."""
        found = set()
        for expression in self._split[2]:
            for atom in expression.atoms(sp.Heaviside, sp.sign):
                argument = atom.args[0]
                rate = derivative(argument, TIME)
                if argument.free_symbols & self._moving == {TIME} and rate != 0 and not rate.free_symbols & {TIME}:
                    found.add(sp.simplify(-argument.subs(TIME, 0) / rate))
        return tuple(sorted(found, key=str))


@lru_cache(maxsize=32)
def weak_equations(model: Model, outputs: tuple[str, ...], free: Sequence[str]) -> WeakEquations:
    """Deriving takes longer than solving, so equal models share it."""
    return WeakEquations(reconstruct(model, outputs), tuple(free))
