"""Result: what a method found, how sure it is, and where it came from. Frozen, printable, saved as JSON.

The JSON layout is versioned by SCHEMA and described in docs/result-format.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from identikit.errors import need
from identikit.result._decoding import decoded
from identikit.result._document import Document, check_schema, read_document
from identikit.result._finding import Finding, with_findings
from identikit.result._verdict import Verdict

if TYPE_CHECKING:
    import numpy as np
    from matplotlib.figure import Figure

    from identikit.measurement import Record
    from identikit.question import Columns, Data, Initial
    from identikit.result._prediction import Prediction

SCHEMA = "identikit/result/1"


class Code(StrEnum):
    """How a fit ended."""

    OK = "ok"
    MISFIT = "misfit"
    NOT_CONVERGED = "not_converged"
    NOT_IDENTIFIABLE = "not_identifiable"
    NOT_APPLICABLE = "not_applicable"


@dataclass(frozen=True)
class Status:
    """The code, and a sentence saying what happened and what to do."""

    code: Code
    message: str

    def as_dict(self) -> dict[str, str]:
        return {"code": self.code.value, "message": self.message}

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> Status:
        return cls(Code(document["code"]), document["message"])


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
    """Standard deviation of what the model leaves unexplained in one output, and whether what is left is white.

    `kind` is the noise in words; with `memory` (partial autocorrelations from sample to sample) `white` is about what
    each sample adds to its prediction from those before; `freedom` are the degrees of freedom of Student's t, None for
    normal noise; `step` is the distance of the levels that samples were rounded to, where that is coarse. `sigma` is in
    the output's unit if it is `absolute`; else it is of log y (log-normal), or a factor of a column of standard
    deviations, and the fit's rmse is the size of the noise in that unit.
    """

    sigma: float
    white: bool | None
    kind: str = "white"
    memory: tuple[float, ...] = ()
    freedom: float | None = None
    step: float = 0.0
    absolute: bool = True


@dataclass(frozen=True)
class FitQuality:
    """rmse in the output's unit; fit_percent = 100 (1 - rmse/std); r2_percent = 100 (1 - rmse^2/var)."""

    rmse: float
    fit_percent: float
    r2_percent: float


