"""Measured and modelled response in the phase plane and in frequency; from a saved result.

A fit over time hides what two responses share if they drift apart by a little; their spectra and orbits show it.
Velocities of what was measured are those of its smooth curve.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from identikit.errors import DataError
from identikit.measurement import SmoothCurve
from identikit.plotting._fit_panels import Curve
from identikit.plotting._style import DATA, MODEL, NOTE_SIZE, drawn, logarithmic, with_unit
from identikit.result import Prediction, Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_RESPONSES = 6  # outputs of records that are drawn
FEWEST_DRAWN = 16  # samples: fewer have no spectrum worth drawing
MOST_OF_ORBIT = 20_000  # of an orbit: more only make the file larger
FLOOR_QUANTILE = 0.05  # quantile of the measured amplitudes that stands for the noise
FASTEST_DRAWN = 30.0  # of the frequency with the largest amplitude: what is beyond is mostly noise


def plot_response(result: Result | Prediction, path: str | Path | None = None) -> Figure:
    """Draw, for every output, orbit and amplitude spectrum of what was measured and of the model.

    Arguments:
        result: a fit or a prediction, fresh or loaded.
        path: file to write (.png, .pdf or .svg), whole or not at all; None = only return the figure.
    """
    kept = [item for item in result.artifacts.values() if item.get("kind") == "curve" and "measured" in item]
    curves = [curve for curve in map(Curve.of, kept) if np.isfinite(curve.residual).sum() >= FEWEST_DRAWN]
    if not curves:
        raise DataError(
            f"the result holds no curve of at least {FEWEST_DRAWN} samples to draw: save a fit that has an end"
        )
    return drawn(lambda: _draw(result, curves), path)


def _draw(result: Result | Prediction, curves: list[Curve]) -> Figure:
    from matplotlib.figure import Figure

    shown = curves[:MOST_RESPONSES]
    figure = Figure(figsize=(10.6, 0.6 + 3.1 * len(shown)), layout="constrained")
    hidden = f" ({len(shown)} of {len(curves)} curves drawn)" if len(shown) < len(curves) else ""
    figure.suptitle(f"{result.model}, {result.method}: measured and modelled response{hidden}", x=0.01, ha="left")
    panels = np.atleast_2d(figure.subplots(len(shown), 2))
    several = len({curve.record for curve in curves}) > 1
    for curve, (orbit, spectrum) in zip(shown, panels, strict=True):
        _draw_orbit(orbit, curve)
        _draw_spectrum(spectrum, curve)
        if several:
            orbit.set_title(curve.record, loc="left")
    panels[0, 1].legend(loc="best", frameon=False, fontsize=NOTE_SIZE)
    return figure


def _draw_orbit(axes: Axes, curve: Curve) -> None:
    """Rate over value."""
    orbit = orbits_of(curve)
    axes.plot(*orbit.measured, ".", color=DATA, markersize=2, rasterized=True, label="measured, smoothed")
    axes.plot(*orbit.modelled, "-", color=MODEL, linewidth=0.9, label="model")
    axes.set_xlabel(orbit.x_label)
    axes.set_ylabel(orbit.y_label)


def _draw_spectrum(axes: Axes, curve: Curve) -> None:
    """Amplitudes over frequency."""
    found = spectra_of(curve)
    axes.plot(*found.measured, color=DATA, linewidth=1.6, label="measured")
    axes.plot(*found.modelled, color=MODEL, linewidth=0.9, label="model")
    floor = float(np.quantile(found.measured[1], FLOOR_QUANTILE))
    axes.set_ylim(bottom=0.1 * floor if floor > 0 else None)  # what the model says far below the noise is of no use
    logarithmic(axes)
    axes.set_xlabel(found.x_label)
    axes.set_ylabel(found.y_label)


@dataclass(frozen=True)
class Response:
    """What was measured and what the model says, each as (x, y), and what the axes are."""

    measured: tuple[NDArray[np.float64], NDArray[np.float64]]
    modelled: tuple[NDArray[np.float64], NDArray[np.float64]]
    x_label: str
    y_label: str


def orbits_of(curve: Curve) -> Response:
    """Rate over value, of the smooth curve through what was measured, and of the model."""
    seen = np.isfinite(curve.measured)
    smooth = SmoothCurve(curve.t[seen], curve.measured[seen])
    every = max(1, len(curve.t) // MOST_OF_ORBIT)
    t = curve.t[::every]
    rate = np.gradient(curve.dense, curve.dense_t)
    return Response(
        (smooth(t), smooth(t, 1)),
        (curve.dense, rate),
        with_unit(curve.output, curve.unit),
        with_unit(f"rate of {curve.output}", _per_time(curve)),
    )


def spectra_of(curve: Curve) -> Response:
    """Amplitudes over frequency, of samples spread evenly and tapered by Hann's window."""
    both = np.isfinite(curve.residual)
    t = curve.t[both]
    even = np.linspace(t[0], t[-1], len(t))
    found = [_amplitudes(even, np.interp(even, t, values[both])) for values in (curve.measured, curve.modelled)]
    frequency, measured = found[0]
    strongest = float(frequency[1 + int(np.argmax(measured[1:]))])
    inside = (frequency > 0) & (frequency <= max(FASTEST_DRAWN * strongest, frequency[2]))
    return Response(
        (frequency[inside], measured[inside]),
        (frequency[inside], found[1][1][inside]),
        with_unit("frequency", f"1/{curve.time_unit}" if curve.time_unit else ""),
        with_unit(f"amplitude of {curve.output}", curve.unit),
    )


def _amplitudes(t: NDArray[np.float64], values: NDArray[np.float64]) -> tuple[Any, Any]:
    """Frequencies and amplitudes: a sine of amplitude a shows a peak of height a."""
    window = np.hanning(len(t))
    spectrum = np.abs(np.fft.rfft(window * (values - values.mean()))) * 2 / window.sum()
    return np.fft.rfftfreq(len(t), (t[-1] - t[0]) / (len(t) - 1)), spectrum


def _per_time(curve: Curve) -> str:
    return f"{curve.unit}/{curve.time_unit}" if curve.unit and curve.time_unit else ""
