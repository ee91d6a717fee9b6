"""The engine `weak`: best subset in the weak form, with what speaks for each term."""

from __future__ import annotations

import numpy as np

from identikit.method.sparse._evidence import evidence_for
from identikit.method.sparse._found_law import FoundLaw
from identikit.method.sparse._library import Library
from identikit.method.sparse._selection import Selection, select
from identikit.problem import Problem
from identikit.progress import Progress


def by_weak_form(
    problem: Problem,
    library: Library,
    seed: int,
    progress: Progress,
    kept: tuple[int, ...] = (),
    rows_per_term: float = 1.0,
) -> FoundLaw:
    """The law of the fewest terms that leaves nothing but noise; `kept` are in it whatever the record says. Inner
    constants stay at the library's values.

    Raises ObjectionError where the record is worth fewer independent equations than `rows_per_term` of each term.
    """
    selection = select(problem.with_law(library.with_numbers.model), kept, progress, rows_per_term)
    return law_of(selection, library, seed, kept)


def law_of(selection: Selection, library: Library, seed: int, kept: tuple[int, ...] = ()) -> FoundLaw:
    """The law that was selected, with what speaks for its terms."""
    chosen = selection.chosen
    columns = selection.rows[:, [1 + i for i in chosen]]
    return FoundLaw(
        library,
        chosen,
        selection.values,
        root=np.asarray(np.linalg.qr(columns, mode="r")),
        deviation=selection.deviation,
        evidence=evidence_for(selection, [term.state for term in library.terms], kept, seed),
        misfit=selection.misfit,
        settled=selection.settled,
        proven=selection.subsets.proven,
        details={"rows": len(selection.rows), "criterion": selection.criterion, "price": selection.price},
    )
