"""The initial states that fit a record best when the parameters are known."""

from __future__ import annotations

import numpy as np

from identikit.method.multiple_shooting._trajectory import Preparation
from identikit.problem import Problem
from identikit.progress import Progress, silent


def initial_states_at(problem: Problem, p: np.ndarray, progress: Progress = silent) -> np.ndarray | None:
    """States [records, states] at the first sample of each record, by multiple shooting with the parameters held at p.

    None if the model cannot be integrated there.
    """
    preparation = Preparation.of(problem)
    nodes = preparation.nodes(p)
    solver = preparation.solver(nodes, frozen=True)
    outcome = solver.run(p, nodes, preparation.sigma, progress)
    if outcome is None:
        return None
    owner = solver.segments.layout.record
    return np.stack([outcome.best.nodes[int(np.argmax(owner == index))] for index in range(len(problem.records))])
