"""What every way to discover a law from a library does with it: refused, refined, stopped."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from identikit.method._base import fewest_samples
from identikit.method._early_end import marked_stopped, not_applicable, without_values
from identikit.method.sparse._found_law import FoundLaw
from identikit.method.sparse._refinement import Asked, law_result
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress
from identikit.result import Finding, Result, finding

SHARE = 0.5  # of the progress after which constants are refined


def with_terms(options: Mapping[str, Any], known: bool) -> dict[str, Any]:
    """The options with `terms` settled: where nothing is known, auto means polynomials."""
    terms = "polynomial" if options["terms"] == "auto" and not known else options["terms"]
    return {**options, "terms": terms}


def discovered(
    problem: Problem,
    asked: Asked,
    find: Callable[[], tuple[FoundLaw | None, list[Finding]]],
    progress: Progress,
) -> Result:
    """The law that `find` finds within the first half of the progress, its constants refined; or why there is none."""
    fewest = fewest_samples(problem)
    if problem.samples < fewest:
        text = f"{problem.samples} measured values are too few for a law: at least {fewest} are needed; measure more"
        few = finding("record_too_short", text, *problem.outputs)
        return not_applicable(problem, asked.method, [few], asked.options, asked.seed)
    try:
        law, refused = find()
        if law is None:
            return not_applicable(problem, asked.method, refused, asked.options, asked.seed)
        result = law_result(problem, law, asked, progress.part(SHARE, 1.0, "refining").of(()))
    except Cancelled:
        return without_values(problem, asked.method, asked.options, asked.seed)
    return marked_stopped(result) if progress.stopped else result
