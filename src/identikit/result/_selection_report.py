"""SelectionReport: which of several models describes a record, as a frozen record and as versioned JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from identikit.errors import DataError
from identikit.result._decoding import decoded
from identikit.result._document import Document, check_schema, read_document
from identikit.result._finding import Finding, with_findings
from identikit.result._result import Code, ParameterEstimate, Status

SELECTION_SCHEMA = "identikit/selection/1"


@dataclass(frozen=True)
class ModelChoice:
    """One model, fitted to the record; numbers are None where it could not be.

    Arguments:
        status, message: of its fit.
        parameters: the free ones.
        unknowns: parameters, initial states and noise levels.
        bic_difference: above that of the best model. aicc: Akaike's criterion, corrected for few values.
        weight: probability among the models, if all were equally likely before.
        held_out: rms error over the noise in the part of the record that it was not fitted to.
        predicts_worse: whether another model predicts that part better beyond chance.
        rms: {output: rms of the residuals}; white: {output: whether these are white}.
        misses: what speaks against it, in words.
    """

    name: str
    status: Code
    message: str
    parameters: Mapping[str, ParameterEstimate]
    unknowns: int | None
    log_likelihood: float | None
    bic: float | None
    bic_difference: float | None
    aicc: float | None
    weight: float
    held_out: float | None
    predicts_worse: bool | None
    rms: Mapping[str, float]
    white: Mapping[str, bool | None]
    misses: tuple[str, ...] = ()


@dataclass(frozen=True)
class NestedTest:
    """The small model is the large one without `parameters`: twice the gain of log L, and the chance of as much."""

    small: str
    large: str
    parameters: tuple[str, ...]
    gain: float
    p_value: float


@dataclass(frozen=True)
class SelectionReport(Document):
    """Models of one record, likeliest first; see docs/result-format.md for the JSON."""

    method: str
    status: Status
    best: str | None = None
    sentences: tuple[str, ...] = ()
    models: tuple[ModelChoice, ...] = ()
    tests: tuple[NestedTest, ...] = ()
    curves: tuple[Mapping[str, Any], ...] = ()
    findings: tuple[Finding, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return self.status.code is Code.OK

    def model(self, name: str) -> ModelChoice:
        """The model of that name."""
        for item in self.models:
            if item.name == name:
                return item
        raise DataError(f"no model '{name}' was compared: expected one of {', '.join(one.name for one in self.models)}")

    def __str__(self) -> str:
        from identikit.result._selection_text import describe_selection

        return describe_selection(self)

    def as_dict(self) -> dict[str, Any]:
        """The JSON document as a dictionary."""
        return {
            "schema": SELECTION_SCHEMA,
            "method": self.method,
            "status": self.status.as_dict(),
            "best": self.best,
            "sentences": list(self.sentences),
            "models": [{**asdict(item), "status": item.status.value} for item in self.models],
            "tests": [asdict(item) for item in self.tests],
            "curves": [dict(item) for item in self.curves],
            "findings": [item.as_dict() for item in self.findings],
            "seconds": dict(self.seconds),
            "provenance": dict(self.provenance),
        }

    @classmethod
    def load(cls, path: str | Path) -> SelectionReport:
        """Read a saved report."""
        document = read_document(path, "report")
        check_schema(document, str(path), SELECTION_SCHEMA, "select")
        return decoded(cls, with_findings(document), str(path))
