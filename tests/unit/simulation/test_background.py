"""A call in the background: waited for, left, and found again."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from identikit.simulation import compiled, jax
from identikit.simulation._background import Background


class LeftError(Exception):
    pass


def leave() -> None:
    raise LeftError


def test_what_the_function_returns_or_raises_comes_back() -> None:
    good = Background(lambda: 42)
    good.wait(lambda: None)
    assert good.result() == 42
    bad = Background(lambda: [][0])
    bad.wait(lambda: None)
    with pytest.raises(IndexError):
        bad.result()


def test_a_call_that_is_left_goes_on_and_is_found_again() -> None:
    gate = threading.Event()
    task = Background(lambda: gate.wait(30))
    with pytest.raises(LeftError):
        task.wait(leave)
    gate.set()
    task.wait(lambda: None)
    assert task.result() is True


def test_a_compilation_that_was_left_is_not_begun_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, traced = threading.Event(), []

    def function(x: np.ndarray) -> np.ndarray:
        traced.append(x)
        gate.wait(30)
        return x + 1.0

    jax()
    kernel = compiled(function)
    monkeypatch.setattr("identikit.simulation._backend.poll", leave)
    for _ in range(2):
        with pytest.raises(LeftError):
            kernel(np.zeros(3))
    gate.set()
    monkeypatch.setattr("identikit.simulation._backend.poll", lambda: None)
    assert np.asarray(kernel(np.full(3, 2.0))).tolist() == [3.0, 3.0, 3.0]
    assert len(traced) == 1
    assert np.asarray(kernel(np.zeros(3))).tolist() == [1.0, 1.0, 1.0]
