"""How long work tells where it is, and how it is asked to stop."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[float, str], bool | None]
"""Called often with a fraction and a sentence; returning False asks the method to stop with its best so far."""


def silent(fraction: float, sentence: str) -> None:
    """A progress that shows nothing."""
