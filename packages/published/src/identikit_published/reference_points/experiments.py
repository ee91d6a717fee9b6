"""The three experiments, x' = A x observed in windows around reference points, and what the paper says of planning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from identikit.measurement import Record
from identikit.method.reference_points import ReferencePoints
from identikit.model import library_model
from identikit.problem import Problem
from identikit.progress import Progress
from identikit.result import Panel, PublishedFigure, Series
from identikit_published._base import Outcome, Scale
from identikit_published._errors import ErrorTable, root_mean_square

Array = NDArray[Any]

SAMPLES_TO_A_SIDE = 100_000  # samples on either side of a reference point
EXPONENT = 1.25  # of the spacing, h = n^-EXPONENT
LARGEST_ERROR = 1 / 8  # largest error of a sample
NOISE = LARGEST_ERROR / np.sqrt(3)  # its standard deviation
THIN = 400  # samples on either side that the bound is summed over: windows are dense, so a few stand for all
DIFFERENCE_STEP = 1e-6  # of numerical derivatives; what is moved is of order one

AS_PRINTED = {"connect": False, "degree": 1}  # and as many points as states
CONNECTED: dict[str, Any] = {}
CONSERVATIVE = {"structure": "conservative"}
BOUND_NOTE = (
    "The bound is that of Gaussian errors of the same variance. Uniform errors have sharp edges and no Cramer-Rao "
    "bound of their own; a method that knows the edges could go below, and none here does."
)


@dataclass(frozen=True)
class Experiment:
    """A system and its windows.

    Arguments:
        matrix, initial: of x' = A x. spacing: between reference points.
        half: n, samples to a side. exponent: alpha of the samples' spacing, h = n^-alpha.
    """

    matrix: Array
    initial: Array
    spacing: float
    half: int = SAMPLES_TO_A_SIDE
    exponent: float = EXPONENT

    @property
    def size(self) -> int:
        return len(self.initial)

    @property
    def width(self) -> float:
        """n h, half of a window's width."""
        return float(self.half ** (1 - self.exponent))

    @property
    def unknowns(self) -> Array:
        """All entries of A, then x(0)."""
        return np.concatenate([self.matrix.ravel(), self.initial])

    @property
    def settings(self) -> dict[str, Any]:
        """What the item says it was done with."""
        return {"A": self.matrix.tolist(), "x(0)": self.initial.tolist(),
                "step between reference points": self.spacing, "n": self.half, "h": self.half**-self.exponent,
                "noise": "uniform on [-1/8, 1/8]"}  # fmt: skip

    def times(self, half: int | None = None) -> Array:
        """Of all samples, or of `half` evenly over the same windows; the first window reaches before t = 0."""
        count = half or self.half
        offsets = np.linspace(-1, 1, 2 * count + 1) * self.width
        return np.concatenate([j * self.spacing + offsets for j in range(self.size)])

    def samples(self, seed: int) -> Array:
        """One noise draw, [states, times]."""
        values = motion(self.matrix, self.initial, self.times())
        return values + np.random.default_rng(seed).uniform(-LARGEST_ERROR, LARGEST_ERROR, values.shape)

    def estimate(self, samples: Array, options: Mapping[str, Any]) -> Array:
        """A by the method reference_points, without the judgement of a whole fit, which would take a minute."""
        names = [f"x_{i + 1}" for i in range(self.size)]
        record = Record.from_arrays(self.times(), dict(zip(names, samples, strict=True)))
        problem = Problem.pose(library_model("linear" if self.size == 2 else f"linear{self.size}"), record)
        method = ReferencePoints()
        asked = {"points": self.size, **options} if options == AS_PRINTED else options
        found = method.again(method.resolve_options(asked), 0, problem)
        if len(found) == self.size**2:
            return np.reshape(found, (self.size, self.size))
        return stacked(-np.reshape(found, (self.size // 2, self.size // 2)))

    def covariance(self, system: Callable[[Array], tuple[Array, Array]], at: Array) -> Array:
        """The Cramer-Rao bound of unknowns that `system` turns into A and x(0), at their true values."""
        time = self.times(THIN)
        slopes = derivative(lambda p: motion(*system(p), time).ravel(), at)
        each = NOISE**2 * (2 * THIN + 1) / (2 * self.half + 1)  # variance of a sample that stands for many
        found: Array = np.linalg.inv(slopes.T @ slopes / each)
        return found

    def full_covariance(self) -> Array:
        """The bound of `unknowns`."""
        split = self.size**2
        return self.covariance(lambda p: (p[:split].reshape(self.size, -1), p[split:]), self.unknowns)


def motion(matrix: Array, initial: Array, time: Array) -> Array:
    """exp(A t) x(0), [states, times]."""
    rates, vectors = np.linalg.eig(matrix)
    shares = np.linalg.solve(vectors, initial.astype(complex))
    return np.real(vectors @ (shares[:, None] * np.exp(np.outer(rates, time))))


def stacked(stiffness: Array) -> Array:
    """[0 I; -K 0]."""
    zero, one = np.zeros_like(stiffness), np.eye(len(stiffness))
    return np.block([[zero, one], [-stiffness, zero]])


def derivative(function: Callable[[Array], Array], at: Array) -> Array:
    """By central differences, [values, unknowns]."""
    columns = [
        (function(at + step) - function(at - step)) / (2 * DIFFERENCE_STEP)
        for step in DIFFERENCE_STEP * np.eye(len(at))
    ]
    return np.stack(columns, axis=-1)


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


SETTING_1 = Experiment(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([1.0, 0.0]), 0.5)
PRINTED_1 = np.array([[1.99517, 1.00781], [1.00025, 1.99168]])


def experiment_1(scale: Scale, progress: Progress) -> Outcome:
    """The first experiment: a 2 x 2 matrix from two reference points."""
    seeds = scale.seeds(40, 5)
    errors = entry_errors(SETTING_1, PRINTED_1, seeds, progress)
    panels = (matrix_panel(errors), sample_panel(SETTING_1, ("x_1", "x_2")))
    return Outcome(tuple(matrix_figures(errors)), panels, dict(SETTING_1.settings), seeds)


SETTING_2 = Experiment(
    np.array([[1.0, -3.0, 1.0], [3.0, -3.0, -1.0], [3.0, -5.0, 1.0]]), np.array([0.0, -4.0, 2.0]), 0.5
)
PRINTED_2 = np.array([[1.0638, -3.0157, 0.9650], [2.9178, -2.9764, -0.9569], [2.8818, -4.9635, 1.0605]])


def experiment_2(scale: Scale, progress: Progress) -> Outcome:
    """The second experiment: a 3 x 3 matrix from three reference points, which nearly lie in a plane."""
    seeds = scale.seeds(40, 5)
    errors = entry_errors(SETTING_2, PRINTED_2, seeds, progress)
    states = motion(SETTING_2.matrix, SETTING_2.initial, SETTING_2.spacing * np.arange(3.0))
    crowded = (
        f"The states at the three points have a condition number of {np.linalg.cond(states):.0f}: the growing mode "
        "outgrows the others, and the inverse of Y multiplies the noise. That, not n, limits this experiment."
    )
    panels = (matrix_panel(errors), sample_panel(SETTING_2, ("x_1", "x_2", "x_3")))
    return Outcome(tuple(matrix_figures(errors)), panels, dict(SETTING_2.settings), seeds, notes=(crowded, BOUND_NOTE))


STIFFNESS = np.array([[2.0, -1.0], [-1.0, 2.0]])
SETTING_3 = Experiment(stacked(STIFFNESS), np.array([1.0, 0.0, 0.0, 0.0]), np.pi / 3)
PRINTED_3 = np.array(
    [[-0.0052, 0.0021, 1.0058, 0.0089],
     [-0.0242, -0.0022, 0.00092, 1.0213],
     [-2.0049, 0.9846, -0.0077, 0.0013],
     [0.9937, -2.0211, -0.0024, 0.0127]]
)  # fmt: skip
PRINTED_STIFFNESS = np.array([[2.0049, -0.9846], [-0.9937, 2.0211]])
PRINTED_FREQUENCIES = np.array([1.7255, 0.9956])
# F, whose entries are printed twofold
PRINTED_AMPLITUDES = 0.5 * np.array(
    [[0.9955, 0.0016, 0.9984, -0.0081],
     [-0.9955, -0.0016, 0.9984, -0.0081],
     [0.0028, -1.7254, -0.0081, -1.0008],
     [-0.0028, 1.7254, -0.0081, -1.0008]]
)  # fmt: skip
SHOWN_ROWS = (0, 2)  # of F: the others repeat them but for signs


@dataclass(frozen=True)
class Oscillation:
    """What is estimated of the pendulums beyond A; `vector` has K, the frequencies and F behind one another."""

    stiffness: Array
    initial: Array

    @property
    def frequencies(self) -> Array:
        """Fastest first."""
        found: Array = np.sqrt(np.sort(np.real(np.linalg.eigvals(self.stiffness)))[::-1])
        return found

    @property
    def amplitudes(self) -> Array:
        """F by the paper's formula, for pendulums that are alike."""
        (fast, slow), (q1, q2, p1, p2) = self.frequencies, self.initial
        odd, even = np.array([q1 - q2, (p1 - p2) / fast]), np.array([q1 + q2, (p1 + p2) / slow])
        odd_rate, even_rate = np.array([p1 - p2, (q2 - q1) * fast]), np.array([p1 + p2, -(q1 + q2) * slow])
        return 0.5 * np.block([[odd, even], [-odd, even], [odd_rate, even_rate], [-odd_rate, even_rate]])

    @property
    def vector(self) -> Array:
        return np.concatenate([self.stiffness.ravel(), self.frequencies, self.amplitudes[SHOWN_ROWS, :].ravel()])


TRUTH = Oscillation(STIFFNESS, SETTING_3.initial)


def as_printed(samples: Array) -> Oscillation:
    """K is a block of A, and x(0) the mean of the first window."""
    first = np.mean(samples[:, : 2 * SETTING_3.half + 1], axis=1, dtype=float)
    return Oscillation(-SETTING_3.estimate(samples, AS_PRINTED)[2:, :2], first)


def best(samples: Array) -> Oscillation:
    """A is known to be [0 I; -K 0], points are connected, and all samples tell x(0)."""
    matrix = SETTING_3.estimate(samples, CONSERVATIVE)
    columns = np.stack([motion(matrix, unit, SETTING_3.times()).ravel() for unit in np.eye(4)], axis=1)
    initial = np.linalg.solve(columns.T @ columns, columns.T @ samples.ravel())
    return Oscillation(-matrix[2:, :2], initial)


def bound() -> Array:
    """Standard deviations of `Oscillation.vector` that no unbiased estimate with the known structure can go below."""
    at = np.concatenate([STIFFNESS.ravel(), SETTING_3.initial])
    covariance = SETTING_3.covariance(lambda p: (stacked(p[:4].reshape(2, 2)), p[4:]), at)
    slopes = derivative(lambda p: Oscillation(p[:4].reshape(2, 2), p[4:]).vector, at)
    return np.sqrt(np.diag(slopes @ covariance @ slopes.T))


def experiment_3(scale: Scale, progress: Progress) -> Outcome:
    """The third experiment: two coupled pendulums, their matrix, stiffness, frequencies and amplitudes."""
    seeds = scale.seeds(20, 2)
    errors = entry_errors(SETTING_3, PRINTED_3, seeds, progress.part(0.0, 0.5))
    second = progress.part(0.5, 1.0)
    published, ours = [], []
    for seed in range(seeds):
        second(seed / seeds, f"frequencies and amplitudes, noise draw {seed + 1} of {seeds}")
        samples = SETTING_3.samples(seed)
        published.append(as_printed(samples).vector - TRUTH.vector)
        ours.append(best(samples).vector - TRUTH.vector)
    printed = np.concatenate(
        [PRINTED_STIFFNESS.ravel(), PRINTED_FREQUENCIES, PRINTED_AMPLITUDES[SHOWN_ROWS, :].ravel()]
    )
    names = [f"K_{i}{j}" for i in (1, 2) for j in (1, 2)] + ["w_1", "w_2"]
    names += [f"F_{i + 1}{j}" for i in SHOWN_ROWS for j in (1, 2, 3, 4)]
    further = ErrorTable(names,
                         [
                             f"{name} = {true:.5g}, printed {told:.5g}"
                             for name, true, told in zip(names, TRUTH.vector, printed, strict=True)
                         ], list(np.abs(printed - TRUTH.vector)), root_mean_square(published, axis=0),
                         root_mean_square(ours, axis=0), bound(), {"w_1": _FREQUENCY_NOTE})  # fmt: skip
    panels = (matrix_panel(errors),
              further.panel("Error of K, frequencies and F", "what is estimated", "error [in powers of rad and s]",
              "known structure", "log"),
              sample_panel(SETTING_3, ("q_1", "q_2", "p_1", "p_2"), "rad, rad/s"))  # fmt: skip
    figures = (*matrix_figures(errors), *further.figures())
    return Outcome(figures, panels, dict(SETTING_3.settings), seeds, notes=_EXPERIMENT_3_NOTES)


def _implied(what: str, stiffness: Array) -> str:
    fast, slow = Oscillation(stiffness, SETTING_3.initial).frequencies
    return f"{what} has {fast:.4f} and {slow:.4f}"


_WHOLE = np.sort(np.abs(np.linalg.eigvals(PRINTED_3).imag))[::-1]
_FREQUENCY_NOTE = (
    f"printed 1.7255 and 0.9956 do not follow from what is printed beside them: {_implied('K', PRINTED_STIFFNESS)}, "
    f"A {_WHOLE[0]:.4f} and {_WHOLE[2]:.4f}, and F (ratios of its rows) {1.7254 / 0.9955:.4f} and "
    f"{1.0008 / 0.9984:.4f}; several random runs are mixed"
)
_BEND = abs(float((SETTING_3.matrix @ SETTING_3.matrix @ SETTING_3.initial)[0]))  # x'' of q_1 at first
_BIAS = _BEND * SETTING_3.width**2 / 6  # of the mean over a window, to second order
_SCATTER = NOISE / np.sqrt(2 * SETTING_3.half + 1)  # of one component of x(0), as printed
_MISSED = (TRUTH.amplitudes - PRINTED_AMPLITUDES)[0, 0]
_LOW = 0.75 * _BIAS  # of F_11 = (q1 - q2)/2, since q2 is high by half as much as q1 is low
_F14_SCATTER = _SCATTER / np.sqrt(2) / TRUTH.frequencies[1]  # of (p1 + p2)/(2 w_2)
_F14_MISSED = abs(PRINTED_AMPLITUDES[0, 3]) / _F14_SCATTER
_EXPERIMENT_3_NOTES = (
    "Rows of A: connected points against the bound with all sixteen entries free. Rows of K, frequencies and F: with "
    "A = [0 I; -K 0] known, which is worth a factor of 15 to 40 and which the paper states but does not use.",
    f"As printed, x(0) is the mean of a window over which q_1 bends: it is low by x'' (n h)^2 / 6 = {_BIAS:.4f}, "
    f"{_BIAS / _SCATTER:.1f} times its scatter, which makes F_11 low by {_LOW:.4f}. The printed F_11 is off by "
    f"{_MISSED / _LOW:.1f} times as much, and F_14 by {_F14_MISSED:.0f} times its scatter: they are not from "
    "n = 100,000. Bias and scatter both fall as n^-1/2: more samples leave their ratio as it is.",
    "The printed entry a_21 = -0.0242 is five to six of its standard errors from 0.",
    "exp(Omega t) and the matrix V lack the i, and the estimate of F tends to F, not to A.",
    BOUND_NOTE,
)

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


SYSTEMS = {"2 x 2": SETTING_1, "3 x 3": SETTING_2, "pendulums": SETTING_3}
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
    rows, panel = exponent_figures(SETTING_1, 4 * seeds, COUNT if scale.quick else MANY)
    pendulums = SETTING_3
    figures += [*rows, *start_figures(pendulums), *spacing_figures(pendulums, TRUTH.frequencies[0])]
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
