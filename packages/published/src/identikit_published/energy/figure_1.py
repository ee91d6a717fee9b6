"""Figure 1: the velocity of a noisy sine by cubic splines through the samples, and by smoothing splines."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicSpline

from identikit.measurement import SmoothingSpline
from identikit.progress import Progress
from identikit_published._base import ENERGY_PAPER, Item, Outcome, Scale
from identikit_published.energy._as_printed import CUBIC
from identikit_published.energy.oscillators import Array
from identikit.result import Panel, PublishedFigure, Series

NOISE = 0.02  # std of the noise
TIME = np.arange(0, 8 * np.pi, 0.05)  # s; the paper gives neither length nor rate
HIGHER = 4  # order of the smoothing that `energy` uses
SEEDS, QUICK_SEEDS = 100, 10  # noise draws; and if quick
INNER = slice(20, -20)  # samples: one second at both ends is left out


def run(scale: Scale, progress: Progress) -> Outcome:
    seeds = scale.seeds(SEEDS, QUICK_SEEDS)
    errors = []
    for seed in range(seeds):
        progress(seed / seeds, f"noise {seed + 1} of {seeds}")
        velocities = _velocities(_measured(np.random.default_rng(seed)))
        errors.append([np.mean((v - np.cos(TIME))[INNER] ** 2) for v in velocities])
    rough, cubic, higher = np.sqrt(np.mean(errors, axis=0)).tolist()
    limit = _bound()
    figures = (
        PublishedFigure(
            "cubic spline, graph (a)", "rms error of the velocity", "1/s", "noise is magnified", rough, higher, limit
        ),
        PublishedFigure(
            "cubic smoothing spline, graphs (b) and (c)",
            "rms error of the velocity",
            "1/s",
            "nearly identical to the actual velocity",
            cubic,
            higher,
            limit,
            f"best here: a smoothing spline of order {HIGHER}, as `energy` has it",
        ),
    )
    return Outcome(figures, _panels(_measured(np.random.default_rng(0))), _REMARKS, _SETTINGS, seeds)


def _measured(random: np.random.Generator) -> Array:
    return np.asarray(np.sin(TIME) + NOISE * random.standard_normal(len(TIME)))


def _velocities(measured: Array) -> tuple[Array, Array, Array]:
    """By the spline through all samples, the cubic smoothing spline, and one of higher order."""
    return (
        np.asarray(CubicSpline(TIME, measured)(TIME, 1)),
        SmoothingSpline(TIME, measured, CUBIC)(TIME, 1),
        SmoothingSpline(TIME, measured, HIGHER)(TIME, 1),
    )


def _bound() -> float:
    """Of one who knows that it is a sine, but neither its amplitude nor its phase nor its frequency."""
    slopes = np.column_stack([np.sin(TIME), np.cos(TIME), TIME * np.cos(TIME)])
    velocity = np.column_stack([np.cos(TIME), -np.sin(TIME), np.cos(TIME) - TIME * np.sin(TIME)])
    covariance = NOISE**2 * np.linalg.inv(slopes.T @ slopes)
    variance = np.einsum("ti,ij,tj->t", velocity, covariance, velocity)
    return float(np.sqrt(np.mean(variance[INNER])))


def _panels(measured: Array) -> tuple[Panel, ...]:
    """Each velocity over the displacement of its own spline: through the samples, or through what smoothing leaves."""
    rough, cubic, _ = _velocities(measured)
    smoothed = SmoothingSpline(TIME, measured, CUBIC)(TIME)
    actual = Series("actual", tuple(np.sin(TIME)), tuple(np.cos(TIME)), emphasis="measured")
    portraits = [
        Panel(title, "x [1]", "velocity [1/s]", (actual, Series("estimate", tuple(x), tuple(v), emphasis="model")))
        for title, x, v in (("(a) cubic spline", measured, rough), ("(b) cubic smoothing spline", smoothed, cubic))
    ]
    series = (
        Series("actual", tuple(TIME), tuple(np.cos(TIME)), emphasis="measured"),
        Series("smoothing spline", tuple(TIME), tuple(cubic), emphasis="model"),
    )
    return (*portraits, Panel("(c) velocity", "time [s]", "velocity [1/s]", series))


_SETTINGS = {"signal": "sin t", "noise": NOISE, "spacing [s]": 0.05, "duration [s]": "8 pi", "smoothing": "GCV"}
_REMARKS = (
    "The paper gives no rate and no smoothing parameter; here it is chosen by cross-validation. The error of the "
    "spline through all samples grows with the rate, that of the smoothing spline falls.",
    "The bound is that of a sine with unknown amplitude, phase and frequency: what a model would add to smoothing.",
)

ITEM = Item("energy-figure-1", ENERGY_PAPER, "Figure 1", "Velocity from cubic and from smoothing splines", run)