@dataclass(frozen=True)
class Result(Document):
    """Everything a method returns, and what it was asked.

    Arguments:
        status: what the estimate is worth; verdict: what the method says of itself, where that differs.
        parameters: estimates and fixed values by name, in the model's order.
        initial_states: for each record {state: {"value", "std"}}.
        artifacts: curves, tables and histories by name, enough to draw everything from the saved result.
        covariance: {"names", "matrix"} of the free parameters whose uncertainty is known; None if there are none.
        findings: everything there is to say about the estimate, the record and the method, with codes.
        question: what was asked, as `identikit.Question` reads it.
        model_text: the model as TOML; discovered: a model that was found, likewise: a law, or, after a fit, the model
            with the term that it lacks.
    """

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
    covariance: Mapping[str, Any] | None = None
    findings: tuple[Finding, ...] = ()
    question: Mapping[str, Any] | None = None
    model_text: str | None = None
    discovered: str | None = None
    verdict: Verdict | None = None  # the method's own; None: it was not run, or the document is older

    @property
    def ok(self) -> bool:
        return self.status.code is Code.OK

    @property
    def is_discovery(self) -> bool:
        """Whether a law was discovered. A fit that found a term missing is none: it holds the better model too, but
        only what discovers says which equations the record obeys."""
        return "law" in self.artifacts

    def value(self, name: str) -> float:
        """The estimate of one parameter; raises KeyError for an unknown name."""
        found = self.parameters[name].value
        return math.nan if found is None else found

    @property
    def free(self) -> tuple[str, ...]:
        return tuple(name for name, item in self.parameters.items() if item.role == "free")

    @property
    def log_likelihood(self) -> float | None:
        """log L at the estimate for white normal noise whose levels are those of the residuals; None if not known."""
        return self._likelihood().get("log")

    @property
    def aic(self) -> float | None:
        """Akaike's information criterion, -2 log L + 2 k with k unknowns; only differences on the same data mean
        something, and the smaller is the better."""
        return self._criterion(lambda unknowns, values: 2.0 * unknowns)

    @property
    def bic(self) -> float | None:
        """Bayesian information criterion, -2 log L + k log n for n measured values; as `aic`, harder on unknowns."""
        return self._criterion(lambda unknowns, values: unknowns * math.log(values))

    def _likelihood(self) -> Mapping[str, Any]:
        found = self.diagnostics.get("likelihood")
        return found if isinstance(found, Mapping) else {}

    def _criterion(self, penalty: Callable[[int, int], float]) -> float | None:
        found = self._likelihood()
        if found.get("log") is None:
            return None
        # numbers of the noise's shape were chosen from the record too; results from before they were counted have none
        return float(-2 * found["log"] + penalty(found["unknowns"] + found.get("shape", 0), found["values"]))

    def predict(
        self, data: Data, *, initial: Initial = "estimated", part: float = 0.2, **columns: Unpack[Columns]
    ) -> Prediction:
        """The fitted model on another record; see `identikit.predict`."""
        import identikit  # the front doors stand above results, and are reached by their public names

        return identikit.predict(self, data, initial=initial, part=part, **columns)

    def simulate(
        self,
        times: np.ndarray,
        *,
        initial: Mapping[str, float] | None = None,
        inputs: Mapping[str, str] | None = None,
        record: int = 0,
    ) -> Record:
        """The fitted model at these times, without noise.

        It starts from the state estimated for a record of the fit, which holds at the first of the times, but for
        what `initial` says. Inputs are expressions of t; one that is not given is as in the fit if it was an expression
        there, else at its default.
        """
        import identikit

        states = self.initial_states[record] if self.initial_states else {}
        start = {name: item["value"] for name, item in states.items() if item["value"] is not None}
        values = {name: item.value for name, item in self.parameters.items() if item.value is not None}
        return identikit.simulate(
            self, times, parameters=values, initial={**start, **(initial or {})}, inputs=inputs, noise={}
        )

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw the fit; `path` (.png, .pdf or .svg) also writes it."""
        import identikit

        return identikit.plot(self, path)

    def to_dataframe(self) -> Any:
        """The parameters as a pandas DataFrame, one row each, with value, std, ends of the 95 % interval and so on."""
        pandas = need("pandas", extra="dataframe")
        rows = {}
        for name, item in self.parameters.items():
            row = asdict(item)
            low, high = row.pop("ci95") or (None, None)
            rows[name] = {**row, "ci95_low": low, "ci95_high": high}
        columns = ["value", "std", "ci95_low", "ci95_high", "unit", "crlb", "role", "identifiable", "note"]
        return pandas.DataFrame.from_dict(rows, orient="index", columns=columns).rename_axis("parameter")

    def to_inference_data(self) -> Any:
        """The posterior as an `arviz.InferenceData`, if the intervals come from one; see docs/posterior.md."""
        from identikit.result._inference_data import inference_data

        return inference_data(self)

    def __str__(self) -> str:
        from identikit.result._text import describe  # here, since _text needs Result itself

        return describe(self)

    def __repr__(self) -> str:
        from identikit.result._text import brief

        return brief(self)

    def _repr_html_(self) -> str:
        from identikit.result._html import result_html

        return result_html(self)

    def as_dict(self) -> dict[str, Any]:
        """The JSON document as a dictionary."""
        return {
            "schema": SCHEMA,
            "model": self.model,
            "method": self.method,
            "status": self.status.as_dict(),
            "verdict": self.verdict.as_dict() if self.verdict else None,
            "parameters": {name: asdict(item) for name, item in self.parameters.items()},
            "initial_states": [{name: dict(entry) for name, entry in states.items()} for states in self.initial_states],
            "noise": {name: asdict(item) for name, item in self.noise.items()},
            "fit": {name: asdict(item) for name, item in self.fit.items()},
            "artifacts": {name: dict(item) for name, item in self.artifacts.items()},
            "covariance": self.covariance,
            "findings": [item.as_dict() for item in self.findings],
            "question": self.question,
            "model_text": self.model_text,
            "discovered": self.discovered,
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
        return decoded(cls, with_findings(document), where)
