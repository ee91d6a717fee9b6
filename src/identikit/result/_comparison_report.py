"""ComparisonReport: every method on one problem, side by side, as a frozen record and as versioned JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from identikit.errors import DataError
from identikit.result._decoding import decoded
from identikit.result._document import Document, check_schema, read_document
from identikit.result._finding import Finding, with_findings
from identikit.result._result import Code, ParameterEstimate, Result, Status

COMPARISON_SCHEMA = "identikit/comparison/1"


@dataclass(frozen=True)
class MethodEntry:
    """What one method says of the problem.

    Arguments:
        status, message: of its estimate, as `fit` would say.
        objections: why it does not apply; empty if it does.
        parameters: the free ones; empty if it came to none.
        error_over_crlb: (value - truth) over the Cramer-Rao bound, of the parameters whose truth is given.
        seconds: that its fit took; None if it did not end.
        fit_percent: {output: how much of it the trajectory of its values explains}.
        held_out: rms error in the part of the record that it was not fitted to, over the rms residuals of the reference
            (the noise, if its checks hold); None if not known.
        not_predicted: why it is not.
        agrees: with the reference, within intervals; None where nothing can be compared.
        reason: where it does not agree, or cannot be compared: why, likely.
    """

    method: str
    title: str
    status: Code
    message: str
    objections: tuple[str, ...] = ()
    parameters: Mapping[str, ParameterEstimate] = field(default_factory=dict)
    error_over_crlb: Mapping[str, float] = field(default_factory=dict)
    seconds: float | None = None
    fit_percent: Mapping[str, float] = field(default_factory=dict)
    held_out: float | None = None
    not_predicted: str = ""
    agrees: bool | None = None
    reason: str = ""

    @property
    def answered(self) -> bool:
        """Whether it came to values, good or bad."""
        return any(item.value is not None for item in self.parameters.values())


@dataclass(frozen=True)
class ComparisonReport(Document):
    """Methods on one problem, in the order of their registry; see docs/result-format.md for the JSON.

    Arguments:
        sentences: the verdict in words.
        reference: the method whose estimate is trusted most, and the others are compared with; None if none answers.
        truth: values that are known, of simulated records; empty if not given.
        crlb: Cramer-Rao bounds at the reference's estimate.
        result: the whole Result of the reference.
    """

    status: Status
    sentences: tuple[str, ...] = ()
    reference: str | None = None
    truth: Mapping[str, float] = field(default_factory=dict)
    crlb: Mapping[str, float] = field(default_factory=dict)
    entries: tuple[MethodEntry, ...] = ()
    result: Result | None = None
    findings: tuple[Finding, ...] = ()
    question: Mapping[str, Any] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return self.status.code is Code.OK

    def entry(self, method: str) -> MethodEntry:
        """What the method of that name says."""
        for item in self.entries:
            if item.method == method:
                return item
        known = ", ".join(item.method for item in self.entries)
        raise DataError(f"no method '{method}' was compared: expected one of {known}")

    def __str__(self) -> str:
        from identikit.result._comparison_text import describe_comparison

        return describe_comparison(self)

    def as_dict(self) -> dict[str, Any]:
        """The JSON document as a dictionary."""
        return {
            "schema": COMPARISON_SCHEMA,
            "status": self.status.as_dict(),
            "sentences": list(self.sentences),
            "reference": self.reference,
            "truth": dict(self.truth),
            "crlb": dict(self.crlb),
            "entries": [{**asdict(item), "status": item.status.value} for item in self.entries],
            "result": None if self.result is None else self.result.as_dict(),
            "findings": [item.as_dict() for item in self.findings],
            "question": dict(self.question),
            "seconds": dict(self.seconds),
            "provenance": dict(self.provenance),
        }

    @classmethod
    def load(cls, path: str | Path) -> ComparisonReport:
        """Read a saved comparison."""
        document = read_document(path, "comparison")
        check_schema(document, str(path), COMPARISON_SCHEMA, "compare")
        return decoded(cls, with_findings(document), str(path))
