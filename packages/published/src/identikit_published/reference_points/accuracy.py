"""What the paper says of planning: accuracy against the number of samples and the step between reference points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from identikit.progress import Progress
from identikit.result import Panel, PublishedFigure, Series
from identikit_published._base import Outcome, Scale
from identikit_published._errors import root_mean_square
from identikit_published.reference_points import experiments
from identikit_published.reference_points.experiments import LARGEST_ERROR, Array, Experiment, entry_errors, motion

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
            PublishedFigure(f"h = n^-{alpha:g}", f"rms error of A, n = {many:,} over n = {FEW:,}", "",
                            "falls" if 1 < alpha < 1.5 else "not claimed", errors[1] / errors[0], None, None,
                            "bias falls as n^(2 - 2 alpha), noise of the slopes as n^(alpha - 3/2): expected about "
                            f"{(many / FEW) ** slowest:.2f}; no bound: a ratio")
        )  # fmt: skip
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
        PublishedFigure(f"pendulums, x(0) = {[f'{value:g}' for value in start]}".replace("'", ""),
                        "log10 of the condition number of Y", "", told,
                        np.log10(min(_condition(replace(experiment, initial=np.array(start))), SINGULAR)), None, None,
                        f"{np.log10(SINGULAR):g} and more: no inverse; {NO_NOISE}")
        for start, told in zip(STARTS, ("has an inverse", "has none"), strict=True)
    ]  # fmt: skip


def spacing_figures(experiment: Experiment, highest: float) -> list[PublishedFigure]:
    """Whether Y has an inverse below the paper's limit of pi over the highest frequency, at it and above."""
    return [
        PublishedFigure(f"pendulums, step {share:g} pi/w_1", "log10 of the condition number of Y", "",
                        "has an inverse" if share < 1 else "not claimed",
                        np.log10(min(_condition(replace(experiment, spacing=share * np.pi / highest)), SINGULAR)),
                        None, None, f"{np.log10(SINGULAR):g} and more: no inverse; {NO_NOISE}")
        for share in SHARES
    ]  # fmt: skip


def _condition(experiment: Experiment) -> float:
    points = experiment.spacing * np.arange(float(experiment.size))
    return float(np.linalg.cond(motion(experiment.matrix, experiment.initial, points)))


SYSTEMS = {"2 x 2": experiments.SETTING_1, "3 x 3": experiments.SETTING_2, "pendulums": experiments.SETTING_3}
COUNTS = (1_000, 3_000, 10_000, 30_000, 100_000)  # samples to a side
FACTORS = (0.5, 0.75, 1.0, 1.25, 1.5)  # of the paper's step; windows touch below, modes look alike above
COUNT = 10_000  # samples to a side where the step is varied


def design(scale: Scale, progress: Progress) -> Outcome:
    """What the paper says of planning: that more samples around each point, and a smaller step between them, help."""
    seeds = scale.seeds(10, 2)
    counts, factors = (COUNTS[:-1:2], FACTORS[::2]) if scale.quick else (COUNTS, FACTORS)
    figures: list[PublishedFigure] = []
    panels = []
    for place, (name, experiment) in enumerate(SYSTEMS.items()):
        part = progress.part(0.95 * place / len(SYSTEMS), 0.95 * (place + 1) / len(SYSTEMS))
        wider = [replace(experiment, half=count) for count in counts]
        found = _errors(wider, seeds, part.part(0.0, 0.5))
        as_before = found[counts.index(COUNT)]
        figures += _rows(name, [f"n = {count:,}" for count in counts], found)
        panels.append(_panel(f"{name}: samples to a side", "n [samples]", counts, found, "log"))
        steps = [replace(experiment, half=COUNT, spacing=factor * experiment.spacing) for factor in factors]
        others = [one for one, factor in zip(steps, factors, strict=True) if factor != 1.0]
        found = np.insert(_errors(others, seeds, part.part(0.5, 1.0)), factors.index(1.0), as_before, axis=0)
        labels = [f"step {one.spacing:.3g}, n = {COUNT:,}" for one in steps]
        figures += _rows(name, labels, found)
        panels.append(_panel(f"{name}: step between points", "step [s]", [one.spacing for one in steps], found))
    progress(0.95, "spacing of samples")
    rows, panel = exponent_figures(experiments.SETTING_1, 4 * seeds, COUNT if scale.quick else MANY)
    pendulums = experiments.SETTING_3
    figures += [*rows, *start_figures(pendulums), *spacing_figures(pendulums, experiments.TRUTH.frequencies[0])]
    panels.append(panel)
    settings = {"spacing of samples": "n^-1.25, but for the rows that vary it", "noise": "uniform on [-1/8, 1/8]",
                "steps": f"n = {COUNT}", "rows of alpha": f"{4 * seeds} noise draws"}  # fmt: skip
    return Outcome(tuple(figures), tuple(panels), settings, seeds)


def _errors(experiments: Sequence[Experiment], seeds: int, progress: Progress) -> np.ndarray:
    """rms over the entries of A: as printed, connected, bound; [experiments, 3]."""
    found = []
    for place, one in enumerate(experiments):
        part = progress.part(place / len(experiments), (place + 1) / len(experiments))
        errors = entry_errors(one, None, seeds, part)
        found.append([root_mean_square(table) for table in (errors.as_printed, errors.obtained, errors.bound)])
    return np.array(found)


def _rows(name: str, labels: Sequence[str], found: np.ndarray) -> list[PublishedFigure]:
    return [
        PublishedFigure(f"{name}, {label}", "rms error of A", "", "not given", as_printed, ours, bound)
        for label, (as_printed, ours, bound) in zip(labels, found.tolist(), strict=True)
    ]


def _panel(title: str, along: str, x: Sequence[float], found: np.ndarray, scale: str = "linear") -> Panel:
    looks = (("as printed", ""), ("connected points", "model"), ("bound", "bound"))
    places = tuple(float(value) for value in x)
    series = tuple(Series(label, places, tuple(found[:, k]), emphasis=look) for k, (label, look) in enumerate(looks))
    return Panel(title, along, "rms error of A [1/s]", series, x_scale=scale, y_scale="log")
