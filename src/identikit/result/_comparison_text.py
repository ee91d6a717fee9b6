"""A comparison of methods in words: who answers how well, the estimates side by side, the verdict."""

from __future__ import annotations

import math
from collections.abc import Sequence

from identikit.result._cells import align
from identikit.result._comparison_report import ComparisonReport, MethodEntry
from identikit.result._numbers import rounded
from identikit.result._result import Code

COLUMNS_AT_ONCE = 8  # numbers beside each other: more would not fit a terminal
MOST_PLAIN = 1000.0  # from which a ratio is written with its power of ten


def describe_comparison(report: ComparisonReport) -> str:
    """Tables and sentences, as `print(report)` shows them."""
    answered = [item for item in report.entries if item.answered]
    parts = [_overview(report), *_estimates(report, answered), "\n".join(report.sentences)]
    silent = [item for item in report.entries if not item.answered]
    if silent:
        lines = [f"  {item.method}: {'; '.join(item.objections) or item.message}" for item in silent]
        parts.append("\n".join(["Without an estimate:", *lines]))
    unpredicted = [f"  {item.method}: {item.not_predicted}" for item in answered if item.not_predicted]
    if unpredicted:
        parts.append("\n".join(["Without a held-out error:", *unpredicted]))
    return "\n\n".join(part for part in parts if part)


def _overview(report: ComparisonReport) -> str:
    headers = ["method", "status", "agrees", "fit", unseen_header(report), "seconds"]
    predicted = any(item.held_out is not None for item in report.entries)
    rows = [_row(item, report.reference, predicted) for item in report.entries]
    return align(headers, rows, right=range(3, len(headers)), title_rule=True)


def unseen_header(report: ComparisonReport) -> str:
    """What errors on an unseen part are told in: what the reference leaves over, which is noise if its checks hold."""
    trusted = any(item.method == report.reference and item.status is Code.OK for item in report.entries)
    return "held-out / noise" if trusted else "held-out / residuals"


def _row(item: MethodEntry, reference: str | None, predicted: bool) -> list[str]:
    agrees = {True: "yes", False: "no", None: "-"}[item.agrees]
    worst = min(item.fit_percent.values(), default=None)
    return [
        item.method,
        item.status.value.replace("_", " "),
        "reference" if item.method == reference else agrees,
        "-" if worst is None else f"{worst:.2f} %" if worst > 0 else "none",
        ratio_text(item.held_out) if item.held_out is not None else "-" if predicted else "",
        "-" if item.seconds is None else f"{item.seconds:.1f}",
    ]


def ratio_text(value: float) -> str:
    """A number of times, such as errors over the noise: two decimals, or the power of ten where it is far off."""
    if not math.isfinite(value):
        return "-"
    return f"{value:.2f}" if abs(value) < MOST_PLAIN else f"{value:.1e}"


def _estimates(report: ComparisonReport, answered: Sequence[MethodEntry]) -> list[str]:
    """Tables of value and standard error, a few parameters each; with a truth, the error over the bound beside."""
    names = list(dict.fromkeys(name for item in answered for name in item.parameters))
    tables, at_once = [], COLUMNS_AT_ONCE // (3 if report.truth else 2)
    for first in range(0, len(names), at_once):
        some = names[first : first + at_once]
        headers, right = ["method"], []
        for name in some:
            unit = next((item.parameters[name].unit for item in answered if name in item.parameters), "")
            headers += [f"{name} [{unit}]" if unit else name, "std"]
            right += [len(headers) - 2, len(headers) - 1]
            if name in report.truth:
                headers.append("error/CRLB")
                right.append(len(headers) - 1)
        rows = [[item.method, *(cell for name in some for cell in _cells(item, name, report))] for item in answered]
        if report.truth:
            rows.append(["truth", *(cell for name in some for cell in _truth_cells(name, report))])
        tables.append(align(headers, rows, right=right, title_rule=True))
    return tables


def _cells(item: MethodEntry, name: str, report: ComparisonReport) -> list[str]:
    found = item.parameters.get(name)
    cells = list(rounded(found.value, found.std)) if found else ["-", "-"]
    if name in report.truth:
        error = item.error_over_crlb.get(name)
        cells.append("-" if error is None else f"{error:+.2f}" if abs(error) < 1000 else f"{error:+.1e}")
    return cells


def _truth_cells(name: str, report: ComparisonReport) -> list[str]:
    return [f"{report.truth[name]:g}", "", ""] if name in report.truth else ["", ""]
