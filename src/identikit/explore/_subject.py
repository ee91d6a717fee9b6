"""What a tool looked at: names and units for tables and pictures."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from identikit.model import Model, State


@dataclass(frozen=True)
class Subject:
    """The model's name, its states, its unit of time, and the parameters that were given other values."""

    name: str
    states: tuple[State, ...]
    time_unit: str
    changed: dict[str, float]

    @classmethod
    def of(cls, model: Model, parameters: Mapping[str, float] | None = None) -> Subject:
        own = {item.name: item.value for item in model.parameters}
        changed = {name: float(value) for name, value in (parameters or {}).items() if own.get(name) != value}
        return cls(model.name, model.states, model.time_unit, changed)

    @property
    def title(self) -> str:
        """The name with what was changed: 'duffing, F = 27'."""
        return ", ".join([self.name, *(f"{name} = {value:g}" for name, value in self.changed.items())])

    def labelled(self, name: str) -> str:
        """A state with its unit: 'theta [rad]'."""
        unit = next(state.unit for state in self.states if state.name == name)
        return f"{name} [{unit}]" if unit else name
