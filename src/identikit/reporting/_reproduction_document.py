"""The report of a published table or figure that was done again."""

from __future__ import annotations

from identikit.reporting._document import Block, Bullets, Paragraph, Picture, ReportDocument, Section, Table, sections
from identikit.reporting._done import done_section
from identikit.reporting._tables import tables_section
from identikit.result import Reproduction, figure_cells, figure_remarks


def reproduction_document(item: Reproduction, command: str = "") -> ReportDocument:
    """Printed and obtained side by side, what is to be said about it, the picture, and what was done."""
    over = f"{item.seeds} noise draws" if item.seeds else "no noise is drawn"
    settings = tuple((str(name), str(value)) for name, value in item.settings.items())
    pictures = tuple(Picture.of(panel, panel.title or item.title) for panel in item.panels)
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
