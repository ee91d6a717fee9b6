"""How all pictures look, and how they are written."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from identikit.atomic_write import atomic_write
from identikit.errors import OptionError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

FORMATS = (".png", ".pdf", ".svg")

DATA = "#8aa4bd"
MODEL = "#c2410c"
RESIDUAL = "#4f6b86"
BAND = "#e7edf3"
BAND_OPACITY = 0.18  # of a band around a curve, which has the curve's colour
INK = "#27313b"
FAINT = "#d5dce3"
# Okabe and Ito's colours without yellow and black: told apart by colour-blind readers too, and on white paper
PALETTE = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00")
MOST_DECADES = 3  # of a logarithmic axis up to which more than powers of ten are named
NOTE_SIZE = 8.5  # points: of what is said in a panel


def check_format(path: str | Path | None) -> None:
    """Refuse a file whose ending is no format."""
    if path is not None and Path(path).suffix.lower() not in FORMATS:
        raise OptionError(f"plot {path}: the ending is '{Path(path).suffix}': expected one of {', '.join(FORMATS)}")


def drawn(draw: Callable[[], Figure], path: str | Path | None) -> Figure:
    """The picture that `draw` makes, in the style of all, and written to `path` if there is one."""
    check_format(path)
    from matplotlib import rc_context

    with rc_context(STYLE):
        figure = draw()
        _take_literally(figure)
        if path is not None:
            _save(figure, Path(path))
    return figure


def drawn_block(
    draw: Callable[[Figure], None], title: str, path: str | Path | None, size: tuple[float, float]
) -> Figure:
    """The same for what can also be part of a larger picture: `draw` fills a figure of its own, with a title."""

    def alone() -> Figure:
        from matplotlib.figure import Figure

        figure = Figure(figsize=size, layout="constrained")
        figure.suptitle(title, x=0.01, ha="left")
        draw(figure)
        return figure

    return drawn(alone, path)


def _take_literally(figure: Figure) -> None:
    """Names from files and models are text: matplotlib would read what stands between dollars as mathematics.

    Numbers along axes are left alone, since their exponents are written that way, but names along axes are not.
    """
    from matplotlib.axis import Axis, Tick
    from matplotlib.text import Text
    from matplotlib.ticker import FixedFormatter, FuncFormatter

    numbers = {id(label) for tick in figure.findobj(Tick) for label in (tick.label1, tick.label2)}
    for axis in figure.findobj(Axis):
        numbers.add(id(axis.get_offset_text()))
        names = axis.get_major_formatter()
        if isinstance(names, FixedFormatter | FuncFormatter):
            axis.set_major_formatter(FuncFormatter(partial(_literal_name, names)))
    for text in figure.findobj(Text):
        if id(text) not in numbers:
            text.set_parse_math(False)


def _literal_name(names: Callable[[float, int | None], str], value: float, position: int | None) -> str:
    return names(value, position).replace("$", r"\$")


def _save(figure: Figure, path: Path) -> None:
    """Write the picture, whole or not at all."""
    content = io.BytesIO()
    figure.savefig(content, format=path.suffix.lower().removeprefix("."), dpi=160)
    atomic_write(path, content.getvalue())


def floats(values: Any) -> NDArray[np.float64]:
    """As floats; null, as JSON says for what is not known, becomes NaN."""
    return np.array(values, dtype=float)


def logarithmic(axes: Axes) -> None:
    """A logarithmic upward axis with plain numbers, as many in each decade as there is room for."""
    from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

    axes.set_yscale("log")
    low, high = axes.get_ylim()
    decades = math.log10(high / low)
    if decades < MOST_DECADES:
        axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5) if decades > 1 else (1, 1.5, 2, 3, 4, 5, 7)))
        axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(NullFormatter())


def few_plain_ticks(axes: Axes, most: int, axis: Literal["x", "y", "both"] = "x") -> None:
    """A few whole numbers along an axis: an offset of a narrow range would stand where the label does."""
    axes.ticklabel_format(axis=axis, useOffset=False)
    axes.locator_params(axis=axis, nbins=most)


def with_unit(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


STYLE: Any = {
    "font.size": 10,
    "axes.titlesize": 9.5,
    "axes.labelcolor": INK,
    "axes.edgecolor": "#9aa7b3",
    "axes.linewidth": 0.8,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.xmargin": 0.01,
    "axes.formatter.limits": (-4, 5),
    "axes.formatter.use_mathtext": True,
    "grid.color": FAINT,
    "grid.linewidth": 0.5,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.color": INK,
    "figure.titlesize": 11.5,
    "figure.titleweight": "bold",
    "legend.fontsize": 9.5,
}
