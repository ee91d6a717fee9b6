"""Colour of the noise of a series: its coefficient from sample to sample, read from the spectrum above the signal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from identikit.measurement._settings import SERIES
from identikit.measurement._whiteness import chi_squared_tail
from identikit.numerics import robust_std

Floats = NDArray[np.float64]

# Cosine windows whose side lobes are 92 and 180 dB down, each with the bandwidth of its noise in lines.
# Reference: F. J. Harris, Proceedings of the IEEE 66 (1978) 51; H.-H. Albrecht, ICASSP 2001, 3081.
_WINDOWS = (
    (2.00, (0.35875, -0.48829, 0.14128, -0.01168)),
    (
        2.63,
        (
            0.27105140069342,
            -0.43329793923448,
            0.21812299954311,
            -0.06592544638803,
            0.01081174209837,
            -0.00077658482522,
            0.00001388721735,
        ),
    ),
)


@dataclass(frozen=True)
class NoiseColour:
    """Noise e_i = c e_i-1 + innovation, as the spectrum above the signal shows it.

    Arguments:
        coefficient: c; 0 is white noise.
        coefficient_std: its standard error.
        sigma: standard deviation of the noise e, in the unit of the values.
        relative_std: standard error of ln sigma; above about 0.3 the slow part of the noise is hidden by the signal.
        p_value: probability of so much colour if the noise were white.
        fits: whether such noise describes the band that was used; if not, the other figures mean nothing.
        lowest: lowest frequency that was used, in cycles per sample.
    """

    coefficient: float
    coefficient_std: float
    sigma: float
    relative_std: float
    p_value: float
    fits: bool
    lowest: float

    @property
    def correlation_time(self) -> float:
        """Samples after which the correlation has fallen to 1/e; 0 for white noise."""
        return -1.0 / float(np.log(self.coefficient)) if self.coefficient > 0 else 0.0


def noise_colour(stretches: Sequence[Floats]) -> NoiseColour | None:
    """Colour and level of the noise on a smooth or oscillating signal; None with fewer than 256 samples in a stretch.

        S(w) = s^2 / (1 + c^2 - 2 c cos w),   sigma^2 = s^2 / (1 - c^2)

    is fitted to the spectrum by Whittle's likelihood, from the highest frequency down to where the signal begins, that
    is where a band a quarter lower would need a level of its own. Lines are left out. The figures are means over
    the likelihood of c, so that a coefficient near one, which few slow frequencies tell, does not run away.

    Arguments:
        stretches: evenly spaced samples without gaps and outliers, parts of one series.

    Not for a signal that fills the band (fewer than some eight samples per oscillation, jumps): `fits` is then mostly
    False. Noise that a filter has made much weaker at high than at middle frequencies is taken for signal in part.

    References: P. Whittle, Arkiv för Matematik 2 (1953) 423; P. D. Welch, IEEE Trans. Audio Electroacoustics 15
    (1967) 70.
    """
    longest = max((len(stretch) for stretch in stretches), default=0)
    if longest < SERIES.fewest_for_colour:
        return None
    length = int(min(SERIES.longest_window, SERIES.window_share * longest))
    power, weight, lobe = _power(stretches, length)
    if not np.all(power > 0):
        return None
    kept = _without_lines(power, weight, lobe)
    found = _Band(power[kept], 2 * np.pi * kept / length, weight).colour()
    return replace(found, fits=found.fits and not _jumps(stretches, found))


def _power(stretches: Sequence[Floats], length: int) -> tuple[Floats, float, int]:
    """Mean power of overlapping windows, the number of independent ones, and half the width of a line."""
    ramp = np.linspace(-1.0, 1.0, length)
    ramp /= np.sqrt(ramp @ ramp)
    rows = [
        np.lib.stride_tricks.sliding_window_view(stretch, length)[:: max(length // 4, 1)]
        for stretch in stretches
        if len(stretch) >= length
    ]
    windows = np.concatenate(rows)
    windows = windows - windows.mean(axis=1, keepdims=True)
    windows -= (windows @ ramp)[:, None] * ramp
    samples = sum(len(stretch) for stretch in stretches if len(stretch) >= length)
    for bandwidth, coefficients in _WINDOWS:
        independent = SERIES.overlapped * (samples - len(rows) * length * (1 - 1 / bandwidth)) / length
        power = np.mean(np.abs(np.fft.rfft(windows * _window(length, coefficients), axis=1)) ** 2, axis=0)
        lobe = len(coefficients)
        if power.max() < SERIES.dynamic_range * np.median(power[len(power) // 2 :]):
            break
    return power, independent, lobe


def _jumps(stretches: Sequence[Floats], colour: NoiseColour) -> bool:
    """Whether the changes from sample to sample are much larger here and there than the noise makes them everywhere.

    Jumps have the spectrum of noise that is strongly correlated, but most samples know nothing of them. Third
    differences leave a slow signal out; noise of the coefficient c gives them the variance
    sigma^2 (20 - 30 c + 12 c^2 - 2 c^3).
    """
    c = colour.coefficient
    expected = colour.sigma * float(np.sqrt(20 - 30 * c + 12 * c**2 - 2 * c**3))
    changes = np.concatenate([np.diff(stretch, 3) for stretch in stretches])
    usual = float(robust_std(changes))
    return not expected / SERIES.uneven < usual < expected * SERIES.uneven


@lru_cache(maxsize=8)
def _window(length: int, coefficients: tuple[float, ...]) -> Floats:
    phase = 2 * np.pi * (np.arange(length) + 0.5) / length
    window = np.sum([a * np.cos(k * phase) for k, a in enumerate(coefficients)], axis=0)
    return np.asarray(window / np.sqrt(window @ window))


def _without_lines(power: Floats, weight: float, lobe: int) -> NDArray[np.intp]:
    """Indices of the frequencies that are used, the highest first: no lines, neither end of the band."""
    half = max(8, len(power) // SERIES.neighbourhood)
    level = np.log(power)
    about = np.lib.stride_tricks.sliding_window_view(np.pad(level, half, mode="reflect"), 2 * half + 1)
    allowed = np.log(SERIES.line) + SERIES.line_doubts / np.sqrt(max(weight, 1.0))
    line = level - np.median(about, axis=1) > allowed
    beside = np.convolve(line.astype(float), np.ones(2 * lobe - 1), "same") > 0.5
    index = np.arange(len(power) - 3, lobe, -1)
    kept = index[~beside[index]]
    return kept if 2 * len(kept) >= len(index) else index


class _Band:
    """Power from the highest frequency down, with the best noise of every band [highest, ..., lowest] at once."""

    # Finer towards one, where the level of the noise depends most on it.
    grid = np.concatenate([np.linspace(-0.95, 0.9, 75), 1 - np.geomspace(0.09, 0.005, 25)])
    grid_share = np.gradient(grid)

    def __init__(self, power: Floats, frequency: Floats, weight: float) -> None:
        self.power, self.frequency, self.weight = power, frequency, weight
        c = self.grid[:, None]
        self.shape = 1 + c**2 - 2 * c * np.cos(frequency)
        self.count = np.arange(1, len(power) + 1)
        self.innovation = np.cumsum(power * self.shape, axis=1) / self.count
        self.likelihood = -weight * (self.count * (np.log(self.innovation) + 1) - np.cumsum(np.log(self.shape), axis=1))
        self.best = self.likelihood.argmax(axis=0)

    def colour(self) -> NoiseColour:
        cut = self._signal_begins()
        weights = np.exp(self.likelihood[:, cut] - self.likelihood[self.best[cut], cut]) * self.grid_share
        weights /= weights.sum()
        coefficient = float(weights @ self.grid)
        levels = 0.5 * np.log(self.innovation[:, cut] / (1 - self.grid**2))
        level = float(weights @ levels)
        white = -self.weight * self.count[cut] * (np.log(np.mean(self.power[: cut + 1])) + 1)
        gain = 2 * (self.likelihood[self.best[cut], cut] - white)
        return NoiseColour(
            coefficient,
            float(np.sqrt(weights @ (self.grid - coefficient) ** 2)),
            float(np.exp(level)),
            float(np.sqrt(weights @ (levels - level) ** 2 + 0.5 / (self.weight * self.count[cut]))),
            chi_squared_tail(max(float(gain), 0.0), 1.0),
            self._fits(cut),
            float(self.frequency[cut]) / (2 * np.pi),
        )

    def _signal_begins(self) -> int:
        """Index of the lowest frequency at which there is noise only; one step short of where signal was seen."""
        cuts = [max(int(SERIES.first_cut * len(self.power)) - 1, 0)]
        while cuts[-1] < len(self.power) - 1:
            following = self._next(cuts[-1])
            near, far = self._excess(cuts[-1], following), self._excess(cuts[-1], self._next(following))
            if near > SERIES.signal_begins or (near > SERIES.signal_suspected and far > SERIES.signal_begins):
                return cuts[-2] if len(cuts) > 1 else cuts[-1]
            cuts.append(following)
        return cuts[-1]

    def _next(self, cut: int) -> int:
        lower = int(np.searchsorted(-self.frequency, -self.frequency[cut] / SERIES.band_ratio))
        return min(max(lower, cut + 4), len(self.power) - 1)

    def _excess(self, cut: int, lower: int) -> float:
        """Likelihood ratio of a level of its own for the band between two cuts; 0 if that is not a higher one."""
        if lower <= cut:
            return 0.0
        best = self.best[cut]
        shape = self.shape[best, cut + 1 : lower + 1]
        level = float(np.mean(self.power[cut + 1 : lower + 1] * shape))
        if level <= self.innovation[best, cut]:
            return 0.0
        own = -self.weight * ((lower - cut) * (np.log(level) + 1) - float(np.sum(np.log(shape))))
        apart, together = self.likelihood[best, cut] + own, self.likelihood[self.best[lower], lower]
        return 2 * float(apart - together)

    def _fits(self, cut: int) -> bool:
        best = self.best[cut]
        ratio = self.power[: cut + 1] * self.shape[best, : cut + 1] / self.innovation[best, cut]
        bands = np.array_split(ratio, SERIES.fitted_bands)
        means = np.array([band.mean() for band in bands if len(band)])
        counts = np.array([len(band) for band in bands if len(band)])
        variance = 1 / (self.weight * counts) + SERIES.misfit_share**2
        return bool(np.mean((means - 1) ** 2 / variance) < SERIES.misfit)
