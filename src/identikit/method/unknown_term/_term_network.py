"""A small network in the place of an unknown term, as mathematics: all that works on equations works on it.

One hidden layer of tanh units, sum_j w_j phi_j. Its hidden layer is laid out over the visited states and stays; the
output weights w are trained, as parameters of the model:

    friction:  loss(v) = sign(v) (w_0 + w_1 |v| + sum_j w_j tanh(|v| / v_j)),   v_j in steps of one factor, w_0 >= 0
    force:     force(s) = w_0 + sum_i w_i s_i + sum_j w_j tanh(a_j . s - b_j),     s the states over their ranges

A friction is thus odd and jumps by 2 w_0 at zero, where it sticks exactly; its dry and viscous parts pass the network
by, so that the prior of the weights pulls towards these, not towards none. With a hidden layer that stays the term is
linear in what is trained: there is one minimum, and the band of the curve follows from the covariance of the weights.

References: C. Rackauckas et al., Universal differential equations for scientific machine learning, arXiv 2001.04385
(2020); hidden layers that stay: G.-B. Huang, Q.-Y. Zhu, C.-K. Siew, Neurocomputing 70 (2006) 489-501.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import sympy as sp

from identikit.method.sparse._coefficient_unit import coefficient_unit, rate_exponents
from identikit.method.unknown_term._settings import NEURAL_ODE
from identikit.method.unknown_term._unknown_term import UnknownTerm
from identikit.model import Model, Parameter, Program, symbol
from identikit.numerics import evenly
from identikit.problem import Problem

DIGITS = 4  # of the numbers in a hidden layer, which a model file has to show


@dataclass(frozen=True)
class TermNetwork:
    """A term and the network that stands for it.

    Arguments:
        term: what is unknown.
        visited: {variable: (lowest, highest)} of what the record shows.
        features: functions of the variables, one for each weight; the first are those that pass the hidden layer by.
        weights: names of the parameters.
        unit: of the term.
    """

    term: UnknownTerm
    visited: Mapping[str, tuple[float, float]]
    features: tuple[sp.Expr, ...]
    weights: tuple[str, ...]
    unit: str

    @classmethod
    def of(cls, model: Model, term: UnknownTerm, visited: Mapping[str, tuple[float, float]], seed: int) -> TermNetwork:
        """Laid out over what was visited; `seed` draws the directions of units over several states."""
        features = _friction_features(term, visited) if term.friction else _force_features(term, visited, seed)
        taken = {*model.state_names, *model.parameter_names, *model.input_names}
        stem = "net"
        while any(name.startswith(stem) for name in taken):
            stem += "_"
        names = tuple(f"{stem}{j}" for j in range(len(features)))
        state = model.states[term.equation]
        unit = coefficient_unit(rate_exponents(state.unit, model.time_unit), sp.S.One, {})
        return cls(term, dict(visited), features, names, unit)

    @property
    def bounds(self) -> dict[str, tuple[float, float]]:
        """Of the weights: dry friction takes energy, never gives it."""
        free = dict.fromkeys(self.weights, (-np.inf, np.inf))
        return {**free, self.weights[0]: (0.0, np.inf)} if self.term.friction else free

    @property
    def shrunk(self) -> tuple[str, ...]:
        """Weights that are thought to be small beforehand: all but the dry and the viscous part of a friction."""
        return self.weights[2:] if self.term.friction else self.weights

    @property
    def expression(self) -> sp.Expr:
        """The term, as a function of variables and weights."""
        return sp.Add(*(symbol(name) * phi for name, phi in zip(self.weights, self.features, strict=True)))

    def inside(self, model: Model, expression: sp.Expr, parameters: tuple[Parameter, ...], name: str) -> Model:
        """A model with an expression in the term's place, without the parameters that had a meaning in it alone."""
        gone = self.term.without(model)
        equations = list(model.equations)
        equations[self.term.equation] = self.term.kept + self.term.sign * expression
        kept = tuple(item for item in model.parameters if item.name not in gone)
        return replace(
            model,
            name=name,
            title=f"{model.title or model.name}, {self.term.name} learned from a record",
            notes=(),
            equations=tuple(equations),
            parameters=(*kept, *parameters),
            ready=None,
        )

    def model(self, model: Model, values: np.ndarray | None = None) -> Model:
        """The model with the network inside; `values` of the weights, if they are known."""
        own = tuple(
            Parameter(name, None if values is None else float(values[j]), self.unit, self.bounds[name])
            for j, name in enumerate(self.weights)
        )
        return self.inside(model, self.expression, own, f"{model.name}_network")

    def problem(self, problem: Problem, spread: float) -> Problem:
        """The same question with the network in the term's place, its weights free and of about this size."""
        gone = [name for name in self.term.without(problem.model) if name in problem.free]
        known = problem.fixed_at(dict.fromkeys(gone, 0.0))
        posed = known.extended(self.model(problem.model), self.bounds)
        return replace(posed, priors={**known.priors, **dict.fromkeys(self.shrunk, (0.0, spread))})

    @cached_property
    def _program(self) -> Program:
        return Program(list(self.features), [symbol(name) for name in self.term.variables])

    def table(self, columns: Mapping[str, np.ndarray]) -> np.ndarray:
        """Features [points, weights] at values of the variables."""
        values = [np.asarray(columns[name], float) for name in self.term.variables]
        found = self._program(np, values)
        return np.stack([np.broadcast_to(np.asarray(item, float), values[0].shape) for item in found], axis=1)

    def grid(self, points: int) -> dict[str, np.ndarray]:
        """So many places all over what was visited; of a friction as many on either side of zero, not at it."""
        if self.term.friction:
            (name, (_, fastest)), *_ = self.visited.items()
            speeds = fastest * np.arange(1, points + 1) / points
            return {name: np.concatenate([-speeds[::-1], speeds])}
        low, high = (np.array([self.visited[name][i] for name in self.term.variables]) for i in (0, 1))
        shares = np.linspace(0.0, 1.0, points)[:, None] if len(low) == 1 else evenly(points, len(low))
        return dict(zip(self.term.variables, (low + shares * (high - low)).T, strict=True))

    def imitated(self, values: np.ndarray, columns: Mapping[str, np.ndarray]) -> np.ndarray:
        """Weights with which the network comes near given values of the term."""
        rows = self.table(columns)
        ridge = NEURAL_ODE.projection_ridge * np.sqrt(len(values)) * np.eye(rows.shape[1])
        found = np.linalg.lstsq(
            np.concatenate([rows, ridge]), np.concatenate([values, np.zeros(len(ridge))]), rcond=None
        )[0]
        low, high = np.array([self.bounds[name] for name in self.weights]).T
        return np.asarray(np.clip(found, low, high))


