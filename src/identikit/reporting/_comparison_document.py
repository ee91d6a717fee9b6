"""The report of a comparison: every method on one problem."""

from __future__ import annotations

import math

from identikit.plotting import plot_comparison, with_unit
from identikit.reporting._document import (
    Block,
    Bullets,
    Drawing,
    Paragraph,
    Picture,
    ReportDocument,
    Section,
    Table,
    Tone,
    distrust,
    numbers_of,
    sections,
)
from identikit.reporting._done import data_words, done_section
from identikit.reporting._equations import model_words
from identikit.reporting._fit_document import findings_section, fit_sections, value_words
from identikit.reporting._latex import tables_section
from identikit.reporting._references import references_section
from identikit.result import (
    Cells,
    Code,
    ComparisonReport,
    MethodEntry,
    Panel,
    ParameterEstimate,
    Series,
    listed,
    ratio_text,
    rounded,
    unseen_header,
)


def comparison_document(report: ComparisonReport, command: str = "") -> ReportDocument:
    """The verdict first, then methods side by side, those without an estimate, and the trusted fit in full."""
    data = data_words(report.question, report.provenance)
    model = report.result.model if report.result is not None else str(report.question.get("model") or "")
    fit = fit_sections(report.result) if report.result is not None else ()
    # what the comparison says itself is said once
    own = ("What was done", "References", "Tables to copy", "Findings, and what to do")
    cells = estimate_cells(report)
    return ReportDocument(
        f"{model}: {data}".strip(": ") if "\n" not in model else data,
        "Methods side by side on one record",
        sections(
            _answer(report),
            _forest(report),
            _quality(report),
            _objections(report),
            findings_section(report.findings),
            *(Section(f"{item.title} ({report.reference})", item.blocks) for item in fit if item.title not in own),
            done_section(
                door="compare",
                provenance=report.provenance,
                seconds=report.seconds,
                question=report.question,
                command=command,
            ),
            references_section(entry.method for entry in _answered(report)),
            tables_section(cells) if cells.rows else None,
        ),
        report.status,
    )


def _answered(report: ComparisonReport) -> list[MethodEntry]:
    """The methods that came to values, good or bad."""
    return [entry for entry in report.entries if entry.answered]


def _names(report: ComparisonReport) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for entry in report.entries for name in entry.parameters))


def _answer(report: ComparisonReport) -> Section:
    asked = "Which methods agree, and on which values?"
    if report.result is not None:
        model = model_words(report.result.model, report.result.model_text)
        asked = f"Which methods agree on the parameters of {model}, and on which values?"
    blocks: list[Block] = [Paragraph(asked)]
    blocks += [Paragraph(text, Tone.LEAD) for text in report.sentences]
    trusted = next((entry for entry in report.entries if entry.method == report.reference), None)
    if trusted is not None:
        values = "; ".join(value_words(name, item) for name, item in trusted.parameters.items())
        blocks.append(Paragraph(f"Trusted most, {trusted.method}: {values}."))
    blocks += distrust(report.status)
    caption = "Estimates with their standard errors; > is the method that is trusted most and the others compared with."
    reasons = tuple(f"{entry.method}: {entry.reason}" for entry in _answered(report) if entry.reason)
    why = (Bullets(reasons),) if reasons else ()
    return Section("Question and answer", (*blocks, Table(estimate_cells(report), caption), *why))


def estimate_cells(report: ComparisonReport) -> Cells:
    """A row per method that answered: value and standard error of every parameter, and whether it agrees."""
    names = _names(report)
    units = {name: item.unit for entry in report.entries for name, item in entry.parameters.items()}
    rows = []
    for entry in _answered(report):
        mark = ">" if entry.method == report.reference else ""
        values = (_estimate(entry.parameters.get(name)) for name in names)
        agrees = {True: "yes", False: "no", None: ""}[entry.agrees]
        rows.append((mark, entry.method, _words(entry.status), *values, agrees))
    if report.truth:
        known = (f"{report.truth[name]:.6g}" if name in report.truth else "" for name in names)
        rows.append(("", "truth", "", *known, ""))
    if report.crlb:
        bounds = (f"{report.crlb[name]:.2g}" if name in report.crlb else "" for name in names)
        rows.append(("", "smallest possible std (CRLB)", "", *bounds, ""))
    headers = (
        "",
        "method",
        "status",
        *(with_unit(name, units.get(name, "")) for name in names),
        "agrees",
    )
    return Cells(headers, tuple(rows), tuple(range(3, 3 + len(names))))


