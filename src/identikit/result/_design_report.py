"""DesignReport: which experiment to make next, as a frozen record and as versioned JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from identikit.errors import DataError
from identikit.result._decoding import decoded
from identikit.result._document import Document, check_schema, read_document
from identikit.result._finding import Finding
from identikit.result._result import Code, Status

DESIGN_SCHEMA = "identikit/design/1"


@dataclass(frozen=True)
class WantedParameter:
    """A parameter that is to be estimated.

    Arguments:
        value: what is expected of it; size: what its standard error is relative to, its value unless that is zero.
        wanted: the standard error that is wanted; None = none is.
    """

    value: float
    unit: str
    size: float
    wanted: float | None = None


@dataclass(frozen=True)
class PlannedRun:
    """One run of an experiment: where it begins, and when it is sampled.

    Arguments:
        windows: stretches of even sampling, as the times of their first and last samples.
        spacing: time between samples in them; the median where they are not even.
        instants: all sample times, where no windows can tell them: those of a record with a clock of its own.
    """

    initial: Mapping[str, float]
    windows: tuple[tuple[float, float], ...]
    spacing: float
    samples: int
    instants: tuple[float, ...] = ()

    @property
    def duration(self) -> float:
        return self.windows[-1][1]

    @property
    def times(self) -> np.ndarray:
        """When it is sampled, first and last samples of all windows included."""
        if self.instants:
            return np.array(self.instants)
        parts = [np.linspace(a, b, round((b - a) / self.spacing) + 1) for a, b in self.windows]
        return np.asarray(np.round(np.concatenate(parts), 12))


@dataclass(frozen=True)
class PlannedExperiment:
    """One experiment that could be made.

    Arguments:
        settings: fixed parameters that are set otherwise than at present.
        inputs: {input: expression of time}; drives: the same in words, where the input was chosen.
        noise: {output: standard deviation} of what is measured.
        score: the criterion over all parameter values that count, as a factor: half is half the standard error.
        std: expected standard errors; None where nothing of a parameter would be known.
        identifiable: verdict for every parameter.
        reaches: whether all wanted standard errors are reached; None if none are wanted.
    """

    name: str
    runs: tuple[PlannedRun, ...]
    settings: Mapping[str, float]
    inputs: Mapping[str, str]
    drives: Mapping[str, str]
    noise: Mapping[str, float]
    score: float
    std: Mapping[str, float | None]
    identifiable: Mapping[str, bool]
    reaches: bool | None = None

    @property
    def samples(self) -> int:
        return sum(run.samples for run in self.runs)

    @property
    def duration(self) -> float:
        return sum(run.duration for run in self.runs)


@dataclass(frozen=True)
class DesignCheck:
    """Simulated records of an experiment, each fitted: the spread of the estimates beside the expected errors.

    Arguments:
        records, settled: simulated records, and fits of them that came to an end.
        std: spread of the estimates; ratio: over the expected standard error.
        uncertainty: relative standard error of a spread from so many fits.
    """

    records: int
    settled: int
    std: Mapping[str, float]
    ratio: Mapping[str, float]
    uncertainty: float


@dataclass(frozen=True)
class DesignReport(Document):
    """Experiments to choose from, the simplest first, and the one that is recommended."""

    model: str
    status: Status
    criterion: str
    parameters: Mapping[str, WantedParameter]
    time_unit: str
    experiments: tuple[PlannedExperiment, ...] = ()
    recommended: str | None = None
    check: DesignCheck | None = None
    instructions: tuple[str, ...] = ()
    curves: tuple[Mapping[str, Any], ...] = ()
    findings: tuple[Finding, ...] = ()
    seconds: Mapping[str, float] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    model_text: str | None = None

    @property
    def ok(self) -> bool:
        return self.status.code is Code.OK

    def experiment(self, name: str | None = None) -> PlannedExperiment:
        """The experiment of that name; without one, that which is recommended."""
        wanted = self.recommended if name is None else name
        for item in self.experiments:
            if item.name == wanted:
                return item
        known = ", ".join(item.name for item in self.experiments)
        raise DataError(f"no experiment '{wanted}' was planned: expected one of {known or 'none'}")

    def relative(self, experiment: PlannedExperiment, name: str) -> float | None:
        """The expected standard error of a parameter over its size."""
        std = experiment.std[name]
        return None if std is None else std / self.parameters[name].size

    def __str__(self) -> str:
        from identikit.result._design_text import describe_design

        return describe_design(self)

    def as_dict(self) -> dict[str, Any]:
        """The JSON document as a dictionary."""
        return {
            "schema": DESIGN_SCHEMA,
            "model": self.model,
            "status": self.status.as_dict(),
            "criterion": self.criterion,
            "parameters": {name: asdict(item) for name, item in self.parameters.items()},
            "time_unit": self.time_unit,
            "experiments": [asdict(item) for item in self.experiments],
            "recommended": self.recommended,
            "check": None if self.check is None else asdict(self.check),
            "instructions": list(self.instructions),
            "curves": [dict(item) for item in self.curves],
            "findings": [item.as_dict() for item in self.findings],
            "seconds": dict(self.seconds),
            "provenance": dict(self.provenance),
            "model_text": self.model_text,
        }

    @classmethod
    def load(cls, path: str | Path) -> DesignReport:
        """Read a saved report."""
        document = read_document(path, "report")
        check_schema(document, str(path), DESIGN_SCHEMA, "design")
        report = decoded(cls, document, str(path))
        fault = report._fault()
        if fault:
            raise DataError(f"{path}: {fault}: the document is damaged or not from identikit")
        return report

    def _fault(self) -> str:
        """What does not belong together; empty if all does."""
        names = set(self.parameters)
        if self.experiments and self.recommended not in [item.name for item in self.experiments]:
            return f"the recommended experiment '{self.recommended}' is not among the experiments"
        for item in self.experiments:
            if set(item.std) != names or set(item.identifiable) != names:
                return f"the experiment '{item.name}' is not about the parameters of the report"
            if not item.runs or not all(run.windows for run in item.runs):
                return f"the experiment '{item.name}' has a run without samples"
        check = self.check
        if check is not None and not (set(check.std) <= names and set(check.ratio) == set(check.std)):
            return "the check is not about the parameters of the report"
        return "" if all(item.size > 0 for item in self.parameters.values()) else "a parameter has no size"
