"""Libraries of terms: what a law may be made of.

Every equation that can be tested against the record, x_i' = sum_j c_ij f_j(x, u, t), gets terms f_j with coefficients
to be found; equations that define a state (x' = v) stay as they are. Which terms:

    model       those that the model has, its own coefficients being functions of its parameters
    report      1, x, v, x^2, x v, v|v|, sign v, sin x, cos x of a pendulum (tanh(v / 0.1) stands for sign v there)
    polynomial  all products of states and inputs up to a degree
    auto        the model's own and the usual ones beside them
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb

import numpy as np
import sympy as sp

from identikit.likelihood import reconstruct
from identikit.method._base import ObjectionError
from identikit.method.sparse._coefficient_unit import coefficient_unit, rate_exponents
from identikit.method.sparse._settings import SPARSE
from identikit.model import (
    TIME,
    Model,
    Parameter,
    as_numbers,
    five_digits,
    kinematic_pairs,
    short_text,
    sum_terms,
    symbol,
    to_text,
)
from identikit.problem import Problem
from identikit.result import finding
from identikit.units import is_angle

KINDS = ("auto", "model", "report", "polynomial")


@dataclass(frozen=True)
class Term:
    """One term of one equation.

    Arguments:
        state: whose derivative it belongs to.
        function: of states, inputs and time.
        coefficient: the name of its factor; unit: of that.
        own: the model's own factor, in its free parameters; None where the model has no such term.
    """

    state: str
    function: sp.Expr
    coefficient: str
    unit: str = ""
    own: sp.Expr | None = None

    @property
    def text(self) -> str:
        return to_text(self.function)


@dataclass(frozen=True)
class Library:
    """Terms for the equations of a model; `base` has these equations without the terms.

    `inner` are constants inside functions, such as v in tanh(omega / v), with the values from which they are refined.
    """

    base: Model
    terms: tuple[Term, ...]
    inner: tuple[Parameter, ...] = ()

    @property
    def with_numbers(self) -> Library:
        """The same with the inner constants at their values: linear in every coefficient."""
        numbers = as_numbers({item.name: float(item.value or 0.0) for item in self.inner})
        terms = tuple(replace(term, function=term.function.xreplace(numbers)) for term in self.terms)
        return Library(self.base, terms)

    def with_inner(self, values: Mapping[str, float]) -> Library:
        """The same with other values of the inner constants."""
        return replace(self, inner=tuple(replace(p, value=values.get(p.name, p.value)) for p in self.inner))

    @cached_property
    def model(self) -> Model:
        """With every term in it, all coefficients zero."""
        return self.law(range(len(self.terms)), np.zeros(len(self.terms)))

    @property
    def own(self) -> tuple[int, ...]:
        """Terms that the model has itself."""
        return tuple(i for i, term in enumerate(self.terms) if term.own is not None)

    @property
    def tested(self) -> tuple[str, ...]:
        """States whose equations are looked for."""
        return tuple(dict.fromkeys(term.state for term in self.terms))

    def law(self, chosen: Iterable[int], values: Sequence[float] | np.ndarray, name: str = "law") -> Model:
        """The model of some terms, `values` being the coefficients of all."""
        equations = dict(zip(self.base.state_names, self.base.equations, strict=True))
        equations |= dict.fromkeys(self.tested, sp.S.Zero)
        parameters = []
        for index in chosen:
            term = self.terms[index]
            equations[term.state] += symbol(term.coefficient) * term.function
            parameters.append(Parameter(term.coefficient, float(values[index]), term.unit))
        used = set().union(*(equation.free_symbols for equation in equations.values()))
        parameters += [item for item in self.inner if symbol(item.name) in used]
        return replace(
            self.base, name=name, title="", parameters=tuple(parameters), equations=tuple(equations.values()),
            source="", notes=(), ready=None,
        )  # fmt: skip

    def equations_of(self, chosen: Iterable[int], values: Sequence[float] | np.ndarray) -> dict[str, str]:
        """The law in words: {state: right-hand side with its numbers}."""
        found = dict.fromkeys(self.tested, "")
        numbers = as_numbers({item.name: float(item.value or 0.0) for item in self.inner})
        for index in chosen:
            term = self.terms[index]
            number, text = float(values[index]), to_text(five_digits(term.function.xreplace(numbers)))
            size = f"{abs(number):.5g}" + ("" if text == "1" else f"*{text}")
            before = found[term.state]
            sign = (" - " if number < 0 else " + ") if before else ("-" if number < 0 else "")
            found[term.state] = f"{before}{sign}{size}"
        given = dict(zip(self.base.state_names, map(to_text, self.base.equations), strict=True))
        return {name: (found[name] or "0") if name in found else text for name, text in given.items()}


def library_of(problem: Problem, kind: str, degree: int = SPARSE.degree) -> Library:
    """The library for a problem; raises ObjectionError where it cannot be built."""
    builder = _builder(problem)
    return builder.build({index: builder.functions(index, kind, degree) for index in builder.tested})


def library_from(
    problem: Problem, functions: Mapping[str, Sequence[sp.Expr]], inner: Sequence[Parameter] = ()
) -> Library:
    """The library of given functions, {state whose derivative they make up: functions}, with their inner constants;
    raises ObjectionError where it cannot be built."""
    builder = _builder(problem, inner)
    return builder.build({index: functions[problem.model.state_names[index]] for index in builder.tested})


def own_functions(problem: Problem) -> dict[str, dict[sp.Expr, sp.Expr]]:
    """{state: {function: the model's own factor}} of the equations that can be tested against the record."""
    builder = _builder(problem)
    return {problem.model.state_names[index]: builder.own(index) for index in builder.tested}


def _builder(problem: Problem, inner: Sequence[Parameter] = ()) -> _Builder:
    return _Builder(problem.model, problem.outputs, problem.free, problem.fixed, _steady(problem), inner)


def _steady(problem: Problem) -> dict[str, float]:
    """Inputs that never change, with their values: they cannot be told from constants."""
    found: dict[str, float] = {}
    for place, name in enumerate(problem.model.input_names):
        values = np.concatenate([record.pieces(record.time)[place] for record in problem.records])
        if np.ptp(values) == 0:
            found[name] = float(values[0])
    return found


class _Builder:
    """Terms of one model, with numbers put in for what is known."""

    def __init__(
        self,
        model: Model,
        outputs: tuple[str, ...],
        free: Sequence[str],
        fixed: Mapping[str, float],
        steady: Mapping[str, float],
        inner: Sequence[Parameter] = (),
    ) -> None:
        numbers = as_numbers({**fixed, **steady})
        self.model = model
        self.equations = [equation.subs(numbers) for equation in model.equations]
        self.outputs = tuple(replace(item, expression=item.expression.subs(numbers)) for item in model.outputs)
        self.free = {symbol(name) for name in free}
        self.tested = reconstruct(model, outputs).remaining
        self.states = [symbol(name) for name in model.state_names]
        self.inputs = [symbol(name) for name in model.input_names if name not in steady]
        self.moving = {TIME, *self.states, *self.inputs}
        self.units = {item.name: item.unit for item in model.states} | {item.name: item.unit for item in model.inputs}
        self.inner = tuple(inner)
        self.units |= {item.name: item.unit for item in inner}
        self.velocities = {velocity: position for position, velocity in kinematic_pairs(model)}

    def functions(self, index: int, kind: str, degree: int) -> list[sp.Expr]:
        """Of one equation, by the kind of library."""
        own = [] if kind in ("report", "polynomial") else list(self.own(index))
        return own + ([] if kind == "model" else self._added(index, kind, degree))

    def build(self, functions: Mapping[int, Sequence[sp.Expr]]) -> Library:
        for output in self.outputs:
            held = sorted(map(str, output.expression.free_symbols & self.free))
            if held:
                text = f"{held[0]} stands in the output {output.name}, not in an equation of motion: fix it"
                raise ObjectionError(finding("parameter_unused", text, *held))
        for index, equation in enumerate(self.equations):
            held = sorted(map(str, equation.free_symbols & self.free))
            if index not in self.tested and held:
                text = (
                    f"{held[0]} stands in the equation of {self.model.state_names[index]}, which is used to find a "
                    "state that is not measured: measure that state, or fix the parameter"
                )
                raise ObjectionError(finding("parameter_unused", text, *held))
        found: list[tuple[int, sp.Expr, sp.Expr | None]] = []
        for index in self.tested:
            own = self.own(index)
            found += [(index, function, own.get(function)) for function in dict.fromkeys(functions[index])]
        if len(found) > SPARSE.most_terms:
            text = (
                f"the library has {len(found)} terms: at most {SPARSE.most_terms} can be searched; choose a lower "
                "degree, or the model's own terms"
            )
            raise ObjectionError(finding("library_too_large", text))
        base = replace(
            self.model,
            states=tuple(replace(state, initial=None) for state in self.model.states),  # may name parameters
            equations=tuple(self.equations),
            outputs=self.outputs,
        )
        return Library(base, tuple(self._named(found)), self.inner)

    def own(self, index: int) -> dict[sp.Expr, sp.Expr]:
        """{function: coefficient} of the model's own equation."""
        found: dict[sp.Expr, sp.Expr] = {}
        for term in sum_terms(sp.expand(self.equations[index])):
            if term == 0:
                continue
            coefficient, function = term.as_independent(*self.moving, as_Add=False)
            inside = sorted(map(str, function.free_symbols & self.free))
            if inside:
                text = f"{inside[0]} stands inside {short_text(function)}, not in a factor of it: fix it"
                raise ObjectionError(finding("parameter_inside_function", text, *inside))
            found[function] = found.get(function, sp.S.Zero) + coefficient
        return found

    def _added(self, index: int, kind: str, degree: int) -> list[sp.Expr]:
        if kind == "polynomial":
            return self._polynomials(degree)
        if index in self.velocities:
            position = self.velocities[index]
            return self._mechanical(position, index, kind == "report")
        if kind == "report":
            text = (
                f"the report's terms are of a position and its velocity, which {self.model.state_names[index]}' is "
                "not an equation of: use polynomials, or the model's own terms"
            )
            raise ObjectionError(finding("terms_do_not_fit", text, self.model.state_names[index]))
        return self._polynomials(2)

    def _mechanical(self, position: int, velocity: int, report: bool) -> list[sp.Expr]:
        x, v = self.states[position], self.states[velocity]
        unit = self.units[str(x)]
        angle = is_angle(unit) or (not unit and self.equations[velocity].has(sp.sin, sp.cos))
        if report and not angle and unit:
            text = (
                f"sin({x}) and cos({x}) ask for an angle, and {x} is in {unit}: use polynomials, or the model's own "
                "terms"
            )
            raise ObjectionError(finding("terms_do_not_fit", text, str(x)))
        # friction that the user wants smoothed stays so
        smooth = (atom for atom in self.equations[velocity].atoms(sp.tanh) if atom.free_symbols == {v})
        usual = [sp.S.One, x, v, x**2, x * v, v * sp.Abs(v), next(smooth, sp.sign(v))]
        if angle or report:
            return [*usual, sp.sin(x), sp.cos(x)] + ([] if report else self.inputs)
        others = [state for state in self.states if state not in (x, v)]
        return [*usual, x**3, *others, *self.inputs]

    def _polynomials(self, degree: int) -> list[sp.Expr]:
        variables = [*self.states, *self.inputs]
        count = comb(len(variables) + degree, degree) * len(self.tested)
        if count > SPARSE.most_terms:
            text = (
                f"polynomials of degree {degree} in {len(variables)} states and inputs are {count} terms: at most "
                f"{SPARSE.most_terms} can be searched; choose a lower degree"
            )
            raise ObjectionError(finding("library_too_large", text))
        return [sp.Mul(*factors) for n in range(degree + 1) for factors in combinations_with_replacement(variables, n)]

    def _named(self, found: Sequence[tuple[int, sp.Expr, sp.Expr | None]]) -> Iterable[Term]:
        taken = {*self.model.state_names, *self.model.input_names, *self.model.output_names}
        taken |= {item.name for item in self.inner}
        alone = len(self.tested) == 1
        for index, function, own in found:
            state = self.model.state_names[index]
            base = "c_" + ("" if alone else f"{state}_") + slug(function)
            name, count = base, 1
            while name in taken:
                count += 1
                name = f"{base}_{count}"
            taken.add(name)
            rate = rate_exponents(self.units[state], self.model.time_unit)
            yield Term(state, function, name, coefficient_unit(rate, function, self.units), own)


def slug(function: sp.Expr) -> str:
    """A name for a function: theta2 for theta**2, theta_omega for theta*omega, sin_theta for sin(theta)."""
    text = to_text(function).replace("**", "")
    return re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_")
