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
    FindingKind(
        "input_at_default",
        Severity.WARNING,
        "An input of the model was not given and kept its default value, while columns of the file were not used.",
        "Name the column or expression of the input, or fix the input at its default on purpose.",
    ),
    FindingKind(
        "time_without_unit",
        Severity.NOTE,
        "The time column states no unit, so the model's own unit of time was assumed.",
        "Write the unit into the header, t[ms], or say it.",
    ),
    FindingKind(
        "gap",
        Severity.NOTE,
        "A stretch without samples, more than ten times as long as the usual spacing.",
        "Methods that integrate bridge it; smoothing methods know nothing in it. Cut the record there if the system "
        "was touched meanwhile.",
    ),
):
    register_finding(_row)
