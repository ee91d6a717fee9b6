"""SINDy: the law itself from a record, as the few terms of a library that leave nothing but noise."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from identikit.method._base import Cost, Method, Need, ObjectionError, Option, too_few_samples
from identikit.method._early_end import marked_stopped, not_applicable, without_values
from identikit.method.missing import MISSING
from identikit.method.multiple_shooting._settings import SHOOTING
from identikit.method.regression._regression import objections
from identikit.method.regression._settings import REGRESSION
from identikit.method.sparse._found_law import FoundLaw
from identikit.method.sparse._library import KINDS, library_of
from identikit.method.sparse._own_law import own_law
from identikit.method.sparse._pysindy_engine import FORMS, OPTIMIZERS, by_pysindy
from identikit.method.sparse._refinement import Asked, foreign_result, law_result, own_result
from identikit.method.sparse._settings import SPARSE
from identikit.method.sparse._weak_engine import by_weak_form
from identikit.method.weak_form._settings import GALERKIN
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress, silent
from identikit.result import Finding, Result, finding

ENGINES = ("weak", "pysindy")


class Sindy(Method):
    """Sparse identification: which terms the record asks for, then their constants as parameters of the model.

    The default engine chooses the best subset of a library in the weak form, with the noise's own covariance and
    without a threshold; PySINDy's own optimisers are the other engine. Constants are refined by `shooting`, and a law
    with other terms than the model's gives no parameters but a model file. Assumes white noise, known inputs, and
    states that are measured or follow from what is. Not for terms that are not in the library, nor for a model you
    are sure of: `shooting` gives the same numbers sooner.
    """

    name = "sindy"
    title = "Sparse identification of the law (SINDy) in the weak form"
    needs = (Need.EQUATIONS, Need.ALL_STATES)
    costs = Cost.SECONDS
    settings = (SPARSE, GALERKIN, SHOOTING, REGRESSION, MISSING, *Method.settings)
    reference = "S. L. Brunton, J. L. Proctor, J. N. Kutz, PNAS 113 (2016) 3932-3937"
    options = (
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
        Option(
            "engine", "weak", "choice",
            "weak: best subset with the noise's covariance; pysindy: PySINDy's optimisers, with the options below",
            choices=ENGINES,
        ),
        Option("form", "weak", "choice", "of PySINDy: weak, or strong with derivatives of the samples", choices=FORMS),
        Option("optimizer", "stlsq", "choice", "of PySINDy", choices=OPTIMIZERS),
        Option("threshold", 0.1, "number", "of PySINDy: coefficients below are removed", 0, 1e9),
        Option("alpha", 0.05, "number", "of PySINDy: ridge that pulls coefficients to zero", 0, 1e9),
        Option("window", 11, "integer", "of PySINDy: samples of its Savitzky-Golay smoothing, of third order", 5, 9999),
    )  # fmt: skip

    def objections(self, problem: Problem) -> list[Finding]:
        found = too_few_samples(problem) + objections(problem)
        return found or _refused(problem)

    def estimate(
        self, problem: Problem, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        """Parameters in the model's own names where the law is the model's."""
        asked = Asked(self.name, options, seed, self.settings, time.perf_counter())
        law, refused = self._law(problem, options, seed, progress)
        if law is None:
            return not_applicable(problem, self.name, refused, options, seed)
        own = own_law(problem, law)
        refining = progress.part(0.5, 1.0, "refining")
        if own is None:
            return foreign_result(problem, law, asked, refining.of(()))
        return own_result(problem, law, own, asked, refining)

    def discover(
        self, problem: Problem, *, known: bool, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        """The law itself: see `Discoverer`. Without a model auto means polynomials; terms of a known one are kept."""
        few = too_few_samples(problem)
        if few:
            return not_applicable(problem, self.name, few, options, seed)
        terms = "polynomial" if options["terms"] == "auto" and not known else options["terms"]
        asked = Asked(self.name, {**options, "terms": terms}, seed, self.settings, time.perf_counter())
        try:
            law, refused = self._law(problem, asked.options, seed, progress, known)
            if law is None:
                return not_applicable(problem, self.name, refused, asked.options, seed)
            result = law_result(problem, law, asked, progress.part(0.5, 1.0, "refining").of(()))
        except Cancelled:
            return without_values(problem, self.name, asked.options, seed)
        return marked_stopped(result) if progress.stopped else result

    def _law(
        self, problem: Problem, options: Mapping[str, Any], seed: int, progress: Progress, keeps: bool = False
    ) -> tuple[FoundLaw | None, list[Finding]]:
        solving = progress.stage("solving", 0.0, 0.5, "choosing among terms")
        try:
            if options["engine"] == "pysindy":
                library = library_of(problem, options["terms"], _degree(options))
                law, why = by_pysindy(problem, library, options, seed), "the threshold removed all"
            else:
                law = _by_weak_form(problem, options, seed, solving, keeps)
                why = "it shows nothing above its noise"
        except ObjectionError as error:
            return None, [error.finding]
        if law.chosen:
            return law, []
        count = len(law.library.terms)
        return None, [finding("no_law", f"none of {count} terms is supported by the record: {why}")]


def _degree(options: Mapping[str, Any]) -> int:
    return SPARSE.degree if options["degree"] == "auto" else int(options["degree"])


def _by_weak_form(
    problem: Problem, options: Mapping[str, Any], seed: int, progress: Progress, keeps: bool
) -> FoundLaw:
    """With the degree that was asked for, else the highest that the record is worth; `keeps` the model's own terms."""
    asked = _degree(options)
    open_degree = options["degree"] == "auto" and options["terms"] == "polynomial"
    for degree in range(asked, 0, -1):
        library = library_of(problem, options["terms"], degree)
        lower = open_degree and degree > 1
        kept = tuple(i for i, term in enumerate(library.terms) if keeps and term.own is not None)
        try:
            law = by_weak_form(problem, library, seed, progress, kept, SPARSE.rows_per_term if lower else 1.0)
        except ObjectionError as error:
            if lower and error.finding.code == "too_few_equations":
                continue
            raise
        if degree == asked:
            return law
        text = (
            f"the record is too short to choose among polynomials of degree {degree + 1}: those of degree {degree} "
            "were taken"
        )
        return replace(law, remarks=(finding("degree_lowered", text),))
    raise AssertionError("the lowest degree gives a law or an objection")


def _refused(problem: Problem) -> list[Finding]:
    """What speaks against every library."""
    try:
        library_of(problem, "model")
    except ObjectionError as error:
        return [error.finding]
    return []
