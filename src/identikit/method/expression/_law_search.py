"""A law from a search among expressions: Operon proposes terms, the weak form chooses among them.

    1. target = rate of a state along smooth curves, less the terms that are taken for granted (fitted beforehand)
    2. genetic programming on the target; its front and population are multiplied out into products of columns
    3. the most frequent products are candidates of the weak form, which chooses, prices and fits (`select`)
    4. again with what the law leaves over as target, until no new term is worth its price

The weak form has the last word, since the target is no measurement: its errors are correlated over the smoothing's
width and it rounds every jump, so that no criterion of independent errors tells a small term from a smoothing error.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import sympy as sp

from identikit.method.expression._operon_engine import by_operon
from identikit.method.expression._pysr_engine import by_pysr
from identikit.method.expression._search_columns import SearchColumns, Searched
from identikit.method.expression._settings import EXPRESSION
from identikit.method.expression._targets import Targets
from identikit.method.sparse._found_law import FoundLaw
from identikit.method.sparse._library import Library, library_from, own_functions
from identikit.method.sparse._selection import Selection, select
from identikit.method.sparse._weak_engine import law_of
from identikit.model import kinematic_pairs, symbol
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress
from identikit.units import is_angle

ENGINES: dict[str, Callable[..., Searched]] = {"operon": by_operon, "pysr": by_pysr}


class Search(Protocol):
    """search(columns, seed, progress, functions): what is found for the target of the columns."""

    def __call__(self, columns: SearchColumns, seed: int, progress: Progress, functions: bool = False) -> Searched: ...


Functions = dict[str, list[sp.Expr]]


@dataclass(frozen=True)
class SearchedLaw:
    """The law of products that was found, and what it was chosen from."""

    law: FoundLaw
    selection: Selection
    targets: Targets
    candidates: Mapping[str, Sequence[sp.Expr]]  # by state
    granted: Mapping[str, Sequence[sp.Expr]]  # terms that are in every law
    taken_off: Mapping[str, Sequence[sp.Expr]]  # terms without which the target was searched

    def sought(self, state: str) -> list[sp.Expr]:
        """The law's terms in the equation of a state that were not taken for granted."""
        terms = [self.law.library.terms[i] for i in self.law.chosen]
        known = (*self.granted[state], *self.taken_off[state])
        return [term.function for term in terms if term.state == state and term.function not in known]


