"""The report of a decay: which damping makes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from identikit.plotting import drawn_laws, floats, with_unit
from identikit.reporting._document import (
    Block,
    Bullets,
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
from identikit.reporting._fit_document import findings_section
from identikit.reporting._latex import tables_section
from identikit.reporting._references import references_section
from identikit.reporting._settings import REPORT
from identikit.result import Cells, DampingReport, Panel, Series, force_line, law_cells, percent, rounded


def damping_document(report: DampingReport, command: str = "") -> ReportDocument:
    """The likeliest law first, then the decay with every law, how sure it is, and what was done."""
    data = data_words(report.question, report.provenance)
    done = done_section(
        door="damping",
        provenance=report.provenance,
        seconds=report.seconds,
        question=report.question,
        command=command,
        more=(("model", report.model), ("method", report.method)),
    )
    return ReportDocument(
        f"Damping of {data or report.model}",
        "Which damping makes a free decay",
        sections(
            _answer(report, data),
            _decay(report),
            _mechanisms(report),
            _amplitudes(report),
            _textbook(report),
            findings_section(report.findings),
            done,
            references_section([report.method]),
            tables_section(law_cells(report)) if report.laws else None,
        ),
        report.status,
    )


def _answer(report: DampingReport, data: str) -> Section:
    blocks: list[Block] = [Paragraph(f"Which damping makes the decay in {data}?" if data else "Which damping is it?")]
    if not report.laws:
        blocks.append(Paragraph(f"No law is named: {report.status.message}.", Tone.WARNING))
        return Section("Question and answer", tuple(blocks))
    first = report.laws[0]
    blocks.append(Paragraph(f"{first.name}, with weight {percent(first.weight)}.", Tone.LEAD))
    blocks += distrust(report.status)
    caption = (
        "Laws, the likeliest first. weight: probability among them and one loss outside them, if all were equally "
        "likely before; BIC above: how much worse the criterion is; held-out / noise: rms error on a part that was not "
        "fitted, over the noise."
    )
    words = [Paragraph(text) for text in (force_line(report), *report.sentences)]
    return Section("Question and answer", (*blocks, Table(law_cells(report), caption), *words))


def _decay(report: DampingReport) -> Section | None:
    """The record, its amplitude on a logarithmic scale, and what each law misses of it."""
    if not report.laws:
        return None
    pictures = tuple(_picture(curve, report) for curve in report.curves[: REPORT.most_curves])
    reading = "On the logarithmic scale a viscous decay is straight; dry friction bends it down, drag bends it up."
    return Section("The decay and the laws", (Paragraph(reading), *pictures))


def _picture(curve: Mapping[str, Any], report: DampingReport) -> Picture:
    time, unit = with_unit("time", str(curve["time_unit"])), str(curve["unit"])
    laws = drawn_laws(curve, report)
    at, known = floats(curve["amplitude"]["t"]), floats(curve["amplitude"]["amplitude"])
    record = [Series("", numbers_of(curve["t"]), numbers_of(curve["measured"]), style="points", emphasis="measured")]
    amplitude = [Series("measured", numbers_of(at), numbers_of(known), style="points", emphasis="measured")]
    missed = []
    for name, (law, line) in laws.items():
        t, size = floats(line["t"]), floats(line["amplitude"])
        if name == report.best:
            record += [
                Series("", numbers_of(t), numbers_of(line["middle"] + side * size), emphasis="model")
                for side in (1, -1)
            ]
        shown = np.where(size > 0.5 * known.min(), size, np.nan)  # below, a law has come to rest
        label = f"{name} ({percent(law.weight)})"
        amplitude.append(Series(label, numbers_of(t), numbers_of(shown)))
        missed.append(Series(label, numbers_of(at), numbers_of(known - np.interp(at, t, size))))
    panels = (
        Panel(str(curve["record"]), time, with_unit(str(curve["column"]), unit), tuple(record)),
        Panel("", time, with_unit("amplitude", unit), tuple(amplitude), y_scale="log"),
        Panel("", time, with_unit("measured - law", unit), tuple(missed)),
    )
    caption = f"{curve['record']}: the record with the envelope of the likeliest law; amplitudes; what each law misses."
    heights = (REPORT.residual_height + 0.5, REPORT.signal_height, REPORT.residual_height + 0.3)
    return Picture(panels, heights, caption)


def _mechanisms(report: DampingReport) -> Section | None:
    rows = tuple(
        (
            name,
            percent(item.probability),
            percent(item.share),
            f"{percent(item.share_low)} to {percent(item.share_high)}",
        )
        for name, item in report.mechanisms.items()
    )
    headers = ("mechanism", "probability", "share of the energy lost", "95 % interval of the share")
    caption = "probability: sum of the weights of the laws that have it; share: by the likeliest law."
    return Section("Mechanisms", (Table(Cells(headers, rows, (1, 2, 3)), caption),)) if rows else None


def _amplitudes(report: DampingReport) -> Section | None:
    """How the likeliest law does at large, middle and small swings."""
    found = report.laws[0].ranges if report.laws else ()
    unit = str(report.curves[0].get("unit", "")) if report.curves else ""
    rows = []
    for item in found:
        loss, std = rounded(item.loss, item.loss_std)
        ratio = "-" if item.loss is None else f"{loss} \N{PLUS-MINUS SIGN} {std}"
        rows.append((f"{item.above:.3g} to {item.below:.3g}", f"{item.misfit:.2f}", ratio))
    headers = (with_unit("amplitude", unit), "misfit / noise", "loss measured / by the law")
    caption = "Where the likeliest law holds: misfit and loss are 1 where it does."
    return Section("Large and small swings", (Table(Cells(headers, tuple(rows), (1, 2)), caption),)) if rows else None


def _textbook(report: DampingReport) -> Section | None:
    """Figures that a viscous reading gives, with what to doubt about them."""
    lines = []
    for name, item in report.baselines.items():
        doubt = f" Doubt it: {'; '.join(item['warnings'])}." if item["warnings"] else ""
        title = name.replace("_", " ")
        if item["ratio"] is None:
            lines.append(f"{title}: not given.{doubt}")
            continue
        ratio, std = rounded(item["ratio"], item["ratio_std"])
        lines.append(f"{title}: damping ratio {ratio} \N{PLUS-MINUS SIGN} {std}.{doubt}")
    return Section("What a viscous reading gives", (Bullets(tuple(lines)),)) if lines else None
