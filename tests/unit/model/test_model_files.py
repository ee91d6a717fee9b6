"""Model files in TOML: the documented example loads, and each broken key gives one message that names it."""

from __future__ import annotations

import copy
import tomllib
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from identikit.errors import ModelError
from identikit.model import Model, Parameter, load_model, model_from_document, symbol

EXAMPLE = """
name = "my pendulum"
[states]            # measured or not
theta = { unit = "rad" }
omega = { unit = "rad/s" }
[parameters]
w0   = { unit = "rad/s", bounds = [0.1, 100] }
mu   = { bounds = [0, 1] }
mu_c = { unit = "rad/s^2", bounds = [0, 10], value = 0, fixed = true }
[equations]
theta = "omega"                                                   # d theta/dt
omega = "-2*mu*w0*omega - mu_c*sign(omega) - w0**2*sin(theta)"
[outputs]
theta = "theta"
"""

FULL = """
name = "shaker"
title = "Mass on a spring"
source = "none"
notes = ["one", "two"]
time_unit = "ms"
[states]
x = { unit = "m", meaning = "position" }
[parameters]
k = { value = 4.0, unit = "1/s^2", bounds = [0, 100], meaning = "stiffness" }
c = 0.1
[inputs]
u = { value = 1.0, unit = "N", meaning = "force" }
[equations]
"x''" = "-k*x - c*x' + u"
[outputs]
a = { expression = "u - k*x - c*x'", unit = "m/s^2" }
x = { unit = "m" }
[ready]
initial = { x = 1.0, x_dot = 0.0 }
duration = 10
dt = 0.01
noise = { x = 0.01 }
"""


def _load(text: str, folder: Path) -> Model:
    path = folder / "model.toml"
    path.write_text(text, encoding="utf-8")
    return load_model(path)


def test_the_example_of_the_design_loads(tmp_path: Path) -> None:
    model = _load(EXAMPLE, tmp_path)
    assert model.name == "my pendulum"
    assert model.state_names == ("theta", "omega")
    assert model.parameter("w0") == Parameter("w0", None, "rad/s", (0.1, 100.0))
    assert model.parameter("mu_c").fixed
    assert model.default_free == ("w0", "mu")
    assert [state.unit for state in model.states] == ["rad", "rad/s"]
    assert model.output("theta").unit == "rad"


def test_every_key_of_a_full_file_arrives(tmp_path: Path) -> None:
    model = _load(FULL, tmp_path)
    assert (model.title, model.source, model.time_unit, model.notes) == (
        "Mass on a spring",
        "none",
        "ms",
        ("one", "two"),
    )
    assert model.states[0].meaning == "position"
    assert model.inputs[0].value == 1.0
    assert model.parameter("c").value == 0.1
    assert model.ready is not None
    assert model.ready.as_dict() == {
        "initial": {"x": 1.0, "x_dot": 0.0},
        "duration": 10.0,
        "dt": 0.01,
        "noise": {"x": 0.01},
        "inputs": {},
    }
    assert Model.__eq__(model, _load(FULL, tmp_path))


def test_second_order_shorthand_makes_the_velocity_a_state(tmp_path: Path) -> None:
    model = _load(FULL, tmp_path)
    assert model.state_names == ("x", "x_dot")
    x, v, k, c, u = (symbol(name) for name in ("x", "x_dot", "k", "c", "u"))
    assert model.equations == (v, -k * x - c * v + u)


def test_outputs_may_mix_states_parameters_and_inputs(tmp_path: Path) -> None:
    model = _load(FULL, tmp_path)
    used = {str(item) for item in model.output("a").expression.free_symbols}
    assert used == {"u", "k", "x", "c", "x_dot"}
    assert model.output("a").unit == "m/s^2"


def test_the_default_output_of_a_second_order_equation_is_the_position() -> None:
    model = Model.from_text("m", equations={"x''": "-x", "z": "x"}, parameters={})
    assert model.output_names == ("x",)
    assert Model.from_text("m", equations={"x": "-x", "z": "x"}, parameters={}).output_names == ("x", "z")


