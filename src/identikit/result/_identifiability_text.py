"""Identifiability in words: what the equations allow, a table of what the record tells, and what would help."""

from __future__ import annotations

from collections.abc import Sequence

from identikit.result._cells import Cells
from identikit.result._finding import Severity, of_severity
from identikit.result._identifiability_report import IdentifiabilityReport, JudgedRecord, PracticalResult
from identikit.result._numbers import rounded
from identikit.result._structural_result import RemedyKind, StructuralRemedy, StructuralResult
from identikit.result._text import listed

MOST_SETS = 4  # of things that have to be known together, printed
_FIRST_COLUMNS = ("parameter", "value", "std", "unit", "relative")
_TOLD_ABOVE = ("still_determined", "would_free")  # notes that have a place of their own


def describe_identifiability(report: IdentifiabilityReport) -> str:
    """The report, as `print(report)` shows it."""
    parts = []
    if report.structural is not None:
        parts.append(_structure(report.structural))
    if report.practical is not None:
        parts += [_record(report.practical.record), str(expected_cells(report.practical, report.structural))]
        if report.practical.weakest:
            parts.append(_weakest(report.practical))
    said = [item for item in report.findings if item.code not in _TOLD_ABOVE]
    lines = [
        f"{word}: {item.text}."
        for severity, word in ((Severity.REFUSAL, "Not identifiable"), (Severity.WARNING, "Warning"))
        for item in of_severity(said, severity)
    ]
    lines += [
        f"Still determined by the record: {item.text}."
        for item in report.findings
        if item.code == "still_determined" and report.practical is not None
    ]
    lines += [f"Note: {item.text}." for item in of_severity(said, Severity.NOTE)]
    if not of_severity(said, Severity.REFUSAL):
        lines.insert(0, f"{listed(report.free)} can be identified.")
    return "\n\n".join([*parts, "\n".join(lines)])


def remedy_words(remedies: Sequence[StructuralRemedy]) -> str:
    """What would free the rest; singles of one kind in one breath, of sets that belong together the first few."""
    singles = [item.parts[0] for item in remedies if len(item.parts) == 1]
    words = []
    for kind in RemedyKind:
        names = [part.name for part in singles if part.kind is kind]
        if names:
            words.append(_ANY[kind].format(_or(names)))
    sets = [item.text for item in remedies if len(item.parts) > 1]
    more = f", or another of {len(sets)} such pairs" if len(sets) > MOST_SETS else ""
    words += [*sets[:MOST_SETS]]
    return f"{'; or '.join(words)}{more}"


_ANY = {
    RemedyKind.VALUE: "the value of {}",
    RemedyKind.INITIAL: "{} known at the beginning",
    RemedyKind.SENSOR: "{} measured too",
    RemedyKind.SETTING: "{} other than zero",
    RemedyKind.INPUT: "{} varied in time",
}


def _structure(found: StructuralResult) -> str:
    measured = listed(found.outputs)
    known = f", {listed(found.known)} known at the beginning" if found.known else ""
    counted = f"{found.rank} of {found.unknowns} unknowns, by {_derivatives(found.derivatives)} of what is measured"
    modes = f"; {len(found.modes)} modes of its switches" if len(found.modes) > 1 else ""
    lines = [f"By the equations ({measured} measured{known}; rank {counted}{modes}):"]
    loose = [*found.unidentified, *(name for name, told in found.states.items() if not told)]
    if not loose:
        lines.append("  every parameter and initial state is locally identifiable")
        return "\n".join(lines)
    lines += [f"  {item.text}: nothing that is measured changes" for item in found.symmetries]
    if found.unidentified:
        lines.append(f"  not identifiable: {listed(found.unidentified)}")
    told = [name for name, told in found.parameters.items() if told]
    if told:
        lines.append(f"  identifiable: {listed(told)}")
    if found.combinations:
        more = f", and {found.further} more" if found.further else ""
        lines.append(f"  determined: {', '.join(found.combinations)}{more}")
    if found.remedies:
        lines.append(f"  would free all: {remedy_words(found.remedies)}")
    return "\n".join(lines)


def _derivatives(count: int) -> str:
    return f"{count} derivative{'s' if count != 1 else ''}"


def _record(record: JudgedRecord) -> str:
    unit = f" {record.time_unit}" if record.time_unit else ""
    kind = "By the planned record" if record.planned else "By the given record"
    words = f"{kind} ({record.samples} samples over {record.duration:.4g}{unit}; noise {record.noise_text}"
    if record.planned and record.initial:
        words += f"; from {', '.join(f'{name} {value:.4g}' for name, value in record.initial.items())}"
    if record.inputs:
        words += f"; {', '.join(record.inputs)} as planned"
    return f"{words}):"


def expected_cells(found: PracticalResult, structure: StructuralResult | None) -> Cells:
    """One row per parameter: what the record tells of it, and what others would."""
    headers = [*_FIRST_COLUMNS, *(item.name for item in found.variants), ""]
    rows = []
    for name, item in found.parameters.items():
        value, std = rounded(item.value, item.std)
        variants = [
            _share(variant.relative[name], name in variant.identifiable) if variant.relative else "?"
            for variant in found.variants
        ]
        lost = structure is not None and not structure.parameters[name]
        verdict = "by no record" if lost else "" if item.identifiable else "not identifiable"
        rows.append((name, value, std, item.unit, _share(item.relative, item.identifiable), *variants, verdict))
    right = (1, 2, *range(4, 5 + len(found.variants)))
    return Cells(tuple(headers), tuple(rows), right)


def _share(relative: float | None, identifiable: bool) -> str:
    """A relative standard error; in brackets where the parameter is not identifiable."""
    if relative is None:
        return "-"
    text = _percent(relative)
    return text if identifiable else f"({text})"


def _percent(relative: float) -> str:
    return f"{100 * relative:.2g} %" if relative < 1 else f"{100 * relative:.0f} %"


def _weakest(found: PracticalResult) -> str:
    lines = ["Hardly seen in it, relative changes together:"]
    for item in found.weakest:
        changes = ", ".join(f"{name} {share:+.2g} %" for name, share in item.changes.items())
        reach = "not seen at all" if item.std is None else f"known to {_percent(item.std)}"
        lines.append(f"  {changes}: {reach}")
    return "\n".join(lines)


def _or(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
