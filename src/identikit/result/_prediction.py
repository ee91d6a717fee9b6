"""Prediction: a fitted model on a record that it was not fitted to, as a frozen record and as versioned JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from identikit.result._cells import Cells
from identikit.result._decoding import decoded
from identikit.result._document import Document, check_schema, read_document
from identikit.result._result import Code, FitQuality, NoiseFound, Status

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PREDICTION_SCHEMA = "identikit/prediction/1"
_HEADERS = ("output", "predicted", "rms error", "unit", "error/noise", "errors", "in 95 % band")
_NUMBER_COLUMNS = (1, 2, 4, 6)  # columns of the table that are numbers
_START = {
    "estimated": "from the initial state that fits best",
    "first_part": "from the initial state that fits the first part best, judged on the rest",
    "known": "from the initial state that was given",
}


@dataclass(frozen=True)
class Prediction(Document):
    """What a fitted model says about another record.

    Arguments:
        model, method: of the fit; status: how that fit ended.
        initial: where the initial states come from: "estimated" (from the whole record), "first_part" or "known".
        parameters: the values that were used.
        initial_states: for each record {state: {"value", "std"}}.
        fit: how well each output is predicted, on the samples that did not serve to find the initial state alone.
        noise: for each output the level that the fit found, and whether the residuals here are white.
        residuals: for each output "whiteness_p", "autocorrelation" (lags 1 to 5), "over_noise" (rms over the noise of
            the fit; None without one) and "inside" (part of the samples within the 95 % band).
        artifacts: curves with their band, as in a Result.
    """

    model: str
    method: str
    status: Status
    initial: str
    parameters: Mapping[str, float]
    initial_states: tuple[Mapping[str, Mapping[str, float | None]], ...]
    fit: Mapping[str, FitQuality]
    noise: Mapping[str, NoiseFound]
    residuals: Mapping[str, Mapping[str, Any]]
    artifacts: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)
    question: Mapping[str, Any] | None = None

    @property
    def ok(self) -> bool:
        """Whether the fit that predicts is to be trusted."""
        return self.status.code is Code.OK

    def __str__(self) -> str:
        lines = [self.title, "", str(self.cells())]
        return "\n".join([*lines, "", self._warning()] if not self.ok else lines)

    @property
    def title(self) -> str:
        """What predicts, and from where it starts."""
        return f"{self.model}, fitted by {self.method}, {_START[self.initial]}"

    def _warning(self) -> str:
        return f"Warning: {'the fit itself is not to be trusted: ' if self.fit else ''}{self.status.message}"

    def cells(self) -> Cells:
        """One row per output: how well it is predicted."""
        return Cells(_HEADERS, tuple(self._rows()), _NUMBER_COLUMNS)

    def _rows(self) -> list[tuple[str, ...]]:
        units = {item["output"]: item["unit"] for item in self.artifacts.values() if item.get("kind") == "curve"}
        return [
            (
                name,
                f"{quality.fit_percent:.1f} %",
                f"{quality.rmse:.3g}",
                units.get(name, ""),
                "" if self.residuals[name]["over_noise"] is None else f"{self.residuals[name]['over_noise']:.2f}",
                "white" if self.noise[name].white else "not white",
                f"{100 * self.residuals[name]['inside']:.0f} %",
            )
            for name, quality in self.fit.items()
        ]

    def __repr__(self) -> str:
        parts = ", ".join(f"{name} {quality.fit_percent:.1f} %" for name, quality in self.fit.items())
        return f"<Prediction by {self.model}, {self.method}: {parts}>"

    def _repr_html_(self) -> str:
        from identikit.result._html import html_table

        parts = [f"<p>{escape(self.title)}</p>", html_table(_HEADERS, self._rows(), _NUMBER_COLUMNS)]
        return "".join([*parts, f"<p>{escape(self._warning())}</p>"] if not self.ok else parts)

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw the prediction against the record; `path` (.png, .pdf or .svg) also writes it."""
        import identikit

        return identikit.plot(self, path)

    def as_dict(self) -> dict[str, Any]:
        """The JSON document as a dictionary."""
        plain = {item: getattr(self, item) for item in self.__dataclass_fields__}
        return {
            "schema": PREDICTION_SCHEMA,
            **plain,
            "status": self.status.as_dict(),
            "fit": {name: asdict(item) for name, item in self.fit.items()},
            "noise": {name: asdict(item) for name, item in self.noise.items()},
        }

    @classmethod
    def load(cls, path: str | Path) -> Prediction:
        """Read a saved prediction."""
        document = read_document(path, "prediction")
        check_schema(document, str(path), PREDICTION_SCHEMA, "predict")
        return decoded(cls, document, str(path))
