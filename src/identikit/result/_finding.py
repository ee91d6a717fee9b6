"""Finding: one thing the software has to say about an estimate, a record or a method.

The code is for programs, the text for people; no program reads the text. Every code is a row of `KINDS`, with what it
means and what to do about it; a new one is a row in the file of its severity. docs/findings.md is made from these rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from identikit.errors import OptionError, did_you_mean
from identikit.result import _finding_notes, _finding_refusals, _finding_warnings


class Severity(StrEnum):
    """How much a finding matters: a note informs, a warning qualifies a number, a refusal withholds it."""

    REFUSAL = "refusal"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True)
class Finding:
    """`about` names the parameters, outputs or columns that the finding concerns."""

    code: str
    severity: Severity
    text: str
    about: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text

    def as_dict(self) -> dict[str, Any]:
        return {"code": self.code, "severity": self.severity.value, "about": list(self.about), "text": self.text}


@dataclass(frozen=True)
class FindingKind:
    """A row of the registry: what a code means, what a person can do about it, and which package brings it, if any."""

    code: str
    severity: Severity
    meaning: str
    remedy: str
    package: str = ""


KINDS: dict[str, FindingKind] = {
    code: FindingKind(code, severity, meaning, remedy)
    for severity, rows in (
        (Severity.REFUSAL, _finding_refusals.ROWS),
        (Severity.WARNING, _finding_warnings.ROWS),
        (Severity.NOTE, _finding_notes.ROWS),
    )
    for code, (meaning, remedy) in rows.items()
}


def register_finding(kind: FindingKind) -> None:
    """Add a row."""
    KINDS[kind.code] = kind


def finding(code: str, text: str, *about: str) -> Finding:
    """A finding of a registered kind, with the severity of its row."""
    if code not in KINDS:
        raise OptionError(f"unknown finding '{code}'.{did_you_mean(code, KINDS)}")
    return Finding(code, KINDS[code].severity, text, about)


def joined(findings: Iterable[Finding]) -> str:
    """What they say, as one sentence."""
    return "; ".join(item.text.strip().rstrip(".") for item in findings)


def of_severity(findings: Iterable[Finding], severity: Severity) -> tuple[Finding, ...]:
    """Those of one severity, in their order."""
    return tuple(item for item in findings if item.severity is severity)


def ranked(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Refusals first, then warnings, then notes."""
    known = tuple(findings)
    return tuple(item for severity in Severity for item in of_severity(known, severity))


def with_findings(document: Mapping[str, Any]) -> Mapping[str, Any]:
    """A saved document that has findings; one saved before they had codes gets the warnings in its diagnostics."""
    if document.get("findings") is not None:
        return document
    diagnostics = document.get("diagnostics")
    said = diagnostics if isinstance(diagnostics, Mapping) else {}
    judged = said.get("identifiability")
    lists = (judged.get("warnings") if isinstance(judged, Mapping) else (), said.get("warnings"))
    sentences = [item for part in lists if isinstance(part, list) for item in part if isinstance(item, str)]
    return {**document, "findings": [finding("unclassified", text).as_dict() for text in sentences]}
