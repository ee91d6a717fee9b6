"""Other parameters that give the very same outputs, with other hidden states: where equations are linear in the states.

A relabelling, such as the exchange of two masses, is left out: of those one is reported anyway (`canonical`).
"""

from __future__ import annotations

import numpy as np

from identikit.method._canonical import canonical
from identikit.problem import Problem
from identikit.structure import LinearTwin, linear_twins

SAME_VALUES = 1e-3  # relative difference up to which parameters are the same


def other_roots(problem: Problem, p: np.ndarray, first: np.ndarray) -> list[LinearTwin]:
    """Of the free parameters p [free] and the states `first` [records, states] in which the records begin."""
    values = dict(zip(problem.model.parameter_names, map(float, problem.vector(p)), strict=True))
    known = [[item.known for item in record.values()] for record in problem.initial]
    beginnings = list(zip(known, first, strict=True))
    reported = canonical(problem, p).p
    return [
        twin
        for twin in linear_twins(problem.model, problem.outputs, problem.free, values, problem.bounds, beginnings)
        if not np.allclose(canonical(problem, twin.p).p, reported, rtol=SAME_VALUES)
    ]
