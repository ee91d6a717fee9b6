"""Result: what a method found, how sure it is, and where it came from. Frozen, printable, saved as JSON.

The JSON layout is versioned by SCHEMA and described in docs/result-format.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any

from identikit.result._decoding import decoded
from identikit.result._document import Document, check_schema, read_document

SCHEMA = "identikit/result/1"


class Code(StrEnum):
    """How a fit ended."""

    OK = "ok"
    NOT_CONVERGED = "not_converged"
    NOT_IDENTIFIABLE = "not_identifiable"
    NOT_APPLICABLE = "not_applicable"


@dataclass(frozen=True)
class Status:
    """The code, and a sentence saying what happened and what to do."""

    code: Code
    message: str


@dataclass(frozen=True)
class ParameterEstimate:
    """One parameter: `std`, `ci95` and `crlb` are None when they do not exist, and `note` then says why."""

    value: float | None
    unit: str = ""
    std: float | None = None
    ci95: tuple[float, float] | None = None
    crlb: float | None = None
    role: str = "free"
    identifiable: bool | None = None
    note: str = ""


@dataclass(frozen=True)
class NoiseFound:
    """Standard deviation of what the model leaves unexplained in one output, and whether that is white."""

    sigma: float
    white: bool | None


@dataclass(frozen=True)
class FitQuality:
    """rmse in the output's unit; fit_percent = 100 (1 - rmse/std); r2_percent = 100 (1 - rmse^2/var)."""

    rmse: float
    fit_percent: float
    r2_percent: float


@dataclass(frozen=True)
class Result(Document):
    """Everything a method returns."""

    model: str
    method: str
    status: Status
    parameters: Mapping[str, ParameterEstimate]
    initial_states: tuple[Mapping[str, Mapping[str, float | None]], ...] = ()
    noise: Mapping[str, NoiseFound] = field(default_factory=dict)
    fit: Mapping[str, FitQuality] = field(default_factory=dict)
    artifacts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    diagnostics: Mapping[str, Any] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        return self.status.code is Code.OK

    def value(self, name: str) -> float:
        """The estimate of one parameter; raises KeyError for an unknown name."""
        found = self.parameters[name].value
        return math.nan if found is None else found

    @property
    def free(self) -> tuple[str, ...]:
        return tuple(name for name, item in self.parameters.items() if item.role == "free")

    def __str__(self) -> str:
        from identikit.result._text import describe  # here, since _text needs Result itself

        return describe(self)

    def as_dict(self) -> dict[str, Any]:
        """The JSON document as a dictionary."""
        return {
            "schema": SCHEMA,
            "model": self.model,
            "method": self.method,
            "status": {"code": self.status.code.value, "message": self.status.message},
            "parameters": {name: asdict(item) for name, item in self.parameters.items()},
            "initial_states": [{name: dict(entry) for name, entry in states.items()} for states in self.initial_states],
            "noise": {name: asdict(item) for name, item in self.noise.items()},
            "fit": {name: asdict(item) for name, item in self.fit.items()},
            "artifacts": {name: dict(item) for name, item in self.artifacts.items()},
            "diagnostics": dict(self.diagnostics),
            "seconds": dict(self.seconds),
            "provenance": dict(self.provenance),
        }

    @classmethod
    def load(cls, path: str | Path) -> Result:
        """Read a saved result."""
        return cls.from_dict(read_document(path, "result"), str(path))

    @classmethod
    def from_dict(cls, document: Mapping[str, Any], where: str = "result") -> Result:
        check_schema(document, where, SCHEMA, "fit")
        return decoded(cls, document, where)
