"""Whether one measured column is a system of first order, or the position of something that has a velocity too."""

from __future__ import annotations

from identikit.errors import IdentikitError
from identikit.likelihood import smooth_curves
from identikit.method._base import ObjectionError
from identikit.method.sparse._library import library_of
from identikit.method.sparse._selection import select
from identikit.method.sparse._settings import SPARSE
from identikit.oscillation import turning_points
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress

MOST_TURNS = 2  # turning points that noise and the ends of a record may make


def first_order_suffices(problem: Problem, progress: Progress) -> bool:
    """Whether x' = f(x, u) describes the records of one state x as far as polynomials can tell.

    Without an input such a motion never turns back; with one, or where it does not turn, the best polynomial law tells
    by what it leaves over.
    """
    try:
        if not problem.model.inputs:
            for record, (curve,) in zip(problem.records, smooth_curves(problem), strict=True):
                if len(turning_points(record.time, curve(record.time)).time) > MOST_TURNS:
                    return False
        library = library_of(problem, "polynomial")
        selection = select(problem.with_law(library.model), (), progress)
    except (Cancelled, IdentikitError, ObjectionError):  # who is stopped here is stopped again in what follows
        return False
    return selection.settled and selection.misfit < SPARSE.first_order
