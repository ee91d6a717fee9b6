"""What a search for missing terms found: records and words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from identikit.method.missing._settings import MISSING
from identikit.result import Finding, finding, listed, percent, rounded


@dataclass(frozen=True)
class MissingTerm:
    """A term that the model may lack, with its coefficient.

    Arguments:
        action: what to do, in words: "adding -friction_omega*sign(omega) to omega'".
        parameter: the name of its coefficient, or of the fixed parameter that is set free.
        value, std: of that parameter; the standard error allows for coloured residuals.
        unit: of that parameter, empty if it is not known.
        about: states, outputs, inputs and parameters that the term concerns.
        same: other ways to the same equations.
    """

    action: str
    parameter: str
    value: float
    std: float
    unit: str
    about: tuple[str, ...]
    same: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return f"{self.action} (the same as {' or '.join(self.same)})" if self.same else self.action

    @property
    def estimate(self) -> str:
        """The coefficient with its standard error and unit."""
        value, std = rounded(self.value, self.std)
        unit = f" {self.unit}" if self.unit else ""
        return f"{self.parameter} = {value} \N{PLUS-MINUS SIGN} {std}{unit}"


@dataclass(frozen=True)
class Explanation:
    """One term, or two together, fitted with everything else adjusted.

    Arguments:
        rms: of each output's residual with the terms, in the output's unit.
        explained: share of the residual's variance that the terms take away.
        beyond_noise: the same share of what the residual holds beyond the record's own noise.
        evidence: difference in BIC for the terms, corrected for coloured residuals and for the number of candidates.
        white: whether nothing but white noise is left with the terms.
        parameters: the other free parameters with the terms.
        model_text: the model with the terms, as a TOML file, with these values.
    """

    terms: tuple[MissingTerm, ...]
    rms: Mapping[str, float]
    explained: float
    beyond_noise: float
    evidence: float
    white: bool
    parameters: Mapping[str, float]
    model_text: str

    @property
    def text(self) -> str:
        return listed(term.text for term in self.terms)

    @property
    def about(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(name for term in self.terms for name in (*term.about, term.parameter)))


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


@dataclass(frozen=True)
class MissingTermReport:
    """Which term would explain what a model leaves over.

    Arguments:
        tried: how many candidates were compared.
        rms: of each output's residual without any term; `units` are theirs.
        parameters: the free parameters without any term.
        most: the largest share of the residual, beyond the noise, that any single one of them explains.
        structured: whether the residual is more than white noise.
        best: the term that is named, or two where only both together explain much; None if none is.
        pair: the best term with a second one that explains much of what it leaves.
        rivals: single terms that do as well: the record does not tell them from the best.
        next_best: the best of those that do not.
        disturbance: where something acts for a while; then no term is named.
    """

    tried: int
    rms: Mapping[str, float]
    units: Mapping[str, str]
    parameters: Mapping[str, float]
    time_unit: str
    most: float = 0.0
    structured: bool = False
    best: Explanation | None = None
    pair: Explanation | None = None
    rivals: tuple[Explanation, ...] = ()
    next_best: Explanation | None = None
    disturbance: Disturbance | None = None

    @property
    def explained(self) -> float:
        """Share of the residual's variance that the named term takes away; 0 if none is named."""
        return self.best.explained if self.best else 0.0

    @property
    def model_text(self) -> str | None:
        """The model with what is named, as a TOML file to go on with; None if nothing is."""
        named = self.pair or self.best
        return named.model_text if named else None

    def finding(self) -> Finding | None:
        """What to say; None where nothing is left to explain."""
        if self.disturbance is not None:
            return self._disturbed(self.disturbance)
        if self.best is not None:
            return finding("missing_term", "; ".join(self._said(self.best)), *self.best.about)
        if not self.structured or not self.tried:
            return None
        text = (
            f"of {self.tried} terms that were tried none would explain what the model leaves over; the best takes away "
            f"{percent(self.most)} of it, which is not enough or may be chance"
        )
        return finding("no_missing_term", text, *self.rms)

    def _said(self, best: Explanation) -> Iterator[str]:
        together = " together" if len(best.terms) > 1 else ""
        estimates = listed(term.estimate for term in best.terms)
        yield (
            f"{best.text}{together} would explain {percent(best.explained)} of the residual ({self._rms(best.rms)}) "
            f"with {estimates}"
        )
        if together:
            yield f"one term alone explains at most {percent(self.most)} of what is beyond the noise"
        if self.pair is not None:
            yield f"{self.pair.text} together, {percent(self.pair.explained)} ({self._rms(self.pair.rms)})"
        moved = self._moved(best)
        if moved:
            yield moved
        if self.rivals:
            yield f"the record does not tell it from {listed(item.text for item in self.rivals)}"
        if self.next_best is not None and not together:
            other = self.next_best
            said = f"{other.text}, {percent(other.explained)} ({self._rms(other.rms)})"
            yield f"next best: {said}" if other.explained <= best.explained else f"less usual, but closer: {said}"

    def _moved(self, best: Explanation) -> str:
        """How the other parameters would change, where it shows."""
        changed = [
            f"{name} from {self.parameters[name]:.4g} to {value:.4g}"
            for name, value in best.parameters.items()
            if abs(value - self.parameters[name]) > MISSING.worth_a_word * max(abs(value), abs(self.parameters[name]))
        ]
        return f"it would move {listed(changed)}" if changed else ""

    def _disturbed(self, found: Disturbance) -> Finding:
        where = f" of {found.record}" if found.record else ""
        unit = f" {self.time_unit}" if self.time_unit else ""
        text = (
            f"between t = {found.begin:.4g} and {found.end:.4g}{unit}{where} something acts that the model does not "
            f"know, as a push would; without that stretch the model fits ({self._rms(found.rms)})"
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
        """JSON-able, with the model that is proposed as text."""
        return {**asdict(self), "model_text": self.model_text}
