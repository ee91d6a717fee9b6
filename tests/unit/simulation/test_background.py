"""A call in the background: waited for, left, and found again."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from identikit import progress
from identikit.progress import Cancelled, watched
from identikit.simulation import compiled, jax


@pytest.fixture(autouse=True)
def at_every_poll(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever listens is asked at once."""
    jax()
    monkeypatch.setattr(progress, "ASKED_AGAIN", -1.0)


def test_what_the_function_returns_or_raises_comes_back() -> None:
    assert np.asarray(compiled(lambda x: x + 1.0)(np.zeros(2))).tolist() == [1.0, 1.0]
    with pytest.raises(IndexError):
        compiled(lambda x: [][0])(np.zeros(2))


def test_a_compilation_that_was_left_goes_on_and_is_not_begun_twice() -> None:
    gate, traced = threading.Event(), []

    def function(x: np.ndarray) -> np.ndarray:
        traced.append(x)
        gate.wait(30)
        return x + 1.0

    kernel = compiled(function)
    for _ in range(2):
        with watched(lambda event: False), pytest.raises(Cancelled):
            kernel(np.zeros(3))
    gate.set()
    assert np.asarray(kernel(np.full(3, 2.0))).tolist() == [3.0, 3.0, 3.0]
    assert len(traced) == 1
    assert np.asarray(kernel(np.zeros(3))).tolist() == [1.0, 1.0, 1.0]
