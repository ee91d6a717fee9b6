"""A look at a record in words: what it shows, a row per column, what to mind."""

from __future__ import annotations

from identikit.measurement import SpectralLine
from identikit.result._cells import Cells
from identikit.result._finding import Severity, of_severity
from identikit.result._look_report import ColumnLook, ColumnRole, LookReport, Motion, MotionKind

_KINDS = {
    MotionKind.FREE_DECAY: "A free decay",
    MotionKind.DRIVEN: "A driven or irregular motion",
    MotionKind.DRIVEN_THEN_FREE: "Driven first, then a free decay",
    MotionKind.STEADY: "A steady oscillation: something keeps it going",
    MotionKind.GROWING: "A growing motion",
    MotionKind.TRANSIENT: "A step response, or a transient that comes to rest",
    MotionKind.REST: "At rest: nothing but noise",
    MotionKind.UNCLEAR: "No kind of motion can be named surely: few oscillations or samples, no decay, no rest",
}
_HEADERS = ("column", "unit", "from", "to", "noise", "colour", "step", "frequency (amplitude)", "")
_IN_THE_TABLE = ("column_without_values", "column_repeated")  # findings that the last column says
_RIGHT_CELLS = (2, 3, 4, 6)  # columns of the table that are numbers
MOST_COLUMN_ROWS = 16  # columns that the table shows
MOST_REMARKS = 12  # findings that are printed
NEGLIGIBLE_JITTER = 1e-3  # of the spacing: rounding of the time stamps
DOUBTFUL_LEVEL = 0.3  # standard error of ln sigma: from here on the level is a guess


def describe_look(report: LookReport) -> str:
    """The report, as `print(report)` shows it."""
    parts = ["\n".join(look_sentences(report)), _table(report)]
    findings = [item for item in report.findings if item.code not in _IN_THE_TABLE]
    said = [*of_severity(findings, Severity.WARNING), *of_severity(findings, Severity.NOTE)]
    if said:
        more = [f"- {len(said) - MOST_REMARKS} more in the saved report"] if len(said) > MOST_REMARKS else []
        parts.append("\n".join([*(f"- {item.text}" for item in said[:MOST_REMARKS]), *more]))
    return "\n\n".join(parts)


def look_sentences(report: LookReport) -> tuple[str, str]:
    """What the record is, and what it shows."""
    return _headline(report), _motion(report)


def _headline(report: LookReport) -> str:
    unit = f" {report.time_unit}" if report.time_unit else ""
    clock = report.clock
    rate = f"{clock.rate:.4g} Hz" if report.time_unit == "s" else f"one every {clock.spacing:.4g}{unit}"
    even = "evenly spaced" if clock.jitter < NEGLIGIBLE_JITTER else f"jitter {100 * clock.jitter:.2g} %"
    gaps = f"{len(clock.gaps)} gap{'s' if len(clock.gaps) != 1 else ''}" if clock.gaps else "no gaps"
    span = f"{report.samples} samples from {report.begin:.6g} to {report.end:.6g}{unit}"
    more = f" (the longest of {len(report.records)} records)" if len(report.records) > 1 else ""
    return f"{report.name}{more}: {span}, {rate}, {even}, {gaps}."


def _motion(report: LookReport) -> str:
    motion, unit = report.motion, f" {report.time_unit}" if report.time_unit else ""
    words = _KINDS[motion.kind]
    if motion.kind is MotionKind.FREE_DECAY:
        words += " of one oscillation" if motion.single else " of several oscillations, or an irregular one"
    details = [*_details(motion, unit)]
    return f"{words}{': ' if details and ':' not in words else ', ' if details else ''}{', '.join(details)}."


def _details(motion: Motion, unit: str) -> list[str]:
    found = []
    if motion.period is not None and motion.kind is not MotionKind.REST:
        found.append(f"{motion.cycles:.3g} cycles of about {motion.period:.3g}{unit}")
    if motion.free_from is not None:
        found.append(f"free from t = {motion.free_from:.4g}{unit} on")
    if motion.rest_from is not None and motion.kind is not MotionKind.REST:
        found.append(f"at rest from about t = {motion.rest_from:.3g}{unit}")
    return found


def column_cells(report: LookReport, most: int | None = None) -> Cells:
    """One row per column."""
    return Cells(_HEADERS, tuple(_row(column, report.time_unit) for column in report.columns[:most]), _RIGHT_CELLS)


def _table(report: LookReport) -> str:
    table = column_cells(report, MOST_COLUMN_ROWS)
    left_out = len(report.columns) - len(table.rows)
    return f"{table}\n({left_out} more columns: see the saved report)" if left_out > 0 else str(table)


def _row(column: ColumnLook, time_unit: str) -> tuple[str, ...]:
    if column.role in (ColumnRole.EMPTY, ColumnRole.UNREADABLE):
        return (column.name, column.unit, "", "", "", "", "", "", column.role.value)
    low, high = f"{column.low:.4g}", f"{column.high:.4g}"
    role = "" if column.role is ColumnRole.MEASURED else column.role.value
    if column.role is ColumnRole.REPEATED:
        role = f"same as {column.note}"
    noise, colour = _noise(column)
    step = f"{column.step:.3g}" if column.step is not None else ""
    return (column.name, column.unit, low, high, noise, colour, step, _frequencies(column.lines, time_unit), role)


def _noise(column: ColumnLook) -> tuple[str, str]:
    noise = column.noise
    if noise is None:
        return ("", "") if column.role is not ColumnRole.MEASURED else ("?", "")
    about = "~" if noise.relative_std > DOUBTFUL_LEVEL else ""
    level = f"{about}{noise.sigma:.2g}"
    if noise.by_resolution:
        return level, "resolution"
    if noise.white is not False:
        return level, "white"
    return level, f"coloured {noise.coefficient:.2f}" if noise.coefficient else "coloured"


def _frequencies(lines: tuple[SpectralLine, ...], time_unit: str) -> str:
    if not lines:
        return ""
    shown = ", ".join(f"{line.frequency:.3g} ({line.amplitude:.2g})" for line in lines)
    unit = " Hz" if time_unit == "s" else f" per {time_unit}" if time_unit else ""
    return f"{shown}{unit}"
