"""Pictures of a fit or a prediction: data against model, residuals, orbits, spectra, parts of the record."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from identikit.errors import DataError
from identikit.plotting import FEWEST_DRAWN, Curve, Response, floats, orbits_of, spectra_of, with_unit
from identikit.reporting._document import Gallery, Picture, numbers_of
from identikit.reporting._settings import REPORT
from identikit.result import Panel, ParameterEstimate, Prediction, Result, Series


def curves_of(result: Result | Prediction) -> list[Curve]:
    """Every output of every record that has samples."""
    kept = [item for item in result.artifacts.values() if item.get("kind") == "curve" and "measured" in item]
    return [curve for curve in map(Curve.of, kept) if len(curve.t) > 0]


def fit_pictures(result: Result | Prediction) -> tuple[Picture, ...]:
    """One for each output of each record, up to a number, with its residuals; then the inputs of these records."""
    shown = curves_of(result)[: REPORT.most_curves]
    inputs = [item for item in result.artifacts.values() if item.get("kind") == "input"]
    times = {curve.record: with_unit("time", curve.time_unit) for curve in shown}
    driven = {record: [item for item in inputs if item.get("record") == record] for record in times}
    return (
        *map(_over_time, shown),
        *(_inputs(record, items, times[record]) for record, items in driven.items() if items),
    )


def _over_time(curve: Curve) -> Picture:
    time = with_unit("time", curve.time_unit)
    spread = curve.dense_std
    low, high = (() if spread is None else numbers_of(curve.dense + side * 2 * spread) for side in (-1, 1))
    model = Series(
        "model",
        numbers_of(curve.dense_t),
        numbers_of(curve.dense),
        low=low,
        high=high,
        emphasis="model",
        band="" if spread is None else "two standard errors of the model",
    )
    measured = Series("measured", numbers_of(curve.t), numbers_of(curve.measured), style="points", emphasis="measured")
    signal = Panel(curve.record, time, with_unit(curve.output, curve.unit), (measured, model))
    caption = f"{curve.output} in {curve.record}: measured and modelled; below, measured less modelled."
    heights = (REPORT.signal_height, REPORT.residual_height)
    return Picture((signal, _residuals(curve, time)), heights, caption)


def _residuals(curve: Curve, time: str) -> Panel:
    ends = (float(curve.t[0]), float(curve.t[-1]))
    series = [
        Series("", numbers_of(curve.t), numbers_of(curve.residual), style="points", emphasis="measured"),
        Series("", ends, (0.0, 0.0), emphasis="model"),
    ]
    if math.isfinite(curve.rms):
        label = "\N{PLUS-MINUS SIGN}2 rms of the residuals"
        series += [Series(label, ends, (side * curve.rms,) * 2, emphasis="printed") for side in (-2, 2)]
    return Panel("", time, with_unit("residual", curve.unit), tuple(series))


def _inputs(record: str, items: list[Mapping[str, Any]], time: str) -> Picture:
    panels = tuple(_input(item, time) for item in items)
    return Picture(panels, (REPORT.input_height,) * len(panels), f"Inputs of {record}, as they act.")


def _input(item: Mapping[str, Any], time: str) -> Panel:
    style = "steps" if item.get("hold") == "zero_order" else "line"
    series = Series("", numbers_of(item["t"]), numbers_of(item["values"]), style=style, emphasis="model")
    name, unit = str(item["name"]), str(item.get("unit") or "")
    return Panel(name, time, f"[{unit}]" if unit else name, (series,))


def residual_pictures(result: Result | Prediction) -> Gallery | None:
    """Correlation of the residuals with themselves and with inputs, and their distribution; None without any."""
    found = [_correlation(item) for item in list(result.artifacts.values()) if item.get("kind") == "correlation"][
        : REPORT.most_curves
    ]
    scaled = [curve.residual / curve.rms for curve in curves_of(result) if curve.rms > 0]
    pooled = np.concatenate(scaled) if scaled else np.zeros(0)
    pooled = pooled[np.isfinite(pooled)]
    if len(pooled) >= REPORT.fewest_in_histogram:
        found.append(_distribution(pooled))
    return Gallery(tuple(found)) if found else None


def _correlation(item: Mapping[str, Any]) -> Picture:
    lags, bound = numbers_of(item["lags"]), floats(item["bound"])
    other = item.get("input")
    who = f"residuals of {item['output']} with {'themselves' if other is None else f'the input {other}'}"
    lines = [Series("95 % by chance", lags, numbers_of(side * bound), emphasis="printed") for side in (-1, 1)]
    bars = Series("correlation", lags, numbers_of(item["values"]), style="bars", emphasis="measured")
    panel = Panel("", "lag [samples]", "correlation", (bars, *lines))
    return Picture.of(panel, f"Correlation of {who}; about one in twenty lies outside the lines by chance.", wide=False)


def _distribution(scaled: np.ndarray) -> Picture:
    bins = min(REPORT.bins, max(10, round(math.sqrt(len(scaled)))))
    heights, edges = np.histogram(scaled, bins=bins, density=True)
    at = np.linspace(-REPORT.bell_reach, REPORT.bell_reach, REPORT.bell_points)
    bell = np.exp(-0.5 * at**2) / math.sqrt(2 * math.pi)
    seen = Series("residuals", numbers_of(edges), numbers_of([*heights, 0.0]), style="steps", emphasis="measured")
    panel = Panel(
        "", "residual / rms", "density", (seen, Series("normal", numbers_of(at), numbers_of(bell), emphasis="model"))
    )
    return Picture.of(panel, "Distribution of the residuals, and the normal curve.", wide=False)


def response_pictures(result: Result | Prediction) -> tuple[Gallery, ...]:
    """Orbit and spectrum of every output that has enough samples."""
    found = []
    for curve in curves_of(result)[: REPORT.most_curves]:
        if np.isfinite(curve.residual).sum() < FEWEST_DRAWN:
            continue
        try:
            orbit, spectrum = orbits_of(curve), spectra_of(curve)
        except DataError:  # too short or too noisy for a smooth curve
            continue
        portrait = Panel(
            curve.record,
            orbit.x_label,
            orbit.y_label,
            (
                _series("measured, smoothed", orbit.measured, "measured", style="points"),
                _series("model", orbit.modelled, "model"),
            ),
        )
        amplitudes = Panel(
            curve.record,
            spectrum.x_label,
            spectrum.y_label,
            (
                _series("measured", spectrum.measured, "measured"),
                Series("model", numbers_of(spectrum.modelled[0]), _above_noise(spectrum), emphasis="model"),
            ),
            y_scale="log",
        )
        pair = (
            Picture.of(portrait, f"Phase portrait: rate of {curve.output} over {curve.output}.", wide=False),
            Picture.of(amplitudes, f"Amplitude spectrum of {curve.output}.", wide=False),
        )
        found.append(Gallery(pair))
    return tuple(found)


def _above_noise(spectrum: Response) -> tuple[float, ...]:
    """The model's amplitudes, but for those far below the noise, which would make all others flat."""
    floor = float(np.quantile(spectrum.measured[1], REPORT.floor_quantile))
    amplitude = spectrum.modelled[1]
    return numbers_of(np.where(amplitude > REPORT.far_below * floor, amplitude, np.nan))


