"""The report of a plan: which experiment to make next."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from identikit.plotting import with_unit
from identikit.reporting._document import (
    Block,
    Bullets,
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
from identikit.reporting._fit_document import findings_section
from identikit.reporting._latex import tables_section
from identikit.reporting._settings import REPORT
from identikit.result import DesignReport, Panel, Series, check_words, experiment_cells, listed, recommended_cells


def design_document(report: DesignReport, command: str = "") -> ReportDocument:
    """What to do first, then what it will tell, beside the other experiments."""
    return ReportDocument(
        f"The next experiment on {report.model}",
        "A planned experiment",
        sections(
            _answer(report),
            _expected(report),
            _errors(report),
            _motion(report),
            findings_section(report.findings),
            done_section(
                door="design",
                provenance=report.provenance,
                seconds=report.seconds,
                command=command,
                more=(("model", report.model), ("criterion", report.criterion)),
            ),
            equations_section(report.model_text),
            tables_section(recommended_cells(report)) if report.experiments else None,
        ),
        report.status,
    )


def _answer(report: DesignReport) -> Section:
    asked = Paragraph(f"Which experiment tells {listed(report.parameters)} of {report.model} best?")
    if not report.experiments:
        return Section("Question and answer", (asked, Paragraph(f"None: {report.status.message}.", Tone.WARNING)))
    blocks: list[Block] = [asked, Paragraph(f"The experiment '{report.recommended}'. What to do:", Tone.LEAD)]
    blocks.append(Bullets(report.instructions))
    if not report.ok:
        blocks.append(Paragraph(f"{report.status.message.rstrip('.')}.", Tone.WARNING))
    return Section("Question and answer", tuple(blocks))


def _expected(report: DesignReport) -> Section | None:
    if not report.experiments:
        return None
    check = [Paragraph(check_words(report.check), Tone.SMALL)] if report.check is not None else []
    return Section(
        "What it will tell",
        (
            Table(recommended_cells(report), f"Expected of the experiment '{report.recommended}'."),
            *check,
            Table(experiment_cells(report), "Relative standard errors of all experiments; > is recommended."),
        ),
    )


def _errors(report: DesignReport) -> Section | None:
    """Relative standard errors, experiment by experiment."""
    if not report.experiments:
        return None
    place = numbers_of(range(len(report.experiments)))
    series = []
    for name in report.parameters:
        shares = [report.relative(item, name) for item in report.experiments]
        percents = tuple(math.nan if share is None else 100 * share for share in shares)
        series.append(Series(name, place, percents, style="points"))
    ticks = tuple(item.name for item in report.experiments)
    panel = Panel("", "experiment", "relative standard error [%]", tuple(series), y_scale="log", ticks=ticks)
    return Section("Experiments side by side", (Picture.of(panel, "Expected relative standard errors."),))


def _motion(report: DesignReport) -> Section | None:
    chosen = [curve for curve in report.curves if curve.get("experiment") == report.recommended]
    pictures = tuple(_run(curve, report) for curve in chosen[: REPORT.most_curves])
    return Section("The planned motion", pictures)


def _run(curve: Mapping[str, Any], report: DesignReport) -> Picture:
    time = with_unit("time", report.time_unit)
    t = numbers_of(curve["t"])
    panels, heights = [], []
    for kind, height in (("outputs", REPORT.signal_height), ("inputs", REPORT.input_height)):
        for name, values in curve[kind].items():
            unit = str(curve["units"].get(name, ""))
            panels.append(
                Panel("", time, with_unit(str(name), unit), (Series("", t, numbers_of(values), emphasis="model"),))
            )
            heights.append(height)
    return Picture(tuple(panels), tuple(heights), f"Run {curve['run']} of the experiment '{curve['experiment']}'.")
