"""SINDy: the law itself from a record, as the few terms of a library that leave nothing but noise."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Any

from identikit.method._base import Cost, Method, Need, ObjectionError, Option, too_few_samples
from identikit.method._early_end import not_applicable
from identikit.method.missing import MISSING
from identikit.method.multiple_shooting._settings import SHOOTING
from identikit.method.regression._regression import objections
from identikit.method.regression._settings import REGRESSION
from identikit.method.sparse._discovery import discovered, with_terms
from identikit.method.sparse._found_law import FoundLaw
from identikit.method.sparse._library import Library, library_of
from identikit.method.sparse._library_options import LIBRARY_OPTIONS, library_asked, of_worthwhile_degree
from identikit.method.sparse._own_law import own_law
from identikit.method.sparse._pysindy_engine import FORMS, OPTIMIZERS, by_pysindy
from identikit.method.sparse._refinement import Asked, foreign_result, own_result
from identikit.method.sparse._settings import SPARSE
from identikit.method.sparse._weak_engine import by_weak_form
from identikit.method.weak_form._settings import GALERKIN
from identikit.problem import Problem
from identikit.progress import Progress, silent
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
        *LIBRARY_OPTIONS,
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
        asked = Asked(self.name, with_terms(options, known), seed, self.settings, time.perf_counter())
        return discovered(problem, asked, lambda: self._law(problem, asked.options, seed, progress, known), progress)

    def _law(
        self, problem: Problem, options: Mapping[str, Any], seed: int, progress: Progress, keeps: bool = False
    ) -> tuple[FoundLaw | None, list[Finding]]:
        solving = progress.stage("solving", 0.0, 0.5, "choosing among terms")

        def by_best_subset(library: Library, strict: bool) -> FoundLaw:
            kept = library.own if keeps else ()
            return by_weak_form(problem, library, seed, solving, kept, SPARSE.rows_per_term if strict else 1.0)

        try:
            if options["engine"] == "pysindy":
                law = by_pysindy(problem, library_asked(problem, options), options, seed)
                why = "the threshold removed all"
            else:
                law, why = of_worthwhile_degree(problem, options, by_best_subset), "it shows nothing above its noise"
        except ObjectionError as error:
            return None, [error.finding]
        if law.chosen:
            return law, []
        count = len(law.library.terms)
        return None, [finding("no_law", f"none of {count} terms is supported by the record: {why}")]


def _refused(problem: Problem) -> list[Finding]:
    """What speaks against every library."""
    try:
        library_of(problem, "model")
    except ObjectionError as error:
        return [error.finding]
    return []
