"""The report on identifiability: what equations and a record can tell."""

from __future__ import annotations

import math

from identikit.reporting._document import (
    Block,
    Bullets,
    Facts,
    Paragraph,
    Picture,
    ReportDocument,
    Section,
    Table,
    Tone,
    numbers_of,
    sections,
)
from identikit.reporting._done import done_section
from identikit.reporting._equations import equations_section
from identikit.reporting._fit_document import correlation_table, findings_section
from identikit.reporting._latex import tables_section
from identikit.result import (
    Cells,
    IdentifiabilityReport,
    Panel,
    PracticalResult,
    Series,
    expected_cells,
    listed,
    remedy_words,
)


def identifiability_document(report: IdentifiabilityReport, command: str = "") -> ReportDocument:
    """Verdicts first, then why, by the equations and by the record."""
    model = (report.question or {}).get("model")
    return ReportDocument(
        f"Identifiability of {report.model}",
        "Which parameters can be found",
        sections(
            _answer(report),
            _by_record(report),
            _by_equations(report),
            _correlation(report),
            findings_section(report.findings),
            done_section(
                door="identifiability",
                provenance=report.provenance,
                seconds=report.seconds,
                question=report.question,
                command=command,
                more=(("model", report.model), *_record_facts(report)),
            ),
            equations_section(model if isinstance(model, str) and "\n" in model else None),
            tables_section(expected_cells(report.practical, report.structural)) if report.practical else None,
        ),
        report.status,
    )


def _answer(report: IdentifiabilityReport) -> Section:
    told = [name for name in report.free if report.identifiable(name)]
    lost = [name for name in report.free if not report.identifiable(name)]
    words = [f"{listed(told)} can be found." if told else "None of them can be found."]
    words += [f"{listed(lost)} cannot." if told and lost else ""]
    blocks: list[Block] = [
        Paragraph(f"Which of {listed(report.free)} of {report.model} can be found?"),
        Paragraph(" ".join(filter(None, words)), Tone.LEAD if not lost else Tone.WARNING),
    ]
    rows = tuple((name, _by_which(report, name)) for name in report.free)
    return Section("Question and answer", (*blocks, Table(Cells(("parameter", "verdict"), rows))))


def _by_which(report: IdentifiabilityReport, name: str) -> str:
    if report.structural is not None and not report.structural.parameters[name]:
        return "by no record: the equations do not tell it"
    if report.practical is not None and not report.practical.parameters[name].identifiable:
        return "not by this record"
    return "identifiable"


def _record_facts(report: IdentifiabilityReport) -> tuple[tuple[str, str], ...]:
    if report.practical is None:
        return ()
    record = report.practical.record
    unit = f" {record.time_unit}" if record.time_unit else ""
    return (
        ("record", "planned" if record.planned else "given"),
        ("samples", f"{record.samples} over {record.duration:.4g}{unit}, one every {record.spacing:.4g}{unit}"),
        ("noise", record.noise_text),
        ("begins at", ", ".join(f"{name} {value:.4g}" for name, value in record.initial.items())),
        ("inputs", ", ".join(f"{name} = {text}" for name, text in record.inputs.items())),
    )


def _by_record(report: IdentifiabilityReport) -> Section | None:
    found = report.practical
    if found is None:
        return None
    caption = (
        "std: the smallest standard error that any unbiased method could reach (Cramer-Rao); relative: over the "
        "parameter's size; then the same for other records. In brackets: not identifiable."
    )
    blocks: list[Block] = [Table(expected_cells(found, report.structural), caption), _errors(found)]
    if found.combinations:
        rows = tuple((item.text, f"{item.value:.5g}", f"{item.std:.2g}") for item in found.combinations)
        blocks.append(Table(Cells(("combination", "value", "std"), rows, (1, 2)), "Determined all the same."))
    weak = tuple(
        f"{', '.join(f'{name} {share:+.2g} %' for name, share in item.changes.items())}: "
        + ("not seen at all" if item.std is None else f"known to {100 * item.std:.2g} %")
        for item in found.weakest
    )
    if weak:
        blocks += [Paragraph("Hardly seen in the record are these changes together:"), Bullets(weak)]
    return Section("By the record", tuple(blocks))


def _errors(found: PracticalResult) -> Picture:
    """Relative standard errors of this record and of others."""
    names = tuple(found.parameters)
    place = numbers_of(range(len(names)))
    own = [item.relative for item in found.parameters.values()]
    series = [Series("this record", place, _percents(own), style="points")]
    series += [
        Series(item.name, place, _percents([item.relative.get(name) for name in names]), style="points")
        for item in found.variants
        if item.relative
    ]
    limit = 100 * found.limit
    ends = (-0.5, len(names) - 0.5)
    series.append(Series("limit of being told", ends, (limit, limit), emphasis="printed"))
    panel = Panel("", "parameter", "relative standard error [%]", tuple(series), y_scale="log", ticks=names)
    return Picture.of(panel, "Expected relative standard errors; above the dashed line a parameter is not told.")


def _percents(shares: list[float | None]) -> tuple[float, ...]:
    return tuple(math.nan if share is None else 100 * share for share in shares)


def _by_equations(report: IdentifiabilityReport) -> Section | None:
    found = report.structural
    if found is None:
        return None
    rows = [
        ("measured", listed(found.outputs)),
        ("known at the beginning", listed(found.known)),
        ("rank", f"{found.rank} of {found.unknowns} unknowns, by {found.derivatives} derivatives"),
        ("modes of the switches", str(len(found.modes)) if found.modes else ""),
        ("not identifiable", listed(found.unidentified)),
        ("determined", ", ".join(found.combinations)),
        ("would free all", remedy_words(found.remedies) if found.remedies else ""),
    ]
    blocks: list[Block] = [Facts(tuple((name, words) for name, words in rows if words))]
    if found.symmetries:
        blocks.append(Bullets(tuple(f"{item.text}: nothing that is measured changes." for item in found.symmetries)))
    return Section("By the equations", tuple(blocks))


def _correlation(report: IdentifiabilityReport) -> Section | None:
    table = correlation_table(report.practical.correlation) if report.practical is not None else None
    return Section("Correlation of the estimates", (table,)) if table is not None else None
