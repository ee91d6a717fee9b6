"""What the residuals say of a model: correlation with themselves and with the inputs, and their distribution.

Correlations come from the saved result: the samples in it may be thinned, which changes what a lag is.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from identikit.plotting._fit_panels import Curve
from identikit.plotting._style import DATA, INK, MODEL, NOTE_SIZE, PALETTE, RESIDUAL, floats
from identikit.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FEWEST_IN_HISTOGRAM = 50  # residuals: fewer show no shape
CLEARLY = 2.0  # times the 95 % bound: chance hardly ever goes so far in fifty lags
MOST_INPUTS_NAMED = 5  # correlations drawn in colour


@dataclass(frozen=True)
class Check:
    """A panel: how wide beside the others, and what draws it."""

    width: float
    draw: Callable[[Axes], None]


def residual_checks(result: Result, curves: Sequence[Curve]) -> list[Check]:
    """The panels that can be drawn of this result."""
    correlations = [item for item in result.artifacts.values() if item.get("kind") == "correlation"]
    own = [item for item in correlations if item.get("input") is None]
    crossed = [item for item in correlations if item.get("input") is not None]
    found = []
    if own:
        found.append(Check(1.7, lambda axes: _draw_correlations(axes, own, "residual autocorrelation")))
    if crossed:
        found.append(Check(1.7, lambda axes: _draw_correlations(axes, crossed, "residuals with inputs")))
    scaled = [curve.residual / curve.rms for curve in curves if curve.rms > 0]
    pooled = np.concatenate(scaled) if scaled else np.zeros(0)
    pooled = pooled[np.isfinite(pooled)]
    if len(pooled) >= FEWEST_IN_HISTOGRAM:
        found.append(Check(0.7, lambda axes: _draw_histogram(axes, pooled)))
    return found


def _draw_correlations(axes: Axes, items: Sequence[Mapping[str, Any]], title: str) -> None:
    """Each over its lags, with the lines between which 95 % of the values lie by chance.

    Of many, those that go clearly beyond their own lines are named, and drawn in colour with those lines.
    """
    if len(items) == 1:
        axes.vlines(items[0]["lags"], 0, floats(items[0]["values"]), color=RESIDUAL, linewidth=1.6)
        named, usual = [], list(items)
    else:
        beyond = [item for item in items if _excess(item) > CLEARLY] if len(items) > MOST_INPUTS_NAMED else items
        named = sorted(beyond, key=_excess, reverse=True)[:MOST_INPUTS_NAMED]
        usual = [item for item in items if item not in named]
        for item in usual:
            axes.plot(item["lags"], floats(item["values"]), "-", color=DATA, linewidth=0.8)
    for item, colour in zip(named, PALETTE, strict=False):
        axes.plot(item["lags"], floats(item["values"]), "-", color=colour, linewidth=1.2, label=_who(item))
        if _excess(item) > CLEARLY:
            _draw_bound(axes, item, colour)
    _draw_bound(axes, max(usual or named, key=lambda item: float(np.max(floats(item["bound"])))), INK)
    axes.axhline(0, color=INK, linewidth=0.6)
    axes.set_xlabel("lag [samples]")
    axes.locator_params(axis="x", integer=True)
    axes.set_ylabel("correlation")
    outside = sum(int(np.sum(np.abs(floats(item["values"])) > floats(item["bound"]))) for item in items)
    total = sum(len(item["lags"]) for item in items)
    words = f"{title}: {100 * outside / total:.0f} % outside 95 % lines"
    axes.set_title(words, loc="left", fontsize=NOTE_SIZE)
    if named:
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False, fontsize=NOTE_SIZE, handlelength=1.2)


def _excess(item: Mapping[str, Any]) -> float:
    """The farthest value, as a multiple of its own line."""
    return float(np.max(np.abs(floats(item["values"])) / floats(item["bound"])))


def _draw_bound(axes: Axes, item: Mapping[str, Any], colour: str) -> None:
    for side in (-1, 1):
        axes.plot(item["lags"], side * floats(item["bound"]), linestyle=(0, (4, 3)), color=colour, linewidth=0.8)


def _who(item: Mapping[str, Any]) -> str:
    return str(item["output"]) if item.get("input") is None else f"{item['output']}, {item['input']}"


def _draw_histogram(axes: Axes, scaled: np.ndarray) -> None:
    """How often each residual occurs, against the normal curve it should follow."""
    bins = min(40, max(10, round(math.sqrt(len(scaled)))))
    axes.hist(scaled, bins=bins, density=True, color=DATA)
    at = np.linspace(-4, 4, 200)
    axes.plot(at, np.exp(-0.5 * at**2) / math.sqrt(2 * math.pi), color=MODEL, linewidth=1.0)
    axes.set_xlabel("residual / rms")
    axes.set_yticks([])
    axes.set_title("distribution", loc="left", fontsize=NOTE_SIZE)
