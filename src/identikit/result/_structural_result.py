"""What equations alone say about identifiability, as frozen records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum


class SymmetryKind(StrEnum):
    """How parameters and states change together without a change of what is measured."""

    SCALING = "scaling"
    TRANSLATION = "translation"
    OTHER = "other"


class RemedyKind(StrEnum):
    """What would free a parameter."""

    VALUE = "value"  # a parameter that is known
    INITIAL = "initial"  # a state that is known when the record begins
    SENSOR = "sensor"  # a state that is measured too
    SETTING = "setting"  # a fixed parameter that is not zero, such as the amplitude of a force
    INPUT = "input"  # inputs that vary


@dataclass(frozen=True)
class Symmetry:
    """Other values of unknowns under which all outputs stay as they are.

    Arguments:
        weights: {name: a}: scaling takes p to p s^a for any s, translation to p + a s. Of others only who takes part.
        names: who takes part, initial states included.
    """

    kind: SymmetryKind
    names: tuple[str, ...]
    weights: Mapping[str, float] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """In words."""
        if len(self.names) == 1:
            return f"{self.names[0]} can have any value"
        if self.kind is SymmetryKind.SCALING:
            if set(self.weights.values()) == {1.0}:
                return f"{_and(self.names)} can be multiplied by one common factor"
            written = [_scaled(name, weight) for name, weight in self.weights.items()]
            return f"{_and(self.names)} can be scaled: {', '.join(written)}, for any s"
        if self.kind is SymmetryKind.TRANSLATION:
            written = [f"{name} {'+' if w > 0 else '-'} {_times(abs(w))}s" for name, w in self.weights.items()]
            return f"{_and(self.names)} can be shifted: {', '.join(written)}, for any s"
        return f"{_and(self.names)} can change together"


@dataclass(frozen=True)
class RemedyPart:
    """One thing to know or to do."""

    kind: RemedyKind
    name: str


@dataclass(frozen=True)
class StructuralRemedy:
    """What together would make every free parameter identifiable; nothing in it can be left out."""

    parts: tuple[RemedyPart, ...]

    @property
    def text(self) -> str:
        """In words."""
        return " and ".join(_REMEDIES[part.kind].format(part.name) for part in self.parts)


@dataclass(frozen=True)
class ModeResult:
    """One combination of sides of the switches (sign, abs, max, min) in the equations.

    Arguments:
        sides: {what switches: +1 or -1}.
        identifiable: parameters that records within this mode alone would tell.
    """

    sides: Mapping[str, int]
    identifiable: tuple[str, ...]


@dataclass(frozen=True)
class StructuralResult:
    """What noiseless, gap-free measurements of the outputs would determine, locally and for almost all values.

    Arguments:
        outputs: what is measured; known: initial states that are.
        unknowns, rank: how many there are, and how many combinations of them are determined.
        derivatives: of the outputs that were needed.
        parameters, states: {name: whether it is locally identifiable}; states at the beginning that are not known.
        modes: one for each that was analysed; empty without switches. The verdicts are of all modes together.
        symmetries: why not, where something is not identifiable.
        combinations: what is determined all the same; further: how many more there are.
        remedies: what would free the parameters, the simplest first.
        by_input: {what inputs do (generic, constant, absent): parameters identifiable then}, for a model with inputs.
    """

    outputs: tuple[str, ...]
    known: tuple[str, ...]
    unknowns: int
    rank: int
    derivatives: int
    parameters: Mapping[str, bool]
    states: Mapping[str, bool]
    modes: tuple[ModeResult, ...] = ()
    symmetries: tuple[Symmetry, ...] = ()
    combinations: tuple[str, ...] = ()
    further: int = 0
    remedies: tuple[StructuralRemedy, ...] = ()
    by_input: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def unidentified(self) -> tuple[str, ...]:
        """Parameters that no record of this kind could tell."""
        return tuple(name for name, known in self.parameters.items() if not known)

    @property
    def ok(self) -> bool:
        return not self.unidentified


_REMEDIES = {
    RemedyKind.VALUE: "the value of {}",
    RemedyKind.INITIAL: "{} known at the beginning",
    RemedyKind.SENSOR: "{} measured",
    RemedyKind.SETTING: "{} other than zero",
    RemedyKind.INPUT: "{} varied",
}


def _scaled(name: str, weight: float) -> str:
    power = "" if abs(weight) == 1 else f"^{_number(abs(weight))}"
    return f"{name}{'*' if weight > 0 else '/'}s{power}"


def _times(weight: float) -> str:
    return "" if weight == 1 else f"{_number(weight)} "


def _number(value: float) -> str:
    return f"{value:g}" if value == int(value) else f"({value:.4g})"


def _and(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
