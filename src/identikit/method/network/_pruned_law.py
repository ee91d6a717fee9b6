"""A law by networks: trained to obey all terms of a library at once, then only those that the record asks for.

Physics-informed networks whose equation is a whole library, x' = sum_j c_j f_j(x), end at the maximum of likelihood
over states and coefficients together, c with its information R'R. A law without some of the terms costs
|R (c' - c)|^2 more, so that the best subset follows from R alone (`best_subsets`), at the same price as in the weak
form; the networks are then trained again with the terms of that law. No derivative of a sample is taken and nothing is
smoothed first: a second opinion on what the weak form finds.

Reference: Z. Chen, Y. Liu, H. Sun, Physics-informed learning of governing equations from scarce data, Nature
Communications 12 (2021) 6136 (there with sequential thresholds in place of the best subset).
"""

from __future__ import annotations

import math

import numpy as np

from identikit.likelihood import Preparation
from identikit.method._base import ObjectionError, no_motion
from identikit.method.network._annealing import Annealed, anneal
from identikit.method.network._training import training_artifacts
from identikit.method.network._windows import windows_of
from identikit.method.sparse._evidence import LawEvidence
from identikit.method.sparse._found_law import FoundLaw
from identikit.method.sparse._library import Library
from identikit.method.sparse._selection import fitted
from identikit.method.sparse._settings import SPARSE
from identikit.numerics import best_subsets
from identikit.problem import Problem
from identikit.progress import Progress
from identikit.result import finding


def by_networks(
    problem: Problem,
    library: Library,
    seed: int,
    window: float,
    progress: Progress,
    kept: tuple[int, ...] = (),
    samples_per_term: float = 1.0,
) -> FoundLaw:
    """The law of the fewest terms that networks obey; `kept` are in it whatever the record says.

    Raises ObjectionError where nothing moves, or where fewer values than `samples_per_term` of each were measured.
    """
    count = len(library.terms)
    if problem.samples < samples_per_term * count:
        text = f"{problem.samples} measured values are too few to choose among {count} terms: measure more"
        raise ObjectionError(finding("too_few_equations", text, *problem.outputs))
    everything = tuple(range(count))
    first = progress.stage("solving", 0.0, 0.7, f"training with all {count} terms")
    full = _trained(problem, library, everything, np.zeros(count), seed, window, first)
    rows = np.column_stack([-full.root @ full.trained.p, full.root])
    price = math.log(problem.samples) + 2 * math.log(count)
    found = best_subsets(rows, price, SPARSE.margin, kept, SPARSE.most_branches)
    chosen = found.best.chosen
    values = fitted(rows, chosen)
    if not chosen:
        return FoundLaw(library, (), values)
    again = progress.stage("solving", 0.7, 1.0, f"training with the {len(chosen)} terms of the law")
    end = _trained(problem, library, chosen, values, seed, window, again)
    values[list(chosen)] = end.trained.p
    return FoundLaw(
        library,
        chosen,
        values,
        root=end.root,
        deviation=end.deviation,
        evidence=LawEvidence.of(found, full.root, [term.state for term in library.terms]),
        misfit=math.sqrt(end.misfit),
        settled=full.settled and end.settled,
        proven=found.proven,
        details={"windows": len(end.trained.windows.left), "rounds": len(full.history) + len(end.history)},
        artifacts=training_artifacts(FoundLaw(library, chosen, values).posed(problem), end.history),
    )


def _trained(
    problem: Problem,
    library: Library,
    chosen: tuple[int, ...],
    values: np.ndarray,
    seed: int,
    window: float,
    progress: Progress,
) -> Annealed:
    posed = FoundLaw(library, chosen, values).posed(problem)
    preparation = Preparation.of(posed)
    start = values[list(chosen)]
    windows = windows_of(posed, preparation.curves, start, window)
    if not preparation.shows_motion or not len(windows.left):
        raise ObjectionError(no_motion())
    found = anneal(posed, preparation, windows, start, seed, progress)
    if found is None:
        text = "the networks could not be trained: the terms have no values on this record"
        raise ObjectionError(finding("not_settled", text))
    return found
