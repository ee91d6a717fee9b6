"""The panels of a fit over time: signal with the model's curve, residuals, inputs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from identikit.errors import DataError
from identikit.measurement import noise_level
from identikit.plotting._style import BAND, DATA, INK, MODEL, NOTE_SIZE, RESIDUAL, floats, with_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEW_MARKS = 400  # up to which samples are drawn as marks on the curve, beyond as dots under it
SEEN = 0.003  # of a curve's range: a narrower band would not show
NOISE_SEEN = 0.05  # of a curve's range: a narrower band of noise would lie under the curve
FEWEST_FOR_NOISE = 50  # samples: fewer do not tell noise from signal
CREDIBLE = 1.25  # times the residuals: more noise than that in the record is signal mistaken for noise


@dataclass(frozen=True)
class Curve:
    """One output in one record: samples (NaN where missing), the model's curve, its standard error and that of a sample
    about it (`sigma`) if known."""

    output: str
    record: str
    unit: str
    time_unit: str
    t: NDArray[np.float64]
    measured: NDArray[np.float64]
    modelled: NDArray[np.float64]
    dense_t: NDArray[np.float64]
    dense: NDArray[np.float64]
    dense_std: NDArray[np.float64] | None
    sigma: NDArray[np.float64] | None

    @classmethod
    def of(cls, artifact: Mapping[str, Any]) -> Curve:
        """From an artifact; one of an older result has no dense curve, and the model is then drawn at the samples."""
        t, measured, modelled = (floats(artifact[key]) for key in ("t", "measured", "modelled"))
        known = np.isfinite(modelled)  # a sample that was not measured is no gap in the model
        dense_t = floats(artifact["dense_t"]) if "dense_t" in artifact else t[known]
        dense = floats(artifact["dense"]) if "dense_t" in artifact else modelled[known]
        level = artifact.get("sigma")  # None where it differs from sample to sample
        alike = None if level is None else np.full(len(dense), level)
        spread, noise = artifact.get("dense_std"), artifact.get("dense_sigma", alike)
        words = {key: str(artifact.get(key) or "") for key in ("output", "record", "unit", "time_unit")}
        std, sigma = (None if found is None else floats(found) for found in (spread, noise))
        return cls(**words, t=t, measured=measured, modelled=modelled, dense_t=dense_t, dense=dense, dense_std=std,
                   sigma=sigma)  # fmt: skip

    @property
    def residual(self) -> NDArray[np.float64]:
        return self.measured - self.modelled

    @property
    def rms(self) -> float:
        """Of the residuals; NaN without any."""
        known = self.residual[np.isfinite(self.residual)]
        return float(np.sqrt(np.mean(known**2))) if len(known) else math.nan

    def record_noise(self) -> float | None:
        """The noise that the record shows without any model; None where it cannot be told from the signal."""
        if np.isfinite(self.residual).sum() < FEWEST_FOR_NOISE:
            return None
        try:
            found = noise_level(self.t, self.measured).sigma
        except DataError:
            return None
        return found if 0 < found <= CREDIBLE * self.rms else None


def draw_signal(axes: Axes, curve: Curve) -> None:
    """Measured and modelled, with bands of two standard errors: of the curve, and of a sample about it."""
    few = len(curve.t) <= FEW_MARKS
    axes.plot(
        curve.t,
        curve.measured,
        "o",
        color=DATA,
        markersize=_dot(len(curve.t)),
        markeredgewidth=0.6 if few else 0,
        markeredgecolor=RESIDUAL,
        label="measured",
        rasterized=not few,
        zorder=3 if few else 2,  # few marks lie on the curve, many dots would hide it
    )
    axes.plot(curve.dense_t, curve.dense, "-", color=MODEL, linewidth=0.9, label="model", zorder=2.5)
    size = _range(curve.dense)
    spread = np.zeros(len(curve.dense)) if curve.dense_std is None else curve.dense_std
    total = np.hypot(spread, 0.0 if curve.sigma is None else curve.sigma)
    # a sample lies in the wide band, 95 times in 100, if the model holds; the curve itself in the narrow one
    bands: list[tuple[str, NDArray[np.float64], float, dict[str, Any]]] = [
        ("noise", total, NOISE_SEEN, {"color": BAND, "zorder": 0.5}),
        ("standard errors of the model", spread, SEEN, {"color": MODEL, "alpha": 0.22, "zorder": 1.5}),
    ]
    for words, half, least, look in bands:
        if 4 * np.nanmax(half, initial=0.0) > least * size:
            low, high = (curve.dense + side * half for side in (-2, 2))
            label = f"\N{PLUS-MINUS SIGN}2 {words}"
            axes.fill_between(curve.dense_t, low, high, linewidth=0, label=label, **look)
    axes.set_ylabel(with_unit(curve.output, curve.unit))


def draw_residual(axes: Axes, curve: Curve, noise: float | None, *, compact: bool) -> None:
    """Measured less modelled; the band is two standard deviations of the record's own noise, lines those of what is
    left over."""
    if noise is not None:
        label = "\N{PLUS-MINUS SIGN}2 noise"
        axes.axhspan(-2 * noise, 2 * noise, color=BAND, linewidth=0, zorder=0, label=label)
    for side in (-2, 2):
        label = "\N{PLUS-MINUS SIGN}2 rms of the residuals"
        axes.axhline(side * curve.rms, color=RESIDUAL, linewidth=0.8, linestyle=(0, (4, 3)), zorder=3, label=label)
    axes.axhline(0, color=MODEL, linewidth=0.8)
    size = (0.8 if len(curve.t) <= FEW_MARKS else 0.6) * _dot(len(curve.t))
    axes.plot(curve.t, curve.residual, "o", color=RESIDUAL, markersize=size, markeredgewidth=0, rasterized=True)
    axes.set_ylabel("residual" if compact else with_unit("residual", curve.unit))
    known = np.abs(curve.residual[np.isfinite(curve.residual)])
    reach = max(float(known.max(initial=0.0)), 2.4 * (noise or 0.0))
    if reach > 0:
        axes.set_ylim(-1.08 * reach, 1.08 * reach)


def residual_words(curve: Curve, noise: float | None, white: bool | None) -> str:
    """What is left over, beside the noise of the record, in a line."""
    unit = f" {curve.unit}" if curve.unit else ""
    if not math.isfinite(curve.rms):
        return ""
    text = f"rms {curve.rms:.2g}{unit}"
    if noise is not None:
        text += f", noise of the record {noise:.2g}{unit}"
    colour = {True: "; white", False: "; not white: neighbouring residuals are correlated", None: ""}[white]
    return f"{text}{colour}"


def draw_input(axes: Axes, artifact: Mapping[str, Any]) -> None:
    """One input as it acts: steps where it is held, lines or curves where it is not."""
    style = "steps-post" if artifact.get("hold") == "zero_order" else "default"
    axes.plot(floats(artifact["t"]), floats(artifact["values"]), color=INK, linewidth=1.0, drawstyle=style)
    title = with_unit(f"input {artifact['name']}", str(artifact.get("unit") or ""))
    axes.set_title(title, loc="left", fontsize=NOTE_SIZE, pad=2)
    axes.margins(y=0.15)


def _dot(count: int) -> float:
    """Size in points; dots shrink as they get denser, so that the model's line stays visible among them."""
    return float(np.clip(4.4 - 1.3 * math.log10(max(count, 1) / 100), 2.2, 4.4))


def _range(values: NDArray[np.float64]) -> float:
    known = values[np.isfinite(values)]
    return float(np.ptp(known)) if len(known) else 0.0
