"""What is kept of a training, for plots and programs: losses and parameters, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from identikit.method.network._training import Entry
from identikit.problem import Problem


def training_artifacts(
    problem: Problem,
    history: Sequence[Entry],
    measure: str = "chi squared",
    every: int = 1,
    physics: str | None = "physics",
    known: str | None = None,
) -> dict[str, dict[str, Any]]:
    """A history of losses and parameters; `stage` counts from one, `slack` is the variance of the physics residual.

    `measure` says what losses are; one entry was kept `every` so many steps; `physics` and `known` are what the second
    and the third loss are called, None if there is none.
    """
    losses = {"data": [entry.loss.data for entry in history]}
    if physics is not None:
        losses[physics] = [entry.loss.physics for entry in history]
    if known is not None:
        losses[known] = [entry.loss.known for entry in history]
    return {
        "training": {
            "kind": "history",
            "what": "training",
            "measure": measure,
            "every": every,
            "stage": [entry.stage + 1 for entry in history],
            "slack": [entry.slack for entry in history],
            "losses": losses,
            "parameters": {name: [float(entry.p[i]) for entry in history] for i, name in enumerate(problem.free)},
        }
    }
