"""The strongest lines of a spectrum: at which frequencies a series oscillates, and how far."""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from identikit.measurement._settings import SERIES

Floats = NDArray[np.float64]

_HANN = (0.5, 1.5)  # mean of the window, and its noise bandwidth in lines


@dataclass(frozen=True)
class SpectralLine:
    """An oscillation.

    Arguments:
        frequency: cycles per unit of time.
        amplitude: half of peak to peak, of a steady oscillation; of a decaying one about its mean over the record.
        width: half of its width at half power, in cycles per unit of time; the record's length limits it.
    """

    frequency: float
    amplitude: float
    width: float


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Amplitude over frequency, with the lines that stand out.

    Arguments:
        frequency: cycles per unit of time; amplitude: of a steady oscillation that would give so much.
        lines: the strongest, first; none if fewer than three cycles fit in, or none is above the noise.
    """

    frequency: Floats
    amplitude: Floats
    lines: tuple[SpectralLine, ...]


def spectrum_of(time: Floats, values: Floats, sigma: float = 0.0, coefficient: float = 0.0) -> Spectrum:
    """Amplitude spectrum of a series, straight line removed, under a Hann window, and its lines.

    Samples at uneven times, and those missing, are put on an even grid by straight lines. Of a record with gaps the
    longest stretch is taken, if it holds a third of the samples: lines across a gap would feign slow oscillations.

    Arguments:
        time, values: NaN where nothing was measured.
        sigma: noise of a sample; what it may give by chance is no line.
        coefficient: of coloured noise, from sample to sample; its slow part is stronger.

    Of two lines closer than four times 1/duration only one is named. A signal without lines (chaos, a drift) has broad
    peaks, whose `width` is many times 1/duration.
    """
    known = np.isfinite(values)
    t, x = _longest(time[known], values[known])
    count = len(x)
    grid = np.linspace(t[0], t[-1], count)
    if np.abs(t - grid).max() > SERIES.regular * (grid[1] - grid[0]):
        x = np.interp(grid, t, x)
    ramp = np.linspace(-1.0, 1.0, count)
    x = x - x.mean()
    x = x - float(ramp @ x) / float(ramp @ ramp) * ramp
    window = np.hanning(count + 2)[1:-1]
    size = 1 << int(np.ceil(np.log2(2 * count)))
    amplitude = np.abs(np.fft.rfft(x * window, size)) * 2 / window.sum()
    frequency = np.arange(len(amplitude)) / (size * (grid[1] - grid[0]))
    line = size / count  # indices that a line of the record itself is wide
    colour = (1 - coefficient**2) / (
        1 + coefficient**2 - 2 * coefficient * np.cos(np.pi * np.linspace(0, 1, len(frequency)))
    )
    floor = SERIES.above_noise * sigma * np.sqrt(4 * _HANN[1] / count * colour)
    return Spectrum(frequency, amplitude, _lines(frequency, amplitude, line, floor))


def _longest(time: Floats, values: Floats) -> tuple[Floats, Floats]:
    """The longest stretch without a gap; everything, if that would leave too little."""
    steps = np.diff(time)
    edges = [0, *(np.flatnonzero(steps > SERIES.pause * np.median(steps)) + 1).tolist(), len(time)]
    start, end = max(itertools.pairwise(edges), key=lambda pair: pair[1] - pair[0])
    return (time[start:end], values[start:end]) if 3 * (end - start) >= len(time) else (time, values)


def _lines(frequency: Floats, amplitude: Floats, line: float, noise: Floats) -> tuple[SpectralLine, ...]:
    left = amplitude.copy()
    slow = int(SERIES.fewest_cycles * line)
    # a motion slower than three cycles has skirts that are no lines
    floor = np.maximum(noise, SERIES.beside_slow * float(amplitude[1:slow].max(initial=0.0)))
    left[:slow] = 0.0
    left[left <= floor] = 0.0
    found: list[SpectralLine] = []
    while len(found) < SERIES.most_lines:
        top = int(np.argmax(left))
        height = float(left[top])
        if height == 0.0 or (found and height < SERIES.weakest_line * found[0].amplitude):
            break
        low, high = _shoulders(amplitude, top, height / np.sqrt(2))
        peak = amplitude[top] >= amplitude[max(top - 1, 0)] and amplitude[top] >= amplitude[min(top + 1, len(left) - 1)]
        if peak:
            found.append(SpectralLine(float(frequency[top]), height, float(frequency[1] * (high - low) / 2)))
        # the skirts of a line, and what lies within its own width, are no further lines
        reach = int(max(4 * line, 3 * (high - low)))
        left[max(top - reach, 0) : top + reach + 1] = 0.0
    return tuple(found)


def _shoulders(amplitude: Floats, top: int, height: float) -> tuple[int, int]:
    below = np.flatnonzero(amplitude[:top] < height)
    above = np.flatnonzero(amplitude[top:] < height)
    low = int(below[-1]) if len(below) else 0
    return low, top + (int(above[0]) if len(above) else len(amplitude) - 1 - top)
