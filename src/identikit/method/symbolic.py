"""Symbolic regression: the law as an expression that was searched for, not chosen from a library."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from identikit.errors import OptionError
from identikit.method._base import Cost, Method, Need
from identikit.method._option import Option
from identikit.method._settings import REGRESSION
from identikit.method.expression._front import front_artifact
from identikit.method.expression._law_search import ENGINES, LawSearch
from identikit.method.expression._settings import EXPRESSION
from identikit.method.expression._shape_laws import TriedLaw, compared, shapes_may_help
from identikit.method.missing import MISSING
from identikit.method.multiple_shooting._settings import SHOOTING
from identikit.method.sparse._found_law import FoundLaw
from identikit.method.sparse._law_method import LawMethod
from identikit.method.sparse._law_report import NOTHING_SHOWN, no_law
from identikit.method.sparse._settings import SPARSE
from identikit.method.weak_form._settings import GALERKIN
from identikit.problem import Problem
from identikit.progress import Progress

FUNCTIONS = ("auto", "products", "all")
STARTS = ("search", "structure")


class Symbolic(LawMethod):
    """Symbolic regression: genetic programming proposes expressions, the record's own noise decides among them.

    Operon searches the acceleration for products of states and inputs, their signs and sizes; the weak form chooses
    among what it proposes, with the noise's covariance. Where that leaves something over, functions with constants
    inside (tanh, exp, Stribeck's curve) compete, by their trajectories. Constants are refined by `shooting`; a law with
    other terms than the model's gives no parameters but a model file. Assumes white noise, known inputs, and states
    that are measured or follow from what is. Not for a model you are sure of: `shooting` gives the same numbers
    sooner; nor where a library holds the law: `sindy` is quicker.
    """

    name = "symbolic"
    title = "Symbolic regression by genetic programming, judged in the weak form"
    needs = (Need.EQUATIONS, Need.ALL_STATES)
    costs = Cost.SECONDS
    extra = "discovery"
    settings = (EXPRESSION, SPARSE, GALERKIN, SHOOTING, REGRESSION, MISSING, *Method.settings)
    reference = (
        "B. Burlacu, G. Kronberger, M. Kommenda, Operon C++: an efficient genetic programming framework for symbolic "
        "regression, GECCO 2020 companion, 1562-1570"
    )
    options = (
        Option("engine", "operon", "choice", "that searches: Operon, or PySR where it is installed",
               choices=tuple(ENGINES)),
        Option(
            "functions", "auto", "choice",
            "products of states, inputs, signs and sizes alone; auto: functions with inner constants too, where "
            "products leave something over; all: always",
            choices=FUNCTIONS,
        ),
        Option(
            "start", "search", "choice",
            "search: the law is searched for; structure: the model's own terms, whose regression starts the fit of the "
            "trajectory, as the pendulum report did",
            choices=STARTS,
        ),
    )  # fmt: skip

    def discovery_options(self, options: Mapping[str, Any], known: bool) -> dict[str, Any]:
        """The model's structure can only be the start where there is a model."""
        if options["start"] == "structure" and not known:
            raise OptionError("The start option of symbolic is structure, and no model is known: give one, or search.")
        return dict(options)

    def law(
        self, problem: Problem, options: Mapping[str, Any], seed: int, progress: Progress, known: bool | None
    ) -> FoundLaw:
        engine = ENGINES[options["engine"]]
        search = LawSearch(problem, engine, seed, known)
        if options["start"] == "structure":
            return search.by_structure(progress).law
        found = search.run(progress.part(0.0, 0.4))
        if not found.law.chosen:
            raise no_law(found.law.library, NOTHING_SHOWN)
        tried = [TriedLaw(found.law)]
        wanted = options["functions"] == "all" or (options["functions"] == "auto" and shapes_may_help(found))
        if wanted and not progress.stopped:
            tried = compared(problem, found, engine, seed, progress.part(0.4, 1.0))
        best = tried[0]
        others = tuple(
            (item.words, item.criterion - best.criterion)
            for item in tried[1:]  # a law with more constants that is no better is no rival
            if math.isfinite(item.criterion) and (item.constants <= best.constants or item.criterion < best.criterion)
        )
        front = {"pareto front": front_artifact(found, tried)}
        return replace(best.law, start=best.values, other_shapes=others, artifacts=front)
