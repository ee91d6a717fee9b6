"""The picture of a posterior: every pair of parameters, the chains, and what they say of the measurements."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from identikit.errors import OptionError
from identikit.plotting._style import (
    BAND,
    DATA,
    FAINT,
    INK,
    MODEL,
    NOTE_SIZE,
    PALETTE,
    RESIDUAL,
    drawn,
    floats,
    with_unit,
)
from identikit.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_CORNERS = 7  # in the corner; of more, the first are drawn
MOST_BANDS = 4  # outputs and records whose prediction is drawn
CELL, TRACE_WIDTH, BAND_HEIGHT, LEGEND_HEIGHT = 1.75, 4.2, 2.2, 0.6  # inches
BINS = 30  # of a histogram, over four standard deviations to either side
ELLIPSES = (1.0, 2.4477)  # standard deviations; the outer one holds 95 % of a normal pair
FEW_SAMPLES = 100  # that are drawn large
MOST_DOTS = 1500  # draws of a pair that are drawn


def plot_posterior(result: Result, path: str | Path | None = None) -> Figure:
    """Draw the posterior of a result whose intervals come from one (kind "bayes").

    Left a corner: histograms of the draws with the normal distribution of the Fisher information, and every pair with
    its ellipses, which hold 39 and 95 % of that. Right the chains, which should look alike. Below what was measured,
    with the bands in which 95 % of the model's curves and of new samples lie.
    """
    draws = next((item for item in result.artifacts.values() if item.get("what") == "posterior"), None)
    if draws is None:
        raise OptionError("this result has no posterior to draw: its intervals are of another kind")
    return drawn(lambda: _draw(result, draws), path)


def draw_marginals(block: Any, result: Result) -> None:
    """Into a part of a figure: the histogram of every parameter, and what the Fisher information says of it."""
    draws = next(item for item in result.artifacts.values() if item.get("what") == "posterior")
    names = list(draws["parameters"])[:MOST_CORNERS]
    for index, (name, axes) in enumerate(zip(names, block.subplots(1, len(names), squeeze=False)[0], strict=True)):
        _draw_marginal(axes, draws, name, legend=index == 0)
        axes.set_xlabel(with_unit(name, result.parameters[name].unit))
    block.suptitle("posterior", x=0.01, ha="left")


def _draw(result: Result, draws: Mapping[str, Any]) -> Figure:
    from matplotlib.figure import Figure

    names = list(draws["parameters"])[:MOST_CORNERS]
    bands = [item for item in result.artifacts.values() if item.get("what") == "posterior prediction"][:MOST_BANDS]
    square = max(CELL * len(names), 3.0)
    heights = [square + LEGEND_HEIGHT, *[BAND_HEIGHT] * len(bands)]
    figure = Figure(figsize=(square + TRACE_WIDTH, sum(heights)), layout="constrained")
    more = len(draws["parameters"]) - len(names)
    rest = f" ({more} more parameters are not drawn)" if more > 0 else ""
    figure.suptitle(f"{result.model}, posterior{rest}", x=0.01, ha="left")
    above, *below = figure.subfigures(len(heights), 1, squeeze=False, height_ratios=heights)[:, 0]
    left, right = above.subfigures(1, 2, width_ratios=[square, TRACE_WIDTH])
    _draw_corner(left, result, draws, names)
    _draw_chains(right, result, draws, names)
    for block, band in zip(below, bands, strict=True):
        _draw_band(block.subplots(), band)
    return figure


def _draw_corner(block: Any, result: Result, draws: Mapping[str, Any], names: Sequence[str]) -> None:
    count = len(names)
    panels = block.subplots(count, count, squeeze=False)
    covariance = floats(draws["fisher_covariance"])
    for i, row in enumerate(names):
        for j, column in enumerate(names):
            axes = panels[i, j]
            if j > i:
                axes.set_visible(False)
                continue
            if i == j:
                _draw_marginal(axes, draws, row, legend=False)
            else:
                _draw_pair(axes, draws, (column, row), covariance[np.ix_((j, i), (j, i))])
            axes.locator_params(nbins=3)
            axes.tick_params(labelbottom=i == count - 1, labelleft=j == 0 and i > 0, labelsize=NOTE_SIZE - 1)
            if i == count - 1:
                axes.set_xlabel(with_unit(column, result.parameters[column].unit))
                axes.tick_params(axis="x", labelrotation=30)
            if j == 0 and i > 0:
                axes.set_ylabel(with_unit(row, result.parameters[row].unit))
    block.align_labels()


def _draw_marginal(axes: Axes, draws: Mapping[str, Any], name: str, *, legend: bool) -> None:
    values = floats(draws["parameters"][name]).ravel()
    low, high = _span(values)
    axes.hist(values, bins=BINS, range=(low, high), density=True, color=DATA, label="draws")
    index = list(draws["parameters"]).index(name)
    deviation, middle = np.sqrt(floats(draws["fisher_covariance"])[index, index]), draws["estimate"][index]
    if np.isfinite(deviation) and deviation > 0:
        at = np.linspace(low, high, 200)
        normal = np.exp(-0.5 * ((at - middle) / deviation) ** 2) / (deviation * np.sqrt(2 * np.pi))
        axes.plot(at, normal, color=MODEL, linewidth=1.2, label="Fisher information")
    axes.set_yticks([])
    axes.set_xlim(low, high)
    axes.locator_params(axis="x", nbins=3)
    if legend:
        axes.legend(loc="upper left", frameon=False, fontsize=NOTE_SIZE)


def _draw_pair(axes: Axes, draws: Mapping[str, Any], pair: tuple[str, str], covariance: np.ndarray) -> None:
    x, y = (floats(draws["parameters"][name]).ravel() for name in pair)
    every = max(1, -(-len(x) // MOST_DOTS))
    axes.plot(x[::every], y[::every], ".", color=DATA, markersize=2, alpha=0.6)
    names = list(draws["parameters"])
    middle = [draws["estimate"][names.index(name)] for name in pair]
    if np.isfinite(covariance).all():
        values, vectors = np.linalg.eigh(covariance)
        angle = np.linspace(0, 2 * np.pi, 100)
        circle = vectors @ (np.sqrt(np.maximum(values, 0))[:, None] * np.array([np.cos(angle), np.sin(angle)]))
        for size in ELLIPSES:
            axes.plot(middle[0] + size * circle[0], middle[1] + size * circle[1], color=MODEL, linewidth=1.0)
    axes.set_xlim(*_span(x))
    axes.set_ylim(*_span(y))


def _span(values: np.ndarray) -> tuple[float, float]:
    """What is drawn of a parameter: its draws, but for stragglers beyond four standard deviations."""
    middle, reach = float(values.mean()), 4 * float(values.std())
    return max(float(values.min()), middle - reach), min(float(values.max()), middle + reach)


def _draw_chains(block: Any, result: Result, draws: Mapping[str, Any], names: Sequence[str]) -> None:
    panels = block.subplots(len(names), 1, squeeze=False, sharex=True)[:, 0]
    told = result.diagnostics.get("uncertainty", {}).get("unknowns", {})
    for name, axes in zip(names, panels, strict=True):
        for chain, values in enumerate(floats(draws["parameters"][name])):
            axes.plot(values, color=PALETTE[chain % len(PALETTE)], linewidth=0.5, alpha=0.8)
        axes.set_ylabel(name)
        axes.tick_params(labelsize=NOTE_SIZE - 1)
        axes.locator_params(axis="y", nbins=3)
        if name in told:
            words = f"R-hat {told[name]['rhat']:.3f}, {told[name]['effective_draws']:.0f} effective draws"
            axes.set_title(words, loc="right", color=RESIDUAL, fontsize=NOTE_SIZE)
    panels[-1].set_xlabel("draw of each chain")


def _draw_band(axes: Axes, band: Mapping[str, Any]) -> None:
    t = floats(band["t"])
    low, _, high = floats(band["samples"])
    axes.fill_between(t, low, high, color=BAND, linewidth=0, label="95 % of new samples")
    size = 6 if len(t) < FEW_SAMPLES else 3
    axes.plot(t, floats(band["measured"]), ".", color=RESIDUAL, markersize=size, label="measured")
    low, middle, high = floats(band["curve"])
    axes.fill_between(t, low, high, color=MODEL, alpha=0.35, linewidth=0, label="95 % of the curves")
    axes.plot(t, middle, color=MODEL, linewidth=0.9, label="median")
    axes.set_ylabel(with_unit(band["output"], band["unit"]))
    axes.set_xlabel(with_unit("time", band["time_unit"]))
    axes.set_title(band["record"], loc="left", color=INK)
    axes.grid(color=FAINT)
    axes.legend(loc="lower right", bbox_to_anchor=(1, 1), frameon=False, ncols=4, fontsize=NOTE_SIZE)
