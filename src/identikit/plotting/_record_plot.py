"""The picture of measurements: every channel over time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from identikit.measurement import Experiment, Record
from identikit.plotting._style import DATA, drawn, with_unit

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_CHANNELS = 12  # that are drawn


def plot_record(data: Record | Experiment, path: str | Path | None = None) -> Figure:
    """Draw the channels of a record one below the other, records of an experiment over each other; at most twelve."""
    return drawn(lambda: _draw(data), path)


def _draw(data: Record | Experiment) -> Figure:
    from matplotlib.figure import Figure

    records = data.records if isinstance(data, Experiment) else (data,)
    channels = list(records[0].channels)[:MOST_CHANNELS]
    figure = Figure(figsize=(8.6, 1.2 + 1.6 * len(channels)), layout="constrained")
    panels = figure.subplots(len(channels), 1, sharex=True, squeeze=False)[:, 0]
    for axes, name in zip(panels, channels, strict=True):
        for record in records:
            colour = DATA if len(records) == 1 else None
            axes.plot(record.time, record.channels[name].values, ".-", color=colour, markersize=2.5, linewidth=0.6)
        axes.set_ylabel(with_unit(name, records[0].channels[name].unit))
    panels[-1].set_xlabel(with_unit("time", records[0].time_unit))
    left_out = len(records[0].channels) - len(channels)
    more = f"; {left_out} more channels are not drawn" if left_out else ""
    title = records[0].title if len(records) == 1 else f"{len(records)} records"
    figure.suptitle(f"{title}{more}", x=0.01, ha="left")
    return figure
