"""What the paper asks of a design: how dense the samples, from which start, and how far apart the points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from identikit_published._errors import root_mean_square
from identikit_published.reference_points._experiment import LARGEST_ERROR, Array, Experiment, motion
from identikit.result import Panel, PublishedFigure, Series

EXPONENTS = (1.0, 1.1, 1.25, 1.4, 1.5, 1.6)  # alpha of h = n^-alpha; the paper asks for 1 < alpha < 3/2
FEW, MANY = 1_000, 100_000  # samples to a side, between which the errors are compared
STARTS = ((1.0, 0.0, 0.0, 0.0), (1.0, -1.0, 0.0, 0.0))  # in general position, and not, as the paper says
SHARES = (0.25, 0.5, 0.75, 0.9, 0.99, 1.0, 1.1)  # of pi over the highest frequency: steps between points
SINGULAR = 1e12  # a condition number beyond which a matrix has no inverse in floating point
NO_NOISE = "no bound: no noise enters"


def exponent_figures(experiment: Experiment, seeds: int, many: int = MANY) -> tuple[list[PublishedFigure], Panel]:
    """How the error falls as samples are added, for spacings within the paper's range and beyond."""
    rows, curves = [], []
    counts = (FEW, many)
    for alpha in EXPONENTS:
        errors = [_error(replace(experiment, half=count, exponent=alpha), seeds) for count in counts]
        slowest = max(2 * (1 - alpha), alpha - 1.5)
        rows.append(
            PublishedFigure(
                f"h = n^-{alpha:g}",
                f"rms error of A, n = {many:,} over n = {FEW:,}",
                "",
                "falls" if 1 < alpha < 1.5 else "not claimed",
                errors[1] / errors[0],
                None,
                None,
                "bias falls as n^(2 - 2 alpha), noise of the slopes as n^(alpha - 3/2): expected about "
                f"{(many / FEW) ** slowest:.2f}; no bound: a ratio",
            )
        )
        curves.append(Series(f"alpha = {alpha:g}", tuple(map(float, counts)), tuple(errors)))
    title = "2 x 2: spacing of samples n^-alpha"
    return rows, Panel(title, "n [samples]", "rms error of A [1/s]", tuple(curves), x_scale="log", y_scale="log")


def _error(experiment: Experiment, seeds: int) -> float:
    return float(root_mean_square([_as_printed(experiment, seed) - experiment.matrix for seed in range(seeds)]))


def _as_printed(experiment: Experiment, seed: int) -> Array:
    """Equations 8 and 9 by hand, window by window: wide windows may overlap, which no record could."""
    random = np.random.default_rng(seed)
    offsets = np.linspace(-1, 1, 2 * experiment.half + 1) * experiment.width
    values, slopes = [], []
    for point in range(experiment.size):
        clean = motion(experiment.matrix, experiment.initial, point * experiment.spacing + offsets)
        window = clean + random.uniform(-LARGEST_ERROR, LARGEST_ERROR, clean.shape)
        values.append(window.mean(axis=1))
        slopes.append(window @ offsets / (offsets @ offsets))
    return np.asarray(np.linalg.solve(np.array(values), np.array(slopes)).T)


def start_figures(experiment: Experiment) -> list[PublishedFigure]:
    """Whether Y has an inverse, for a start that excites all modes and one that does not."""
    return [
        PublishedFigure(
            f"pendulums, x(0) = {[f'{value:g}' for value in start]}".replace("'", ""),
            "log10 of the condition number of Y",
            "",
            told,
            np.log10(min(_condition(replace(experiment, initial=np.array(start))), SINGULAR)),
            None,
            None,
            f"{np.log10(SINGULAR):g} and more: no inverse; {NO_NOISE}",
        )
        for start, told in zip(STARTS, ("has an inverse", "has none"), strict=True)
    ]


def spacing_figures(experiment: Experiment, highest: float) -> list[PublishedFigure]:
    """Whether Y has an inverse below the paper's limit of pi over the highest frequency, at it and above."""
    return [
        PublishedFigure(
            f"pendulums, step {share:g} pi/w_1",
            "log10 of the condition number of Y",
            "",
            "has an inverse" if share < 1 else "not claimed",
            np.log10(min(_condition(replace(experiment, spacing=share * np.pi / highest)), SINGULAR)),
            None,
            None,
            f"{np.log10(SINGULAR):g} and more: no inverse; {NO_NOISE}",
        )
        for share in SHARES
    ]


def _condition(experiment: Experiment) -> float:
    points = experiment.spacing * np.arange(float(experiment.size))
    return float(np.linalg.cond(motion(experiment.matrix, experiment.initial, points)))
