"""The observability-identifiability matrix: how all derivatives of the outputs depend on all unknowns, exactly.

    d/d(p, x_0) of (y, y', y'', ..., y^(n)) at time zero,      n = unknowns

Its rank at a random point is how many combinations of parameters and initial states the outputs determine, locally and
for almost all values. An unknown is identifiable if no direction that leaves all rows unchanged moves it.

Several modes (sides of switches) are seen from one point: at the moment of switching a record shows both sides. Where
initial states are known, the first mode begins there and the others at states that are not known.

References: A. Sedoglavic, J. Symbolic Computation 33 (2002) 735; H. Pohjanpalo, Math. Biosciences 41 (1978) 21.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

import numpy as np
import sympy as sp

from identikit.model import TIME, Model, symbol
from identikit.structure._modes import Mode, Switches
from identikit.structure._power_series import SeriesRun
from identikit.structure._prime_field import null_space, primes_with_unit_root, rank, residue
from identikit.structure._settings import STRUCTURE
from identikit.structure._tape import NotAnalysableError, Tape


class InputKind(StrEnum):
    """What inputs do."""

    PLANNED = "planned"  # as their expressions of time say; those without one, anything
    GENERIC = "generic"  # any motion: all derivatives are arbitrary numbers
    CONSTANT = "constant"  # any level, kept
    ABSENT = "absent"  # zero


@dataclass(frozen=True)
class StructuralQuestion:
    """What is asked of the equations alone.

    Arguments:
        model: the equations.
        outputs: what would be measured.
        free, fixed: parameters to find, and the values of all others.
        known: initial states that are known: numbers or expressions of parameters; None = some value or other.
        inputs: what the model's inputs do; drives: {input: expression of time}, for those that are planned.
        states: [points, states] that occur, and times [points]: they show the modes; None = random ones.
    """

    model: Model
    outputs: tuple[str, ...]
    free: tuple[str, ...]
    fixed: Mapping[str, float]
    known: Mapping[str, sp.Expr | float | None] = field(default_factory=dict)
    inputs: InputKind = InputKind.PLANNED
    drives: Mapping[str, sp.Expr] = field(default_factory=dict)
    states: np.ndarray | None = None
    times: np.ndarray | None = None

    @property
    def expressions(self) -> list[sp.Expr]:
        """Rates, then outputs; planned inputs are written into them."""
        found = [*self.model.equations, *(self.model.output(name).expression for name in self.outputs)]
        if self.inputs is not InputKind.PLANNED or not self.drives:
            return found
        known = {symbol(name): expression for name, expression in self.drives.items()}
        return [expression.xreplace(known) for expression in found]

    @property
    def unknown_states(self) -> tuple[str, ...]:
        return tuple(name for name in self.model.state_names if name not in self.known)

    @property
    def unknowns(self) -> tuple[str, ...]:
        """Free parameters, then initial states that are not known."""
        return (*self.free, *self.unknown_states)


@dataclass(frozen=True)
class Sensitivity:
    """What was found at some points [point][rows, columns], modulo the prime.

    Arguments:
        names: of the columns: unknowns of the question, then states of later modes where these are separate.
        rows: of the outputs, mode by mode: [mode][point][rows, columns].
        states: the same rows for every state, as if it were measured: {state: [point][rows, columns]}.
        candidates: gradients [candidate][point, columns] of expressions of parameters (and initial states).
        values: of the unknowns at the points [points, columns].
        derivatives: how many of the outputs were needed until the rank grew no more.
    """

    prime: int
    names: tuple[str, ...]
    rows: tuple[tuple[np.ndarray, ...], ...]
    states: Mapping[str, tuple[np.ndarray, ...]]
    candidates: tuple[np.ndarray, ...]
    values: np.ndarray
    derivatives: int

    @property
    def points(self) -> int:
        return len(self.values)

    def matrix(self, point: int, modes: Sequence[int] | None = None, sensors: Sequence[str] = ()) -> np.ndarray:
        """All rows at a point, of some modes or all, with further states measured."""
        chosen = range(len(self.rows)) if modes is None else modes
        return np.vstack([*(self.rows[i][point] for i in chosen), *(self.states[name][point] for name in sensors)])

    def unseen_at(self, point: int, modes: Sequence[int] | None = None) -> np.ndarray:
        """Directions [some, columns] that nothing measured shows, at one point."""
        return null_space(self.matrix(point, modes), self.prime)

    def unseen(self, modes: Sequence[int] | None = None) -> list[np.ndarray]:
        """At every point the directions that nothing measured shows; points of lesser rank are left out."""
        spaces = [self.unseen_at(point, modes) for point in range(self.points)]
        smallest = min(len(space) for space in spaces)
        return [space for space in spaces if len(space) == smallest]

    def identifiable(self, modes: Sequence[int] | None = None) -> tuple[bool, ...]:
        """Which columns no unseen direction moves."""
        return tuple(bool(x) for x in ~np.any([space.any(axis=0) for space in self.unseen(modes)], axis=0))


def sensitivity(
    question: StructuralQuestion,
    modes: Sequence[Mode],
    switches: Switches,
    candidates: Sequence[sp.Expr] = (),
    points: int = STRUCTURE.points,
    orders: int | None = None,
) -> Sensitivity:
    """Evaluate at random points, up to a given order or until the rank grows no more.

    Raises NotAnalysableError where the equations hold what has no power series by rule.
    """
    model = question.model
    tapes = [_tape(question, switches, mode, candidates if i == 0 else ()) for i, mode in enumerate(modes)]
    separate = bool(question.known) and len(modes) > 1
    later = tuple(f"{name} later" for name in model.state_names) if separate else ()
    names = (*question.unknowns, *later)
    highest = min(len(names) + 1, STRUCTURE.most_orders) if orders is None else orders
    count = STRUCTURE.tried_points
    for prime in primes_with_unit_root():
        drawn = _Points(question, names, prime, count, highest)
        usable = np.ones(count, bool)
        for i, tape in enumerate(tapes):
            run = drawn.run(tape, separate and i > 0)
            run.advance()
            usable &= run.usable
        if usable.sum() >= points:
            return _collected(question, tapes, drawn.at(np.flatnonzero(usable)[:points]), separate, len(candidates))
        if usable.any():  # every square root halves them
            count = min(2 * count, STRUCTURE.most_tried_points)
    raise NotAnalysableError("at what is known they cannot be expanded (a root of zero, or a division by it)")


def _collected(
    question: StructuralQuestion, tapes: Sequence[Tape], drawn: _Points, separate: bool, candidates: int
) -> Sensitivity:
    states, outputs = len(question.model.states), len(question.outputs)
    runs = [drawn.run(tape, separate and i > 0) for i, tape in enumerate(tapes)]
    points = range(drawn.count)
    rows: list[list[list[np.ndarray]]] = [[[] for _ in points] for _ in runs]
    sensors: dict[str, list[list[np.ndarray]]] = {name: [[] for _ in points] for name in question.model.state_names}
    best, needed = -1, 0
    for order in range(drawn.orders + 1):
        for mode, (tape, run) in enumerate(zip(tapes, runs, strict=True)):
            run.advance()
            measured = [run.coefficient(place, order) for place in tape.places[states : states + outputs]]
            moving = [run.coefficient(place, order) for place in tape.places[states + outputs : 2 * states + outputs]]
            for point in points:
                rows[mode][point] += [item[point, 1:] for item in measured]
                for name, item in zip(sensors, moving, strict=True):
                    sensors[name][point].append(item[point, 1:])
        now = max(rank(np.array([row for mode in rows for row in mode[point]]), drawn.prime) for point in points)
        if now > best:
            best, needed = now, order
        # at a generic point a rank that has stopped growing has stopped for good; at a known beginning it may pause
        if best == len(drawn.names) or (not question.known and order - needed == STRUCTURE.stalled_orders):
            break
    first = tapes[0].places[2 * states + outputs :] if candidates else []
    return Sensitivity(
        drawn.prime,
        drawn.names,
        tuple(tuple(np.array(point) for point in mode) for mode in rows),
        {name: tuple(np.array(point) for point in found) for name, found in sensors.items()},
        tuple(runs[0].coefficient(place, 0)[:, 1:] for place in first),
        drawn.values,
        needed,
    )


def _tape(question: StructuralQuestion, switches: Switches, mode: Mode, candidates: Sequence[sp.Expr]) -> Tape:
    """Rates, outputs, states, then candidates."""
    resolved = [switches.resolved(expression, mode) for expression in question.expressions]
    return Tape([*resolved, *map(symbol, question.model.state_names), *candidates])


class _Points:
    """Random values of everything that is not known, and what is known, in a prime field."""

    def __init__(
        self, question: StructuralQuestion, names: tuple[str, ...], prime: int, count: int, orders: int
    ) -> None:
        self.names, self.prime, self.count, self.orders = names, prime, count, orders
        self._question = question
        random = np.random.default_rng(0)
        self.values = random.integers(1, prime, (count, len(names)))
        self._time = random.integers(1, prime, count)
        self._begun = {name: random.integers(1, prime, count) for name in question.known}
        inputs = question.model.input_names
        self._drives = {name: random.integers(1, prime, (orders + 1, count)) for name in inputs}
        self._levels = {name: random.integers(1, prime, count) for name in inputs}

    def at(self, chosen: np.ndarray) -> _Points:
        """The same, at some of the points only."""
        made = object.__new__(_Points)
        made.__dict__.update(self.__dict__)
        made.count, made.values, made._time = len(chosen), self.values[chosen], self._time[chosen]
        made._drives = {name: item[:, chosen] for name, item in self._drives.items()}
        made._levels = {name: item[chosen] for name, item in self._levels.items()}
        made._begun = {name: item[chosen] for name, item in self._begun.items()}
        return made

    def run(self, tape: Tape, later: bool) -> SeriesRun:
        """The series of a tape; `later`: from states that are not known."""
        question, model = self._question, self._question.model
        beginnings: dict[sp.Basic, np.ndarray] = {}
        for name in model.parameter_names:
            fixed = question.fixed.get(name, 0.0)
            beginnings[symbol(name)] = (
                self._unknown(name) if name in question.free else self._number(Fraction(repr(float(fixed))))
            )
        drives: dict[sp.Basic, np.ndarray] = {}
        for name in model.input_names:
            level = 0 if question.inputs is InputKind.ABSENT else self._levels[name]
            beginnings[symbol(name)] = self._given(level)
            if question.inputs in (InputKind.GENERIC, InputKind.PLANNED):
                drives[symbol(name)] = self._drives[name]
        # known states are known at time zero, where expressions of time have values of their own
        beginnings[TIME] = self._given(0 if question.known and not later else self._time)
        for name in model.state_names:
            if later:
                beginnings[symbol(name)] = self._unknown(f"{name} later")
            elif name in question.known:
                value = question.known[name]
                given = self._given(self._begun[name]) if value is None else self._known(value, beginnings)
                beginnings[symbol(name)] = given
            else:
                beginnings[symbol(name)] = self._unknown(name)
        rates = {symbol(name): place for name, place in zip(model.state_names, tape.places, strict=False)}
        time = {TIME: tape.place(sp.Integer(1))}
        return SeriesRun(tape, self.prime, beginnings, rates | time, drives, self.orders)

    def _known(self, value: sp.Expr | float, parameters: Mapping[sp.Basic, np.ndarray]) -> np.ndarray:
        expression = sp.sympify(value, strict=True)  # a number or an expression, never text
        tape = Tape([expression])
        run = SeriesRun(tape, self.prime, parameters, {}, {}, 0)
        run.advance()
        return run.coefficient(tape.places[0], 0)

    def _given(self, values: np.ndarray | int) -> np.ndarray:
        made = np.zeros((self.count, 1 + len(self.names)), np.int64)
        made[:, 0] = values
        return made

    def _number(self, value: Fraction) -> np.ndarray:
        return self._given(residue(value, self.prime))

    def _unknown(self, name: str) -> np.ndarray:
        column = self.names.index(name)
        made = self._given(self.values[:, column])
        made[:, 1 + column] = 1
        return made
