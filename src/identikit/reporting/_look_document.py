"""The report of a look at a record."""

from __future__ import annotations

from identikit.plotting import plot_look
from identikit.reporting._document import (
    Block,
    Bullets,
    Drawing,
    Listing,
    Paragraph,
    ReportDocument,
    Section,
    Table,
    Tone,
    sections,
)
from identikit.reporting._done import done_section
from identikit.reporting._fit_document import findings_section
from identikit.reporting._latex import tables_section
from identikit.result import LookReport, column_cells, look_sentences


def look_document(report: LookReport, command: str = "") -> ReportDocument:
    """What the record shows, a row per column, pictures, what to mind, what to do next."""
    what, motion = look_sentences(report)
    answer = (Paragraph(f"What is in {report.name}?"), Paragraph(motion, Tone.LEAD), Paragraph(what))
    return ReportDocument(
        f"A look at {report.name}",
        "What is in a record",
        sections(
            Section("Question and answer", (*answer, Table(column_cells(report)))),
            Section("Columns", (Drawing(plot_look(report), "Columns over time, their spectra and their noise."),)),
            _next(report),
            findings_section(report.findings),
            done_section(door="look", provenance=report.provenance, seconds=report.seconds, command=command),
            tables_section(column_cells(report)),
        ),
    )


def _next(report: LookReport) -> Section:
    blocks: list[Block] = []
    for item in report.suggestions:
        words = f"{item.door}{f' with the model {item.model}' if item.model else ''}: {item.reason}"
        blocks.append(Listing(words, item.command) if item.command else Bullets((words,)))
    return Section("What to do next", tuple(blocks))
