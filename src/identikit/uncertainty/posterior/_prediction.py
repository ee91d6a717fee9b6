"""What the posterior says of measurements: noise levels, likelihoods, and the band in which the motion and new samples
lie."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from identikit.likelihood import NoiseModel
from identikit.problem import Noise, NoiseKind, Problem
from identikit.progress import Cancelled, Progress
from identikit.uncertainty.posterior._density import PosteriorDensity
from identikit.uncertainty.posterior._settings import POSTERIOR

QUANTILES = (0.025, 0.5, 0.975)  # of a band: its lower end, its middle, its upper end


@dataclass(frozen=True)
class Predicted:
    """What follows from some draws of every chain.

    Arguments:
        kept: which draws of a chain, the same of all.
        levels: {output: noise levels}, chain by chain.
        log_likelihood: {record: log L [chains, kept]} at the drawn noise levels; their sum is that of all records.
        bands: for every output and record, named for people.
    """

    kept: np.ndarray
    levels: dict[str, np.ndarray]
    log_likelihood: dict[str, np.ndarray]
    bands: dict[str, dict[str, Any]]


def predicted(density: PosteriorDensity, values: np.ndarray, seed: int, progress: Progress) -> Predicted:
    """From draws [chains, draws, unknowns]: noise levels, likelihoods, and a band for every output and record.

    A level follows its conditional distribution: n s^2 / sigma^2 is chi-square with n degrees of freedom, s the
    likeliest level; one that is known stays. Bands are quantiles over draws: of the model's curve, and of new samples.
    """
    problem, random = density.problem, np.random.default_rng(seed)
    share = max(POSTERIOR.band_draws // len(values), 1)
    kept = np.unique(np.linspace(0, values.shape[1] - 1, share).round().astype(int))
    chosen = values[:, kept].reshape(-1, values.shape[-1])
    noise = NoiseModel.of(problem)
    measured, amount = noise.measured, np.isfinite(noise.measured).sum(axis=0)
    known = np.isfinite(noise.known)
    spread = np.sqrt(amount / random.chisquare(np.maximum(amount, 1), size=(len(chosen), len(amount))))
    places = [_places(len(record.time)) for record in problem.records]
    begins = np.cumsum([0, *(len(record.time) for record in problem.records[:-1])])
    drawn_at = np.concatenate([begin + own for begin, own in zip(begins, places, strict=True)])
    curves, levels, likely = [], [], []
    for count, unknowns in enumerate(chosen):
        residual, level = density.joint.residuals(unknowns)
        levels.append(np.where(known, level, level * spread[count]))
        likely.append(_log_likelihoods(noise, residual, levels[-1], len(places)))
        curves.append((measured - residual)[drawn_at])
        if progress(count / len(chosen), "predicting from the draws") is False:
            raise Cancelled
    sigma, shape = np.array(levels), (len(values), len(kept))
    return Predicted(
        kept,
        dict(zip(problem.outputs, sigma.T, strict=True)),
        {item.name: one.reshape(shape) for item, one in zip(problem.records, np.array(likely).T, strict=True)},
        _bands(problem, places, np.array(curves), sigma, shape, random),
    )


def _log_likelihoods(noise: NoiseModel, residual: np.ndarray, sigma: np.ndarray, records: int) -> np.ndarray:
    """log L of every record; NaN where the model could not be integrated."""
    if not np.isfinite(sigma).all():
        return np.full(records, np.nan)
    each = noise.log_densities(residual, sigma).sum(axis=-1)
    return np.bincount(noise.record, weights=each, minlength=records)


def _bands(
    problem: Problem,
    places: list[np.ndarray],
    table: np.ndarray,
    sigma: np.ndarray,
    shape: tuple[int, int],
    random: np.random.Generator,
) -> dict[str, dict[str, Any]]:
    """From the model's values [draws, places of all records, outputs] and the noise levels [draws, outputs]."""
    found: dict[str, dict[str, Any]] = {}
    first = 0
    every = -(-table.size // POSTERIOR.most_predictive)
    for record, own in zip(problem.records, places, strict=True):
        part = table[:, first : first + len(own)]
        first += len(own)
        spread = record.spread_at(record.time[own])
        for j, name in enumerate(problem.outputs):
            noise = sigma[:, j, None] * spread[:, j] * _unit_draws(problem.noise[name], part.shape[:2], random)
            relative = problem.noise[name].kind is NoiseKind.LOGNORMAL
            samples = part[..., j] * np.exp(noise) if relative else part[..., j] + noise
            curve, around = (np.nanquantile(what, QUANTILES, axis=0) for what in (part[..., j], samples))
            found[f"posterior of {name}, {record.name}"] = {
                "kind": "band",
                "what": "posterior prediction",
                "output": name,
                "record": record.name,
                "unit": problem.model.output(name).unit,
                "time_unit": problem.model.time_unit,
                "t": record.time[own],
                "measured": record.values[own, j],
                "curve": curve,
                "samples": around,
                "every": every,
                "predictive": _few_digits(samples[:, ::every]).reshape(*shape, -1),
            }
    return found


def _places(count: int) -> np.ndarray:
    """Samples of a record at which its band is drawn."""
    return np.unique(np.linspace(0, count - 1, POSTERIOR.band_points).round().astype(int))


def _few_digits(samples: np.ndarray) -> np.ndarray:
    """With as many digits as noise deserves, since all of them are saved."""
    size = float(np.nanmax(np.abs(samples), initial=0.0))
    return np.round(samples, POSTERIOR.predictive_digits - math.ceil(math.log10(size))) if size > 0 else samples


def _unit_draws(noise: Noise, shape: tuple[int, ...], random: np.random.Generator) -> np.ndarray:
    """Errors of single samples in units of their level: normal, or of Student's t."""
    return random.standard_t(noise.freedom, shape) if math.isfinite(noise.freedom) else random.standard_normal(shape)
