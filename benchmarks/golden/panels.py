"""What a picture shows, as plain data: its axes with their words, lines, marks, areas and bars.

Colours, sizes and places of labels are left out: they may be changed without changing what is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def panels_of(figure: Figure) -> dict[str, Any]:
    """A whole figure."""
    return {
        "title": figure.get_suptitle(),
        "texts": _words(figure.texts),
        "legends": [_words(legend.get_texts()) for legend in figure.legends],
        "axes": [_axes(axes) for axes in figure.axes],
    }


def _axes(axes: Axes) -> dict[str, Any]:
    legend = axes.get_legend()
    titles = [axes.get_title(place) for place in ("left", "center", "right")]
    return {
        "title": "\n".join(title for title in titles if title),
        "x": f"{axes.get_xlabel()} ({axes.get_xscale()})",
        "y": f"{axes.get_ylabel()} ({axes.get_yscale()})",
        "legend": _words(legend.get_texts()) if legend else [],
        "texts": _words(axes.texts),
        "lines": [{"label": _label(line), **_columns(line.get_xydata())} for line in axes.lines],
        "marks": [{"label": _label(item), **_collection(item)} for item in axes.collections],
        "patches": [
            {"label": _label(patch), **_columns(patch.get_transform().transform(patch.get_path().vertices))}
            if patch.get_transform().contains_branch(axes.transAxes)
            else {"label": _label(patch), **_columns(patch.get_patch_transform().transform(patch.get_path().vertices))}
            for patch in axes.patches
        ],
        "images": [_numbers(image.get_array()) for image in axes.images],
    }


def _label(artist: Artist) -> str:
    """What the legend calls it; names that matplotlib made up are none."""
    label = str(artist.get_label())
    return "" if label.startswith("_") else label


def _words(texts: Any) -> list[str]:
    return [text.get_text() for text in texts if text.get_text()]


def _columns(points: Any) -> dict[str, Any]:
    table = np.asarray(points, float).reshape(-1, 2)
    return {"x": _numbers(table[:, 0]), "y": _numbers(table[:, 1])}


def _collection(item: Any) -> dict[str, Any]:
    """Marks at places, or areas and stretches by their corners; a map by its colours' numbers."""
    places = np.ma.filled(np.ma.asarray(item.get_offsets(), float), np.nan)
    corners = [path.vertices for path in item.get_paths()]
    marks = places if len(places) > 1 or not corners or np.any(places) else np.concatenate(corners)
    values = item.get_array()
    return {**_columns(marks), **({} if values is None else {"values": _numbers(values)})}


def _numbers(values: Any) -> list[float]:
    return np.ma.filled(np.ma.asarray(values, float), np.nan).ravel().tolist()
