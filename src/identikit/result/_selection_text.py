"""A choice between models in words: the table, the verdict, what each model misses."""

from __future__ import annotations

from identikit.result._cells import Cells
from identikit.result._damping_text import percent
from identikit.result._selection_report import ModelChoice, SelectionReport

_HEADERS = ("model", "status", "unknowns", "rms", "white", "BIC above", "AICc above", "weight", "held-out / noise")


def describe_selection(report: SelectionReport) -> str:
    """Table and sentences, as `print(report)` shows them."""
    misses = [f"{item.name}: {'; '.join(item.misses)}." for item in report.models if item.misses]
    notes = [f"Note: {item.text}." for item in report.findings if item.code not in ("no_model_fits", "models_alike")]
    parts = [str(model_cells(report)), " ".join(report.sentences), *notes]
    if misses:
        parts.append("\n".join(["What each misses:", *(f"  {line}" for line in misses)]))
    return "\n\n".join(part for part in parts if part)


def model_cells(report: SelectionReport) -> Cells:
    """One row per model, the likeliest first."""
    lowest = min((item.aicc for item in report.models if item.aicc is not None), default=0.0)
    return Cells(_HEADERS, tuple(_row(item, lowest) for item in report.models), tuple(range(2, len(_HEADERS))))


def _row(item: ModelChoice, lowest: float) -> tuple[str, ...]:
    white = [told for told in item.white.values() if told is not None]
    return (
        item.name,
        item.status.value.replace("_", " "),
        "-" if item.unknowns is None else str(item.unknowns),
        ", ".join(f"{value:.3g}" for value in item.rms.values()) or "-",
        "-" if not white else "yes" if all(white) else "no",
        _plain(item.bic_difference),
        _plain(None if item.aicc is None else item.aicc - lowest),
        percent(item.weight) if item.bic is not None else "-",
        "-" if item.held_out is None else f"{item.held_out:.2f}" + (" worse" if item.predicts_worse else ""),
    )


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}" if value < 1000 else f"{value:.3g}"
