"""DampingReport: what a free decay is made of, as a frozen record and as versioned JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypedDict

from identikit.errors import DataError
from identikit.result._decoding import decoded
from identikit.result._document import Document, check_schema, read_document
from identikit.result._finding import Finding, with_findings
from identikit.result._result import Code, Status

DAMPING_SCHEMA = "identikit/damping/1"


class LawParameter(TypedDict):
    """A number that a law estimates."""

    value: float
    std: float | None
    unit: str


class _Figure(TypedDict):
    ratio: float | None
    ratio_std: float | None
    frequency: float | None
    warnings: list[str]


class Baseline(_Figure, total=False):
    """A textbook figure: the damping ratio, the frequency, what to doubt about them; of which of several records."""

    record: str


@dataclass(frozen=True)
class AmplitudeRange:
    """How a law does while the amplitude falls from `above` to `below`.

    Arguments:
        misfit: rms of what the law leaves over there, in units of the noise.
        loss, loss_std: loss per time of the record's swings over that of the law's, with its standard error; None where
            too few swings were seen.
    """

    above: float
    below: float
    misfit: float
    loss: float | None
    loss_std: float | None


@dataclass(frozen=True)
class LawResult:
    """One law of damping, fitted to the record.

    Arguments:
        name: its mechanisms joined by " + ", or "none".
        mechanisms: which of viscous, dry and drag it has.
        parameters: everything that the law estimates.
        rms: {output: rms of the residuals}, in the output's unit, along one trajectory per record, for every law.
        bic: Bayesian information criterion; bic_difference: above that of the best law.
        weight: probability among the laws and one loss outside them, if all were equally likely before.
        held_out: rms error over the noise in the part of the record that the law was not fitted to; None = not had.
        predicts_worse: whether another law predicts that part better beyond chance.
        shares: {mechanism: part of the energy lost}.
        converged: whether the fit settled; if not, the law is at least not as good as it looks.
        ranges: how the law does at large, middle and small swings, of the first output.
    """

    name: str
    mechanisms: tuple[str, ...]
    parameters: Mapping[str, LawParameter]
    rms: Mapping[str, float]
    bic: float
    bic_difference: float
    weight: float
    held_out: float | None
    predicts_worse: bool | None
    shares: Mapping[str, float]
    converged: bool
    ranges: tuple[AmplitudeRange, ...] = ()


@dataclass(frozen=True)
class MechanismResult:
    """The evidence for one mechanism over all laws.

    Arguments:
        parameters: its parameters in the model.
        probability: sum of the weights of the laws that have it.
        share: part of the energy lost through it by the best law.
        share_low, share_high: 95 % interval of that part if every mechanism is allowed for.
    """

    parameters: tuple[str, ...]
    probability: float
    share: float
    share_low: float
    share_high: float


@dataclass(frozen=True)
class DampingReport(Document):
    """The laws of damping of a free decay, ranked; see docs/result-format.md for the JSON."""

    model: str
    method: str
    status: Status
    best: str | None = None
    sentences: tuple[str, ...] = ()
    laws: tuple[LawResult, ...] = ()
    mechanisms: Mapping[str, MechanismResult] = field(default_factory=dict)
    baselines: Mapping[str, Baseline] = field(default_factory=dict)
    curves: tuple[Mapping[str, Any], ...] = ()
    diagnostics: Mapping[str, Any] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    question: Mapping[str, Any] | None = None
    findings: tuple[Finding, ...] = ()

    @property
    def ok(self) -> bool:
        return self.status.code is Code.OK

    def law(self, name: str) -> LawResult:
        """The law of that name, such as "viscous + drag"."""
        for item in self.laws:
            if item.name == name:
                return item
        raise DataError(f"no law '{name}' was fitted: expected one of {', '.join(item.name for item in self.laws)}")

    def __str__(self) -> str:
        from identikit.result._damping_text import describe_damping

        return describe_damping(self)

    def as_dict(self) -> dict[str, Any]:
        """The JSON document as a dictionary."""
        return {
            "schema": DAMPING_SCHEMA,
            "model": self.model,
            "method": self.method,
            "status": self.status.as_dict(),
            "best": self.best,
            "sentences": list(self.sentences),
            "laws": [asdict(item) for item in self.laws],
            "mechanisms": {name: asdict(item) for name, item in self.mechanisms.items()},
            "baselines": {name: dict(item) for name, item in self.baselines.items()},
            "curves": [dict(item) for item in self.curves],
            "diagnostics": dict(self.diagnostics),
            "seconds": dict(self.seconds),
            "provenance": dict(self.provenance),
            "question": self.question,
            "findings": [item.as_dict() for item in self.findings],
        }

    @classmethod
    def load(cls, path: str | Path) -> DampingReport:
        """Read a saved report."""
        document = read_document(path, "report")
        check_schema(document, str(path), DAMPING_SCHEMA, "damping")
        return decoded(cls, with_findings(document), str(path))
