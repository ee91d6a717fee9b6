"""Dynamics as a key of compiled programs."""

from __future__ import annotations

from identikit.model import Dynamics


class KeyedDynamics:
    """Dynamics hashed by what they say, so that equal models share compiled kernels."""

    def __init__(self, dynamics: Dynamics) -> None:
        self.dynamics = dynamics
        self.key = dynamics.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KeyedDynamics) and other.key == self.key
