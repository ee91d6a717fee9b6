"""A damping report in words: the ranked laws as a table, then what the decay is made of."""

from __future__ import annotations

import math

from identikit.result._cells import Cells
from identikit.result._damping_report import DampingReport, LawParameter, LawResult
from identikit.result._numbers import rounded

_TITLES = {"log_decrement": "logarithmic decrement", "half_power": "half-power width"}


def describe_damping(report: DampingReport) -> str:
    """Table and sentences, as `print(report)` shows them."""
    if not report.laws:
        return f"No law of damping was fitted: {report.status.message}."
    notes = [f"Note: {item.text}." for item in report.findings]
    return "\n\n".join([str(law_cells(report)), force_line(report), baselines_table(report), *report.sentences, *notes])


def law_cells(report: DampingReport) -> Cells:
    """One row per law, the likeliest first; `above` is its BIC over that of the best."""
    names = _damping_names(report)
    units = {name: found["unit"] for law in report.laws for name, found in law.parameters.items()}
    measured = str(report.curves[0].get("unit", "")) if report.curves and len(report.laws[0].rms) == 1 else ""
    titles = [_with_unit(name, units.get(name, "")) for name in names]
    headers = ["law", *titles, _with_unit("rms", measured), "BIC above", "weight", "held-out / noise"]
    rows = tuple(_row(law, names) for law in report.laws)
    return Cells(tuple(headers), rows, tuple(range(len(names) + 1, len(headers))))


def force_line(report: DampingReport) -> str:
    """What the likeliest law says besides the damping: frequency or stiffness, rest position, sensor zero."""
    damping = _damping_names(report)
    said = [
        f"{name} = {_value(found)}{' ' + found['unit'] if found['unit'] else ''}"
        for name, found in report.laws[0].parameters.items()
        if name not in damping
    ]
    return f"Restoring force and rest position by the first law: {', '.join(said)}." if said else "No other parameter."


def _damping_names(report: DampingReport) -> list[str]:
    return [name for item in report.mechanisms.values() for name in item.parameters]


def _with_unit(name: str, unit: str) -> str:
    return f"{name} [{unit}]" if unit else name


def _row(law: LawResult, names: list[str]) -> tuple[str, ...]:
    values = []
    for name in names:
        found = law.parameters.get(name)
        values.append("" if found is None else _value(found))
    rms = ", ".join(f"{value:.3g}" for value in law.rms.values())
    held = "-" if law.held_out is None else f"{law.held_out:.2f}" if law.held_out < 100 else f"{law.held_out:.0f}"
    mark = "" if law.converged else " (not settled)"
    return (law.name + mark, *values, rms, _difference(law.bic_difference), percent(law.weight), held)


def _value(found: LawParameter) -> str:
    value, std = found["value"], found["std"]
    if std is None or not math.isfinite(std):
        return f"{value:.5g}"
    text, deviation = rounded(value, std)
    return f"{text} \N{PLUS-MINUS SIGN} {deviation}"


def _difference(value: float) -> str:
    return f"{value:.1f}" if value < 1000 else f"{value:.2g}" if value >= 1e6 else f"{value:.0f}"


def percent(share: float) -> str:
    """A probability or a part, without pretending to be certain."""
    if share > 0.9995:
        return "> 99.9 %"
    if 0 < share < 0.0005:
        return "< 0.1 %"
    return f"{100 * share:.0f} %" if 0.1 <= share <= 0.9 else f"{100 * share:.1f} %"


def baselines_table(report: DampingReport) -> str:
    """The textbook figures, with what to doubt about them."""
    lines = ["What a viscous reading of the record gives:"]
    for key, item in report.baselines.items():
        title = _TITLES.get(key, key)
        if item.get("ratio") is None:
            lines.append(f"  {title}: not given: {'; '.join(item['warnings'])}")
            continue
        ratio, ratio_std = rounded(item["ratio"], item["ratio_std"])
        record = f" (record {item['record']})" if item.get("record") else ""
        lines.append(f"  {title}: damping ratio {ratio} \N{PLUS-MINUS SIGN} {ratio_std}{record}")
        lines.extend(f"    warning: {warning}" for warning in item["warnings"])
    return "\n".join(lines)
