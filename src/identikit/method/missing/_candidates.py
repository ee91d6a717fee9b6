"""Terms that a model may lack: what an engineer would try first, built from the model's own states, inputs and time.

A mechanical equation, v' = a with x' = v, may lack a constant force, a restoring force (x, x^2, x^3, sin x), damping
(v, v|v|, v^3, x^2 v, sign v), a coupling to other states, an input; any other equation a constant, a state, a product
of two, an input. A parameter that was fixed may have another value, a free one may change with time as when a spring
warms up; a sensor may have a zero, another scale or a drift of its own; an input another gain or zero.

Every candidate has one parameter, c, with c = 0 the model as it is (a freed parameter its fixed value).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
import sympy as sp

from identikit.method.missing._settings import MISSING
from identikit.model import TIME, Model, Parameter, Program, common_divisor, kinematic_pairs, symbol, to_text
from identikit.problem import Problem

_ANY = (-np.inf, np.inf)
_RELATIVE = (-MISSING.relative_error, MISSING.relative_error)
_ANGLES = ("rad", "deg", "°")  # units of angles


@dataclass(frozen=True)
class Candidate:
    """One term: its parameter and where it enters.

    Arguments:
        parameter: the new one, or the fixed one that is set free.
        start: its value in the model as it is.
        added: {state or output: term}; the term holds the parameter.
        moved: {parameter or input: what is added to it wherever it stands}.
        about: states, outputs, inputs and parameters that it concerns.
        action: what to do, in words: "adding -f*sign(omega) to omega'".
        same: other actions that change the equations in the same way.
        rank: 0 for what is looked for first; of too many candidates the last ranks are left out.
    """

    parameter: Parameter
    about: tuple[str, ...]
    action: str
    rank: int = 0
    start: float = 0.0
    added: Mapping[str, sp.Expr] = field(default_factory=dict)
    measured: Mapping[str, sp.Expr] = field(default_factory=dict)
    moved: Mapping[str, sp.Expr] = field(default_factory=dict)
    same: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return self.parameter.name


def extended(model: Model, candidates: Sequence[Candidate]) -> Model:
    """The model with all candidates in it."""
    moved: dict[sp.Symbol, sp.Expr] = {}
    for candidate in candidates:
        for name, change in candidate.moved.items():
            moved[symbol(name)] = moved.get(symbol(name), symbol(name)) + change
    equations = [equation.xreplace(moved) for equation in model.equations]
    outputs = {item.name: item.expression.xreplace(moved) for item in model.outputs}
    for candidate in candidates:
        for name, term in candidate.added.items():
            equations[model.state_names.index(name)] += term
        for name, term in candidate.measured.items():
            outputs[name] += term
    freed = {item.name: item.parameter for item in candidates if item.name in model.parameter_names}
    parameters = tuple(freed.get(item.name, item) for item in model.parameters)
    new = tuple(item.parameter for item in candidates if item.name not in freed)
    return replace(
        model,
        parameters=parameters + new,
        equations=tuple(equations),
        outputs=tuple(replace(item, expression=outputs[item.name]) for item in model.outputs),
    )


def candidates(problem: Problem, p: np.ndarray) -> tuple[Candidate, ...]:
    """What the problem's model may lack, without what it has already."""
    everything = [*_freed(problem), *_Builder(problem).all()]
    ranked = sorted(_independent(problem, p, everything), key=lambda item: item.rank)
    states = len(problem.model.states)
    room = MISSING.most_sensitivities // states - states - len(problem.free)
    return tuple(ranked[: max(min(room, MISSING.most_candidates), MISSING.fewest_candidates)])


def _freed(problem: Problem) -> Iterable[Candidate]:
    """Parameters that were held fixed and act somewhere."""
    model = problem.model
    acting = {item for e in (*model.equations, *(model.output(n).expression for n in problem.outputs))
              for item in e.free_symbols}  # fmt: skip
    for parameter in model.parameters:
        if parameter.name in problem.fixed and symbol(parameter.name) in acting:
            value = problem.fixed[parameter.name]
            loose = replace(parameter, fixed=False)
            yield Candidate(
                loose, (parameter.name,), f"letting {parameter.name} be free (it is held at {value:g})", 0, value
            )


