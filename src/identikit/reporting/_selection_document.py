"""The report of a choice between models."""

from __future__ import annotations

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
    distrust,
    numbers_of,
    sections,
)
from identikit.reporting._done import data_words, done_section
from identikit.reporting._fit_document import findings_section, value_words
from identikit.reporting._latex import tables_section
from identikit.reporting._references import references_section
from identikit.reporting._settings import REPORT
from identikit.result import Cells, ModelChoice, Panel, SelectionReport, Series, listed, model_cells


def selection_document(report: SelectionReport, command: str = "") -> ReportDocument:
    """The verdict first, then weights, what each model leaves over and misses, and what was done."""
    data = data_words(None, report.provenance)
    return ReportDocument(
        f"Choice between {len(report.models)} models",
        f"Which model describes {data or 'a record'}",
        sections(
            _answer(report),
            _weights(report),
            _left_over(report),
            _parameters(report),
            _tests(report),
            findings_section(report.findings),
            done_section(
                door="select",
                provenance=report.provenance,
                seconds=report.seconds,
                command=command,
                more=(("models", listed(item.name for item in report.models)), ("method", report.method)),
            ),
            references_section([report.method]),
            tables_section(model_cells(report)),
        ),
        report.status,
    )


def _answer(report: SelectionReport) -> Section:
    blocks: list[Block] = [
        Paragraph(f"Which of {listed(item.name for item in report.models)} describes the record?"),
        Paragraph(" ".join(report.sentences) or report.status.message, Tone.LEAD),
    ]
    blocks += distrust(report.status)
    caption = (
        "Models, the likeliest first. weight: probability among them if all were equally likely before; held-out / "
        "noise: rms error on a part that was not fitted, over the noise."
    )
    return Section("Question and answer", (*blocks, Table(model_cells(report), caption)))


def _weights(report: SelectionReport) -> Section | None:
    fitted = [item for item in report.models if item.bic is not None]
    if not fitted:
        return None
    names = tuple(item.name for item in fitted)
    place = numbers_of(range(len(fitted)))
    bars = Series("weight", place, tuple(item.weight for item in fitted), style="bars")
    panel = Panel("", "model", "weight", (bars,), ticks=names)
    return Section("Weights", (Picture.of(panel, "Probability of every model among these."),))


def _left_over(report: SelectionReport) -> Section | None:
    pictures = []
    for curve in report.curves[: REPORT.most_curves]:
        time, unit = with_unit("time", str(curve["time_unit"])), str(curve["unit"])
        series = [Series("left over", numbers_of(curve["t"]), numbers_of(curve["residual"]), emphasis="measured")]
        if curve.get("unseen") is not None:
            unseen = Series(
                "not predicted", numbers_of(curve["t_unseen"]), numbers_of(curve["unseen"]), emphasis="model"
            )
            series.append(unseen)
        panel = Panel(str(curve["model"]), time, with_unit(str(curve["output"]), unit), tuple(series))
        caption = f"{curve['model']}: what it leaves over, and the error on the last part when that was not fitted."
        pictures.append(Picture.of(panel, caption))
    missed = tuple(f"{item.name}: {'; '.join(item.misses)}." for item in report.models if item.misses)
    return Section("What each model leaves over", (*pictures, *([Bullets(missed)] if missed else [])))


def _parameters(report: SelectionReport) -> Section | None:
    lines = tuple(_values(item) for item in report.models if item.parameters)
    return Section("Parameters of every model", (Bullets(lines),)) if lines else None


def _values(item: ModelChoice) -> str:
    return f"{item.name}: {'; '.join(value_words(name, found) for name, found in item.parameters.items())}."


def _tests(report: SelectionReport) -> Section | None:
    rows = tuple(
        (item.small, item.large, ", ".join(item.parameters), f"{item.gain:.1f}", f"{item.p_value:.2g}")
        for item in report.tests
    )
    headers = ("without", "with", "parameters", "twice the gain of log L", "chance of as much")
    return Section("Tests between nested models", (Table(Cells(headers, rows, (3, 4))),)) if rows else None
