"""Starting values: the user's, else those of methods that need none, else guesses within the bounds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from identikit.likelihood import Preparation
from identikit.method.multiple_shooting._settings import SHOOTING
from identikit.method.regression._regression import FilteredRegression, objections
from identikit.numerics import between, evenly, middle
from identikit.problem import Noise, NoiseKind, Problem

GIVEN = "given"


@dataclass(frozen=True)
class Start:
    """Free parameters to begin with, and where they come from."""

    p: np.ndarray
    how: str
    rivalled: bool = False  # whether another one is to be had at little cost

    @property
    def given(self) -> bool:
        """Whether it holds the user's values alone."""
        return self.how == GIVEN


def starts(problem: Problem, preparation: Preparation, seed: int) -> Iterator[Start]:
    """Starting values, the most promising first; a caller goes on until one leads to a fit it believes."""
    low, high = problem.limits
    given = np.array([problem.start.get(name, np.nan) for name in problem.free])
    regresses = not objections(problem)
    if np.isfinite(given).all():
        yield Start(given, GIVEN, rivalled=regresses)
        given = np.full(len(given), np.nan)  # who asks for more has tried them
    if regresses:
        solutions = FilteredRegression(problem, preparation.curves).solutions(seed)
        for regressed in [p for p in solutions if np.isfinite(p).all()][: SHOOTING.most_regressed]:
            yield Start(np.where(np.isfinite(given), given, regressed), "regression")
    for method in (_by_additive_noise, _by_weak_form, _by_energy):
        found = method(problem, seed)
        if found is not None and np.isfinite(found).all():
            yield Start(np.where(np.isfinite(given), given, np.clip(found, low, high)), method.__name__[4:])
    usual = np.array([_usual(problem, name) for name in problem.free])
    base = np.where(np.isfinite(given), given, np.where(np.isfinite(usual), usual, middle(low, high)))
    yield Start(np.clip(base, low, high), "the model's own values")
    random = np.random.default_rng(seed)
    for index, shares in enumerate(evenly(SHOOTING.guesses, len(low), seed)):
        guess = np.array([between(share, a, b) for share, a, b in zip(shares, low, high, strict=True)])
        near = base * np.exp(random.normal(0.0, 0.7, len(base)))
        chosen = np.where(np.isfinite(given), given, guess if index % 2 else near)
        yield Start(np.clip(chosen, low, high), f"guess {index + 1}")


def _usual(problem: Problem, name: str) -> float:
    value = problem.model.parameter(name).value
    return np.nan if value is None else value


def _by_additive_noise(problem: Problem, seed: int) -> np.ndarray | None:
    """The fit with noise that adds, where it is in proportion to the value: logarithms of values near zero outweigh all
    others far from the solution, and lead astray."""
    from identikit.method.shooting import Shooting

    relative = [name for name, noise in problem.noise.items() if noise.kind is NoiseKind.LOGNORMAL]
    if not relative:
        return None
    method, additive = Shooting(), problem.with_noise({name: Noise(kind=NoiseKind.WHITE) for name in relative})
    result = method.estimate(additive.without_start(), options=method.resolve_options(), seed=seed)
    return np.array([np.nan if (value := result.parameters[name].value) is None else value for name in problem.free])


def _by_weak_form(problem: Problem, seed: int) -> np.ndarray | None:
    """The estimate of `galerkin`: nothing is differentiated, so that jumps do no harm."""
    from identikit.method.galerkin import Galerkin

    method = Galerkin()
    if method.objections(problem):
        return None
    result = method.estimate(problem.without_start(), options=method.resolve_options(), seed=seed)
    return np.array([np.nan if (value := result.parameters[name].value) is None else value for name in problem.free])


def _by_energy(problem: Problem, seed: int) -> np.ndarray | None:
    """The estimate of `energy`: accelerations are not needed."""
    from identikit.method.energy import Energy

    method = Energy()
    if method.objections(problem):
        return None
    return method.balance(problem.without_start(), method.resolve_options(), seed).fit.p
