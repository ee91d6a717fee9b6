"""Laws with constants inside functions, compared with laws of products by what their trajectories leave.

A law of products that leaves nothing but noise, with fewer constants than any shape would need, is not improved upon.
Otherwise shapes (`shapes`: tanh, Stribeck, ...) and what genetic programming finds with functions are fitted to the
target; of the best few, the weak form chooses the terms beside them, and whole trajectories refine all constants,
inner ones too. One criterion compares everything, Schwarz's on the trajectory's likelihood,

    sum over outputs of n ln(mean square of the residual) + ln(measured values) * (constants of the law).

Of the laws within SPARSE.as_good of the least, the one with the fewest constants is the law; the others are rivals.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from identikit.method._base import ObjectionError
from identikit.method.expression._ansatz import Ansatz, from_expression, shapes
from identikit.method.expression._curve_formulas import Curve
from identikit.method.expression._engines import Search
from identikit.method.expression._inner_unit import inner_units
from identikit.method.expression._law_search import SearchedLaw, kept_of, leaves_more_than_noise
from identikit.method.expression._search_columns import SearchColumns
from identikit.method.expression._settings import EXPRESSION
from identikit.method.sparse._found_law import FoundLaw
from identikit.method.sparse._library import library_from
from identikit.method.sparse._refinement import fit_by_trajectory
from identikit.method.sparse._settings import SPARSE
from identikit.method.sparse._weak_engine import by_weak_form
from identikit.model import Parameter, size
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress
from identikit.result import Result


@dataclass(frozen=True)
class TriedLaw:
    """A law with its trajectory; `criterion` is infinite where there is none."""

    law: FoundLaw
    fitted: Result | None
    criterion: float

    @property
    def constants(self) -> int:
        return len(self.law.model.parameters)

    @property
    def complexity(self) -> int:
        """Parts of the right-hand sides when they are written out."""
        return sum(map(size, self.law.model.equations))

    @property
    def words(self) -> str:
        """The functions of the law."""
        return ", ".join(map(self.law.term, self.law.chosen))


def shapes_may_help(law: FoundLaw) -> bool:
    """Whether a law of products leaves something over, or has so many terms of one column that a shape may replace
    them."""
    terms = [law.library.terms[i] for i in law.chosen]
    single = [(term.state, term.function.free_symbols) for term in terms if len(term.function.free_symbols) == 1]
    return leaves_more_than_noise(law) or any(single.count(item) >= EXPRESSION.replaceable for item in single)


def compared(problem: Problem, found: SearchedLaw, search: Search, seed: int, progress: Progress) -> list[TriedLaw]:
    """The law of products and laws with inner constants, the one to be believed first. Stopped, the best so far."""
    part = progress.part(0.0, 0.2)
    tried: list[TriedLaw] = []
    try:
        tried.append(_tried(problem, found.law, seed, part))
        asked = list(_promising(found, search, seed, progress.part(0.2, 0.5)))
        for place, (state, ansatz) in enumerate(asked):
            part = progress.part(0.5 + 0.5 * place / len(asked), 0.5 + 0.5 * (place + 1) / len(asked))
            new = _shaped(problem, found, state, ansatz, seed, part)
            if new is not None:
                tried.append(new)
    except Cancelled:
        if not tried:
            tried.append(TriedLaw(found.law, None, math.inf))
    least = min(item.criterion for item in tried)
    near = [item for item in tried if item.criterion <= least + SPARSE.as_good] or tried
    best = min(near, key=lambda item: (item.constants, item.criterion))
    return [best, *sorted((item for item in tried if item is not best), key=lambda item: item.criterion)]


def _promising(found: SearchedLaw, search: Search, seed: int, progress: Progress) -> Iterator[tuple[str, Ansatz]]:
    """The shapes that describe the target best, every equation by itself, with inner constants to begin with."""
    targets, states = found.targets, list(found.candidates)
    for place, state in enumerate(states):
        part = progress.part(place / len(states), (place + 1) / len(states))
        chosen = [i for i in found.law.chosen if found.law.library.terms[i].state == state]
        functions = [found.law.library.terms[i].function for i in chosen]
        granted = list(found.granted[state])
        left = targets.left(state, functions, list(found.law.values[chosen]))
        # neighbours share the smoothing's error, so that some samples count as one
        deviation = np.full(len(left), math.sqrt(EXPRESSION.memory) * max(float(np.nanstd(left)), 1e-300))
        curve = Curve.of(targets.columns, targets.rates[state], deviation)
        table = SearchColumns.of(targets.columns, left)
        known = list(shapes(targets.columns))
        if not table.empty:
            opened = (from_expression(item, tuple(targets.columns))
                      for item in search(table, seed, part.part(0.0, 0.3), True).expressions)  # fmt: skip
            known += [item for item in opened if item is not None and item.inner]
        ranked = []
        for index, ansatz in enumerate(known):
            if part(0.3 + 0.7 * index / len(known), "fitting shapes to the acceleration") is False:
                raise Cancelled
            formula = curve.fitted(ansatz.with_terms((*granted, *functions)))
            if formula is not None:
                inner = tuple(replace(item, starts=(formula.constants[item.name],)) for item in ansatz.inner)
                ranked.append((formula.criterion, index, replace(ansatz, inner=inner)))
        for _, _, ansatz in sorted(ranked, key=lambda item: item[:2])[: EXPRESSION.tried_shapes]:
            yield state, ansatz


def _shaped(
    problem: Problem, found: SearchedLaw, state: str, ansatz: Ansatz, seed: int, progress: Progress
) -> TriedLaw | None:
    """The law with these functions in the equation of a state: terms beside them by the weak form, all constants by the
    trajectory, in turn until the terms stay the same. None where the weak form cannot be had, or says that the law is
    much worse than the one of products."""
    functions = {name: list(items) for name, items in found.candidates.items()}
    functions[state] = list(dict.fromkeys((*functions[state], *ansatz.functions)))
    granted = {name: list(items) for name, items in found.granted.items()}
    granted[state] += [ansatz.functions[i] for i in ansatz.kept]
    inner = _parameters(problem, ansatz)
    last: TriedLaw | None = None
    for _ in range(EXPRESSION.rounds):
        try:
            library = library_from(problem, functions, inner)
            law = by_weak_form(problem, library, seed, progress.part(0.0, 0.3), kept_of(library, granted))
        except ObjectionError:
            return last
        if last is not None and law.chosen == last.law.chosen:
            return replace(last, law=replace(law, library=last.law.library))
        if last is None and _weak(problem, law) > _weak(problem, found.law) + SPARSE.margin:
            return None
        first = replace(law, library=replace(library, inner=last.law.library.inner)) if last else law
        tried = _tried(problem, law, seed, progress.part(0.3, 1.0))
        last = replace(tried, law=first)  # with the inner constants as they were before any trajectory
        if last.fitted is None:
            return last
        values = {item.name: last.fitted.parameters[item.name].value for item in inner}
        inner = tuple(replace(item, value=values[item.name]) for item in inner)
    return last


def _parameters(problem: Problem, ansatz: Ansatz) -> tuple[Parameter, ...]:
    units = inner_units(problem.model, ansatz)
    return tuple(
        Parameter(item.name, item.starts[0], units[item.name], bounds=(item.low, item.high)) for item in ansatz.inner
    )


def _tried(problem: Problem, law: FoundLaw, seed: int, progress: Progress) -> TriedLaw:
    result = fit_by_trajectory(law.posed(problem), seed, progress.of(()))
    if progress.stopped or any(item.value is None for item in result.parameters.values()) or not result.fit:
        return TriedLaw(law, None, math.inf)
    counts = [sum(int(np.isfinite(record.values[:, j]).sum()) for record in problem.records)
              for j in range(len(problem.outputs))]  # fmt: skip
    squares = sum(n * math.log(result.fit[name].rmse ** 2) for n, name in zip(counts, problem.outputs, strict=True))
    criterion = squares + math.log(problem.samples) * len(law.model.parameters)
    return TriedLaw(law, result, criterion if math.isfinite(criterion) else math.inf)


def _weak(problem: Problem, law: FoundLaw) -> float:
    """The same criterion in the weak form."""
    misfit = math.inf if law.misfit is None else law.misfit
    return misfit**2 * float(law.details["rows"]) + math.log(problem.samples) * len(law.model.parameters)
