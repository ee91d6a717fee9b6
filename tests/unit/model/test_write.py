"""A model written as text is the same model when read back, and prints readably."""

from __future__ import annotations

from dataclasses import replace

import pytest
import sympy as sp

from identikit.errors import ModelError
from identikit.model import LIBRARY, Input, Model, Parameter, library_model, model_from_toml, parse, symbol, to_text

TANK = """
[states]
h = { unit = "m", bounds = [0, 1], initial = "2*h0" }
[parameters]
h0 = 0.1
a = { value = 0.3, bounds = [0, inf] }
[equations]
h = "-a*sqrt(h)"
"""
KNOWN = {name: symbol(name) for name in ("x", "y", "z", "a", "b")}


@pytest.mark.parametrize("name", [*LIBRARY, "linear3"])
def test_every_library_model_survives_writing_and_reading(name: str) -> None:
    model = library_model(name)
    again = model_from_toml(model.to_toml())
    assert again == model
    assert again.ready == model.ready  # not part of the equality of models


@pytest.mark.parametrize(
    "text",
    [
        "2*(x + y)*sin(a)",
        "-2*(x + y)*(a + b)",
        "-(x + y)*(a + b)",
        "x - (x + y)*(a + b)",
        "3/4*(x + y)/(a + b)**2",
        "2*(x + y)/z",
        "-x**2*y",
        "(-x)**3",
        "x**(-y)",
        "x**(3/2)/sqrt(y)",
        "(x + y)**(-1/2)",
        "2**x/3**y",
        "0.1*x + 1e-7*y - 1/3",
        "0.30000000000000004*(x + 1)*y",
        "max(x, max(y, min(z, a)))",
        "abs(x)*sign(y) + heaviside(z - 1)",
        "abs(x**a)",
        "atan2(y, x) + exp(1)*pi + exp(-x/2)",
        "log(x + sqrt(x**2 + 1))",
        "x/y/z + x/(y*z)",
        "1/(1 + x**2)*(y - 1)*2.5",
        "x**y**z",
        "(x**y)**z",
        "-(-(x + 1))",
        "smooth_sign(x, 0.01)",
    ],
)
def test_a_printed_expression_is_read_back_as_the_same_tree(text: str) -> None:
    expression = parse(text, KNOWN)
    assert parse(to_text(expression), KNOWN) == expression


def test_a_function_that_model_files_do_not_have_is_refused_by_name() -> None:
    with pytest.raises(ModelError, match=r"erf\(x\)"):
        to_text(sp.erf(symbol("x")))


def test_a_model_made_of_a_function_cannot_be_written() -> None:
    model = Model.from_function("f", lambda t, x, u, p: [-x["x"]], states=["x"], parameters={"k": 1.0})
    with pytest.raises(ModelError, match="Python function"):
        model.to_toml()
    assert "a Python function" in str(model)


def test_texts_of_any_kind_survive() -> None:
    model = Model.from_text(
        "odd",
        equations={"x''": "-k*x + u"},
        states={"x": "m"},
        parameters=[Parameter("k", None, "1/s^2", (0, float("inf")), meaning='the "stiff\\ness"\n\x7f µ 𝛼')],
        outputs={"y": "x + 1"},
        inputs=[Input("u", "m/s^2", 0.1, hold="zero_order")],
        notes=("one", "two"),
    )
    assert model_from_toml(model.to_toml()) == model
    tank = model_from_toml(TANK)
    assert model_from_toml(tank.to_toml()) == tank
    smooth = library_model("friction_drive").with_smooth_friction(0.01)
    assert model_from_toml(smooth.to_toml()) == smooth
    assert model_from_toml(model.to_toml()) != replace(model, time_unit="ms")


def test_a_printed_model_shows_its_equations() -> None:
    text = str(library_model("horizontal_pendulum"))
    assert "d theta/dt = omega" in text
    assert "mu_c*sign(omega)" in text
    assert "output theta [rad]" in text
    assert "k = 20" in text
    assert len(repr(library_model("furuta"))) < 300
