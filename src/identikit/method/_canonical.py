"""Of explanations that no record can tell apart, the one that is reported, and a word about the others.

Where equations and outputs do not change with the sign of some parameters, with an exchange of equal parts, or with
whole turns of an angle, an estimate comes out as one or the other by chance: w = -3 on one draw, +3 on the next. The
canonical one has

- angles between minus and plus half a turn,
- for the first parameter of those that change signs together, the sign of the start that was given, else of the model's
  own value, else plus,
- of two parts that can change places the smaller first,

as far as bounds allow. Parameters with a prior are left as they are: the prior tells.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import combinations, islice
from typing import TYPE_CHECKING

import numpy as np
import sympy as sp

from identikit.method._settings import JUDGEMENT
from identikit.method._unseen_exchange import UnseenExchange, unseen_exchange
from identikit.model import Model, Relabelling, SymmetryTest, symbol
from identikit.problem import Initial, Problem
from identikit.result import Finding, finding

if TYPE_CHECKING:
    from identikit.method._report import Evidence, MethodReport

TURN = 2 * np.pi  # a whole turn, in radians


_StateStep = Relabelling | tuple[UnseenExchange, np.ndarray]


@dataclass(frozen=True)
class CanonicalForm:
    """The estimate `p` as it is reported, and how it follows from the one that was found.

    `states` are steps, one after the other: a relabelling, or an exchange with the parameters that it was made at.
    """

    p: np.ndarray
    parameters: Relabelling
    states: tuple[_StateStep, ...] = ()
    findings: tuple[Finding, ...] = ()

    def applied(self, evidence: Evidence, given: MethodReport) -> tuple[Evidence, MethodReport]:
        """What a method ended with, in the canonical form."""
        to = self.parameters
        found = replace(
            evidence,
            p=self.p,
            information=to.slope(evidence.information),
            initial_states=tuple(self._states(i, states) for i, states in enumerate(evidence.initial_states)),
            history=tuple(to(p) for p in evidence.history),
            findings=(*evidence.findings, *self.findings),
        )
        spread = None if given.deviation is None else to.sizes(given.deviation)
        coloured = None if given.coloured is None else to.sizes(given.coloured)
        return found, replace(
            given,
            deviation=spread,
            coloured=coloured,
            others=tuple((to(p), to.slope(rows)) for p, rows in given.others),
        )

    def _states(
        self, record: int, states: Mapping[str, Mapping[str, float | None]]
    ) -> dict[str, dict[str, float | None]]:
        given = list(states.values())
        x = np.array([math.nan if item["value"] is None else item["value"] for item in given])
        std = [item["std"] for item in given]
        for step in self.states:
            if isinstance(step, Relabelling):
                x, std = step(x), [std[source] for source in step.source]
                continue
            moved = step[0].beginning(record, x, step[1])
            # of a state that is now another function of the motion the old standard error says nothing
            std = [same if now == was else None for same, now, was in zip(std, moved, x, strict=True)]
            x = moved
        return {
            name: {"value": float(value) if math.isfinite(value) else None, "std": spread}
            for name, value, spread in zip(states, x, std, strict=True)
        }


def canonical(problem: Problem, p: np.ndarray) -> CanonicalForm:
    """The canonical form of an estimate of the free parameters; itself, without findings, if nothing can change."""
    search = _Search(problem, np.asarray(p, float))
    for kind in (search.turns, search.signs, search.exchanges):
        kind()
    return CanonicalForm(search.p, search.parameters, tuple(search.states), tuple(search.findings))


@dataclass(frozen=True)
class _Candidate:
    """A relabelling that may be a symmetry; `places` are the parameters, or pairs of them, that it is about."""

    places: tuple[int, ...]
    parameters: Relabelling
    states: Relabelling


class _Search:
    """Walks through the kinds of symmetries; `p`, `parameters` and `states` are where it is."""

    def __init__(self, problem: Problem, p: np.ndarray) -> None:
        self.problem = problem
        self.p = p
        self.parameters = Relabelling.nothing(len(problem.free))
        self.states: list[_StateStep] = []
        self.findings: list[Finding] = []

    # Kinds

    def turns(self) -> None:
        """Whole turns of a parameter, with a state that makes up for it or without."""
        seen: set[int] = set()
        for found in self._symmetries(self._turned()):
            (i,) = found.places
            if i in seen:
                continue
            seen.add(i)
            name, shift = self.problem.free[i], found.parameters.shift[i]
            nearest = self._turns_off(i) != 0
            other = self.p[i] if nearest else self.p[i] + shift
            if nearest:
                self._apply(found.parameters, found.states)
            text = (
                f"{name} = {other:.5g} explains the record as well, since whole turns change nothing: the value "
                "nearest to zero is reported"
            )
            self.findings.append(finding("equivalent_explanation", text, name))

    def signs(self) -> None:
        """Parameters that change their signs together, with states that do, or with half a turn of another."""
        seen: list[set[int]] = []
        for found in self._symmetries(self._mirrored()):
            if any(set(found.places) >= known for known in seen) or not self._allowed(found.parameters):
                continue
            seen.append(set(found.places))
            i, free = found.places[0], self.problem.free
            usual = self.problem.start.get(free[i]) or self.problem.model.parameter(free[i]).value or 1.0
            other = self.p if self.p[i] * usual < 0 else found.parameters(self.p)
            if self.p[i] * usual < 0:
                self._apply(found.parameters, found.states)
            names = [free[k] for k in found.parameters.changed]
            written = ", ".join(f"{free[k]} = {other[k]:.5g}" for k in found.parameters.changed)
            text = (
                f"{written} explain{'s' if len(names) == 1 else ''} the record as well, since nothing that is measured "
                f"changes with the sign: {'minus' if usual < 0 else 'plus'} is reported for {free[i]}"
            )
            self.findings.append(finding("equivalent_explanation", text, *names))

    def exchanges(self) -> None:
        """Pairs of parameters of one unit that change places together, with states that do, or unseen."""
        pairs = [pair for pair in combinations(range(len(self.problem.free)), 2) if self._alike(*pair)]
        seen: list[set[int]] = []
        for found in self._symmetries(self._exchanged(pairs)):
            if any(set(found.places) >= known for known in seen):
                continue
            seen.append(set(found.places))
            self._in_order(found.places, found.parameters, found.states)
        for i, j in pairs[: JUDGEMENT.most_pairs]:
            if any(known & {i, j} for known in seen) or not (self._test.matters[i] and self._test.matters[j]):
                continue
            unseen = unseen_exchange(self.problem, i, j, self.p)
            if unseen is not None:
                seen.append({i, j})
                own = Relabelling.of(len(self.p), exchanged=[(i, j)])
                self._in_order((i, j), own, (unseen, self.p))

    def _in_order(self, places: Sequence[int], parameters: Relabelling, states: _StateStep) -> None:
        """Exchange if the first of the parts is the larger, and say that it could be."""
        first, second = places[:2]
        if self.p[first] > self.p[second]:
            self._apply(parameters, states)
        names = [self.problem.free[i] for i in places]
        written = " and ".join(f"{a} with {b}" for a, b in zip(names[::2], names[1::2], strict=True))
        text = (
            f"{written} can be exchanged without a change of what is measured: the smaller one is reported as "
            f"{names[0]}"
        )
        self.findings.append(finding("equivalent_explanation", text, *names))

    # Candidates, the simplest first

    def _turned(self) -> Iterator[_Candidate]:
        free, states = len(self.p), len(self.problem.model.states)
        for i in self._angles:
            off = self._turns_off(i)
            for shift in (-TURN * off,) if off else (TURN, -TURN):
                for moved in self._state_shifts(shift):
                    own = Relabelling.of(free, shifted={i: shift})
                    yield _Candidate((i,), own, Relabelling.of(states, shifted=moved))

    def _mirrored(self) -> Iterator[_Candidate]:
        free, states = len(self.p), len(self.problem.model.states)
        places = [i for i in range(free) if self._within(i, -self.p[i])]
        for together in range(1, JUDGEMENT.most_together + 1):
            for chosen in combinations(places, together):
                own = Relabelling.of(free, flipped=chosen)
                for size in range(JUDGEMENT.most_states + 1):
                    for flipped in combinations(range(states), size):
                        yield _Candidate(chosen, own, Relabelling.of(states, flipped=flipped))
            if together == 1:
                yield from self._half_turned(places)

    def _half_turned(self, places: Sequence[int]) -> Iterator[_Candidate]:
        free, states = len(self.p), len(self.problem.model.states)
        for i in self._angles:
            half = -math.copysign(TURN / 2, self.p[i])  # towards zero, so that it stays within half a turn
            for chosen in places:
                if chosen != i:
                    own = Relabelling.of(free, flipped=[chosen], shifted={i: half})
                    for moved in self._state_shifts(half):
                        yield _Candidate((chosen,), own, Relabelling.of(states, shifted=moved))

    def _exchanged(self, pairs: Sequence[tuple[int, int]]) -> Iterator[_Candidate]:
        free, states = len(self.p), len(self.problem.model.states)
        for chosen, moved in _least_first(pairs, list(combinations(range(states), 2))):
            places = tuple(i for pair in chosen for i in pair)
            own = Relabelling.of(free, exchanged=chosen)
            yield _Candidate(places, own, Relabelling.of(states, exchanged=moved))

    @cached_property
    def _angles(self) -> list[int]:
        """Parameters that, or with them a state, may stand inside a sine or cosine."""
        model = self.problem.model
        inside = _inside_sines(model)
        states = any(symbol(name) in inside for name in model.state_names)
        seen: set[sp.Symbol] = set().union(
            *(model.output(name).expression.free_symbols for name in self.problem.outputs)
        )
        return [
            i
            for i, name in enumerate(self.problem.free)
            if name not in self.problem.priors and (symbol(name) in inside or (states and symbol(name) in seen))
        ]

    def _turns_off(self, i: int) -> int:
        """Whole turns between the parameter and the angle nearest to zero."""
        return math.ceil(self.p[i] / TURN - 0.5)

    def _state_shifts(self, shift: float) -> Iterator[dict[int, float]]:
        yield {}
        for k in range(len(self.problem.model.states)):
            yield from ({k: -shift}, {k: shift})

    def _alike(self, i: int, j: int) -> bool:
        first, second = (self.problem.model.parameter(self.problem.free[k]) for k in (i, j))
        return first.unit == second.unit and self._within(i, self.p[j]) and self._within(j, self.p[i])

    # Whether a candidate may be

    def _symmetries(self, candidates: Iterator[_Candidate]) -> list[_Candidate]:
        """Those that leave model, bounds and what is known of the beginning as they are."""
        tried = [item for item in islice(candidates, JUDGEMENT.most_tried) if self._allowed(item.parameters)]
        found = self._test.holding([(item.parameters, item.states) for item in tried]) if tried else ()
        held = [item for item, holds in zip(tried, found, strict=True) if holds]
        return [
            item
            for item in held
            if all(self._begins_alike(record, item.parameters(self.p), item.states) for record in self.problem.initial)
        ]

    @cached_property
    def _test(self) -> SymmetryTest:
        problem = self.problem
        return SymmetryTest(problem.model, problem.outputs, problem.free, self.p, problem.fixed)

    def _allowed(self, parameters: Relabelling) -> bool:
        moved = parameters(self.p)
        return all(self._test.matters[i] and self._within(i, float(moved[i])) for i in parameters.changed)

    def _within(self, i: int, value: float) -> bool:
        name = self.problem.free[i]
        low, high = self.problem.bounds[name]
        return name not in self.problem.priors and low <= value <= high

    def _begins_alike(self, initial: Mapping[str, Initial], moved: np.ndarray, states: Relabelling) -> bool:
        """Whether what is known of the beginning of a record is known of the relabelled states too."""
        items = list(initial.values())
        for i, item in enumerate(items):
            taken, sign, shift = items[states.source[i]], states.sign[i], states.shift[i]
            ends = sorted(sign * end + shift for end in taken.bounds)
            if tuple(ends) != item.bounds or item.std != taken.std:
                return False
            if item.free:
                continue
            here, there = (self._value(value, p) for value, p in ((taken.value, self.p), (item.value, moved)))
            if not math.isclose(sign * here + shift, there, rel_tol=1e-9, abs_tol=1e-12):
                return False
        return True

    def _value(self, told: object, p: np.ndarray) -> float:
        if not isinstance(told, sp.Expr):
            return float(told)  # type: ignore[arg-type]
        names = self.problem.model.parameter_names
        return float(told.subs(dict(zip(map(symbol, names), self.problem.vector(p), strict=True))))

    def _apply(self, parameters: Relabelling, states: _StateStep) -> None:
        self.p = parameters(self.p)
        self.parameters = parameters.after(self.parameters)
        self.states.append(states)


def _least_first(
    pairs: Sequence[tuple[int, int]], states: Sequence[tuple[int, int]]
) -> Iterator[tuple[tuple[tuple[int, int], ...], tuple[tuple[int, int], ...]]]:
    """Sets of pairs of parameters, each with sets of pairs of states, those first that exchange least."""
    for exchanged in range(1, JUDGEMENT.most_together + JUDGEMENT.most_states + 1):
        for together in range(1, min(exchanged, JUDGEMENT.most_together) + 1):
            if exchanged - together > JUDGEMENT.most_states:
                continue
            for chosen in combinations(pairs, together):
                for moved in combinations(states, exchanged - together):
                    if _disjoint(chosen) and _disjoint(moved):
                        yield chosen, moved


def _disjoint(pairs: Sequence[tuple[int, int]]) -> bool:
    return len({i for pair in pairs for i in pair}) == 2 * len(pairs)


@lru_cache(maxsize=32)
def _inside_sines(model: Model) -> frozenset[sp.Symbol]:
    expressions = (*model.equations, *(item.expression for item in model.outputs))
    atoms = [atom for expression in expressions for atom in expression.atoms(sp.sin, sp.cos, sp.tan)]
    return frozenset().union(*(atom.free_symbols for atom in atoms))