class _Builder:
    """Names and terms for one problem."""

    def __init__(self, problem: Problem) -> None:
        self.problem, self.model = problem, problem.model
        self.taken = {*self.model.state_names, *self.model.parameter_names, *self.model.input_names, "t"}
        begin = min(float(record.time[0]) for record in problem.records)
        span = max(float(record.time[-1]) for record in problem.records) - begin
        # a clock that begins far from zero would make a drift look like a constant
        self.clock = TIME if abs(begin) <= span else TIME - sp.Float(begin)
        self.per_time = f"1/{self.model.time_unit}" if self.model.time_unit else ""

    def all(self) -> Iterable[Candidate]:
        pairs = kinematic_pairs(self.model)
        velocities = {velocity: position for position, velocity in pairs}
        positions = {position for position, _ in pairs}
        for index in range(len(self.model.states)):
            if index in velocities:
                yield from self._mechanical(velocities[index], index)
            elif index not in positions:
                yield from self._first_order(index)
        yield from self._drifts()
        yield from self._inputs()
        yield from self._sensors()

    def _named(self, base: str, *about: str) -> str:
        name = "_".join([base, *about])
        count = 1
        while name in self.taken:
            count += 1
            name = "_".join([base, *about, str(count)])
        self.taken.add(name)
        return name

    def _term(
        self, state: str, base: str, term: sp.Expr, divisor: str = "", unit: str = "", rank: int = 0
    ) -> Candidate:
        """`term` times a new coefficient, over the divisor, added to the equation of a state."""
        parameter = Parameter(self._named(base, state), 0.0, unit)
        whole = symbol(parameter.name) * term / (symbol(divisor) if divisor else 1)
        about = (state, *sorted(str(item) for item in term.free_symbols if str(item) != state and item != TIME))
        text = _product(parameter.name, term) + (f"/{divisor}" if divisor else "")
        return Candidate(parameter, about, f"adding {text} to {state}'", rank, added={state: whole})

    def _mechanical(self, position: int, velocity: int) -> Iterable[Candidate]:
        model = self.model
        x, v = symbol(model.state_names[position]), symbol(model.state_names[velocity])
        name = model.state_names[velocity]
        equation = model.equations[velocity]
        mass = common_divisor(equation, model.parameter_names)  # a new term is a force where the others are
        acceleration = "" if mass else self._acceleration_unit(velocity)
        for base, term, unit, rank in (
            ("friction", -sp.sign(v), acceleration, 0),
            ("drag", -v * sp.Abs(v), "", 0),
            ("damping", -v, "" if mass else self.per_time, 0),
            ("stiffness3", -(x**3), "", 0),
            ("stiffness", -x, "", 0),
            ("force", sp.Integer(1), acceleration, 0),
            ("stiffness2", -(x**2), "", 1),
            ("damping3", -(v**3), "", 2),
            ("damping_x2", -(x**2) * v, "", 2),
        ):
            yield self._term(name, base, term, mass, unit, rank)
        angle = any(word in model.states[position].unit for word in _ANGLES)
        if angle or equation.has(sp.sin(x), sp.cos(x)):
            yield self._term(name, "gravity", -sp.sin(x), mass, acceleration, 1)
        for other in model.state_names:
            if other not in (str(x), str(v)):
                yield self._term(name, f"coupling_{other}", symbol(other), mass, "", 1)
        for item in model.input_names:
            if symbol(item) not in equation.free_symbols:
                yield self._term(name, f"gain_{item}", symbol(item), mass)

    def _acceleration_unit(self, velocity: int) -> str:
        unit, time = self.model.states[velocity].unit, self.model.time_unit
        return f"{unit[: -len(time)]}{time}^2" if time and unit.endswith(f"/{time}") else ""

    def _first_order(self, index: int) -> Iterable[Candidate]:
        model = self.model
        name, own = model.state_names[index], symbol(model.state_names[index])
        states = [symbol(item) for item in model.state_names]
        yield self._term(name, "source", sp.Integer(1))
        yield self._term(name, "rate", own)
        yield self._term(name, "limit", -(own**2))
        for other in states:
            if other != own:
                yield self._term(name, f"rate_{other}", other)
                yield self._term(name, f"product_{other}", own * other)
        for item in model.input_names:
            if symbol(item) not in model.equations[index].free_symbols:
                yield self._term(name, f"gain_{item}", symbol(item))
        for i, first in enumerate(states):
            for second in states[i:]:
                if own not in (first, second):
                    yield self._term(name, f"product_{first}_{second}", first * second, rank=2)

    def _drifts(self) -> Iterable[Candidate]:
        """Free parameters that change in proportion to time, p (1 + c t)."""
        present = {item for equation in self.model.equations for item in equation.free_symbols}
        for name in self.problem.free:
            if symbol(name) in present:
                parameter = Parameter(self._named("drift", name), 0.0, self.per_time)
                change = symbol(name) * symbol(parameter.name) * self.clock
                growth = _product(parameter.name, self.clock)
                action = f"letting {name} change with time, {name}*(1 + {growth}) in place of {name}"
                yield Candidate(parameter, (name,), action, 1, moved={name: change})

    def _inputs(self) -> Iterable[Candidate]:
        for item in self.model.inputs:
            u = symbol(item.name)
            zero = Parameter(self._named("zero", item.name), 0.0, item.unit)
            gain = Parameter(self._named("gain_error", item.name), 0.0, "", _RELATIVE)
            for parameter, shape in ((zero, sp.Integer(1)), (gain, u)):
                action = f"reading input {item.name} as {item.name} + {_product(parameter.name, shape)}"
                yield Candidate(parameter, (item.name,), action, moved={item.name: symbol(parameter.name) * shape})

    def _sensors(self) -> Iterable[Candidate]:
        for name in self.problem.outputs:
            output = self.model.output(name)
            unit = output.unit
            rate = f"{unit}/{self.model.time_unit}" if unit and self.model.time_unit else ""
            for base, shape, own, bounds, rank in (
                ("zero", sp.Integer(1), unit, _ANY, 0),
                ("scale_error", output.expression, "", _RELATIVE, 2),
                ("drift", self.clock, rate, _ANY, 1),
            ):
                parameter = Parameter(self._named(base, "of", name), 0.0, own, bounds)
                action = f"adding {_product(parameter.name, shape)} to the output {name}"
                yield Candidate(parameter, (name,), action, rank, measured={name: symbol(parameter.name) * shape})
            for item in self.model.input_names:
                if symbol(item) not in output.expression.free_symbols:
                    parameter = Parameter(self._named("feedthrough", item, "to", name), 0.0)
                    action = f"adding {parameter.name}*{item} to the output {name}"
                    term = symbol(parameter.name) * symbol(item)
                    yield Candidate(parameter, (name, item), action, 1, measured={name: term})