def _friction_features(term: UnknownTerm, visited: Mapping[str, tuple[float, float]]) -> tuple[sp.Expr, ...]:
    v = symbol(term.variables[0])
    fastest = max(map(abs, visited[term.variables[0]]))
    widths = fastest * np.geomspace(NEURAL_ODE.steepest, NEURAL_ODE.flattest, NEURAL_ODE.friction_units)
    return (sp.sign(v), v / _number(fastest), *(sp.sign(v) * sp.tanh(sp.Abs(v) / _number(width)) for width in widths))


def _force_features(term: UnknownTerm, visited: Mapping[str, tuple[float, float]], seed: int) -> tuple[sp.Expr, ...]:
    scaled = []
    for name in term.variables:
        low, high = visited[name]
        scaled.append((symbol(name) - _number((low + high) / 2)) / _number((high - low) / 2))
    if len(scaled) == 1:
        places = np.linspace(-1.0, 1.0, NEURAL_ODE.force_units)
        width = NEURAL_ODE.force_width * (places[1] - places[0])
        units = [sp.tanh((scaled[0] - _number(place)) / _number(width)) for place in places]
    else:
        units = []
        for share in evenly(NEURAL_ODE.plane_units, len(scaled) + 1, seed):
            direction = 2 * share[:-1] - 1
            direction *= NEURAL_ODE.plane_steepness / max(float(np.linalg.norm(direction)), 1e-300)
            place = float(2 * share[-1] - 1) * NEURAL_ODE.plane_steepness
            inside = sp.Add(*(_number(a) * s for a, s in zip(direction, scaled, strict=True)))
            units.append(sp.tanh(inside - _number(place)))
    return (sp.S.One, *scaled, *units)


def _number(value: float) -> sp.Float:
    return sp.Float(f"{value:.{DIGITS}g}")
