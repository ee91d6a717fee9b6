"""Many noise draws of one experiment: errors of every entry of A as printed and connected, beside the bound."""

from __future__ import annotations

import numpy as np

from identikit.progress import Progress
from identikit_published._errors import ErrorTable, root_mean_square
from identikit_published.reference_points._experiment import AS_PRINTED, CONNECTED, Array, Experiment, motion
from identikit.result import Panel, PublishedFigure, Series

SAMPLES_SHOWN = 60  # samples of a window that are drawn


def entry_errors(experiment: Experiment, printed: Array | None, seeds: int, progress: Progress) -> ErrorTable:
    """Both estimates of A from each of the draws, beside the printed one."""
    found: dict[bool, list[Array]] = {True: [], False: []}
    for seed in range(seeds):
        progress(seed / seeds, f"noise draw {seed + 1} of {seeds}")
        samples = experiment.samples(seed)
        for slopes in (True, False):
            matrix = experiment.estimate(samples, AS_PRINTED if slopes else CONNECTED)
            found[slopes].append((matrix - experiment.matrix).ravel())
    places, truth = list(np.ndindex(experiment.matrix.shape)), experiment.matrix
    names = [f"{i + 1}{j + 1}" for i, j in places]
    cases = [f"a_{name} = {truth[at]:g}" for name, at in zip(names, places, strict=True)]
    told: list[float | str] = ["not given"] * len(names)
    if printed is not None:
        cases = [f"{case}, printed {printed[at]:g}" for case, at in zip(cases, places, strict=True)]
        told = list(np.abs(printed - truth).ravel())
    bound = np.sqrt(np.diag(experiment.full_covariance()))[: truth.size]
    as_printed, connected = (root_mean_square(found[slopes], axis=0) for slopes in (True, False))
    return ErrorTable(names, cases, told, as_printed, connected, bound)


def matrix_figures(errors: ErrorTable) -> list[PublishedFigure]:
    """A row for each entry, and one for all of them."""
    printed = [value for value in errors.printed if not isinstance(value, str)]
    told, as_printed, ours, bound = (
        float(root_mean_square(column)) for column in (printed, errors.as_printed, errors.obtained, errors.bound)
    )
    return [*errors.figures(), PublishedFigure("all entries of A", "rms error", "", told, as_printed, ours, bound)]


def matrix_panel(errors: ErrorTable) -> Panel:
    """The errors of all entries as bars."""
    return errors.panel("Error of each entry of A", "row and column", "error [1/s]", "connected points")


def sample_panel(experiment: Experiment, names: tuple[str, ...], unit: str = "no unit") -> Panel:
    """The motion, and some of the samples that are taken of it."""
    time, samples = experiment.times(), experiment.samples(0)
    every = max(1, (2 * experiment.half + 1) // SAMPLES_SHOWN)
    whole = np.linspace(float(time[0]), float(time[-1]), 300)
    curves = motion(experiment.matrix, experiment.initial, whole)
    series = [Series(f"{name}, true", tuple(whole), tuple(row)) for name, row in zip(names, curves, strict=True)]
    points = [
        Series("samples" if k == 0 else "", tuple(time[::every]), tuple(row[::every]), "points", emphasis="measured")
        for k, row in enumerate(samples)
    ]
    title = f"Motion, and one in {every} of its samples"
    return Panel(title, "time [s]", f"state [{unit}]", (*points, *series))
