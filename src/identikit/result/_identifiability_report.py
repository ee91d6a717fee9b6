"""IdentifiabilityReport: what equations and a planned or given record can tell, as a frozen record and as JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from identikit.result._decoding import decoded
from identikit.result._document import Document, check_schema, read_document
from identikit.result._finding import Finding
from identikit.result._result import Code, Status
from identikit.result._structural_result import StructuralResult

if TYPE_CHECKING:
    from matplotlib.figure import Figure

IDENTIFIABILITY_SCHEMA = "identikit/identifiability/1"


@dataclass(frozen=True)
class JudgedRecord:
    """The record that the practical part is about.

    Arguments:
        planned: whether it is still to be made; else it was given.
        samples: measured times of all runs; duration: of the longest; spacing: between samples, the median.
        noise: {output: level}, a standard deviation unless `noise_words` say otherwise; initial: where the first run
            begins; known: states that are known there.
        inputs: {input: expression of time}, of those that are planned.
        noise_words: {output: its noise in words}.
    """

    planned: bool
    samples: int
    duration: float
    spacing: float
    time_unit: str
    noise: Mapping[str, float]
    initial: Mapping[str, float] = field(default_factory=dict)
    known: tuple[str, ...] = ()
    inputs: Mapping[str, str] = field(default_factory=dict)
    noise_words: Mapping[str, str] = field(default_factory=dict)

    @property
    def noise_text(self) -> str:
        """The noise of all outputs in words."""
        return ", ".join(f"{name} {self.noise_words.get(name, f'{level:.3g}')}" for name, level in self.noise.items())


@dataclass(frozen=True)
class ExpectedParameter:
    """What the record tells of one parameter.

    Arguments:
        value: at which it is judged.
        std: Cramer-Rao bound of its standard error; None where the record holds nothing of it.
        relative: std over the parameter's size: its value or the model's own, whichever is larger; where both are zero,
            an amount that would do what others like it do.
    """

    value: float
    unit: str
    std: float | None
    relative: float | None
    identifiable: bool


@dataclass(frozen=True)
class DeterminedCombination:
    """A combination that is known although its parameters are not."""

    text: str
    value: float
    std: float


@dataclass(frozen=True)
class UnknownDirection:
    """Relative changes of parameters, the largest 1, that the record hardly shows.

    `std` is how far the parameter that changes most may go along it, relative to its size; None = any way.
    """

    changes: Mapping[str, float]
    std: float | None


@dataclass(frozen=True)
class RecordVariant:
    """What a longer, denser or quieter record would tell: relative standard errors, None where nothing is told."""

    name: str
    relative: Mapping[str, float | None]
    identifiable: tuple[str, ...]


@dataclass(frozen=True)
class PracticalResult:
    """What a record with noise tells, at given values of the parameters."""

    record: JudgedRecord
    parameters: Mapping[str, ExpectedParameter]
    combinations: tuple[DeterminedCombination, ...] = ()
    weakest: tuple[UnknownDirection, ...] = ()
    variants: tuple[RecordVariant, ...] = ()
    correlation: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    limit: float = 0.5

    @property
    def unidentified(self) -> tuple[str, ...]:
        """Parameters that this record does not tell."""
        return tuple(name for name, item in self.parameters.items() if not item.identifiable)


@dataclass(frozen=True)
class IdentifiabilityReport(Document):
    """Which parameters can be identified: by the equations, and by a record.

    Arguments:
        structural: what the equations say; None where they are a function, and a finding says so.
        practical: what the record tells; None where none is planned or given.
        findings: everything there is to say, refusals first.
    """

    model: str
    status: Status
    free: tuple[str, ...]
    structural: StructuralResult | None = None
    practical: PracticalResult | None = None
    findings: tuple[Finding, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    question: Mapping[str, Any] | None = None

    @property
    def ok(self) -> bool:
        return self.status.code is Code.OK

    def identifiable(self, name: str) -> bool:
        """Whether a free parameter is identifiable, by everything that was looked at."""
        by_structure = self.structural is None or self.structural.parameters[name]
        by_record = self.practical is None or self.practical.parameters[name].identifiable
        return by_structure and by_record

    def __str__(self) -> str:
        from identikit.result._identifiability_text import describe_identifiability

        return describe_identifiability(self)

    def __repr__(self) -> str:
        verdicts = ", ".join(f"{name} {'yes' if self.identifiable(name) else 'no'}" for name in self.free)
        return f"<IdentifiabilityReport {self.model}: {verdicts}>"

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw the expected standard errors; `path` (.png, .pdf or .svg) also writes it."""
        import identikit

        return identikit.plot(self, path)

    def as_dict(self) -> dict[str, Any]:
        """The JSON document as a dictionary."""
        plain = asdict(self)
        plain["status"] = self.status.as_dict()
        plain["findings"] = [item.as_dict() for item in self.findings]
        return {"schema": IDENTIFIABILITY_SCHEMA, **plain}

    @classmethod
    def load(cls, path: str | Path) -> IdentifiabilityReport:
        """Read a saved report."""
        document = read_document(path, "report")
        check_schema(document, str(path), IDENTIFIABILITY_SCHEMA, "identifiability")
        return decoded(cls, document, str(path))
