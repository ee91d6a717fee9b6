"""The report of a published table or figure that was done again."""

from __future__ import annotations

from collections.abc import Sequence

from identikit.reporting._document import Block, Bullets, Paragraph, Picture, ReportDocument, Section, Table, sections
from identikit.reporting._done import done_section
from identikit.reporting._latex import tables_section
from identikit.result import Reproduction, figure_cells, figure_remarks


def reproduction_document(item: Reproduction, command: str = "") -> ReportDocument:
    """Printed and obtained side by side, what is to be said about it, the picture, and what was done."""
    over = f"{item.seeds} noise draws" if item.seeds else "no noise is drawn"
    settings = tuple((str(name), str(value)) for name, value in item.settings.items())
    pictures = _pictures(item)
    return ReportDocument(
        f"{item.source}, {item.where}",
        item.title,
        sections(
            _figures(item),
            Section("Picture" if len(pictures) == 1 else "Pictures", pictures),
            done_section(
                door="reproduce",
                provenance=item.provenance,
                seconds=item.seconds,
                command=command,
                more=(
                    ("item", item.key),
                    ("over", f"{over}{', quick' if item.quick else ''}"),
                    *settings,
                ),
            ),
            tables_section(figure_cells(item)) if item.figures else None,
        ),
    )


def reproductions_document(items: Sequence[Reproduction], command: str = "") -> ReportDocument:
    """What `reproduce` answers: one item as above, several in a page with a section for each."""
    if len(items) == 1:
        return reproduction_document(items[0], command)
    made = [
        Section(f"{item.source}, {item.where}: {item.title}", (*_figures(item).blocks, *_pictures(item)))
        for item in items
    ]
    provenance = items[0].provenance if items else {}
    seconds = {"total": sum(item.seconds.get("total", 0.0) for item in items)}
    facts = (("items", ", ".join(item.key for item in items)), ("scale", "quick" if _any_quick(items) else "whole"))
    done = done_section(door="reproduce", provenance=provenance, seconds=seconds, command=command, more=facts)
    return ReportDocument("Published and obtained", f"{len(items)} tables and figures", sections(*made, done))


def _any_quick(items: Sequence[Reproduction]) -> bool:
    return any(item.quick for item in items)


def _pictures(item: Reproduction) -> tuple[Picture, ...]:
    """A panel's title stands above it; what the caption adds is what is drawn over what."""
    return tuple(Picture.of(panel, f"{item.where}: {panel.y_label} over {panel.x_label}.") for panel in item.panels)


def _figures(item: Reproduction) -> Section:
    blocks: list[Block] = []
    if item.figures:
        caption = (
            "as printed, here: the procedure as the document describes it; best here: our best method; bound: the "
            "Cramer-Rao bound in the same quantity."
        )
        blocks.append(Table(figure_cells(item), caption))
    remarks = tuple(figure_remarks(item))
    blocks += [Paragraph(note) for note in item.notes]
    if remarks:
        blocks.append(Bullets(remarks))
    return Section("Printed and obtained", tuple(blocks or [Paragraph(item.title)]))
