"""Reproduction: a published table or figure beside what is true, as a frozen record and as versioned JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from identikit.result._decoding import decoded
from identikit.result._document import Document, check_schema, read_document

REPRODUCTION_SCHEMA = "identikit/reproduction/1"


@dataclass(frozen=True)
class PublishedFigure:
    """One number of a table or figure, and what stands beside it.

    Arguments:
        case: row of the table: "viscous, sigma 0.002".
        quantity, unit: what the number is: "error of zeta", "%".
        printed: as the document has it; text where it prints no single number; None where it prints none.
        as_printed: what the procedure gives here, done as the document describes it.
        obtained: by the best method here.
        bound: the Cramer-Rao bound in the same quantity and unit; None where there is none, and `note` says why.
        note: where the printed figure cannot be right, or differs: why.
    """

    case: str
    quantity: str
    unit: str
    printed: float | str | None
    as_printed: float | None
    obtained: float | None
    bound: float | None
    note: str = ""


@dataclass(frozen=True)
class Series:
    """One curve of a panel.

    Arguments:
        style: "line", "points", "bars" (of width `width`, or of the spacing), "steps".
        low, high: a band around it, or error bars of points and bars; empty = none.
        band: what the band is, for the legend.
        emphasis: "measured", "model", "printed", "bound", "faint", or empty for the next colour.
    """

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    style: str = "line"
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()
    emphasis: str = ""
    band: str = ""


@dataclass(frozen=True)
class Map:
    """Colours over a rectangle: rows of `values` go up from the first `y`.

    Arguments:
        labels: names of the whole numbers that `values` holds (basins); empty = a measure, with `label` and unit.
    """

    x: tuple[float, ...]
    y: tuple[float, ...]
    values: tuple[tuple[float, ...], ...]
    label: str = ""
    labels: tuple[str, ...] = ()


@dataclass(frozen=True)
class Panel:
    """One pair of axes; labels carry their units in brackets: "time [s]".

    Arguments:
        ticks: names along the first axis at 0, 1, 2, ... instead of numbers, for bars.
        aspect: whether both axes have the same scale.
    """

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...] = ()
    map: Map | None = None
    x_scale: str = "linear"
    y_scale: str = "linear"
    ticks: tuple[str, ...] = ()
    equal: bool = False


@dataclass(frozen=True)
class Reproduction(Document):
    """A published item, done again; see docs/result-format.md for the JSON.

    Arguments:
        key: what `reproduce` calls it. source, where, title: the document, "Table 4", what it shows.
        figures: number by number. panels: the picture.
        settings: what was chosen, where the document leaves it open too.
        seeds: how many noise draws the figures are over.
        notes: what is wrong with the printed item, and what is true, in sentences.
        quick: whether it was done with fewer seeds and samples.
    """

    key: str
    source: str
    where: str
    title: str
    figures: tuple[PublishedFigure, ...] = ()
    panels: tuple[Panel, ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    seeds: int = 0
    notes: tuple[str, ...] = ()
    quick: bool = False
    seconds: Mapping[str, float] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        from identikit.result._reproduction_text import describe_reproduction

        return describe_reproduction(self)

    def as_dict(self) -> dict[str, Any]:
        """The JSON document as a dictionary."""
        return {
            "schema": REPRODUCTION_SCHEMA,
            **{name: getattr(self, name) for name in ("key", "source", "where", "title")},
            "figures": [asdict(item) for item in self.figures],
            "panels": [asdict(item) for item in self.panels],
            "settings": dict(self.settings),
            "seeds": self.seeds,
            "notes": list(self.notes),
            "quick": self.quick,
            "seconds": dict(self.seconds),
            "provenance": dict(self.provenance),
        }

    @classmethod
    def load(cls, path: str | Path) -> Reproduction:
        """Read a saved reproduction."""
        document = read_document(path, "reproduction")
        check_schema(document, str(path), REPRODUCTION_SCHEMA, "reproduce")
        return decoded(cls, document, str(path))
