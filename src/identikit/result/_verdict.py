"""Verdict: what a method says of its own estimate, before anyone has looked at the trajectory that it implies."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from identikit.result._finding import Finding, joined


class Ending(StrEnum):
    """How a method's own work ended.

    CONVERGED: it came to its end; whether the values are right, the trajectory tells.
    CONFIRMED: and its own equations (a balance of energy, a force law) hold for the values, whatever the trajectory.
    STOPPED: on request. FAILED: it did not come to its end. AMBIGUOUS: its equations leave parameters undetermined.
    """

    CONVERGED = "converged"
    CONFIRMED = "confirmed"
    STOPPED = "stopped"
    FAILED = "failed"
    AMBIGUOUS = "ambiguous"


@dataclass(frozen=True)
class Verdict:
    """The ending, and the findings that say why."""

    code: Ending
    findings: tuple[Finding, ...] = ()

    @property
    def message(self) -> str:
        return joined(self.findings) or self.code.value

    def as_dict(self) -> dict[str, Any]:
        return {
            "code": self.code.value,
            "message": self.message,
            "findings": [item.as_dict() for item in self.findings],
        }
