"""Where one parameter is zero, the model may forget others."""

from __future__ import annotations

import numpy as np

from identikit.diagnose import degenerate_end
from identikit.model import Model, Parameter

CHEMOSTAT = Model.from_text(
    "chemostat",
    equations={"X": "mu*S/(Ks + S)*X - D*X", "S": "D*(5 - S) - mu*S/(Ks + S)*X/Y"},
    parameters=[Parameter(name, 0.5, bounds=(0, 5)) for name in ("mu", "Ks", "Y", "D")],
    outputs=["X"],
)
FREE = ("mu", "Ks", "Y")
BOUNDS = dict.fromkeys(FREE, (0.0, 5.0))


def said(*values: float) -> list[tuple[str, ...]]:
    return [item.about for item in degenerate_end(CHEMOSTAT, ("X",), FREE, np.array(values), BOUNDS)]


def test_without_growth_nothing_depends_on_saturation_and_yield() -> None:
    assert said(0.0, 0.5, 0.5) == [("mu", "Ks", "Y")]
    assert said(1e-9, 0.5, 0.5) == [("mu", "Ks", "Y")]


def test_an_ordinary_end_is_not_degenerate() -> None:
    assert said(0.4, 0.5, 0.5) == []


def test_zero_alone_is_not_degenerate() -> None:
    """At Ks = 0 growth no longer depends on S, but on all other parameters; at Y = 0 there is no model."""
    assert said(0.4, 0.0, 0.5) == []
    assert said(0.4, 0.5, 0.0) == []


def test_nothing_is_said_of_a_function() -> None:
    model = Model.from_function("decay", lambda t, x, u, p: [-p["a"] * x["x"]], states=["x"], parameters={"a": 2.0})
    assert degenerate_end(model, ("x",), ("a",), np.array([0.0]), {"a": (0.0, 1.0)}) == ()
