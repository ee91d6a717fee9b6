"""Friction laws: force over velocity, a panel for each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from identikit.explore import FrictionCurve
from identikit.plotting._style import DATA, INK, MODEL, RESIDUAL, drawn_block, with_unit

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LAWS_PER_ROW = 4  # of panels


def plot_friction(curves: Sequence[FrictionCurve], path: str | Path | None = None) -> Figure:
    """The curves of friction laws, for steady sliding and, where a law has a memory, over a swing of the velocity."""
    columns = min(len(curves), LAWS_PER_ROW)
    rows = -(-len(curves) // columns)

    def draw(figure: Figure) -> None:
        panels = figure.subplots(rows, columns, squeeze=False).ravel()
        said: dict[str, Artist] = {}
        for axes, curve in zip(panels, curves, strict=False):
            _draw_curve(axes, curve, alone=len(curves) == 1)
            lines, labels = axes.get_legend_handles_labels()
            said |= dict(zip(labels, lines, strict=True))
        for axes in panels[len(curves) :]:
            axes.set_visible(False)
        figure.legend(list(said.values()), list(said), loc="outside lower center", ncols=3, frameon=False)

    title = f"Friction law: {curves[0].law.call}" if len(curves) == 1 else "Friction laws: force over velocity"
    return drawn_block(draw, title, path, (6.4, 4.9) if len(curves) == 1 else (3.0 * columns, 2.7 * rows + 0.7))


def _draw_curve(axes: Axes, curve: FrictionCurve, alone: bool) -> None:
    middle = len(curve.velocity) // 2
    left, right = slice(0, middle), slice(middle, None)
    if curve.law.sticks:
        at_rest = [curve.force[middle - 1], curve.force[middle]]
        axes.plot([0, 0], at_rest, "-", color=DATA, linewidth=4.0, solid_capstyle="butt", label="held at rest")
    if curve.swing is not None:
        axes.plot(*curve.swing, "-", color=DATA, linewidth=1.4, label="velocity swings")
    for index, side in enumerate((left, right)):
        label = "steady sliding" if index == 0 else None
        axes.plot(curve.velocity[side], curve.force[side], "-", color=MODEL, linewidth=1.8, label=label)
    axes.axhline(0, color=INK, linewidth=0.6, zorder=1)
    axes.axvline(0, color=INK, linewidth=0.6, zorder=1)
    values = ", ".join(f"{name} {value:g}" for name, value in curve.values.items())
    axes.set_title(values if alone else curve.law.name, loc="left", color=RESIDUAL if alone else INK)
    top = 1.12 * float(np.abs(curve.force).max())
    if curve.swing is not None:
        top = max(top, 1.12 * float(np.abs(curve.swing[1]).max()))
    axes.set_ylim(-top, top)
    axes.set_xlabel(with_unit("velocity", "m/s"))
    axes.set_ylabel(with_unit("force", "N"))
    axes.locator_params(axis="x", nbins=9 if alone else 4)
