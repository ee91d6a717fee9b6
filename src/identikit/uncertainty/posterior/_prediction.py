"""What the posterior says of measurements: noise levels, and the band in which the motion and new samples lie."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from identikit.problem import Noise, NoiseKind, Problem
from identikit.progress import Cancelled, Progress
from identikit.uncertainty.posterior._density import PosteriorDensity
from identikit.uncertainty.posterior._settings import POSTERIOR

QUANTILES = (0.025, 0.5, 0.975)  # of a band: its lower end, its middle, its upper end


def predicted(
    density: PosteriorDensity, values: np.ndarray, seed: int, progress: Progress
) -> tuple[dict[str, np.ndarray], dict[str, dict[str, Any]]]:
    """From draws [n, unknowns]: draws of the noise level of every output, and a band for every output and record.

    A level follows its conditional distribution: n s^2 / sigma^2 is chi-square with n degrees of freedom, s the
    likeliest level; one that is known stays. Bands are quantiles over draws: of the model's curve, and of new samples.
    """
    problem, random = density.problem, np.random.default_rng(seed)
    chosen = np.unique(np.linspace(0, len(values) - 1, POSTERIOR.band_draws).round().astype(int))
    measured = np.concatenate([record.values for record in problem.records])
    places = [_places(problem, record) for record in range(len(problem.records))]
    kept = np.concatenate(places)
    curves, levels = [], []
    for count, k in enumerate(chosen):
        residual, level = density.joint.residuals(values[k])
        curves.append((measured - residual)[kept])
        levels.append(level)
        if progress(count / len(chosen), "predicting from the draws") is False:
            raise Cancelled
    table, sigma = np.array(curves), np.array(levels)
    amount = np.isfinite(measured).sum(axis=0)
    known = np.array([problem.noise[name].known_level is not None for name in problem.outputs])
    spread = np.sqrt(amount / random.chisquare(np.maximum(amount, 1), size=sigma.shape))
    sigma = np.where(known, sigma, sigma * spread)
    return dict(zip(problem.outputs, sigma.T, strict=True)), _bands(problem, places, table, sigma, random)


def _places(problem: Problem, record: int) -> np.ndarray:
    """Samples of one record, in the joined ones of all, at which the band is drawn."""
    begin = sum(len(item.time) for item in problem.records[:record])
    count = len(problem.records[record].time)
    return begin + np.unique(np.linspace(0, count - 1, POSTERIOR.band_points).round().astype(int))


def _bands(
    problem: Problem, places: list[np.ndarray], table: np.ndarray, sigma: np.ndarray, random: np.random.Generator
) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    time = np.concatenate([record.time for record in problem.records])
    measured = np.concatenate([record.values for record in problem.records])
    first = 0
    for record, own in zip(problem.records, places, strict=True):
        part = table[:, first : first + len(own)]
        first += len(own)
        spread = record.spread_at(time[own])
        for j, name in enumerate(problem.outputs):
            draws = _unit_draws(problem.noise[name], part.shape[:2], random)
            noise = sigma[:, j, None] * spread[:, j] * draws
            if problem.noise[name].kind is NoiseKind.LOGNORMAL:
                samples = part[..., j] * np.exp(noise)
            else:
                samples = part[..., j] + noise
            curve, around = (np.nanquantile(what, QUANTILES, axis=0) for what in (part[..., j], samples))
            found[f"posterior of {name}, {record.name}"] = {
                "kind": "band",
                "what": "posterior prediction",
                "output": name,
                "record": record.name,
                "unit": problem.model.output(name).unit,
                "time_unit": problem.model.time_unit,
                "t": time[own],
                "measured": measured[own, j],
                "curve": curve,
                "samples": around,
            }
    return found


def _unit_draws(noise: Noise, shape: tuple[int, ...], random: np.random.Generator) -> np.ndarray:
    """Errors of single samples in units of their level: normal, or of Student's t."""
    return random.standard_t(noise.freedom, shape) if math.isfinite(noise.freedom) else random.standard_normal(shape)