def _product(name: str, term: sp.Expr) -> str:
    """A coefficient times a term as text, the coefficient first."""
    if term == 1:
        return name
    negative = term.could_extract_minus_sign() and not term.is_Add
    text = to_text(-term if negative else term)
    return f"{'-' if negative else ''}{name}*{f'({text})' if term.is_Add else text}"


def _independent(problem: Problem, p: np.ndarray, found: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Candidates whose effect on the equations is no combination of what free parameters do, nor that of another one.

    Effects are compared at random states, inputs and times: a candidate is left out if its column there depends on
    the free parameters' columns, or is a multiple of an earlier candidate's.
    """
    model = extended(problem.model, found)
    names = (*problem.free, *(item.name for item in found))
    expressions = [*model.equations, *(model.output(name).expression for name in problem.outputs)]
    slopes = [sp.diff(expression, symbol(name)) for expression in expressions for name in names]
    moving = [TIME, *map(symbol, (*model.state_names, *model.input_names))]
    values = dict(problem.fixed) | dict(zip(problem.free, p, strict=True)) | {item.name: item.start for item in found}
    random = np.random.default_rng(0)
    points = list(random.standard_normal((len(moving), MISSING.points)))
    program = Program(slopes, [*moving, *map(symbol, values)])
    for sample in (points, [np.abs(item) for item in points]):  # where logarithms and roots ask for it, positive ones
        with np.errstate(all="ignore"):
            table = program(np, [*sample, *(np.full(MISSING.points, float(value)) for value in values.values())])
        shaped = np.stack([np.broadcast_to(np.asarray(row, float), (MISSING.points,)) for row in table])
        shaped = shaped.reshape(len(expressions), len(names), -1)
        good = np.isfinite(shaped).all(axis=(0, 1))
        if good.sum() >= MISSING.points // 4:
            break
    columns = shaped[:, :, good].transpose(0, 2, 1).reshape(-1, len(names))
    columns = columns / np.maximum(np.linalg.norm(columns, axis=0), 1e-300)
    own, rest = columns[:, : len(problem.free)], columns[:, len(problem.free) :]
    kept: dict[int, tuple[str, ...]] = {}
    for i in range(rest.shape[1]):
        beyond = rest[:, i] - own @ np.linalg.lstsq(own, rest[:, i], rcond=1e-12)[0]
        if np.linalg.norm(beyond) < MISSING.dependent:
            continue
        twin = next((j for j in kept if abs(abs(float(rest[:, i] @ rest[:, j])) - 1) < MISSING.dependent), None)
        if twin is None:
            kept[i] = ()
        elif found[twin].name not in problem.fixed:  # a parameter that is there already needs no other words
            kept[twin] += (found[i].action,)
    return tuple(replace(found[i], same=same) for i, same in kept.items())
