"""The picture of a restoring force: sections along displacement and velocity, and the surface; from a saved result."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from identikit.errors import OptionError
from identikit.plotting._style import BAND, DATA, INK, MODEL, RESIDUAL, drawn_block, floats, with_unit
from identikit.result import Result

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

WHAT = "restoring force"
MOSTLY = (0.025, 0.975)  # quantiles between which the record is said to lie


def has_restoring_force(result: Result) -> bool:
    """Whether there is a force to draw."""
    return bool(_found(result, "curve"))


def plot_restoring_force(result: Result, path: str | Path | None = None) -> Figure:
    """Draw the force a record shows: points, a smoothed curve with its band of two standard errors, and the law.

    Arguments:
        result: a fit by `restoring_force`, fresh or loaded.
        path: file to write (.png, .pdf or .svg), whole or not at all; None = only return the figure.

    In a section every point is moved along the law to the section's own velocity or displacement; the surface is the
    mean force in each cell of the plane that was visited.
    """
    if not has_restoring_force(result):
        raise OptionError(
            f"the result of {result.method} holds no restoring force: fit with the method restoring_force"
        )
    return drawn_block(
        lambda figure: draw_restoring_force(figure, result), f"{result.model}, restoring force", path, (12.6, 4.0)
    )


def draw_restoring_force(block: Any, result: Result) -> None:
    """Into a figure or part of one."""
    sections, surfaces = _found(result, "curve"), _found(result, "table")
    panels = block.subplots(1, len(sections) + len(surfaces), squeeze=False)[0]
    for axes, (name, section) in zip(panels, sections.items(), strict=False):
        _draw_section(axes, name, section)
    for axes, surface in zip(panels[len(sections) :], surfaces.values(), strict=True):
        _draw_surface(block, axes, surface)
    handles = panels[0].get_legend_handles_labels()
    legend = block.legend(*handles, loc="outside lower center", ncols=4, frameon=False)
    legend.legend_handles[0].set_markersize(5)


def _found(result: Result, kind: str) -> dict[str, Mapping[str, Any]]:
    wanted = (kind, WHAT)
    return {name: item for name, item in result.artifacts.items() if (item.get("kind"), item.get("what")) == wanted}


def _draw_section(axes: Axes, name: str, section: Mapping[str, Any]) -> None:
    x, smoothed, band, law = (floats(section[key]) for key in ("x", "smoothed", "band", "law"))
    at, force = (floats(section["points"][key]) for key in ("x", "force"))
    axes.plot(at, force, "o", color=DATA, markersize=1.8, markeredgewidth=0, label="record", rasterized=True)
    axes.fill_between(x, smoothed - 2 * band, smoothed + 2 * band, color=BAND, linewidth=0, zorder=1.5)
    axes.plot(x, smoothed, "-", color=RESIDUAL, linewidth=1.2, label="smoothed, band of 2 standard errors")
    axes.plot(x, law, "--", color=MODEL, linewidth=1.4, label="law")
    low, high = np.quantile(at, MOSTLY)
    for edge, label in ((low, "95 % of the record lies between"), (high, "")):
        axes.axvline(edge, color=INK, linewidth=0.8, linestyle=":", label=label)
    axes.set_xlabel(with_unit(section["along"], section["unit"]))
    axes.set_ylabel(with_unit("force", section["force_unit"]))
    (other, value), *_ = section["at"].items()
    axes.set_title(f"{name}, at {other} = {value:.3g}", loc="left")
    # a few wild points at the ends of the record, or a curve through a few of them, must not hide the law
    usual = np.concatenate([law, smoothed[(x >= low) & (x <= high)]])
    usual = usual[np.isfinite(usual)]
    if len(usual):
        margin = 0.35 * max(float(np.ptp(usual)), 1e-300)
        axes.set_ylim(usual.min() - margin, usual.max() + margin)


def _draw_surface(block: Any, axes: Axes, surface: Mapping[str, Any]) -> None:
    rows = floats(surface["rows"])
    x, v, force = rows[:, 0], rows[:, 1], rows[:, 2]
    table = np.full(tuple(surface["cells"]), np.nan)
    place = [_place(axis, count) for axis, count in zip((x, v), surface["cells"], strict=True)]
    table[place[0], place[1]] = force
    extent = (*_edges(x, surface["cells"][0]), *_edges(v, surface["cells"][1]))
    reach = float(np.nanmax(np.abs(force))) or 1.0
    picture = axes.imshow(
        table.T, origin="lower", extent=extent, aspect="auto", cmap="RdBu_r", vmin=-reach, vmax=reach, rasterized=True
    )
    axes.set_xlabel(with_unit(surface["columns"][0], surface["units"][0]))
    axes.set_ylabel(with_unit(surface["columns"][1], surface["units"][1]))
    axes.set_title("force surface", loc="left")
    axes.grid(visible=False)
    block.colorbar(picture, ax=axes, label=with_unit("force", surface["units"][2]))


def _place(middles: NDArray[np.float64], cells: int) -> NDArray[np.intp]:
    """Which cell each middle is the middle of."""
    low, high = float(middles.min()), float(middles.max())
    return np.rint((middles - low) / max(high - low, 1e-300) * (cells - 1)).astype(np.intp)


def _edges(middles: NDArray[np.float64], cells: int) -> tuple[float, float]:
    half = (float(middles.max()) - float(middles.min())) / (cells - 1) / 2
    return float(middles.min()) - half, float(middles.max()) + half
