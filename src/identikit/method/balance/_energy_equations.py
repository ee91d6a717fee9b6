"""The balance of energy of a second-order model, as symbols: which work goes with which coefficient.

For each degree of freedom, v' = a(t, x, v, u, p) multiplied by v and integrated between two times:

    [v^2/2] = sum_j theta_j(p) int phi_j(t, x, v, u) v dt

A phi that holds nothing but the position itself is conservative: its work is a difference of potentials, exactly
int phi dx, whatever happened in between. The theta_j may be any functions of the free parameters (w0^2, 2 mu w0, 1/m).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy as sp

from identikit.likelihood import reconstruct
from identikit.method._base import ObjectionError, needs_equations, not_measured, not_used
from identikit.method.balance._coefficients import affine
from identikit.model import (
    TIME,
    Model,
    Program,
    Separation,
    as_numbers,
    degrees_of_freedom,
    equations_of_motion,
    separate,
    split_sum,
    symbol,
)
from identikit.problem import Problem
from identikit.result import Finding, finding


@dataclass(frozen=True)
class Degree:
    """One degree of freedom, in terms of the curves: [v^2/2] = sum over `potential` and `work`.

    `output` is the one whose curve is the position, up to an offset and a factor; `stretch` is dx/d(curve).
    `potential` and `work` are (index of theta, index among the programs' outputs).
    """

    output: int
    stretch: float
    potential: tuple[tuple[int, int], ...]
    work: tuple[tuple[int, int], ...]


class EnergyEquations:
    """All that the rows of the balance need: coefficients theta(p), and programs for forces and powers.

    Programs take [t, curve and slope of each output, inputs].
    """

    def __init__(self, problem: Problem) -> None:
        self.free = problem.free
        self.symbols = _symbols(problem)
        velocities, accelerations, positions = _motion(problem)
        separation = separate(accelerations, self.symbols, [symbol(name) for name in problem.free])
        assert separation is not None, "objections come first"
        self.coefficients = separation.coefficients
        forces: list[sp.Expr] = []
        powers: list[sp.Expr] = []
        degrees = []
        for i, (v, (curve, stretch)) in enumerate(zip(velocities, positions, strict=True)):
            potential, work = [], []
            for j, k in separation.terms[i]:
                terms = sp.Add.make_args(sp.expand(separation.basis[k]))
                conservative, rest = split_sum(terms, set(self.symbols) - {curve})
                if conservative != 0:
                    potential.append((j, len(forces)))
                    forces.append(conservative)
                if rest != 0:
                    work.append((j, len(powers)))
                    powers.append(rest * v)
            degrees.append(Degree((self.symbols.index(curve) - 1) // 2, stretch, tuple(potential), tuple(work)))
        self.degrees = tuple(degrees)
        self.forces = [Program([force], self.symbols) for force in forces]
        self.powers = Program(powers, self.symbols)
        self.kinetic = Program([v**2 / 2 for v in velocities], self.symbols)
        self.bending = set().union(*(item.free_symbols for item in (*powers, *velocities)))
        self._theta = _coefficient_program(separation, problem)
        self.linear = affine(separation.coefficients, problem.free)

    @property
    def labels(self) -> tuple[str, ...]:
        """The coefficients as text."""
        return tuple(str(theta) for theta in self.coefficients)

    def theta(self, p: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """theta [J] and its derivatives [J, free] at free parameters p."""
        with np.errstate(all="ignore"):
            found = np.array([float(value) for value in self._theta(np, list(map(float, p)))])
        table = found.reshape(len(self.free) + 1, -1)
        return table[0], table[1:].T


def objections(problem: Problem) -> list[Finding]:
    """Why there is no balance of energy for this problem; empty if there is."""
    model = problem.model
    if not model.symbolic:
        return needs_equations(problem)
    if not degrees_of_freedom(model):
        text = (
            f"the balance of energy needs a model of second order, states in pairs x' = v, v' = a(t, x, v); "
            f"'{model.name}' is not: use least_squares or shooting"
        )
        return [finding("not_second_order", text)]
    found = reconstruct(model, problem.outputs)
    if found.missing:
        return [not_measured(found.missing, "measure every position")]
    free = [symbol(name) for name in problem.free]
    try:
        velocities, accelerations, _ = _motion(problem)
    except ObjectionError as objection:
        return [objection.finding]
    if any(v.free_symbols & set(free) for v in velocities):
        text = "the scale of a measured position is free, so its energy has no scale: fix it, or use shooting"
        return [finding("scale_not_known", text)]
    moving = _symbols(problem)
    if separate(accelerations, moving, free) is None:
        alone = [name for name in problem.free if separate(accelerations, moving, [symbol(name)]) is None]
        text = (
            f"{', '.join(alone or problem.free)} cannot be taken apart from the motion, as the k of k*x can: fix "
            f"{'it' if len(alone) == 1 else 'one of them'}, or use shooting"
        )
        return [finding("parameter_inside_function", text, *(alone or problem.free))]
    present = set().union(*(a.free_symbols for a in accelerations))
    unused = [name for name in problem.free if symbol(name) not in present]
    if unused:
        return [not_used(unused, "the equations of motion")]
    return []


def _symbols(problem: Problem) -> list[sp.Symbol]:
    curves = [item for name in problem.outputs for item in _curve_symbols(problem.model, problem.outputs, name)]
    return [TIME, *curves, *map(symbol, problem.model.input_names)]


def _curve_symbols(model: Model, outputs: tuple[str, ...], name: str) -> list[sp.Symbol]:
    """The symbols of an output's curve and of its first derivative."""
    found = reconstruct(model, outputs)
    each = (len(found.symbols) - 1 - len(model.inputs) - len(model.parameters)) // len(outputs)
    first = 1 + outputs.index(name) * each
    return found.symbols[first : first + 2]


def _motion(problem: Problem) -> tuple[list[sp.Expr], list[sp.Expr], list[tuple[sp.Symbol, float]]]:
    """Per degree of freedom: v and a in terms of curves, and the position's curve with dx/d(curve)."""
    model = problem.model
    numbers = as_numbers(problem.fixed)
    found = reconstruct(model, problem.outputs)
    states = {
        symbol(name): state.subs(numbers)
        for name, state in zip(model.state_names, found.states, strict=True)
        if state is not None
    }
    curves = {_curve_symbols(model, problem.outputs, name)[0] for name in problem.outputs}
    velocities, accelerations, positions = [], [], []
    for motion in equations_of_motion(model, problem.fixed):
        x = states[motion.x]
        inside = sorted(x.free_symbols & curves, key=str)
        stretch = sp.diff(x, inside[0]) if len(inside) == 1 else sp.nan
        if not stretch.is_number or stretch is sp.nan:
            name = str(motion.x)
            text = (
                f"the position {name} is not measured by one output of known scale: measure it, fix the scale, or use "
                "shooting"
            )
            raise ObjectionError(finding("state_not_measured", text, name))
        positions.append((inside[0], float(stretch)))
        velocities.append(states[motion.v])
        accelerations.append(motion.acceleration.xreplace(states))
    return velocities, accelerations, positions


def _coefficient_program(separation: Separation, problem: Problem) -> Program:
    theta = separation.coefficients
    free = [symbol(name) for name in problem.free]
    return Program([*theta, *(sp.diff(item, p) for p in free for item in theta)], free)
