"""Laws with constants inside functions, compared with laws of products by what their trajectories leave.

A law of products that leaves nothing but noise, with fewer constants than any shape would need, is not improved upon.
Otherwise shapes (`shapes`: tanh, Stribeck, ...) and what genetic programming finds with functions are scanned in the
weak form; for the best few the weak form chooses the terms beside them, and whole trajectories refine all constants,
inner ones too. One criterion compares everything, Schwarz's on the trajectory,

    -2 ln(likelihood) + ln(measured values) * (constants of the law).

Of the laws within SPARSE.as_good of the least, the one with the fewest constants, then with the fewest parts, is the
law; the others are rivals.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import sympy as sp

from identikit.likelihood import LIKELIHOOD, Preparation
from identikit.method._base import ObjectionError
from identikit.method.expression._ansatz import Ansatz, from_expression, shapes
from identikit.method.expression._law_search import Search, SearchedLaw, kept_of, leaves_more_than_noise
from identikit.method.expression._search_columns import SearchColumns
from identikit.method.expression._settings import EXPRESSION
from identikit.method.expression._weak_scan import scanned
from identikit.method.sparse._coefficient_unit import coefficient_unit
from identikit.method.sparse._found_law import FoundLaw
from identikit.method.sparse._library import Term, library_from
from identikit.method.sparse._settings import SPARSE
from identikit.method.sparse._weak_engine import by_weak_form
from identikit.model import Model, Parameter, size, symbol
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress


@dataclass(frozen=True)
class TriedLaw:
    """A law with its trajectory: all constants as that gives them, their standard errors, the rms that every output
    leaves, the criterion; without one they are empty, and the criterion infinite."""

    law: FoundLaw
    values: Mapping[str, float] = field(default_factory=dict)
    deviation: Mapping[str, float] = field(default_factory=dict)
    rms: Mapping[str, float] = field(default_factory=dict)
    criterion: float = math.inf

    @property
    def constants(self) -> int:
        return len(self.law.model.parameters)

    @property
    def complexity(self) -> int:
        """Parts of the right-hand sides when they are written out."""
        return sum(map(size, self.law.model.equations))

    @property
    def equations(self) -> dict[str, str]:
        """The right-hand sides, with the constants of the trajectory where there are any."""
        library = self.law.library
        named = enumerate(library.terms)
        values = [self.values.get(term.coefficient, self.law.values[index]) for index, term in named]
        return library.with_inner(self.values).equations_of(self.law.chosen, values)

    @property
    def words(self) -> str:
        """The functions of the law."""
        return ", ".join(map(self.law.term, self.law.chosen))


def shapes_may_help(found: SearchedLaw) -> bool:
    """Whether a law of products leaves something over, or has as many terms that were sought as a shape has constants,
    its factor and the one inside, so that the shape may stand for them."""
    return any(_columns(found, state) for state in found.candidates)


def _columns(found: SearchedLaw, state: str) -> dict[str, np.ndarray]:
    """The columns whose shapes are tried in the equation of a state."""
    if leaves_more_than_noise(found.law):
        return dict(found.targets.columns)
    sought = found.sought(state)
    return {
        name: values
        for name, values in found.targets.columns.items()
        if sum(symbol(name) in function.free_symbols for function in sought) >= EXPRESSION.replaceable
    }


def compared(problem: Problem, found: SearchedLaw, search: Search, seed: int, progress: Progress) -> list[TriedLaw]:
    """The law of products and laws with inner constants, the one to be believed first. Stopped, the best so far."""
    tried: list[TriedLaw] = []
    try:
        tried.append(_tried(problem, found.law, progress.part(0.0, 0.15)))
        asked = list(_asked(problem, found, search, seed, progress.part(0.15, 0.5)))
        for place, (state, ansatz) in enumerate(asked):
            part = progress.part(0.5 + 0.5 * place / len(asked), 0.5 + 0.5 * (place + 1) / len(asked))
            new = _shaped(problem, found, state, ansatz, seed, part)
            if new is not None and not any(_same(new, other) for other in tried):
                tried.append(new)
    except Cancelled:
        tried = tried or [TriedLaw(found.law)]
    least = min(item.criterion for item in tried)
    near = [item for item in tried if item.criterion <= least + SPARSE.as_good] or tried
    best = min(near, key=lambda item: (item.constants, item.complexity, item.criterion))
    return [best, *sorted((item for item in tried if item is not best), key=lambda item: item.criterion)]


def _asked(
    problem: Problem, found: SearchedLaw, search: Search, seed: int, progress: Progress
) -> Iterator[tuple[str, Ansatz]]:
    count = len(found.candidates)
    for place, state in enumerate(found.candidates):
        part = progress.part(place / count, (place + 1) / count)
        for ansatz in _promising(problem, found, state, search, seed, part):
            yield state, ansatz


def _same(one: TriedLaw, other: TriedLaw) -> bool:
    return one.constants == other.constants and abs(one.criterion - other.criterion) < EXPRESSION.alike


def _promising(
    problem: Problem, found: SearchedLaw, state: str, search: Search, seed: int, progress: Progress
) -> list[Ansatz]:
    """The shapes in the equation of a state that come near the law of products, with inner constants to begin with."""
    targets = found.targets
    chosen = [i for i in found.law.chosen if found.law.library.terms[i].state == state]
    sought = [i for i in chosen if found.law.library.terms[i].function in found.sought(state)]
    rest = [i for i in chosen if i not in sought]
    left = targets.left(state, [found.law.library.terms[i].function for i in rest], list(found.law.values[rest]))
    columns = _columns(found, state)
    known = list(shapes(columns))
    if not columns:
        return []
    table = SearchColumns.of(columns, left)
    if not table.empty:
        forms = {ansatz.form for ansatz in known}
        for expression in search(table, seed, progress.part(0.0, 0.4), True).expressions:
            ansatz = from_expression(expression, tuple(targets.columns))
            if ansatz is not None and ansatz.inner and ansatz.form not in forms:
                forms.add(ansatz.form)
                known.append(ansatz)
    ranked = scanned(problem, found, state, known, progress.part(0.4, 1.0))
    return [item.ansatz for item in ranked if item.above < SPARSE.margin][: EXPRESSION.tried_shapes]


def _shaped(
    problem: Problem, found: SearchedLaw, state: str, ansatz: Ansatz, seed: int, progress: Progress
) -> TriedLaw | None:
    """The law with these functions in the equation of a state: terms beside them by the weak form, all constants by the
    trajectory, in turn until the terms stay the same. None where the weak form cannot be had."""
    functions = {name: list(items) for name, items in found.candidates.items()}
    functions[state] = list(dict.fromkeys((*functions[state], *(ansatz.functions[i] for i in ansatz.kept))))
    granted = {name: list(items) for name, items in found.granted.items()}
    granted[state] += [ansatz.functions[i] for i in ansatz.kept]
    units = inner_units(problem.model, ansatz)
    first = tuple(
        Parameter(item.name, item.starts[0], units[item.name], bounds=(item.low, item.high)) for item in ansatz.inner
    )
    inner = {item.name: item.starts[0] for item in ansatz.inner}
    last: TriedLaw | None = None
    for _ in range(EXPRESSION.rounds):
        library = library_from(problem, functions, first)
        kept = kept_of(library, granted)
        try:
            law = by_weak_form(problem, library.with_inner(inner), seed, progress.part(0.0, 0.3), kept)
        except ObjectionError:
            return last
        if last is not None and _functions(law) == _functions(last.law):
            return replace(last, law=replace(law, library=library))
        new = _tried(problem, law, progress.part(0.3, 1.0))
        if last is not None and new.criterion >= last.criterion:
            return last
        last = replace(new, law=replace(law, library=library))  # inner constants as before any trajectory
        if not new.values:
            return last
        inner = {name: new.values[name] for name in inner}
        idle = _idle(problem, new, kept)
        if idle is not None:  # and no other term shall stand in for inner constants that are not yet right
            left = _functions(law) - {(idle.state, idle.function)}
            functions = {name: [f for f in items if (name, f) in left] for name, items in functions.items()}
    return last


def _functions(law: FoundLaw) -> set[tuple[str, sp.Expr]]:
    return {(term.state, term.function) for term in (law.library.terms[i] for i in law.chosen)}


def _idle(problem: Problem, tried: TriedLaw, kept: tuple[int, ...]) -> Term | None:
    """The term that is worth least, if that is less than its price once the inner constants are free too."""
    worth = {
        i: (tried.values[name] / tried.deviation[name]) ** 2
        for i in tried.law.chosen
        if i not in kept and tried.deviation[name := tried.law.library.terms[i].coefficient] > 0
    }
    least = min(worth, key=lambda i: worth[i], default=None)
    if least is None or worth[least] >= math.log(problem.samples):
        return None
    return tried.law.library.terms[least]


def _tried(problem: Problem, law: FoundLaw, progress: Progress) -> TriedLaw:
    """By one trajectory through every record; nothing else is looked at here."""
    own = law.posed(problem)
    preparation = Preparation.of(own)
    p = np.array([own.start[name] for name in own.free])
    nodes = preparation.nodes(p)
    outcome = preparation.solver(nodes).run(
        p, nodes, preparation.sigma, progress.of(own.free), most_rounds=EXPRESSION.most_rounds
    )
    if outcome is None or not math.isfinite(outcome.misfit) or outcome.widest_gap > 10 * LIKELIHOOD.closed_gap:
        return TriedLaw(law)
    rms = np.sqrt(np.nanmean(outcome.residual**2, axis=0))
    return TriedLaw(
        law,
        dict(zip(own.free, map(float, outcome.p), strict=True)),
        dict(zip(own.free, map(float, outcome.standard_errors), strict=True)),
        dict(zip(own.outputs, map(float, rms), strict=True)),
        outcome.misfit + math.log(problem.samples) * len(own.free),
    )


def inner_units(model: Model, ansatz: Ansatz) -> dict[str, str]:
    """{inner constant: unit}, "" where it is a number or the columns' units are not known."""
    units = {item.name: item.unit for item in model.states} | {item.name: item.unit for item in model.inputs}
    found = {item.name: units.get(item.unit_of, "") for item in ansatz.inner}
    for item in ansatz.inner:
        if item.unit_of:
            continue
        own = symbol(item.name)
        for part in _terms_of_arguments(ansatz.functions):
            # c * g(x) is a number, so that c has the unit of 1/g
            factor, rest = part.as_independent(own, as_Add=False)
            if rest == own:
                found[item.name] = coefficient_unit(Counter(), factor, units)
    return found


def _terms_of_arguments(functions: tuple[sp.Expr, ...]) -> Iterator[sp.Expr]:
    for function in functions:
        for call in function.atoms(sp.exp, sp.tanh, sp.atan, sp.sin, sp.cos, sp.sinh):
            yield from sp.Add.make_args(call.args[0])
