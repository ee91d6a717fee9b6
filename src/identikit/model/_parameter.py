"""The nouns a model is made of: states, parameters, inputs, outputs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

from identikit.errors import ModelError

HOLDS = ("linear", "zero_order", "cubic")  # how a sampled input goes on between samples


@dataclass(frozen=True)
class State:
    """One component of the state vector, with its unit.

    `bounds` are where the equations make sense (a level is not negative): no fit takes the state outside. `initial`
    says that the state is known when a record begins: a number, or an expression of parameters; None = estimated.
    """

    name: str
    unit: str = ""
    meaning: str = ""
    bounds: tuple[float, float] = (-math.inf, math.inf)
    initial: Any = None  # a SymPy expression of parameters, once the model is made

    def __post_init__(self) -> None:
        low, high = self.bounds
        if math.isnan(low) or math.isnan(high) or not low < high:
            raise ModelError(
                f"bounds of state '{self.name}' are [{low:g}, {high:g}]: expected the lower bound below the upper one"
            )

    def as_dict(self) -> dict[str, Any]:
        """JSON-able description; infinite bounds become null."""
        return {
            "unit": self.unit,
            "bounds": _finite_or_none(self.bounds),
            "initial": None if self.initial is None else str(self.initial),
        }


@dataclass(frozen=True)
class Input:
    """A known function of time that drives the model.

    `value` stands in when none is given; `hold` says how it goes on between samples ("linear", "zero_order", "cubic")
    unless the user says otherwise.
    """

    name: str
    unit: str = ""
    value: float = 0.0
    meaning: str = ""
    hold: str = "linear"

    def __post_init__(self) -> None:
        if self.hold not in HOLDS:
            raise ModelError(f"hold of input '{self.name}' is '{self.hold}': expected one of {', '.join(HOLDS)}")
        if not math.isfinite(self.value):
            raise ModelError(f"value of input '{self.name}' is {self.value}: expected a finite number")


@dataclass(frozen=True)
class Parameter:
    """A number in the equations.

    `value` is what the parameter has when nobody says otherwise, in a simulation and, unless the
    parameter is free, in a fit; None means that a fit must find it or the user must give it.
    `fixed` parameters are not estimated unless the user frees them.
    """

    name: str
    value: float | None = None
    unit: str = ""
    bounds: tuple[float, float] = (-math.inf, math.inf)
    fixed: bool = False
    meaning: str = ""

    def __post_init__(self) -> None:
        low, high = self.bounds
        if math.isnan(low) or math.isnan(high) or not low < high:
            raise ModelError(
                f"bounds of parameter '{self.name}' are [{low:g}, {high:g}]: "
                "expected the lower bound below the upper one"
            )
        if self.value is not None and not math.isfinite(self.value):
            raise ModelError(f"value of parameter '{self.name}' is {self.value}: expected a finite number")
        if self.value is not None and not low <= self.value <= high:
            raise ModelError(
                f"value of parameter '{self.name}' is {self.value:g}, outside its bounds "
                f"[{low:g}, {high:g}]: change one of them"
            )

    def as_dict(self) -> dict[str, Any]:
        """JSON-able description; infinite bounds become null."""
        return {
            "value": self.value,
            "unit": self.unit,
            "bounds": _finite_or_none(self.bounds),
            "fixed": self.fixed,
            "meaning": self.meaning,
        }


@dataclass(frozen=True)
class ReadyExperiment:
    """An experiment worth trying first: where to start, how long, how finely sampled, how noisy, how driven.

    `inputs` are expressions of time.
    """

    initial: dict[str, float]
    duration: float
    spacing: float
    noise: dict[str, float]
    inputs: dict[str, str] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        return {
            "initial": dict(self.initial),
            "duration": self.duration,
            "dt": self.spacing,
            "noise": dict(self.noise),
            "inputs": dict(self.inputs),
        }


def _finite_or_none(bounds: tuple[float, float]) -> list[float | None]:
    return [bound if math.isfinite(bound) else None for bound in bounds]