def _estimate(item: ParameterEstimate | None) -> str:
    if item is None or item.value is None:
        return "-"
    value, std = rounded(item.value, item.std)
    return value if std == "-" else f"{value} \N{PLUS-MINUS SIGN} {std}"


def _forest(report: ComparisonReport) -> Section | None:
    """Every parameter by every method, with its interval: those that agree are all in it, far off or not."""
    if not _answered(report) or not _names(report):
        return None
    known = " Dashed: the truth." if report.truth else ""
    caption = (
        f"Shaded: the interval of {report.reference}.{known} An arrow: the interval goes on beyond the frame; with a "
        "number: all of it lies outside, and the estimate is that number."
    )
    return Section("Estimates with their intervals", (Drawing(plot_comparison(report), caption),))


def _quality(report: ComparisonReport) -> Section | None:
    """Error against the bound, time, fit, prediction."""
    names = tuple(name for name in _names(report) if name in report.truth)
    outputs = tuple(dict.fromkeys(name for entry in report.entries for name in entry.fit_percent))
    rows = []
    for entry in _answered(report):
        errors = ("-" if (found := entry.error_over_crlb.get(name)) is None else ratio_text(found) for name in names)
        fits = (_number(entry.fit_percent.get(name), ".1f", " %") for name in outputs)
        unseen = "-" if entry.held_out is None else ratio_text(entry.held_out)
        rows.append((entry.method, *errors, *fits, unseen, _number(entry.seconds, ".2f", " s")))
    heads = (*(f"error of {name} / CRLB" for name in names), *(f"fit of {name}" for name in outputs))
    headers = ("method", *heads, unseen_header(report), "time")
    distance = "error / CRLB: distance from the truth over the smallest standard error that can be reached; "
    caption = (
        f"{distance if names else ''}fit: of the trajectory by these values; held-out: rms error on a part that was "
        f"not fitted, over the residuals of {report.reference}, which are the noise if its checks hold."
    )
    table = Table(Cells(headers, tuple(rows), tuple(range(1, len(headers)))), caption)
    why = tuple(f"{entry.method}: {entry.not_predicted}" for entry in _answered(report) if entry.not_predicted)
    unpredicted = (Paragraph("Without an error on a held-out part:"), Bullets(why)) if why else ()
    return Section("Quality and time", (table, *unpredicted, *_times(report))) if rows else None


def _times(report: ComparisonReport) -> tuple[Picture, ...]:
    timed = [(entry.method, entry.seconds) for entry in _answered(report) if entry.seconds]
    if len(timed) < 2:
        return ()
    # points: a bar would need a zero to begin at, which a logarithmic axis has not
    spent = Series("time", numbers_of(range(len(timed))), numbers_of([spent for _, spent in timed]), style="points")
    ticks = tuple(method for method, _ in timed)
    panel = Panel("", "method", "time [s]", (spent,), y_scale="log", ticks=ticks)
    return (Picture.of(panel, "Time that each method took."),)


def _objections(report: ComparisonReport) -> Section | None:
    """Who does not apply, or came to nothing, and why."""
    silent = [entry for entry in report.entries if entry not in _answered(report)]
    lines = tuple(f"{entry.method}: {'; '.join(entry.objections) or entry.message}" for entry in silent)
    if not lines:
        return None
    heading = f"{listed(entry.method for entry in silent)} gave no estimate."
    return Section("Methods without an estimate", (Paragraph(heading), Bullets(lines)))


def _words(code: Code) -> str:
    return code.value.replace("_", " ")


def _number(value: float | None, form: str, unit: str = "") -> str:
    return "-" if value is None or not math.isfinite(value) else f"{value:{form}}{unit}"
