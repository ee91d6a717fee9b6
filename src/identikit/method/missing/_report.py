"""What a search for missing terms found: records and words."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from identikit.result import Finding, finding, listed, percent, rounded


@dataclass(frozen=True)
class MissingTerm:
    """A term that the model may lack, fitted with everything else adjusted.

    Arguments:
        action: what to do, in words: "adding -friction_omega*sign(omega) to omega'".
        parameter: the name of its coefficient, or of the fixed parameter that is set free.
        value, std: of that parameter; the standard error allows for coloured residuals.
        unit: of that parameter, empty if it is not known.
        about: states, outputs, inputs and parameters that the term concerns.
        rms: of each output's residual with the term, in the output's unit.
        explained: share of the residual's variance that the term takes away.
        beyond_noise: the same share of what the residual holds beyond the record's own noise.
        evidence: difference in BIC for the term, corrected for coloured residuals and for the number of candidates.
        parameters: the other free parameters with the term.
        model_text: the model with the term, as a TOML file, with these values.
    """

    action: str
    parameter: str
    value: float
    std: float
    unit: str
    about: tuple[str, ...]
    rms: Mapping[str, float]
    explained: float
    beyond_noise: float
    evidence: float
    parameters: Mapping[str, float]
    model_text: str

    @property
    def estimate(self) -> str:
        """The coefficient with its standard error and unit."""
        value, std = rounded(self.value, self.std)
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.parameter} = {value} \N{PLUS-MINUS SIGN} {std}{unit}"

    def as_dict(self) -> dict[str, Any]:
        return {
            "action": self.action,
            "parameter": self.parameter,
            "value": self.value,
            "std": self.std,
            "unit": self.unit,
            "about": list(self.about),
            "rms": dict(self.rms),
            "explained": self.explained,
            "beyond_noise": self.beyond_noise,
            "evidence": self.evidence,
            "parameters": dict(self.parameters),
        }


@dataclass(frozen=True)
class Disturbance:
    """A stretch of a record in which something acts that the model does not know; outside it, the model fits.

    `rms` is what each output's residual would be without the stretch.
    """

    record: str
    begin: float
    end: float
    rms: Mapping[str, float]
    beyond_noise: float

    def as_dict(self) -> dict[str, Any]:
        return {
            "record": self.record,
            "begin": self.begin,
            "end": self.end,
            "rms": dict(self.rms),
            "beyond_noise": self.beyond_noise,
        }


@dataclass(frozen=True)
class MissingTermReport:
    """Which term would explain what a model leaves over.

    Arguments:
        best: the term that is named; None if none is.
        rivals: terms that would do nearly as well, best first: the record hardly decides between them.
        next_best: the best term that would not do as well, for comparison.
        second: a second term that explains much of what the best one leaves, fitted together with it.
        disturbance: where something acts for a while; then no term is named.
        tried: how many candidates were compared.
        most: the largest share of the residual, beyond the noise, that any of them explains.
        rms: of each output's residual without any term; `units` are theirs.
        parameters: the free parameters without any term.
    """

    tried: int
    rms: Mapping[str, float]
    units: Mapping[str, str]
    parameters: Mapping[str, float]
    time_unit: str
    most: float = 0.0
    structured: bool = False
    best: MissingTerm | None = None
    rivals: tuple[MissingTerm, ...] = ()
    next_best: MissingTerm | None = None
    second: MissingTerm | None = None
    disturbance: Disturbance | None = None

    @property
    def explained(self) -> float:
        """Share of the residual's variance that the named term takes away; 0 if none is named."""
        return self.best.explained if self.best else 0.0

    def finding(self) -> Finding | None:
        """What to say; None where nothing is left to explain."""
        if self.disturbance is not None:
            return self._disturbed(self.disturbance)
        if self.best is not None:
            return self._missing(self.best)
        if not self.structured or not self.tried:
            return None
        text = (
            f"of {self.tried} terms that were tried none would explain what the model leaves over; the best takes away "
            f"{100 * self.most:.0f} % of it"
        )
        return finding("no_missing_term", text, *self.rms)

    def _missing(self, best: MissingTerm) -> Finding:
        text = (
            f"{best.action} would explain {percent(best.explained)} of the residual ({self._rms(best.rms)}) with "
            f"{best.estimate}"
        )
        if self.second is not None:
            text += f"; with {self.second.action} too, {percent(self.second.explained)} ({self._rms(self.second.rms)})"
        moved = self._moved(best)
        if moved:
            text += f"; {moved}"
        if self.rivals:
            others = [f"{item.action} ({percent(item.explained)})" for item in self.rivals]
            text += f"; the record hardly tells it from {listed(others)}"
        elif self.next_best is not None:
            text += f"; next best: {self.next_best.action}, {percent(self.next_best.explained)}"
        return finding("missing_term", text, *best.about)

    def _moved(self, best: MissingTerm) -> str:
        """How the other parameters would change, where it shows."""
        changed = [
            f"{name} from {self.parameters[name]:.4g} to {value:.4g}"
            for name, value in best.parameters.items()
            if f"{self.parameters[name]:.3g}" != f"{value:.3g}"
        ]
        return f"it would move {listed(changed)}" if changed else ""

    def _disturbed(self, found: Disturbance) -> Finding:
        where = f" of {found.record}" if found.record else ""
        unit = f" {self.time_unit}" if self.time_unit else ""
        text = (
            f"between t = {found.begin:.4g} and {found.end:.4g}{unit}{where} something acts that the model does not know, "
            f"as a push would; without that stretch the model leaves {self._rms(found.rms)}"
        )
        return finding("disturbed", text, *self.rms)

    def _rms(self, after: Mapping[str, float]) -> str:
        parts = []
        for name, value in after.items():
            unit = f" {self.units[name]}" if self.units.get(name) else ""
            label = f" of {name}" if len(after) > 1 else ""
            parts.append(f"rms{label} {self.rms[name]:.3g} -> {value:.3g}{unit}")
        return ", ".join(parts)

    def as_dict(self) -> dict[str, Any]:
        """JSON-able."""
        return {
            "tried": self.tried,
            "rms": dict(self.rms),
            "most": self.most,
            "best": self.best.as_dict() if self.best else None,
            "rivals": [item.as_dict() for item in self.rivals],
            "next_best": self.next_best.as_dict() if self.next_best else None,
            "second": self.second.as_dict() if self.second else None,
            "disturbance": self.disturbance.as_dict() if self.disturbance else None,
            "model_text": (self.second or self.best).model_text if self.best else None,  # type: ignore[union-attr]
        }
