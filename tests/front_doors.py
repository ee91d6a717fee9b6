"""A stub in the place of a front door: what would a command ask of it? Nothing is fitted.

A command looks a front door up where it stands, so that there the stub has to stand as well; where that is, the front
door itself tells.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass, field
from typing import Any

import pytest

import identikit as ik
from identikit.cli.main import main
from identikit.question import Question
from identikit.result import Code, Result, Status


@dataclass
class StubDoor:
    """Keeps what it is called with, and answers with what it is given to answer; it stands in the module `home`."""

    answer: Any
    home: str
    calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = field(default_factory=list)

    def __call__(self, *positional: Any, **named: Any) -> Any:
        self.calls.append((positional, named))
        return self.answer(*positional, **named) if callable(self.answer) else self.answer


def stub_door(monkeypatch: pytest.MonkeyPatch, name: str, answer: Any) -> StubDoor:
    """Until the test ends, the front door `name` of the package is a stub, for commands too.

    Arguments:
        answer: what it returns; a function is called for it.
    """
    door = getattr(ik, name)
    stub = StubDoor(answer, door.home if isinstance(door, StubDoor) else door.__module__)
    monkeypatch.setattr(sys.modules[stub.home], name, stub)
    return stub


def settled(question: dict[str, Any] | None = None) -> Result:
    """A fit without parameters that is to be trusted."""
    return Result("m", "shooting", Status(Code.OK, ""), {}, question=question)


def question_of(monkeypatch: pytest.MonkeyPatch, *words: str) -> Question:
    """The question that `identikit fit` with these words asks."""
    with monkeypatch.context() as patched:
        stub = stub_door(patched, "fit", settled())
        assert main(["fit", *words]) == 0
    ((question,), _) = stub.calls[0]
    return question
