"""Every finding there is, registered with its severity; a new one is a row in the file of its severity.

docs/findings.md is made from these rows.
"""

from __future__ import annotations

from identikit.result import _finding_notes, _finding_refusals, _finding_warnings
from identikit.result._finding import KINDS as KINDS
from identikit.result._finding import FindingKind, Severity, register_finding

for _severity, _rows in (
    (Severity.REFUSAL, _finding_refusals.ROWS),
    (Severity.WARNING, _finding_warnings.ROWS),
    (Severity.NOTE, _finding_notes.ROWS),
):
    for _code, (_meaning, _remedy) in _rows.items():
        register_finding(FindingKind(_code, _severity, _meaning, _remedy))
