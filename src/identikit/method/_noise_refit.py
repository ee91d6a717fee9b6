"""The fit again, with the noise that its residuals show: coloured noise and outliers weigh as what they are."""

from __future__ import annotations

from dataclasses import replace

from identikit.likelihood import (
    LIKELIHOOD,
    NoiseModel,
    Outcome,
    Preparation,
    chosen_noise,
    corrected_memory,
    outlying_noise,
    rounded_noise,
)
from identikit.problem import Noise, Problem
from identikit.progress import Progress


def refitted(
    preparation: Preparation, outcome: Outcome, progress: Progress, frozen: bool = False, memory: bool = True
) -> tuple[Problem, Outcome]:
    """The problem with the noise chosen, and its fit; both as they were where the noise is white or the user named it.

    Outliers first, since their pull shows in all residuals; then rounding; then the shape; then its memory, corrected
    for what the fit itself took of the noise. With `frozen` the parameters stay, and initial states alone are fitted.
    Without `memory` the noise may have outliers and be rounded, but is not given a memory.
    """
    begun = preparation.problem, outcome
    if outcome.stopped or not outcome.converged:
        return begun
    problem, outcome = _with(preparation, begun, outlying_noise(outcome), progress, frozen)
    problem, outcome = _with(preparation, (problem, outcome), rounded_noise(outcome), progress, frozen)
    shapes = chosen_noise(outcome, preparation.sigma)
    if not memory:
        shapes = {
            name: noise if not noise.memory else noise.shaped((), noise.freedom) for name, noise in shapes.items()
        }
    if all(noise.plain for noise in {**problem.noise, **shapes}.values()):
        return begun
    problem, outcome = _with(preparation, (problem, outcome), shapes, progress, frozen)
    return _with(preparation, (problem, outcome), corrected_memory(outcome), progress, frozen)


def _with(
    preparation: Preparation,
    begun: tuple[Problem, Outcome],
    shapes: dict[str, Noise],
    progress: Progress,
    frozen: bool,
) -> tuple[Problem, Outcome]:
    """The fit with these shapes, from where it ended; as it was where they are the same, or do not come to an end."""
    problem, outcome = begun
    if not any(_differs(noise, problem.noise[name]) for name, noise in shapes.items()):
        return begun
    posed = problem.with_noise(shapes)
    sigma = NoiseModel.of(posed).levels(outcome.residual)
    solver = replace(preparation, problem=posed, layout=outcome.layout).solver(outcome.nodes, frozen)
    again = solver.run(outcome.p, outcome.nodes, sigma, progress, LIKELIHOOD.refit_tether, grows=False)
    return begun if again is None or not again.converged else (posed, again)


def _differs(one: Noise, other: Noise) -> bool:
    """Whether a fit would notice."""
    if len(one.memory) != len(other.memory) or one.freedom != other.freedom or one.step != other.step:
        return True
    return any(abs(a - b) > LIKELIHOOD.same_memory for a, b in zip(one.memory, other.memory, strict=True))
