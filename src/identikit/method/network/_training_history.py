"""What is kept of a training, for plots and programs: losses and parameters, step by step."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from identikit.method.network._training import Entry
from identikit.problem import Problem


def training_artifacts(
    problem: Problem, history: Sequence[Entry], measure: str = "chi squared", every: int = 1
) -> dict[str, dict[str, Any]]:
    """A history of losses and parameters; `stage` counts from one, `slack` is the variance of the physics residual.

    `measure` says what losses are; one entry was kept `every` so many steps.
    """
    return {
        "training": {
            "kind": "history",
            "what": "training",
            "measure": measure,
            "every": every,
            "stage": [entry.stage + 1 for entry in history],
            "slack": [entry.slack for entry in history],
            "losses": {
                "data": [entry.loss.data for entry in history],
                "physics": [entry.loss.physics for entry in history],
            },
            "parameters": {name: [float(entry.p[i]) for entry in history] for i, name in enumerate(problem.free)},
        }
    }