class LawSearch:
    """One search; see the module.

    Arguments:
        known: the model's own terms are in the law, and only what it lacks is sought. None = parameters of the model
            are asked for: its terms are candidates, and those that carry the motion are taken off the target.
    """

    def __init__(self, problem: Problem, search: Search, seed: int, known: bool | None) -> None:
        self.problem, self.search, self.seed, self.known = problem, search, seed, known
        own = own_functions(problem)
        self.velocities = [problem.model.state_names[velocity] for _, velocity in kinematic_pairs(problem.model)]
        self.tested = tuple(own)
        self.own: Functions = {state: [] if known is False else list(own[state]) for state in own}
        self.granted: Functions = {state: self.own[state] if known else [] for state in own}
        self.taken_off = {state: self._carrying(state, own[state]) for state in own}
        self.targets = Targets.of(problem)

    def by_structure(self, progress: Progress) -> SearchedLaw:
        """Without any search: the model's own terms, all of them."""
        return self._selected(self.own, self.own, progress)

    def run(self, progress: Progress) -> SearchedLaw:
        """Stopped, the best so far is returned; Cancelled is raised without one."""
        left = self._first_targets(progress.part(0.0, 0.1))
        candidates = {state: [*self.own[state], *self._usual(state)] for state in self.tested}
        best: SearchedLaw | None = None
        for index in range(EXPRESSION.searches):
            part = progress.part(0.1 + 0.9 * index / EXPRESSION.searches, 0.1 + 0.9 * (index + 1) / EXPRESSION.searches)
            try:
                found = self._proposed(left, index, part.part(0.0, 0.6))
                candidates = {state: list(dict.fromkeys((*candidates[state], *found[state]))) for state in self.tested}
                new = self._selected(candidates, self.granted, part.part(0.6, 1.0))
            except Cancelled:
                if best is None:
                    raise
                break
            same = best is not None and _terms(best.law) == _terms(new.law)
            best = new
            if same or (self.known is not False and not leaves_more_than_noise(new.law)):
                break
            # terms that were not chosen give way to what comes next
            kept = {state: [t.function for i in new.law.chosen if (t := new.law.library.terms[i]).state == state]
                    for state in self.tested}  # fmt: skip
            candidates = {state: [*dict.fromkeys((*self.own[state], *kept[state]))] for state in self.tested}
            left = {state: self._left_by(new.law, state) for state in self.tested}
        assert best is not None
        return best

    def _carrying(self, state: str, own: Mapping[sp.Expr, sp.Expr]) -> list[sp.Expr]:
        """Of the model's own terms those that are taken off the target."""
        if self.known is False:
            return []
        if self.known:
            return list(own)
        velocities = set(map(symbol, self.velocities))
        mechanical = state in self.velocities
        free = set(map(symbol, self.problem.free))
        # restoring forces are much larger than friction, which a search on the whole acceleration never sees
        return [f for f, factor in own.items()
                if not factor.free_symbols & free or (mechanical and not f.free_symbols & velocities)]  # fmt: skip

    def _first_targets(self, progress: Progress) -> dict[str, np.ndarray]:
        if not any(self.taken_off.values()):
            return dict(self.targets.rates)
        law = self._selected(self.own, self.own, progress).law
        wanted = [i for i, term in enumerate(law.library.terms) if term.function in self.taken_off[term.state]]
        return {state: self._left_by(law, state, wanted) for state in self.tested}

    def _left_by(self, law: FoundLaw, state: str, wanted: Sequence[int] | None = None) -> np.ndarray:
        """What terms of a law, or all of it, leave of a rate."""
        chosen = [i for i in (law.chosen if wanted is None else wanted) if law.library.terms[i].state == state]
        return self.targets.left(state, [law.library.terms[i].function for i in chosen], list(law.values[chosen]))

    def _usual(self, state: str) -> list[sp.Expr]:
        """A constant, and sines of angles, which no product is."""
        model = self.problem.model
        angles = [
            symbol(item.name) for item in model.states if is_angle(item.unit) and item.name in self.targets.columns
        ]
        return [sp.S.One, *(f(x) for x in angles for f in (sp.sin, sp.cos))]

    def _proposed(self, left: Mapping[str, np.ndarray], index: int, progress: Progress) -> Functions:
        """Candidates from the search on what is left of every rate."""
        found: Functions = {}
        for place, state in enumerate(self.tested):
            part = progress.part(place / len(self.tested), (place + 1) / len(self.tested))
            # friction turns with the velocity; with |x| beside |v| a search finds the one where the other acts
            signed = self.velocities if state in self.velocities else None
            tables = [SearchColumns.of(self.targets.columns, left[state], signed)]
            if self.known is False:  # signs and sizes may stand for a smooth law, which has to be found without them
                tables.append(SearchColumns.of(self.targets.columns, left[state], ()))
            found[state] = []
            for k, table in enumerate(tables):
                own = part.part(k / len(tables), (k + 1) / len(tables))
                terms = [] if table.empty else self.search(table, self.seed + index, own).terms.most_common()
                found[state] += [function for function, _ in terms[: EXPRESSION.frequent_terms]]
        return found

    def _selected(self, functions: Functions, granted: Functions, progress: Progress) -> SearchedLaw:
        library = library_from(self.problem, functions)
        kept = kept_of(library, granted)
        selection = select(self.problem.with_law(library.model), kept, progress)
        law = law_of(selection, library, self.seed, kept)
        return SearchedLaw(law, selection, self.targets, functions, granted, self.taken_off)


def kept_of(library: Library, granted: Mapping[str, Sequence[sp.Expr]]) -> tuple[int, ...]:
    """Places of the terms that are in every law."""
    return tuple(i for i, term in enumerate(library.terms) if term.function in granted[term.state])


def leaves_more_than_noise(law: FoundLaw) -> bool:
    """Whether the whitened residuals of the weak form are larger than chance makes them."""
    rows = max(int(law.details["rows"]), 1)
    return law.misfit is not None and law.misfit**2 > 1 + EXPRESSION.beyond_chance * np.sqrt(2 / rows)


def _terms(law: FoundLaw) -> set[tuple[str, sp.Expr]]:
    return {(law.library.terms[i].state, law.library.terms[i].function) for i in law.chosen}
