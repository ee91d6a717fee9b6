"""What every way to discover a law does with it: refused, refined, stopped."""

from __future__ import annotations

from collections.abc import Callable

from identikit.method._base import ObjectionError, fewest_samples
from identikit.method._early_end import marked_stopped, not_applicable, without_values
from identikit.method.sparse._found_law import FoundLaw
from identikit.method.sparse._refinement import Asked, law_result
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress
from identikit.result import Result, finding

SEEKING = 0.5  # of the progress: finding the law; refining its constants is the rest


def discovered(problem: Problem, asked: Asked, find: Callable[[Progress], FoundLaw], progress: Progress) -> Result:
    """The law that `find` finds, its constants refined; or why there is none, if it raises ObjectionError."""
    fewest = fewest_samples(problem)
    if problem.samples < fewest:
        text = f"{problem.samples} measured values are too few for a law: at least {fewest} are needed; measure more"
        few = finding("record_too_short", text, *problem.outputs)
        return not_applicable(problem, asked.method, [few], asked.options, asked.seed)
    try:
        law = find(progress.part(0.0, SEEKING, "solving"))
        result = law_result(problem, law, asked, progress.part(SEEKING, 1.0, "refining").of(()))
    except ObjectionError as error:
        return not_applicable(problem, asked.method, [error.finding], asked.options, asked.seed)
    except Cancelled:
        return without_values(problem, asked.method, asked.options, asked.seed)
    return marked_stopped(result) if progress.stopped else result
