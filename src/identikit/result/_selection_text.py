"""A choice between models in words: the table, the verdict, what each model misses."""

from __future__ import annotations

from identikit.result._damping_text import percent
from identikit.result._selection_report import ModelChoice, SelectionReport
from identikit.result._text import align


def describe_selection(report: SelectionReport) -> str:
    """Table and sentences, as `print(report)` shows them."""
    headers = ["model", "status", "unknowns", "rms", "white", "BIC above", "AICc above", "weight", "held-out / noise"]
    lowest = min((item.aicc for item in report.models if item.aicc is not None), default=0.0)
    rows = [_row(item, lowest) for item in report.models]
    table = align(headers, rows, right=range(2, len(headers)), title_rule=True)
    misses = [f"{item.name}: {'; '.join(item.misses)}." for item in report.models if item.misses]
    notes = [f"Note: {item.text}." for item in report.findings if item.code not in ("no_model_fits", "models_alike")]
    parts = [table, " ".join(report.sentences), *notes]
    if misses:
        parts.append("\n".join(["What each misses:", *(f"  {line}" for line in misses)]))
    return "\n\n".join(part for part in parts if part)


def _row(item: ModelChoice, lowest: float) -> list[str]:
    white = [told for told in item.white.values() if told is not None]
    return [
        item.name,
        item.status.value.replace("_", " "),
        "-" if item.unknowns is None else str(item.unknowns),
        ", ".join(f"{value:.3g}" for value in item.rms.values()) or "-",
        "-" if not white else "yes" if all(white) else "no",
        _plain(item.bic_difference),
        _plain(None if item.aicc is None else item.aicc - lowest),
        percent(item.weight) if item.bic is not None else "-",
        "-" if item.held_out is None else f"{item.held_out:.2f}" + (" worse" if item.predicts_worse else ""),
    ]


def _plain(value: float | None) -> str:
    return "-" if value is None else f"{value:.1f}" if value < 1000 else f"{value:.3g}"