def parts_pictures(result: Result) -> Gallery | None:
    """What each part of the record says of every parameter that moves, beside the estimate; None without parts."""
    table = result.artifacts.get("parts")
    if table is None or not isinstance(table.get("parameters"), Mapping):
        return None
    along = str(table["along"])
    middle = 0.5 * (floats(table["begin"]) + floats(table["end"]))
    place = floats(table["amplitude"]) if along == "amplitude" else middle
    moving = {name: item for name, item in table["parameters"].items() if (floats(item["std"]) > 0).any()}
    pictures = [
        _parts(name, place, _along(result, along), item, result.parameters[name])
        for name, item in list(moving.items())[: REPORT.most_curves]
        if name in result.parameters
    ]
    return Gallery(tuple(pictures)) if pictures else None


def _parts(name: str, place: np.ndarray, x_label: str, told: Mapping[str, Any], item: ParameterEstimate) -> Picture:
    value, std = floats(told["value"]), floats(told["std"])
    marks = Series(
        "parts",
        numbers_of(place),
        numbers_of(value),
        style="points",
        low=numbers_of(value - 2 * std),
        high=numbers_of(value + 2 * std),
        emphasis="measured",
    )
    series = [marks]
    if item.value is not None:
        ends = (float(np.min(place)), float(np.max(place)))
        low, high = ((end,) * 2 for end in item.ci95) if item.ci95 is not None else ((), ())
        band = "its 95 % interval" if low else ""
        series.append(Series("estimate", ends, (item.value,) * 2, low=low, high=high, emphasis="model", band=band))
    panel = Panel("", x_label, with_unit(name, item.unit), tuple(series))
    return Picture.of(panel, f"{name} in each part, with two standard errors, and the estimate of all.", wide=False)


def _along(result: Result, along: str) -> str:
    """The axis: amplitude in the unit of the only output, or time."""
    curves = curves_of(result)
    if along == "time":
        return with_unit("time", curves[0].time_unit if curves else "")
    units = {curve.output: curve.unit for curve in curves}
    return with_unit("rms amplitude of the part", next(iter(units.values())) if len(units) == 1 else "")


def _series(label: str, points: tuple[np.ndarray, np.ndarray], emphasis: str, style: str = "line") -> Series:
    return Series(label, numbers_of(points[0]), numbers_of(points[1]), style=style, emphasis=emphasis)
