"""The initial states that fit a record best when the parameters are known."""

from __future__ import annotations

import numpy as np

from identikit.likelihood import Preparation
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
    return outcome.nodes[outcome.layout.first_of_record]
