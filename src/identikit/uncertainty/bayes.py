"""Intervals from the posterior: parameters, initial states and noise levels drawn together, given the record.

    p(p, x_0, sigma | y)  ~  L(y | p, x_0, sigma) prior(p) prior(x_0) / sigma

sampled by the no-U-turn sampler on the exact gradient. Right for few samples, bent likelihoods and bounds, whatever the
shape of the posterior, as long as it is one piece and the noise is what the problem says. Where nothing is said of an
unknown, its prior is that of Jeffreys: flat over the motions that could be measured. Not for chaotic motion over many
Lyapunov times, and not where nothing bounds a parameter: neither the record nor a prior or bounds.

Reference: M. D. Hoffman, A. Gelman, Journal of Machine Learning Research 15 (2014) 1593.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from identikit.errors import OptionError, ProblemError, did_you_mean
from identikit.method import Option
from identikit.numerics import Information
from identikit.progress import Progress, silent
from identikit.result import Finding, finding
from identikit.uncertainty._base import Fitted, Intervals, Uncertainty
from identikit.uncertainty.posterior._coordinates import Coordinates
from identikit.uncertainty.posterior._density import PosteriorDensity
from identikit.uncertainty.posterior._prediction import Predicted, predicted
from identikit.uncertainty.posterior._sampler import Draws, sampled
from identikit.uncertainty.posterior._settings import POSTERIOR
from identikit.uncertainty.posterior._summary import Summary, summarised


class Bayes(Uncertainty):
    """Posterior by the no-U-turn sampler."""

    name = "bayes"
    title = "Posterior distribution, sampled (NUTS)"
    reference = "M. D. Hoffman, A. Gelman, Journal of Machine Learning Research 15 (2014) 1593-1623"
    extra = "bayes"
    settings = (POSTERIOR,)
    answers = ("likelihood_bent",)
    options = (
        Option("chains", 4, "integer", "chains, each begun elsewhere", 2, 64),
        Option("draws", 300, "integer", "draws of every chain that are kept", 50, 100_000),
        Option(
            "warmup", 100, "integer", "draws of every chain before, which set the step and are dropped", 50, 100_000
        ),
        Option("prior", "reference", "choice", "of unknowns of which nothing is said", choices=("reference", "flat")),
        Option("log_uniform", "", "names", "positive parameters whose prior is flat in their logarithm"),
    )

    def objections(self, fitted: Fitted) -> list[Finding]:
        if fitted.problem.process:
            why = "the problem has process noise, and this is the posterior of motions without it"
            return [finding("posterior_out_of_reach", why)]
        try:
            density = PosteriorDensity(fitted.problem, fitted.p)
        except ProblemError as error:
            return [finding("posterior_out_of_reach", str(error))]
        if density.coordinates() is None:
            why = (
                "there is no posterior, since neither the record nor priors and bounds hold some combination of the "
                "parameters and initial states"
            )
            return [finding("posterior_improper", why)]
        return []

    def intervals(
        self, fitted: Fitted, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Intervals:
        problem = fitted.problem
        progress.stage("sampling", 0.0, 0.05, "setting up the posterior")
        density = PosteriorDensity(
            problem, fitted.p, _log_uniform(fitted, options["log_uniform"]), options["prior"] == "flat"
        )
        coordinates = density.coordinates()
        assert coordinates is not None  # or it would have objected
        coordinates = piloted(coordinates, density.information, seed)
        straight = sampled(
            density.value_and_gradient, coordinates, options["chains"], options["draws"], options["warmup"], seed,
            progress.part(0.05, 0.9, "sampling"),
        )  # fmt: skip
        found = summarised(straight, density)
        draws = replace(straight, values=density.straightening.back(straight.values))
        flat = draws.values.reshape(-1, len(density.names))
        told = predicted(density, draws.values, seed, progress.part(0.9, 1.0, "predicting"))
        free = len(problem.free)
        fisher = Information.of_matrix(density.information).covariance[:free, :free]
        return Intervals(
            std=found.std[:free],
            ends=found.ends[:free],
            covariance=np.cov(flat[:, :free], rowvar=False).reshape(free, free),
            notes=_notes(density, found),
            facts=_facts(density, found, draws, told.levels),
            findings=_findings(problem.free, density, found),
            artifacts={"posterior": _artifact(density, draws, told, fisher), **told.bands},
        )


def _log_uniform(fitted: Fitted, text: str) -> tuple[str, ...]:
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    for name in names:
        if name not in fitted.problem.free:
            raise OptionError(
                f"log_uniform names '{name}', which is not free.{did_you_mean(name, fitted.problem.free)}"
            )
        if not fitted.problem.bounds[name][0] > 0:
            raise OptionError(
                f"a prior that is flat in the logarithm of '{name}' needs a lower bound above zero: give it bounds"
            )
    return names


def _notes(density: PosteriorDensity, found: Summary) -> dict[str, str]:
    """Where the posterior is not the estimate and its neighbourhood."""
    notes = {}
    for i, name in enumerate(density.problem.free):
        off = (found.mean[i] - density.centre[i]) / found.std[i]
        if abs(off) > POSTERIOR.mean_differs:
            notes[name] = f"posterior mean {found.mean[i]:.4g}, {abs(off):.1f} std {'above' if off > 0 else 'below'}"
    return notes


def _findings(free: tuple[str, ...], density: PosteriorDensity, found: Summary) -> tuple[Finding, ...]:
    made = []
    if found.complaints:
        text = f"the posterior's draws are not to be relied on: {'; '.join(found.complaints)}"
        made.append(finding("posterior_not_converged", text, *free))
    decided = [
        name
        for i, name in enumerate(free)
        if found.straight_std[i] > POSTERIOR.prior_decides * density.prior_deviation(i)
    ]
    if decided:
        names = ", ".join(decided)
        text = f"the posterior of {names} is about as wide as the prior: the record has added little to it"
        made.append(finding("prior_decides", text, *decided))
    return tuple(made)


def _facts(
    density: PosteriorDensity,
    found: Summary,
    draws: Draws,
    levels: Mapping[str, np.ndarray],
) -> dict[str, Any]:
    """The posterior in numbers, unknown by unknown."""
    unknowns = {
        name: {
            "mean": float(found.mean[i]),
            "std": float(found.std[i]),
            "ci95": [float(end) for end in found.ends[i]],
            "rhat": float(found.rhat[i]),
            "effective_draws": float(found.effective[i]),
        }
        for i, name in enumerate(density.names)
    }
    return {
        "unknowns": unknowns,
        "priors": density.priors,
        "noise": {name: {"mean": float(one.mean()), "std": float(one.std(ddof=1))} for name, one in levels.items()},
        "divergent": found.divergent,
        "evaluations_per_draw": draws.evaluations,
    }


def _artifact(density: PosteriorDensity, draws: Draws, told: Predicted, fisher: np.ndarray) -> dict[str, Any]:
    free = len(density.problem.free)
    columns = {name: draws.values[..., i] for i, name in enumerate(density.names)}
    return {
        "kind": "draws",
        "what": "posterior",
        "parameters": {name: columns[name] for name in density.names[:free]},
        "initial_states": {name: columns[name] for name in density.names[free:]},
        "noise": told.levels,
        "kept": told.kept,
        "log_likelihood": told.log_likelihood,
        "log_density": draws.log_density,
        "diverging": draws.diverging.astype(int),
        "estimate": density.centre[:free],
        "fisher_covariance": fisher,
    }


def piloted(coordinates: Coordinates, information: np.ndarray, seed: int) -> Coordinates:
    """Coordinates after a pilot run, of unknowns that are zero at the estimate; as they were where no bound is near.

    Near a bound neither the estimate nor the information there says where the posterior lies and how wide it is: of
    three dampings that only their sum is known of, each is held by the others' bounds. So the normal distribution of
    the estimate is sampled within the bounds first, which costs no integration, and its draws give middle, widths and
    correlations.
    """
    low, high = coordinates.low, coordinates.high
    spread = coordinates.soft / POSTERIOR.softness
    near = np.minimum(-low, high) < POSTERIOR.near_bound * spread
    if not near.any():
        return coordinates

    def normal(u: np.ndarray) -> tuple[float, np.ndarray]:
        off = information @ u
        return -0.5 * float(u @ off), -off

    for _ in range(POSTERIOR.pilot_rounds):
        found = sampled(
            normal, coordinates, POSTERIOR.pilot_chains, POSTERIOR.pilot_draws, POSTERIOR.pilot_draws, seed, silent
        )
        coordinates = Coordinates.of_draws(found.values.reshape(-1, len(low)), low, high)
    return coordinates
