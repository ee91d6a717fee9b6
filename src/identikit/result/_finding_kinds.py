"""Every finding there is, a row each."""

from __future__ import annotations

from identikit.result._finding import KINDS as KINDS
from identikit.result._finding import FindingKind, Severity, register_finding

for _row in (
    FindingKind(
        "column_guessed",
        Severity.NOTE,
        "No column is named like the output, so the only one that continues its name was taken.",
        "Name the column if another one was meant.",
    ),
):
    register_finding(_row)
