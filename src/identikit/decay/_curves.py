"""Smooth curves through the records of a decay, as coarse as their noise allows, whatever its colour.

Noise that goes on from sample to sample looks small among neighbours. A curve that takes it for that small follows it,
and its second derivative is then all noise: no restoring force can be read from it, and no segment begins well. A decay
is regular enough for the whole of its noise to be known beforehand (`noise_level`).
"""

from __future__ import annotations

from identikit.decay._settings import RANKING
from identikit.likelihood import smooth_curves
from identikit.measurement import SmoothCurve, noise_level
from identikit.problem import Problem


def decay_curves(problem: Problem) -> list[list[SmoothCurve]]:
    """One smooth curve per record and output."""
    plain = smooth_curves(problem)
    return [[_curve(curve) for curve in curves] for curves in plain]


def _curve(plain: SmoothCurve) -> SmoothCurve:
    level = noise_level(plain.time, plain.values).sigma
    return SmoothCurve(plain.time, plain.values, sigma=level) if level > RANKING.slow_noise * plain.sigma else plain
