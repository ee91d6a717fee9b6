"""The fit again, with the noise that its residuals show: coloured noise and outliers weigh as what they are."""

from __future__ import annotations

from dataclasses import replace

from identikit.likelihood import LIKELIHOOD, NoiseModel, Outcome, Preparation, chosen_noise, corrected_memory
from identikit.problem import Noise, Problem
from identikit.progress import Progress


def refitted(preparation: Preparation, outcome: Outcome, progress: Progress) -> tuple[Problem, Outcome]:
    """The problem with the noise chosen, and its fit; both as they were where the noise is white or nothing is left to
    choose. Two rounds: the memory is corrected for what the fit itself took of the noise once there is such a fit."""
    problem = preparation.problem
    shapes = {} if outcome.stopped or not outcome.converged else chosen_noise(outcome, preparation.sigma)
    for _ in range(2):
        if not shapes:
            break
        posed = problem.with_noise(shapes)
        again = _fit(preparation, posed, outcome, progress)
        if again is None or not again.converged:
            break
        problem, outcome = posed, again
        shapes = _changed(problem, corrected_memory(outcome))
    return problem, outcome


def _fit(preparation: Preparation, problem: Problem, outcome: Outcome, progress: Progress) -> Outcome | None:
    """From where the fit ended: parameters, segments and nodes."""
    sigma = NoiseModel.of(problem).levels(outcome.residual)
    solver = replace(preparation, problem=problem, layout=outcome.layout).solver(outcome.nodes)
    return solver.run(outcome.p, outcome.nodes, sigma, progress, LIKELIHOOD.refit_tether, grows=False)


def _changed(problem: Problem, shapes: dict[str, Noise]) -> dict[str, Noise]:
    """Those that differ from what the problem has by more than the fit would notice."""
    return {
        name: noise
        for name, noise in shapes.items()
        if max(abs(a - b) for a, b in zip(noise.memory, problem.noise[name].memory, strict=True))
        > LIKELIHOOD.same_memory
    }
