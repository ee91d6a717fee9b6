"""Options that say which library of terms a law is sought in, and the degree that a record is worth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from identikit.method._base import ObjectionError
from identikit.method._option import Option
from identikit.method.sparse._found_law import FoundLaw
from identikit.method.sparse._library import KINDS, Library, library_of
from identikit.method.sparse._settings import SPARSE
from identikit.problem import Problem
from identikit.result import finding

LIBRARY_OPTIONS = (
    Option(
        "terms", "auto", "choice",
        "candidate terms: auto is the model's own and the usual ones, report the pendulum report's nine",
        choices=KINDS,
    ),
    Option(
        "degree", "auto", "integer",
        f"of polynomials; auto is {SPARSE.degree}, or less where the record is too short to choose among so many",
        1, 6, choices=("auto",),
    ),
)  # fmt: skip


def with_terms(options: Mapping[str, Any], known: bool) -> dict[str, Any]:
    """The options with `terms` settled: where nothing is known, auto means polynomials."""
    terms = "polynomial" if options["terms"] == "auto" and not known else options["terms"]
    return {**options, "terms": terms}


def library_asked(problem: Problem, options: Mapping[str, Any]) -> Library:
    """The library of the options; raises ObjectionError where it cannot be built."""
    return library_of(problem, options["terms"], _degree(options))


def of_worthwhile_degree(
    problem: Problem, options: Mapping[str, Any], find: Callable[[Library, bool], FoundLaw]
) -> FoundLaw:
    """What `find` finds in the library of the degree that was asked for, else of the highest the record is worth.

    Arguments:
        find: find(library, strict) raises ObjectionError "too_few_equations" where the record is too short for the
            library; `strict` if a smaller one can be taken instead.
    """
    asked = _degree(options)
    open_degree = options["degree"] == "auto" and options["terms"] == "polynomial"
    for degree in range(asked, 0, -1):
        strict = open_degree and degree > 1
        try:
            law = find(library_of(problem, options["terms"], degree), strict)
        except ObjectionError as error:
            if strict and error.finding.code == "too_few_equations":
                continue
            raise
        if degree == asked:
            return law
        text = (
            f"the record is too short to choose among polynomials of degree {degree + 1}: those of degree {degree} "
            "were taken"
        )
        return replace(law, remarks=(*law.remarks, finding("degree_lowered", text)))
    raise AssertionError("the lowest degree gives a law or an objection")


def _degree(options: Mapping[str, Any]) -> int:
    return SPARSE.degree if options["degree"] == "auto" else int(options["degree"])
