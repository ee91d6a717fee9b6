"""Samples that were rounded to levels a step q apart: what each tells of the value before, as an interval.

A reading y with residual r = y - h says that the noise before rounding lay between r - q/2 and r + q/2:

    log L = sum log [Phi(b) - Phi(a)],   a = (r - q/2)/sigma,  b = (r + q/2)/sigma
    d log L / dh = psi / sigma,          psi = [phi(a) - phi(b)] / [Phi(b) - Phi(a)],  the mean noise in the interval
    -d psi / d(h/sigma) = 1 - (its variance) = psi^2 + [b phi(b) - a phi(a)] / [Phi(b) - Phi(a)]

With q below twice sigma rounding is one more white noise. Above it, the error of a reading repeats itself whenever the
motion comes back, so that least squares is biased and no average removes it. The likelihood is concave in h: a fit has
no minima that were not there before.

Reference: D. F. Heitjan, Statistical Science 4 (1989) 164 (grouped data).
"""

from __future__ import annotations

import math

import numpy as np
from scipy.special import log_ndtr

from identikit.likelihood._settings import LIKELIHOOD


def rounded_pull(residual: np.ndarray, step: float, sigma: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What readings [..., samples] pull (psi), their information in units of 1/sigma^2, and log probabilities; `sigma`
    [...] is the noise before rounding."""
    a, b = (residual - step / 2) / sigma[..., None], (residual + step / 2) / sigma[..., None]
    # both tails alike: far above zero a difference of probabilities near one would lose all its digits
    sign = np.where(a > 0, -1.0, 1.0)
    low, high = np.where(a > 0, -b, a), np.where(a > 0, -a, b)
    upper = log_ndtr(high)
    log_probability = upper + np.log(-np.expm1(np.minimum(log_ndtr(low) - upper, -1e-300)))
    at_low, at_high = (np.exp(-0.5 * (x**2 + math.log(2 * math.pi)) - log_probability) for x in (low, high))
    psi = at_low - at_high
    information = np.clip(psi**2 + high * at_high - low * at_low, LIKELIHOOD.least_information, 1.0)
    return sign * psi, information, log_probability


def rounded_level(residual: np.ndarray, step: float) -> np.ndarray:
    """The likeliest noise [...] before rounding, by expectation and maximisation: sigma^2 = mean E[e^2 | interval]."""
    least = LIKELIHOOD.least_dither * step
    level = np.sqrt(np.maximum(np.nanmean(residual**2, axis=-1) - step**2 / 12, least**2))
    for _ in range(LIKELIHOOD.level_rounds):
        psi, information, _ = rounded_pull(residual, step, level)
        second = level[..., None] ** 2 * (1 - information + psi**2)  # variance and square of the mean, in the interval
        level = np.maximum(np.sqrt(np.nanmean(second, axis=-1)), least)
    return np.asarray(level)
