"""Noise level and colour of a measured series, from the series alone."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from identikit.errors import DataError
from identikit.measurement._even_stretches import even_stretches
from identikit.measurement._noise_colour import NoiseColour, noise_colour
from identikit.measurement._record import Record
from identikit.measurement._spline_fit import NOISE_DEGREE, SplineFit, piece_count
from identikit.measurement._time_fault import first_time_fault
from identikit.measurement._whiteness import ALPHA, chi_squared_tail
from identikit.numerics import robust_std

# Samples between knots that are tried, finest first.
_LADDER = (1.5, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 48, 64, 96, 128, 192, 256)
_MOST_COEFFICIENTS = 0.75  # per sample: beyond, too little is left over to call noise
_FEWEST_IN_A_ROW = 12  # samples without a gap: four more than the coefficients of one spline
_GAP = 10.0  # median spacings: a longer pause starts a new spline
# Long records are sampled in blocks spread over them: 4096 samples give sigma to about 1 %.
_BLOCK = 1024
_MOST_BLOCKS = 4  # of a record
_HOPELESS = 3.0  # times the best score: coarser curves leave even more of the signal
_OUTLIER = 5.0  # scaled median absolute deviations
_MOST_OUTLIERS = 0.1  # share of the samples: more of them are no outliers
_REJECTION_ROUNDS = 2  # of leaving outliers out and looking again
_LAGS = 10  # at which whiteness is tested
_PROBES = 16  # random signs by which the trace of a matrix is estimated
_STRONG_COLOUR = 0.15  # coefficient of noise that a curve takes a noticeable part of
_NEXT_TO_NOTHING = 1e-8  # of the signal: smaller noise has no colour of its own
_SAME_TIME = 1e-9  # of the spacing: stamps that rounding sets apart
_KEPT_FITS = 96  # projections that the columns of one record share: a ladder for each block


@dataclass(frozen=True, eq=False)
class NoiseEstimate:
    """Standard deviation and colour of the noise in one series.

    Arguments:
        sigma: standard deviation, in the unit of the values.
        white: whether the noise is uncorrelated from sample to sample, at a false-alarm rate of 0.001.
        p_value: probability of so much correlation if the noise were white.
        autocorrelation: of the noise at lags 1, 2, ... samples, corrected for what the curve took away.
        coefficient: from one sample to the next, of coloured noise e_i = c e_i-1 + innovation; 0 for white noise and
            where no such coefficient describes it.
        relative_std: standard error of ln sigma; above about 0.3 a slow part of the noise is hidden by the signal.
        residuals: what the smooth curve leaves over in the stretches that were used, one after the other.
    """

    sigma: float
    white: bool
    p_value: float
    autocorrelation: NDArray[np.float64]
    coefficient: float = 0.0
    relative_std: float = np.nan
    residuals: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    @property
    def correlation_time(self) -> float:
        """Samples after which the correlation has fallen to 1/e; 0 where there is no positive coefficient."""
        return -1.0 / float(np.log(self.coefficient)) if self.coefficient > 0 else 0.0


@dataclass(frozen=True, eq=False)
class _Block:
    """A stretch of samples without long pauses."""

    time: NDArray[np.float64]
    values: NDArray[np.float64]
    position: NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class _Selected:
    """The spline fits of all blocks at the chosen flexibility."""

    blocks: list[_Block]
    fits: list[SplineFit]
    residuals: list[NDArray[np.float64]]
    spacing: float  # samples between knots

    @property
    def samples(self) -> int:
        return sum(len(residual) for residual in self.residuals)

    @property
    def degrees(self) -> int:
        return self.samples - sum(fit.coefficients for fit in self.fits)

    @property
    def sigma(self) -> float:
        return float(np.sqrt(sum(float(residual @ residual) for residual in self.residuals) / self.degrees))


def noise_level(time: Record | ArrayLike, values: str | ArrayLike) -> NoiseEstimate:
    """Standard deviation and colour of the noise, from what a smooth curve leaves over.

    Least-squares splines of degree 7 with more and more knots are fitted; generalised cross-validation
    chooses the number; residuals beyond five scaled median absolute deviations are dropped as outliers; then

        sigma^2 = sum of squared residuals / (n - number of coefficients)

    and the residuals' correlation is compared with that of white noise after the same fit. Such a curve takes the
    slow part of coloured noise for signal; so the spectrum above the signal is asked too (`noise_colour`), and where it
    shows a coefficient c from sample to sample, the level is the one that follows from it. Irregular times, NaN and
    pauses are fine. Of long records, 4 stretches of 1024 samples are used, for the colour up to 65536 samples.

    Arguments:
        time: a Record, or strictly increasing times.
        values: a channel's name (with a Record), or values at these times, NaN where missing.

    It fails where noise and signal cannot be told apart without a model: about 20 samples or fewer per
    oscillation of a large swing with noise below 1e-5 of it (4 times too large at 1e-6), jumps (too large), and
    fewer than about 50 samples (scatter above 10 %). Of fewer than 256 samples in a row the coefficient is not asked
    for, and slow noise is taken for signal. On decaying oscillations of 100 samples each, 2000 in all, white noise and
    coefficients up to 0.5 give sigma to 5 %; 0.9 has 25 % there, as `relative_std` says, and 7 % with 10000 samples
    and 200 per oscillation. A sensor's resolution coarser than its noise can show as coloured noise
    (see `quantisation`).

    Reference: P. Craven and G. Wahba, Numerische Mathematik 31 (1979) 377 (cross-validation).
    """
    times, series, what = _series(time, values)
    return _estimated(times.tobytes(), series.tobytes(), what)


@lru_cache(maxsize=8)
def _estimated(time: bytes, values: bytes, what: str) -> NoiseEstimate:
    """Kept for the last few series: checks, baselines and fits of one record ask for it one after the other."""
    blocks = list(_blocks(np.frombuffer(time), np.frombuffer(values)))
    if sum(len(block.time) for block in blocks) < _FEWEST_IN_A_ROW:
        raise DataError(
            f"{what} has too few values in a row to estimate its noise; at least {_FEWEST_IN_A_ROW} without "
            "long pauses are needed. Give the noise level yourself, or use a longer record."
        )
    selected = _select(blocks)
    for _ in range(_REJECTION_ROUNDS):
        kept = _without_outliers(selected)
        if kept is None:
            break
        selected = _select(kept)
    correlation, p_value = _colour(selected)
    plain = NoiseEstimate(
        selected.sigma,
        p_value > ALPHA,
        p_value,
        correlation,
        relative_std=float(np.sqrt(0.5 / selected.degrees)),
        residuals=np.concatenate(selected.residuals),
    )
    found = _seen_above_the_signal(np.frombuffer(time), np.frombuffer(values), selected)
    if found is None or not found.fits or found.p_value > ALPHA:
        return plain
    strong = abs(found.coefficient) > _STRONG_COLOUR
    return replace(
        plain,
        sigma=found.sigma if strong else plain.sigma,
        white=False,
        p_value=min(p_value, found.p_value),
        coefficient=found.coefficient,
        relative_std=found.relative_std if strong else plain.relative_std,
    )


def _seen_above_the_signal(
    time: NDArray[np.float64], values: NDArray[np.float64], selected: _Selected
) -> NoiseColour | None:
    size = max(float(np.std(block.values)) for block in selected.blocks)
    if selected.sigma < _NEXT_TO_NOTHING * size:
        return None  # what is left over is rounding, or the tolerance of an integrator
    return noise_colour(even_stretches(time, values, selected.spacing, selected.sigma))


def _series(time: Record | ArrayLike, values: str | ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64], str]:
    """Times and values as arrays, and how to call them."""
    if isinstance(time, Record):
        if not isinstance(values, str):
            raise DataError("With a record, name the channel whose noise is wanted, such as 'theta'.")
        return time.time, time.require(values).values, f"{time.title}: the channel '{values}'"
    what = "The series"
    times, series = np.asarray(time, dtype=np.float64), np.asarray(values, dtype=np.float64)
    if times.ndim != 1 or times.shape != series.shape:
        raise DataError(f"Expected one value per time; got shapes {times.shape} and {series.shape}.")
    fault = first_time_fault(times)
    if fault is not None:
        raise DataError(f"{what}: {fault.describe(lambda index: f'sample {index}')}")
    present = series[np.isfinite(series)]
    if len(present) == 0 or present.min() == present.max():
        raise DataError(f"{what} is empty or constant, so its noise cannot be estimated. Check the sensor.")
    return times, series, what


def _blocks(time: NDArray[np.float64], values: NDArray[np.float64]) -> Iterator[_Block]:
    """Stretches without long pauses, long enough for a spline, spread over the record."""
    position = np.flatnonzero(np.isfinite(values))
    steps = np.diff(time[position])
    edges = [0, len(position)]
    if len(steps):
        edges[1:1] = (np.flatnonzero(steps > _GAP * np.median(steps)) + 1).tolist()
    pieces: list[NDArray[np.intp]] = []
    for start, end in itertools.pairwise(edges):
        parts = max(1, (end - start) // _BLOCK)
        pieces.extend(np.array_split(position[start:end], parts))
    pieces = [piece for piece in pieces if len(piece) >= _FEWEST_IN_A_ROW]
    if len(pieces) > _MOST_BLOCKS and sum(map(len, pieces)) > _BLOCK * _MOST_BLOCKS:
        chosen = np.unique(np.linspace(0, len(pieces) - 1, _MOST_BLOCKS).round().astype(int))
        pieces = [pieces[index] for index in chosen]
    for piece in pieces:
        # From zero and in sample spacings, so that a clock counting from 1970 loses no digits.
        stamps = time[piece] - time[piece[0]]
        stamps *= len(stamps) / stamps[-1]
        even = np.linspace(0.0, len(stamps), len(stamps))
        # Equal blocks to the last bit where the clock is regular, so that their projections are made once.
        stamps = even if np.abs(stamps - even).max() < _SAME_TIME else stamps
        yield _Block(stamps, values[piece] - np.median(values[piece]), piece)


def _select(blocks: list[_Block]) -> _Selected:
    """The fits whose flexibility minimises the generalised cross-validation score n RSS / (n - p)^2."""
    best: tuple[float, _Selected] | None = None
    samples = sum(len(block.time) for block in blocks)
    longest = max(len(block.time) for block in blocks)
    for spacing in _LADDER:
        coefficients = sum(piece_count(len(block.time), spacing) + NOISE_DEGREE for block in blocks)
        if coefficients > _MOST_COEFFICIENTS * samples:
            continue
        candidate = _fit_all(blocks, spacing)
        if candidate is not None:
            score = candidate.sigma**2 * samples / candidate.degrees
            if best is None or score < best[0]:
                best = score, candidate
            if score > _HOPELESS * best[0]:
                break  # the signal is in the residuals; a coarser curve only leaves more of it there
        if spacing > longest:
            break  # one piece per block already: coarser rungs are the same fit
    if best is None:
        raise DataError("The values are too few or too unevenly spaced in time to estimate their noise.")
    return best[1]


def _fit_all(blocks: list[_Block], spacing: float) -> _Selected | None:
    try:
        fits = [_projection(block.time.tobytes(), spacing) for block in blocks]
    except np.linalg.LinAlgError:
        return None  # times so uneven that some coefficients are not determined
    residuals = [block.values - fit.fitted(block.values) for block, fit in zip(blocks, fits, strict=True)]
    return _Selected(blocks, fits, residuals, spacing)


@lru_cache(maxsize=_KEPT_FITS)
def _projection(time: bytes, spacing: float) -> SplineFit:
    """Kept, since columns of one record share their times."""
    return SplineFit(np.frombuffer(time), spacing)


def _without_outliers(selected: _Selected) -> list[_Block] | None:
    """The blocks without samples far off the curve; None if there are none, or too many to be outliers."""
    together = np.concatenate(selected.residuals)
    limit = _OUTLIER * float(robust_std(together))
    limit /= np.sqrt(selected.degrees / selected.samples)
    share = float(np.mean(np.abs(together) > limit))
    if share == 0.0 or share > _MOST_OUTLIERS:
        return None
    kept: list[_Block] = []
    for block, residual in zip(selected.blocks, selected.residuals, strict=True):
        good = np.abs(residual) <= limit
        if good.sum() >= _FEWEST_IN_A_ROW:
            kept.append(_Block(block.time[good], block.values[good], block.position[good]))
    return kept or None


def _colour(selected: _Selected) -> tuple[NDArray[np.float64], float]:
    """Autocorrelation of the noise and the p-value of its whiteness.

    The residuals of white noise are not white: the fit took away the slow share 1 - b, b = (n - p) / n, of
    the band. Their expected correlation is that of I - H, H the fit's projection; it is found by fitting
    random signs z, since the mean of z_i (H z)_(i+k) is H_(i,i+k). What is left lies in the share b of
    the band, so n b^2 sum_k (rho_k - expected_k)^2 is chi-squared with b L degrees of freedom.
    """
    lags = max(1, min(_LAGS, selected.samples // 5))
    generator = np.random.default_rng(0)
    products, pairs, taken = np.zeros(lags), np.zeros(lags), np.zeros(lags)
    for block, fit, residual in zip(selected.blocks, selected.fits, selected.residuals, strict=True):
        signs = generator.choice([-1.0, 1.0], size=(len(residual), _PROBES))
        projected = fit.fitted(signs)
        # Rows at their positions in the record, so that a missing sample counts as a step.
        start, width = block.position[0], int(block.position[-1] - block.position[0]) + 1
        rows = block.position - start
        noise, present = np.zeros(width), np.zeros(width)
        noise[rows], present[rows] = residual, 1.0
        random, smooth = np.zeros((width, _PROBES)), np.zeros((width, _PROBES))
        random[rows], smooth[rows] = signs, projected
        for lag in range(1, min(lags, width - 1) + 1):
            products[lag - 1] += noise[lag:] @ noise[:-lag]
            pairs[lag - 1] += present[lag:] @ present[:-lag]
            cross = np.sum(random[lag:] * smooth[:-lag]) + np.sum(random[:-lag] * smooth[lag:])
            taken[lag - 1] += cross / (2 * _PROBES)
    share = selected.degrees / selected.samples
    mean_square = selected.sigma**2 * share
    if mean_square == 0.0:
        return np.zeros(lags), 1.0
    exists = pairs > 0
    correlation = np.full(lags, np.nan)
    excess = products[exists] / mean_square + taken[exists] / share
    correlation[exists] = excess / pairs[exists]
    statistic = share**2 * float(np.sum(pairs[exists] * correlation[exists] ** 2))
    return correlation, chi_squared_tail(statistic, share * float(exists.sum()))
