"""Draws from a density by the no-U-turn sampler, several chains side by side.

Reference: M. D. Hoffman, A. Gelman, Journal of Machine Learning Research 15 (2014) 1593; of step and scales as nutpie
adapts them: A. Seyboldt, E. Carlson, B. Carpenter, arXiv 2603.18845. The chains run in threads of the sampler, each
with random numbers of its own, so that draws depend on the seed alone.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from identikit.errors import SimulationError, need
from identikit.progress import Cancelled, Progress
from identikit.uncertainty.posterior._coordinates import Coordinates
from identikit.uncertainty.posterior._settings import POSTERIOR

Density = Callable[[np.ndarray], tuple[float, np.ndarray]]


@dataclass(frozen=True)
class Draws:
    """`values` [chains, draws, unknowns], their log densities [chains, draws] and whether the way there diverged;
    evaluations of the density for each draw, on the average."""

    values: np.ndarray
    log_density: np.ndarray
    diverging: np.ndarray
    evaluations: float


class _NoDensityError(ValueError):
    """The model cannot be integrated there: the sampler turns back, and counts a divergence."""

    is_recoverable = True


def sampled(
    density: Density, coordinates: Coordinates, chains: int, draws: int, warmup: int, seed: int, progress: Progress
) -> Draws:
    """Draw from a density of the unknowns; `warmup` draws of every chain set the step and are dropped."""
    sampler = bayes_package("nutpie")
    from_function = bayes_package("nutpie.compiled_pyfunc").from_pyfunc
    size, total = len(coordinates.centre), chains * (draws + warmup)
    made = [0]  # draws so far, told by the sampler's threads

    def target(z: np.ndarray) -> tuple[float, np.ndarray]:
        value, gradient = density_in_coordinates(density, coordinates, np.asarray(z))
        if not (np.isfinite(value) and np.isfinite(gradient).all()):
            raise _NoDensityError("no density here")
        return value, gradient

    def expand(z: np.ndarray) -> dict[str, np.ndarray]:
        made[0] += 1
        return {"u": coordinates.at(np.asarray(z))}

    compiled = from_function(
        size,
        lambda: target,
        lambda first, second, chain: expand,
        [np.dtype("float64")],
        [(size,)],
        ["u"],
        make_initial_point_fn=lambda own: _beginning(target, size, own),
    )
    running = sampler.sample(
        compiled, draws=draws, tune=warmup, chains=chains, cores=min(chains, os.cpu_count() or 1), seed=seed,
        progress_bar=False, blocking=False, save_warmup=False, maxdepth=POSTERIOR.deepest,
    )  # fmt: skip
    while True:
        try:
            trace = running.wait(timeout=POSTERIOR.told_every)
            break
        except TimeoutError:
            stage = "sampling" if made[0] > chains * warmup else "warming up"
            if progress(made[0] / total, f"{stage}: {made[0]} of {total} draws of {chains} chains") is False:
                running.cancel()
                raise Cancelled from None
    stats = trace.sample_stats
    return Draws(
        trace.posterior["u"].values,
        stats["logp"].values,
        stats["diverging"].values.astype(bool),
        float(stats["n_steps"].values.mean()),
    )


def density_in_coordinates(density: Density, coordinates: Coordinates, z: np.ndarray) -> tuple[float, np.ndarray]:
    """log density and gradient with respect to z."""
    unknowns, slope, factor, change = coordinates.at_flat(coordinates.centre + coordinates.root @ z)
    if not np.isfinite(unknowns).all():
        return -np.inf, np.full(len(z), np.nan)
    value, gradient = density(unknowns)
    return value + factor, coordinates.root.T @ (slope * gradient + change)


def _beginning(target: Density, size: int, seed: int) -> np.ndarray:
    """Where a chain begins: a draw of the normal approximation, drawn back to the estimate until it has a density."""
    z = POSTERIOR.overdispersion * np.random.default_rng(seed).standard_normal(size)
    for _ in range(POSTERIOR.begin_tries):
        try:
            target(z)
        except _NoDensityError:
            z = z / 2
        else:
            return z
    raise SimulationError("the posterior has no density around the estimate: the model cannot be integrated there")


def bayes_package(name: str) -> Any:
    """nutpie or ArviZ; the latter announces its own rebuilding with a warning that is none of a user's business."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", category=FutureWarning)
        return need(name, extra="bayes")
