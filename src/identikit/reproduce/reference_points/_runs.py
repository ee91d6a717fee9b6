"""Many noise draws of one experiment: errors of every entry of A as printed and connected, beside the bound."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from identikit.progress import Progress
from identikit.reproduce.reference_points._experiment import (
    AS_PRINTED,
    CONNECTED,
    Array,
    Experiment,
    motion,
    root_mean_square,
)
from identikit.result import Panel, PublishedFigure, Series

SHOWN = 60  # samples of a window that are drawn


@dataclass(frozen=True)
class EntryErrors:
    """rms errors of the entries of A over the draws, [size, size], and their bound."""

    as_printed: Array
    connected: Array
    bound: Array


def entry_errors(experiment: Experiment, seeds: int, progress: Progress) -> EntryErrors:
    """Both estimates from each of the draws."""
    found: dict[bool, list[Array]] = {True: [], False: []}
    for seed in range(seeds):
        progress(seed / seeds, f"noise draw {seed + 1} of {seeds}")
        samples = experiment.samples(seed)
        for printed in (True, False):
            matrix = experiment.estimate(samples, AS_PRINTED if printed else CONNECTED)
            found[printed].append(matrix - experiment.matrix)
    deviations = np.sqrt(np.diag(experiment.full_covariance()))[: experiment.size**2]
    return EntryErrors(
        root_mean_square(found[True], axis=0),
        root_mean_square(found[False], axis=0),
        deviations.reshape(experiment.matrix.shape),
    )


def entry_figures(experiment: Experiment, printed: Array, errors: EntryErrors) -> list[PublishedFigure]:
    """One row for each entry of A, and one for all of them."""
    figures = [
        PublishedFigure(
            f"a_{i + 1}{j + 1} = {experiment.matrix[i, j]:g}, printed {printed[i, j]:g}",
            "error",
            "",
            abs(float(printed[i, j] - experiment.matrix[i, j])),
            float(errors.as_printed[i, j]),
            float(errors.connected[i, j]),
            float(errors.bound[i, j]),
        )
        for i, j in np.ndindex(experiment.matrix.shape)
    ]
    figures.append(
        PublishedFigure(
            "all entries of A",
            "rms error",
            "",
            float(root_mean_square(printed - experiment.matrix)),
            float(root_mean_square(errors.as_printed)),
            float(root_mean_square(errors.connected)),
            float(root_mean_square(errors.bound)),
        )
    )
    return figures


def entry_panel(experiment: Experiment, printed: Array, errors: EntryErrors) -> Panel:
    """The errors of all entries as bars."""
    places = tuple(float(k) for k in range(experiment.size**2))
    bars = (
        ("printed, one draw", np.abs(printed - experiment.matrix), "printed"),
        ("as printed, here (rms)", errors.as_printed, ""),
        ("connected points (rms)", errors.connected, "model"),
        ("bound", errors.bound, "bound"),
    )
    series = tuple(Series(label, places, tuple(values.ravel()), "bars", emphasis=look) for label, values, look in bars)
    ticks = tuple(f"{i + 1}{j + 1}" for i, j in np.ndindex(experiment.matrix.shape))
    return Panel("Error of each entry of A", "row and column", "error [1/time]", series, ticks=ticks)


def sample_panel(experiment: Experiment, names: tuple[str, ...]) -> Panel:
    """The motion, and some of the samples that are taken of it."""
    time, samples = experiment.times(), experiment.samples(0)
    every = max(1, (2 * experiment.half + 1) // SHOWN)
    whole = np.linspace(float(time[0]), float(time[-1]), 300)
    curves = motion(experiment.matrix, experiment.initial, whole)
    series = [Series(f"{name}, true", tuple(whole), tuple(row)) for name, row in zip(names, curves, strict=True)]
    points = [
        Series("samples" if k == 0 else "", tuple(time[::every]), tuple(row[::every]), "points", emphasis="measured")
        for k, row in enumerate(samples)
    ]
    title = f"Motion, and one in {every} of its samples"
    return Panel(title, "time", "state", (*points, *series))
