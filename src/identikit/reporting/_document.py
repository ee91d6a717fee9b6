"""What a report is made of, before anything is laid out: sections of paragraphs, tables, pictures, equations, listings.

A builder for each kind of answer makes one `ReportDocument`; a renderer for each format writes it. Texts in here are
plain: whoever lays them out escapes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, TypeAlias

from identikit.plotting import floats
from identikit.reporting._settings import REPORT
from identikit.result import Cells, Code, Finding, Panel, Status

if TYPE_CHECKING:
    from matplotlib.figure import Figure


class Tone(StrEnum):
    """How a paragraph is meant."""

    PLAIN = "plain"
    LEAD = "lead"  # the answer itself
    SMALL = "small"  # what few will read
    WARNING = "warning"


@dataclass(frozen=True)
class Paragraph:
    """Sentences."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True)
class Bullets:
    """A list of sentences."""

    items: tuple[str, ...]


@dataclass(frozen=True)
class Facts:
    """What is so: names and what they are."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Table:
    """Cells, with a sentence on how to read them."""

    cells: Cells
    caption: str = ""


@dataclass(frozen=True)
class Picture:
    """Panels above each other over one axis; drawn twice, still for paper and alive for the screen.

    Arguments:
        heights: of the panels, in inches. wide: whether it fills the page, or half of it.
    """

    panels: tuple[Panel, ...]
    heights: tuple[float, ...]
    caption: str
    wide: bool = True

    @classmethod
    def of(cls, panel: Panel, caption: str, wide: bool = True) -> Picture:
        """One panel."""
        return cls((panel,), (REPORT.signal_height if wide else REPORT.half_height,), caption, wide)


@dataclass(frozen=True)
class Gallery:
    """Pictures beside each other where there is room."""

    pictures: tuple[Picture, ...]


@dataclass(frozen=True)
class Drawing:
    """A picture that is drawn once, still."""

    figure: Figure
    caption: str


@dataclass(frozen=True)
class Listing:
    """Text to copy; folded away where it is long and seldom read."""

    caption: str
    text: str
    folded: bool = False


@dataclass(frozen=True)
class Equation:
    """One equation, as MathML for pages and as LaTeX."""

    mathml: str
    latex: str


@dataclass(frozen=True)
class Equations:
    """A system of them."""

    rows: tuple[Equation, ...]


@dataclass(frozen=True)
class Advice:
    """Findings, each with what to do about it."""

    findings: tuple[Finding, ...]


Block: TypeAlias = Paragraph | Bullets | Facts | Table | Picture | Gallery | Drawing | Listing | Equations | Advice


@dataclass(frozen=True)
class Section:
    """A heading and what stands under it."""

    title: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class ReportDocument:
    """A whole report.

    Arguments:
        title: what it is about. kind: what sort of answer it is, in a word or two.
        status: what the answer is worth; None where nothing was estimated.
    """

    title: str
    kind: str
    sections: tuple[Section, ...]
    status: Status | None = None


def sections(*made: Section | None) -> tuple[Section, ...]:
    """Those that hold something, in their order."""
    return tuple(item for item in made if item is not None and item.blocks)


def distrust(status: Status) -> tuple[Paragraph, ...]:
    """That an answer is not to be trusted, and why; nothing where it is."""
    if status.code is Code.OK:
        return ()
    return (Paragraph(f"Not to be trusted: {status.message.rstrip('.')}.", Tone.WARNING),)


def numbers_of(values: Any) -> tuple[float, ...]:
    """As a panel holds them; what is not known is NaN."""
    return tuple(float(value) for value in floats(values))