BROKEN: list[tuple[str, Any, str]] = [
    ("name", 5, "name"),
    ("title", 5, "title"),
    ("notes", 5, "notes"),
    ("notes", "text", "notes"),
    ("time_unit", 1.0, "time_unit"),
    ("colour", "red", "colour"),
    ("states", 5, "states"),
    ("states.x.unit", 5, "x"),
    ("states.x.meaning", 5, "x"),
    ("states.x.colour", "red", "colour"),
    ("states.y", {}, "'y' has no equation"),
    ("parameters.k.value", "four", "k"),
    ("parameters.k.value", True, "k"),
    ("parameters.k.value", 10**400, "k"),
    ("parameters.k.value", float("nan"), "'k'"),
    ("parameters.k.value", -1, "'k'"),
    ("parameters.k.bounds", 3, "k"),
    ("parameters.k.bounds", [1, 0], "'k'"),
    ("parameters.k.bounds", [0, "a"], "k"),
    ("parameters.k.fixed", "yes", "k"),
    ("parameters.k.colour", "red", "colour"),
    ("parameters.x", 1.0, "'x' is used twice"),
    ("parameters.t", 1.0, "'t' is reserved"),
    ("parameters.sin", 1.0, "'sin' is reserved"),
    ("parameters.a-b", 1.0, "'a-b' is not a usable name"),
    ("inputs.u.value", "one", "u"),
    ("inputs.u.value", float("inf"), "'u'"),
    ("inputs.u.colour", "red", "colour"),
    ("equations", {}, "equations"),
    ("equations.x''", 5, "x''"),
    ("equations.x''", "-kk*x", "'kk'"),
    ("equations.x''", "x.real", "x.real"),
    ("equations.x", "1", "'x' has two equations"),
    ("equations.x_dot", "1", "'x_dot' has two equations"),
    ("equations.x'''", "1", "two primes"),
    ("outputs.a.expression", "nothing", "'nothing'"),
    ("outputs.a.unit", 5, "a"),
    ("outputs.a.colour", 5, "colour"),
    ("ready", 5, "ready"),
    ("ready.initial.y", 1.0, "'y'"),
    ("ready.initial.x", "one", "x"),
    ("ready.noise.y", 1.0, "'y'"),
    ("ready.noise.x", -1.0, "'x'"),
    ("ready.duration", -1, "duration"),
    ("ready.dt", 0, "dt"),
    ("ready.steps", 5, "steps"),
]


def _changed(path: str, value: Any) -> dict[str, Any]:
    document = copy.deepcopy(tomllib.loads(FULL))
    place = document
    *folders, last = path.split(".")
    for folder in folders:
        place = place[folder]
    place[last] = value
    return document


@pytest.mark.parametrize(("path", "value", "named"), BROKEN, ids=lambda item: str(item)[:20])
def test_a_broken_key_gives_one_message_that_names_it(path: str, value: Any, named: str) -> None:
    with pytest.raises(ModelError) as caught:
        model_from_document(_changed(path, value))
    assert named in str(caught.value)
    assert "\n" not in str(caught.value)


def test_an_earlier_equation_of_the_velocity_is_not_overwritten_by_the_shorthand() -> None:
    for equations in ({"x": "1", "x''": "-x"}, {"x_dot": "1", "x''": "-x"}, {"x": "1", "x ": "2"}):
        with pytest.raises(ModelError, match="two equations"):
            Model.from_text("m", equations=equations, parameters={})


@pytest.mark.parametrize(
    "text",
    ["name = ", "[states", "a = [" * 3000, "x = 9" + "9" * 5000, "[equations]\nx = 0x" + "f" * 5000, "\0"],
    ids=["cut", "table", "nested", "long", "hexadecimal", "NUL"],
)
def test_what_is_not_toml_is_a_model_error_that_names_the_file(text: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"model\.toml"):
        _load(text, tmp_path)


def test_a_missing_file_a_folder_and_bytes_are_model_errors(tmp_path: Path) -> None:
    (tmp_path / "bytes.toml").write_bytes(b"\xff\xfe\x00")
    for name, said in (("absent.toml", "no such model file"), (".", "directory"), ("bytes.toml", "can't decode byte")):
        with pytest.raises(ModelError, match=said):
            load_model(tmp_path / name)


LINES = FULL.strip().splitlines()
mutations = st.one_of(
    st.tuples(st.just("drop"), st.integers(0, len(FULL) - 1), st.integers(1, 8)),
    st.tuples(st.just("put"), st.integers(0, len(FULL)), st.text(max_size=3)),
    st.tuples(st.just("line"), st.integers(0, len(LINES) - 1), st.integers(0, len(LINES) - 1)),
)


@settings(max_examples=200, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(mutations, min_size=1, max_size=3))
def test_any_mutation_of_a_valid_file_is_a_model_or_a_model_error(
    changes: list[tuple[str, int, Any]],
) -> None:
    text = FULL
    for kind, place, what in changes:
        if kind == "drop":
            text = text[:place] + text[place + what :]
        elif kind == "put":
            text = text[:place] + what + text[place:]
        else:
            lines = text.splitlines()
            lines[place % len(lines)], lines[what % len(lines)] = (
                lines[what % len(lines)],
                lines[place % len(lines)],
            )
            text = "\n".join(lines)
    try:
        document = tomllib.loads(text)
    except ValueError:
        return  # load_model turns it into a ModelError: see above
    with suppress(ModelError):
        assert isinstance(model_from_document(document), Model)
