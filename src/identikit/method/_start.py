"""Starting values: the user's, else a regression's, else guesses within the bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from identikit.method._regression import FilteredRegression, draw, middle, objections
from identikit.method._trajectory import Preparation
from identikit.problem import Problem

GUESSES = 12


@dataclass(frozen=True)
class Start:
    """Free parameters to begin with, where they come from, and whether success from there may be believed at
    once."""

    p: np.ndarray
    how: str
    trusted: bool


def starts(problem: Problem, preparation: Preparation, seed: int) -> Iterator[Start]:
    """Starting values, the most promising first; a caller goes on until one leads to a fit it believes."""
    low = np.array([problem.bounds[name][0] for name in problem.free])
    high = np.array([problem.bounds[name][1] for name in problem.free])
    given = np.array([problem.start.get(name, np.nan) for name in problem.free])
    if np.isfinite(given).all():
        yield Start(given, "given", trusted=True)
    regressed: np.ndarray | None = None
    if not objections(problem):
        regressed = FilteredRegression(problem, preparation.curves).solve(seed)
        if np.isfinite(regressed).all():
            yield Start(np.where(np.isfinite(given), given, regressed), "regression", trusted=True)
    usual = np.array([_usual(problem, name) for name in problem.free])
    base = np.where(np.isfinite(given), given, np.where(np.isfinite(usual), usual, middle(low, high)))
    yield Start(np.clip(base, low, high), "the model's own values", trusted=False)
    random = np.random.default_rng(seed)
    for index in range(GUESSES):
        guess = np.array([draw(random, a, b) for a, b in zip(low, high, strict=True)])
        near = base * np.exp(random.normal(0.0, 0.7, len(base)))
        chosen = np.where(np.isfinite(given), given, guess if index % 2 else near)
        yield Start(np.clip(chosen, low, high), f"guess {index + 1}", trusted=False)


def _usual(problem: Problem, name: str) -> float:
    value = problem.model.parameter(name).value
    return np.nan if value is None else value
