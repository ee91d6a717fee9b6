"""A design report in words: the experiments as a table, the recommended one in detail, and what to do in the lab."""

from __future__ import annotations

import math

from identikit.result._cells import Cells
from identikit.result._design_report import DesignCheck, DesignReport, PlannedExperiment
from identikit.result._finding import Finding, Severity
from identikit.result._numbers import rounded
from identikit.result._text import STILL_DETERMINED

MOST_PARAMETERS = 6  # parameters with a column of their own: more make lines too long to read
_LEADS = {Severity.REFUSAL: "", Severity.WARNING: "Warning: ", Severity.NOTE: "Note: "}


def describe_design(report: DesignReport) -> str:
    """Tables and sentences, as `print(report)` shows them."""
    if not report.experiments:
        return f"No experiment was planned: {report.status.message}."
    experiments = f"Expected standard errors, relative:\n{experiment_cells(report)}"
    told = [_sentence(item) for item in report.findings]
    instructions = "\n".join(["What to do:", *(f"  {line}" for line in report.instructions)])
    return "\n\n".join([experiments, _recommended(report), instructions, "\n".join(told)]).rstrip()


def _sentence(item: Finding) -> str:
    lead = "Still determined: " if item.code == STILL_DETERMINED else _LEADS[item.severity]
    text = item.text if lead else item.text[:1].upper() + item.text[1:]
    return f"{lead}{text}."


def experiment_cells(report: DesignReport) -> Cells:
    """One row per experiment: what it costs, and the expected standard error of every parameter over its value."""
    names = list(report.parameters)[:MOST_PARAMETERS]
    unit = f" [{report.time_unit}]" if report.time_unit else ""
    headers = ["", "experiment", "runs", f"time{unit}", "samples", *names, "largest"]
    if len(names) == len(report.parameters) == 1:
        headers, names = headers[:-1], names
    rows = []
    for item in report.experiments:
        mark = ">" if item.name == report.recommended else ""
        errors = [percent_error(report.relative(item, name)) for name in names]
        cells = [mark, item.name, str(len(item.runs)), f"{item.duration:.4g}", str(item.samples), *errors]
        rows.append(tuple(cells if len(headers) == len(cells) else [*cells, percent_error(largest(report, item))]))
    return Cells(tuple(headers), tuple(rows), tuple(range(2, len(headers))))


def recommended_cells(report: DesignReport) -> Cells:
    """Every parameter under the recommended experiment: expected, wanted, and as simulated fits spread."""
    chosen = report.experiment()
    headers = ("parameter", "value", "std", "unit", "relative", "wanted", "std of fits", "fits / expected")
    rows = []
    for name, item in report.parameters.items():
        std = chosen.std[name]
        value, deviation = rounded(item.value, std)
        wanted = "" if item.wanted is None else f"{item.wanted:.3g}"
        fitted = ratio = ""
        if report.check is not None and name in report.check.std:
            fitted, ratio = f"{report.check.std[name]:.2g}", f"{report.check.ratio[name]:.2f}"
        shown = deviation if std is not None else "unknown"
        rows.append(
            (name, value, shown, item.unit, percent_error(report.relative(chosen, name)), wanted, fitted, ratio)
        )
    return Cells(headers, tuple(rows), (1, 2, 4, 5, 6, 7))


def _recommended(report: DesignReport) -> str:
    text = f"Expected of the experiment '{report.experiment().name}':\n{recommended_cells(report)}"
    if report.check is None:
        return text
    return f"{text}\n{check_words(report.check)}"


def check_words(check: DesignCheck) -> str:
    """How the expected errors were checked, in a sentence."""
    failed = "" if check.settled == check.records else f", of which {check.settled} settled"
    return f"Checked by {check.records} simulated records{failed}; a spread of so many is known to " + (
        f"{100 * check.uncertainty:.0f} %."
    )


def largest(report: DesignReport, experiment: PlannedExperiment) -> float | None:
    """The largest relative standard error; None if one is not known at all."""
    found = [report.relative(experiment, name) for name in report.parameters]
    known = [value for value in found if value is not None]
    return max(known) if len(known) == len(found) else None


def percent_error(relative: float | None) -> str:
    """A relative standard error in per cent, two digits; beyond a thousand times it is not a number any more."""
    if relative is None or not math.isfinite(relative) or relative > 1e3:
        return "unknown"
    return f"{100 * relative:.2g} %" if relative < 1 else f"{100 * relative:.0f} %"
