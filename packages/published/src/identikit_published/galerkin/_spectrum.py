"""Spectra of a record, and how much of its power lies between the lines of a periodic motion."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from identikit.result import Panel, Series

Array = NDArray[Any]

HIGHEST_FREQUENCY = 30.0  # Hz that is drawn
NEAR_A_LINE = 0.3  # Hz


def spectrum(time: Array, values: Array) -> tuple[Array, Array]:
    """Frequencies and amplitudes, through a Hann window, without the mean."""
    window = np.hanning(len(values))
    size = 2 * np.abs(np.fft.rfft(window * (values - values.mean()))) / window.sum()
    return np.fft.rfftfreq(len(values), float(time[1] - time[0])), size


def off_lines(time: Array, values: Array, frequency: float) -> float:
    """The share of power further than NEAR_A_LINE from any multiple of a frequency."""
    frequencies, size = spectrum(time, values)
    multiple = np.maximum(np.round(frequencies / frequency), 1)
    apart = np.abs(frequencies - multiple * frequency) > NEAR_A_LINE
    return float(np.sum(size[apart] ** 2) / np.sum(size**2))


def spectrum_panel(title: str, label: str, curves: Mapping[str, tuple[Array, Array]]) -> Panel:
    """Amplitudes on a logarithmic axis; the first curve is the measured one."""
    series = []
    for place, (name, (frequencies, size)) in enumerate(curves.items()):
        shown = (frequencies > 0) & (frequencies <= HIGHEST_FREQUENCY)
        look = "model" if place else "measured"
        series.append(Series(name, tuple(frequencies[shown]), tuple(size[shown]), emphasis=look))
    return Panel(title, "frequency [Hz]", f"amplitude of {label}", tuple(series), y_scale="log")
