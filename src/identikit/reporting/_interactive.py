"""Panels as a Plotly figure: plain JSON, which the script in the page draws. No Plotly is needed to write it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from html import escape
from itertools import cycle
from typing import Any

from identikit.plotting import BAND_OPACITY, PALETTE, looks_of
from identikit.reporting._settings import REPORT
from identikit.result import Map, Panel, Series

DASHES = {"--": "dash", ":": "dot"}


def plotly_figure(panels: Sequence[Panel], heights: Sequence[float]) -> dict[str, Any]:
    """{"data", "layout"} of panels above each other that share their first axis.

    Plotly reads tags in texts, so these are escaped here once more than JSON does.
    """
    layout: dict[str, Any] = {
        "height": round(sum(heights) * REPORT.pixels_per_inch + 40),
        "margin": {"l": 64, "r": 12, "t": 26, "b": 48},
        "font": {"family": "system-ui, sans-serif", "size": 12, "color": "#27313b"},
        "paper_bgcolor": "white",
        "plot_bgcolor": "white",
        "hovermode": "closest",
        "barmode": "group",
        "annotations": [],
        "legend": {"orientation": "h", "y": -0.02, "yref": "container", "yanchor": "bottom", "x": 0},
    }
    data: list[dict[str, Any]] = []
    named: set[str] = set()
    for place, (panel, domain) in enumerate(zip(panels, _domains(heights), strict=True)):
        suffix = "" if place == 0 else str(place + 1)
        layout[f"xaxis{suffix}"] = _across(panel, suffix, last=place == len(panels) - 1)
        layout[f"yaxis{suffix}"] = _upward(panel, suffix, domain)
        if panel.title:
            layout["annotations"].append(_title(panel.title, domain[1]))
        for trace in _traces(panel, panels):
            label = trace.get("name", "")
            trace["showlegend"] = bool(label) and label not in named
            if trace["showlegend"]:
                named.add(label)
            data.append({**trace, "xaxis": f"x{suffix}", "yaxis": f"y{suffix}"})
    layout["showlegend"] = len(named) > 1
    return {"data": data, "layout": layout}


def _words(text: str) -> str:
    """Text in which Plotly sees no tag; it knows no name for a quotation mark."""
    return escape(text, quote=False)


def _domains(heights: Sequence[float]) -> list[tuple[float, float]]:
    """Where each panel stands, from the top down."""
    gap = REPORT.panel_gap / sum(heights)
    room = 1.0 - gap * (len(heights) - 1)
    found, top = [], 1.0
    for height in heights:
        bottom = top - room * height / sum(heights)
        found.append((round(max(bottom, 0.0), 4), round(top, 4)))
        top = bottom - gap
    return found


def _across(panel: Panel, suffix: str, *, last: bool) -> dict[str, Any]:
    axis: dict[str, Any] = {
        "anchor": f"y{suffix}",
        "type": panel.x_scale,
        "exponentformat": "power",
        "showticklabels": last,
        "zeroline": False,
        "gridcolor": "#e3e8ed",
        "linecolor": "#9aa7b3",
        "showline": True,
        "automargin": True,
        **({"matches": "x"} if suffix else {}),
        **({"title": {"text": _words(panel.x_label), "standoff": 6}} if last else {}),
    }
    if panel.ticks:
        axis |= {
            "range": [-0.5, len(panel.ticks) - 0.5],
            "tickmode": "array",
            "tickvals": list(range(len(panel.ticks))),
            "ticktext": [_words(name) for name in panel.ticks],
            "ticklabeloverflow": "allow",  # else the last slanted one is hidden
        }
    return axis


def _upward(panel: Panel, suffix: str, domain: tuple[float, float]) -> dict[str, Any]:
    return {
        "anchor": f"x{suffix}",
        "domain": list(domain),
        "type": panel.y_scale,
        "title": {"text": _words(panel.y_label), "standoff": 4},
        "zeroline": False,
        "gridcolor": "#e3e8ed",
        "linecolor": "#9aa7b3",
        "showline": True,
        "automargin": True,
        "exponentformat": "power",
        **({"scaleanchor": f"x{suffix}"} if panel.equal else {}),
        **(_powers(panel) if panel.y_scale == "log" else {}),
    }


def _powers(panel: Panel) -> dict[str, Any]:
    """Names along a logarithmic axis: plain numbers, a few in every decade, or powers of ten."""
    values = [value for one in panel.series for part in (one.y, one.low, one.high) for value in part]
    known = [math.log10(value) for value in values if math.isfinite(value) and value > 0]
    if not known:
        return {}
    low, high = math.floor(min(known)), math.ceil(max(known))
    few = max(known) - min(known) <= REPORT.most_decades
    every = max(1, math.ceil((high - low) / REPORT.most_powers))
    steps = (1, 2, 5) if few else (1,)
    marks = [step * 10.0**power for power in range(low, high + 1, 1 if few else every) for step in steps]
    return {"tickmode": "array", "tickvals": marks, "ticktext": [_power(mark) for mark in marks]}


def _power(mark: float) -> str:
    """A number of a logarithmic axis; a far power of ten with its exponent raised."""
    text = f"{mark:g}"
    return f"10<sup>{round(math.log10(mark))}</sup>" if text.startswith("1e") else text


def _title(text: str, top: float) -> dict[str, Any]:
    place = {"x": 0, "y": top, "xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    return {"text": _words(text), "showarrow": False, "font": {"size": 11.5}, **place}


def _traces(panel: Panel, panels: Sequence[Panel]) -> Iterable[dict[str, Any]]:
    """What is drawn; a name has one colour in all `panels`, for they share a legend."""
    if panel.map is not None:
        yield _heat(panel.map)
    for series, look in zip(panel.series, looks_of(panel, panels), strict=True):
        yield from _curve(series, look["color"], DASHES.get(look.get("linestyle", ""), "solid"))


def _curve(series: Series, colour: str, dash: str) -> Iterable[dict[str, Any]]:
    x, y, label = _plain(series.x), _plain(series.y), _words(series.label)
    reach = _reach(series) if series.low and series.style in ("points", "bars") else None
    common: dict[str, Any] = {"x": x, "y": y, "name": label, **({"error_y": reach} if reach else {})}
    if series.style == "bars":
        yield {"type": "bar", "marker": {"color": colour}, **common}
    elif series.style == "points":
        size = 6 if len(x) <= REPORT.many_marks else 3
        yield {"type": "scatter", "mode": "markers", "marker": {"color": colour, "size": size}, **common}
    else:
        if series.low:
            yield from _band(series, x, colour)
        line = {"color": colour, "width": 1.5, "dash": dash, "shape": "hv" if series.style == "steps" else "linear"}
        yield {"type": "scatter", "mode": "lines", "line": line, **common}


def _band(series: Series, x: list[float | None], colour: str) -> Iterable[dict[str, Any]]:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    edge = {"type": "scatter", "mode": "lines", "line": {"width": 0}, "x": x, "hoverinfo": "skip"}
    fill = {"fill": "tonexty", "fillcolor": f"rgba({red},{green},{blue},{BAND_OPACITY})"}
    yield {**edge, "y": _plain(series.low)}
    yield {**edge, **fill, "y": _plain(series.high), "name": _words(series.band)}


def _reach(series: Series) -> dict[str, Any]:
    """Error bars: how far up and down."""
    up = [high - value for high, value in zip(series.high, series.y, strict=True)]
    down = [value - low for low, value in zip(series.low, series.y, strict=True)]
    return {"type": "data", "symmetric": False, "array": _plain(up), "arrayminus": _plain(down), "thickness": 1.2}


def _heat(shown: Map) -> dict[str, Any]:
    rows = [_plain(row) for row in shown.values]
    common = {"type": "heatmap", "x": _plain(shown.x), "y": _plain(shown.y), "z": rows}
    if not shown.labels:
        return {**common, "colorscale": "Cividis", "colorbar": {"title": {"text": _words(shown.label)}}}
    count = len(shown.labels)
    colours = [colour for colour, _ in zip(cycle(PALETTE), range(count), strict=False)]
    scale = [[(place + side) / count, colour] for place, colour in enumerate(colours) for side in (0, 1)]
    names = {
        "tickvals": list(range(count)),
        "ticktext": [_words(name) for name in shown.labels],
        "orientation": "h",
    }
    return {**common, "colorscale": scale, "zmin": -0.5, "zmax": count - 0.5, "colorbar": names}


def _plain(values: Iterable[float]) -> list[float | None]:
    """To as many digits as a picture shows, of each value and of what they span; what is not known is null.

    Times since 1970, and small changes of a large pressure, differ in digits far behind the first.
    """
    given = list(values)
    known = [value for value in given if value is not None and math.isfinite(value)]
    span = max(known, default=0.0) - min(known, default=0.0)
    last = _place(span) - REPORT.digits  # decimal place up to which values can be told apart
    return [
        float(f"{value:.{max(REPORT.digits, _place(value) - last)}g}")
        if value is not None and math.isfinite(value)
        else None
        for value in given
    ]


def _place(value: float) -> int:
    """Of the first digit: 3 of 1234."""
    return math.floor(math.log10(abs(value))) if value else 0
