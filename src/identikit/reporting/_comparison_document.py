"""The report of a comparison: every method on one problem."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Protocol

from identikit.plotting import with_unit
from identikit.reporting._document import (
    Block,
    Bullets,
    Gallery,
    Paragraph,
    Picture,
    ReportDocument,
    Section,
    Table,
    Tone,
    numbers_of,
    sections,
)
from identikit.reporting._done import data_words, done_section
from identikit.reporting._fit_document import findings_section, fit_sections, value_words
from identikit.reporting._references import references_section
from identikit.reporting._tables import tables_section
from identikit.result import Cells, Code, Finding, Panel, ParameterEstimate, Result, Series, Status, listed, rounded


class Entry(Protocol):
    """What one method says of the problem."""

    @property
    def method(self) -> str: ...
    @property
    def title(self) -> str: ...
    @property
    def status(self) -> Code: ...
    @property
    def message(self) -> str: ...
    @property
    def objections(self) -> tuple[str, ...]: ...
    @property
    def parameters(self) -> Mapping[str, ParameterEstimate]: ...
    @property
    def error_over_crlb(self) -> Mapping[str, float]: ...
    @property
    def seconds(self) -> float | None: ...
    @property
    def fit_percent(self) -> Mapping[str, float]: ...
    @property
    def held_out(self) -> float | None: ...
    @property
    def agrees(self) -> bool | None: ...
    @property
    def reason(self) -> str: ...


class Comparison(Protocol):
    """What `compare` answers."""

    @property
    def status(self) -> Status: ...
    @property
    def sentences(self) -> tuple[str, ...]: ...
    @property
    def reference(self) -> str | None: ...
    @property
    def truth(self) -> Mapping[str, float]: ...
    @property
    def crlb(self) -> Mapping[str, float]: ...
    @property
    def entries(self) -> tuple[Any, ...]: ...
    @property
    def result(self) -> Result | None: ...
    @property
    def findings(self) -> tuple[Finding, ...]: ...
    @property
    def question(self) -> Mapping[str, Any]: ...
    @property
    def seconds(self) -> Mapping[str, float]: ...
    @property
    def provenance(self) -> Mapping[str, Any]: ...


def comparison_document(report: Comparison, command: str = "") -> ReportDocument:
    """The verdict first, then methods side by side, those that do not apply, and the trusted fit in full."""
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


def _answered(report: Comparison) -> list[Entry]:
    """The methods that came to values, good or bad."""
    return [entry for entry in report.entries if any(item.value is not None for item in entry.parameters.values())]


def _names(report: Comparison) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for entry in report.entries for name in entry.parameters))


def _answer(report: Comparison) -> Section:
    blocks: list[Block] = [Paragraph("Which methods agree, and on which values?")]
    blocks += [Paragraph(text, Tone.LEAD) for text in report.sentences]
    trusted = next((entry for entry in report.entries if entry.method == report.reference), None)
    if trusted is not None:
        values = "; ".join(value_words(name, item) for name, item in trusted.parameters.items())
        blocks.append(Paragraph(f"Trusted most, {trusted.method}: {values}."))
    if report.status.code is not Code.OK:
        blocks.append(Paragraph(f"Not to be trusted: {report.status.message.rstrip('.')}.", Tone.WARNING))
    caption = "Estimates with their standard errors; > is the method that is trusted most and the others compared with."
    return Section("Question and answer", (*blocks, Table(estimate_cells(report), caption)))


def estimate_cells(report: Comparison) -> Cells:
    """A row per method that answered: value and standard error of every parameter, and whether it agrees."""
    names = _names(report)
    units = {name: item.unit for entry in report.entries for name, item in entry.parameters.items()}
    rows = []
    for entry in _answered(report):
        mark = ">" if entry.method == report.reference else ""
        values = (_estimate(entry.parameters.get(name)) for name in names)
        agrees = {True: "yes", False: "no", None: ""}[entry.agrees]
        rows.append((mark, entry.method, _words(entry.status), *values, agrees, entry.reason))
    if report.truth:
        known = (f"{report.truth[name]:.6g}" if name in report.truth else "" for name in names)
        rows.append(("", "truth", "", *known, "", ""))
    if report.crlb:
        bounds = (f"{report.crlb[name]:.2g}" if name in report.crlb else "" for name in names)
        rows.append(("", "Cramer-Rao bound of std", "", *bounds, "", ""))
    headers = (
        "",
        "method",
        "status",
        *(with_unit(name, units.get(name, "")) for name in names),
        "agrees",
        "if not, why",
    )
    return Cells(headers, tuple(rows), tuple(range(3, 3 + len(names))))


def _estimate(item: ParameterEstimate | None) -> str:
    if item is None or item.value is None:
        return "-"
    value, std = rounded(item.value, item.std)
    return value if std == "-" else f"{value} \N{PLUS-MINUS SIGN} {std}"


def _forest(report: Comparison) -> Section | None:
    """Every parameter by every method, with its interval."""
    entries = _answered(report)
    pictures = tuple(_parameter(report, entries, name) for name in _names(report))
    if not entries or not pictures:
        return None
    return Section("Estimates with their intervals", (Gallery(pictures),))


def _parameter(report: Comparison, entries: list[Entry], name: str) -> Picture:
    shown = [entry for entry in entries if entry.parameters.get(name) and entry.parameters[name].value is not None]
    place = {entry.method: float(index) for index, entry in enumerate(shown)}
    series = []
    sorts = {True: "agrees", False: "does not agree", None: "not compared"}
    emphases = {"agrees": "measured", "does not agree": "model"}
    grouped = {
        "reference": [entry for entry in shown if entry.method == report.reference],
        **{
            words: [entry for entry in shown if entry.agrees is verdict and entry.method != report.reference]
            for verdict, words in sorts.items()
        },
    }
    for words, own in grouped.items():
        if not own:
            continue
        found = [entry.parameters[name] for entry in own]
        values = tuple(item.value if item.value is not None else math.nan for item in found)
        ends = [item.ci95 or (value, value) for item, value in zip(found, values, strict=True)]
        series.append(
            Series(
                words,
                tuple(place[entry.method] for entry in own),
                values,
                style="points",
                low=tuple(low for low, _ in ends),
                high=tuple(high for _, high in ends),
                emphasis=emphases.get(words, ""),
            )
        )
    if name in report.truth:
        span = (-0.5, len(shown) - 0.5)
        series.append(Series("truth", span, (report.truth[name],) * 2, emphasis="printed"))
    unit = next((entry.parameters[name].unit for entry in shown), "")
    ticks = tuple(entry.method for entry in shown)
    panel = Panel("", "method", with_unit(name, unit), tuple(series), ticks=ticks)
    return Picture.of(panel, f"{name} by every method, with its 95 % interval.", wide=False)


def _quality(report: Comparison) -> Section | None:
    """Error against the bound, time, fit, prediction."""
    names = tuple(name for name in _names(report) if name in report.truth)
    outputs = tuple(dict.fromkeys(name for entry in report.entries for name in entry.fit_percent))
    rows = []
    for entry in _answered(report):
        errors = (_number(entry.error_over_crlb.get(name), ".2f") for name in names)
        fits = (_number(entry.fit_percent.get(name), ".1f", " %") for name in outputs)
        rows.append((entry.method, *errors, *fits, _number(entry.held_out, ".2f"), _number(entry.seconds, ".2f", " s")))
    heads = (*(f"error of {name} / CRLB" for name in names), *(f"fit of {name}" for name in outputs))
    headers = ("method", *heads, "held-out / noise", "time")
    caption = (
        "error / CRLB: distance from the truth over the smallest standard error that can be reached; fit: of the "
        "trajectory by these values; held-out: rms error on a part that was not fitted, over the noise."
    )
    table = Table(Cells(headers, tuple(rows), tuple(range(1, len(headers)))), caption)
    return Section("Quality and time", (table, *_times(report))) if rows else None


def _times(report: Comparison) -> tuple[Picture, ...]:
    timed = [(entry.method, entry.seconds) for entry in _answered(report) if entry.seconds]
    if len(timed) < 2:
        return ()
    bars = Series("time", numbers_of(range(len(timed))), numbers_of([spent for _, spent in timed]), style="bars")
    ticks = tuple(method for method, _ in timed)
    panel = Panel("", "method", "time [s]", (bars,), y_scale="log", ticks=ticks)
    return (Picture.of(panel, "Time that each method took."),)


def _objections(report: Comparison) -> Section | None:
    """Who does not apply, or came to nothing, and why."""
    silent = [entry for entry in report.entries if entry not in _answered(report)]
    lines = tuple(f"{entry.method}: {'; '.join(entry.objections) or entry.message}" for entry in silent)
    if not lines:
        return None
    heading = f"{listed(entry.method for entry in silent)} gave no estimate."
    return Section("Methods that do not apply", (Paragraph(heading), Bullets(lines)))


def _words(code: Code) -> str:
    return code.value.replace("_", " ")


def _number(value: float | None, form: str, unit: str = "") -> str:
    return "-" if value is None or not math.isfinite(value) else f"{value:{form}}{unit}"
