"""Friction laws in model texts: what they expand to, the states they bring, how they stick, what is refused."""

from __future__ import annotations

import math

import numpy as np
import pytest
import sympy as sp

import identikit as ik
import reference
from identikit.errors import ModelError
from identikit.model import FRICTION_LAWS, State, model_from_toml, parse, symbol
from identikit.simulation import simulate

TIME = np.linspace(0, 30, 3001)
KNOWN = {name: symbol(name) for name in ("v", "w", "a", "b", "c")}
F_N, MU_D, MU_S, MU_V, V_T, F_T = 2.0, 0.4, 0.7, 0.1, 0.05, 0.3
CONTINUOUS = "(v; 2, 0.4, 0.7, 0.1, 0.05, 0.3)"


def slide(friction: str, **other: object) -> ik.Model:
    """A mass on a spring under a harmonic force, with f_c = 0.6, f_s = 1.1, v_s = 0.05."""
    return ik.Model.from_text(
        "slide",
        equations={"x": "v", "v": f"F*sin(0.5*t) - x - {friction}"},
        parameters={"F": 2.0, "f_c": 0.6, "f_s": 1.1, "v_s": 0.05},
        **other,  # type: ignore[arg-type]
    )


def steady(r: float, power: int) -> float:
    """The continuous law at v = r v_t by arithmetic on numbers."""
    peak = r / (0.25 * r**2 + 0.75) ** power
    return F_N * (MU_D * math.tanh(4 * r) + (MU_S - MU_D) * peak) + MU_V * r * V_T * math.tanh(4 * F_N / F_T)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("coulomb(v; 0.5)", -0.5),
        ("viscous(v; 0.5)", -0.04),
        ("drag(v; 0.5)", -0.0032),
        ("stribeck(v; 0.5, 0.8, 0.1)", -0.5 - 0.3 * math.exp(-0.64)),
        ("brown_mcphee" + CONTINUOUS, steady(-1.6, 2)),
        ("wadi" + CONTINUOUS, steady(-1.6, 1)),
    ],
)
def test_each_law_of_the_velocity_has_its_force(text: str, value: float) -> None:
    assert float(parse(text, KNOWN).subs(KNOWN["v"], sp.Float(-0.08))) == pytest.approx(value, rel=1e-12)


def test_brown_and_mcphee_is_greatest_at_its_transition_velocity_and_the_printed_form_is_not() -> None:
    speeds = np.linspace(0.2, 4, 3801)

    def greatest(power: int) -> float:
        return float(speeds[np.argmax([steady(r, power) - MU_V * r * V_T for r in speeds])])

    assert greatest(2) == pytest.approx(1, abs=0.01)
    assert greatest(1) == pytest.approx(math.sqrt(3), abs=0.01)


def test_velocity_and_parameters_may_be_expressions() -> None:
    v, w, a, b = (KNOWN[name] for name in "vwab")
    assert parse("-2*coulomb(v - 3*w; a + b)", KNOWN) == -2 * (sp.sign(v - 3 * w) * (a + b))


def test_a_law_of_that_name_leaves_the_name_free_for_a_parameter() -> None:
    model = ik.Model.from_text("fall", equations={"v": "g - drag(v; drag)"}, parameters={"g": 9.81, "drag": 0.2})
    assert model.equations[0] == symbol("g") - symbol("drag") * symbol("v") * sp.Abs(symbol("v"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("stribeck(v; a, b)", "has 2 of 3 parameters: expected stribeck(v; f_c, f_s, v_s)"),
        ("coulomb(v; a, b)", "has 2 of 1 parameters"),
        ("stribeck(v, a, b, c)", "has no ';' after its velocity: expected stribeck(v; f_c, f_s, v_s)"),
        ("coulomb()", "has no ';'"),
        ("coulomb(*v; a)", "has no ';'"),
        ("stribek(v; a, b, c)", "unknown friction law 'stribek'. Did you mean 'stribeck'?"),
        ("coulom(v)", "Did you mean 'coulomb'?"),
        ("coulomb", "write the friction law 'coulomb' as coulomb(v; f_c)"),
        ("coulomb(v; a; b)", "';' in 'v; a'"),
        ("sin(v; a)", "';' in 'v; a'"),
        ("v; a", "only in a friction law"),
        ("v | a", "cannot read"),
        ("coulomb(v;)", "cannot read"),
        ("coulomb(v; f_c=a)", "cannot read"),
        ("coulomb(v; d)", "undefined symbol 'd'"),
        ("dahl(v; a, b)", "has a state of its own"),
    ],
)
def test_what_is_wrong_with_a_law_is_said(text: str, said: str) -> None:
    with pytest.raises(ModelError) as refused:
        parse(text, KNOWN)
    assert said in str(refused.value)


def test_laws_count_among_the_calls_that_may_be_nested() -> None:
    with pytest.raises(ModelError, match="nested too deeply"):
        parse("viscous(" * 30 + "v" + "; a)" * 30, KNOWN)


@pytest.mark.parametrize("text", ["drag(" * 20 + "v" + "; a)" * 20, "stribeck(v; " * 20 + "a" + ", b, c)" * 20])
def test_laws_within_laws_do_not_grow_without_end(text: str) -> None:
    with pytest.raises(ModelError, match="at most 200 are read"):
        parse(text, KNOWN)


def test_a_law_with_a_memory_adds_one_state_for_each_contact() -> None:
    model = ik.Model.from_text(
        "joints",
        states={"x": "mm", "v": "mm/s"},
        equations={"x": "v", "v": "-dahl(v; a, b) - x", "w": "dahl(v; a, b) - dahl(w; a, b) - dahl(v; b, a)"},
        parameters={"a": 1, "b": 2},
        outputs={"force": "dahl(v; a, b)", "deflection": "z_v"},
    )
    assert model.state_names == ("x", "v", "w", "z_v", "z_w", "z_v_2")
    described = model.states[3]
    assert (described.unit, described.initial) == ("mm", 0)
    v, z, a, b = (symbol(name) for name in ("v", "z_v", "a", "b"))
    assert model.equations[3] == v - b * sp.Abs(v) * z / a
    assert [output.expression for output in model.outputs] == [b * z, z]
    assert model_from_toml(model.to_toml()) == model


def test_the_added_state_takes_no_name_that_is_used_and_may_be_described() -> None:
    one = ik.Model.from_text("one", equations={"v": "-dahl(v; z_v, 2)"}, parameters={"z_v": 1})
    assert one.state_names == ("v", "z_v_2")
    known = {"z_v": State("z_v", "m", initial=None)}
    other = ik.Model.from_text("other", equations={"v": "-dahl(v; a, 2)"}, parameters={"a": 1}, states=known)
    assert other.states[1].initial is None
    with pytest.raises(ModelError, match="state 'z_w' has no equation"):
        ik.Model.from_text("none", equations={"v": "-dahl(v; a, 2)"}, parameters={"a": 1}, states={"z_w": "m"})


def test_a_function_cannot_get_a_state_from_its_outputs() -> None:
    with pytest.raises(ModelError, match="a state of its own stands in its outputs"):
        ik.Model.from_function("f", lambda t, x, u, p: [0], states=["v"], parameters={}, outputs={"F": "dahl(v; 1, 2)"})


def test_stribeck_friction_holds_up_to_its_break_loose_force_and_slides_with_less() -> None:
    """Against DOP853 restarted at located events, with sticks, releases and plain reversals."""
    found = simulate(slide("stribeck(v; f_c, f_s, v_s)"), TIME).states

    def force(t: float, x: np.ndarray) -> float:
        return 2 * math.sin(0.5 * t) - x[0]

    def rate(t: float, x: np.ndarray, s: list[float]) -> tuple[float, float]:
        return x[1], force(t, x) - s[0] * (0.6 + 0.5 * math.exp(-((x[1] / 0.05) ** 2)))

    friction = reference.Switch(lambda t, x: x[1], lambda t, x: force(t, x) / 1.1, pinned=1)
    states, events = reference.event_driven(rate, [friction], (0, 0), TIME)
    assert sum(mode == 0 for _, _, mode in events) >= 3
    assert events[0][0] == pytest.approx(math.asin(1.1 / 2) / 0.5, abs=1e-9)  # holds until the drive reaches f_s
    assert found == pytest.approx(states, abs=1e-8)
    assert np.abs(simulate(slide("coulomb(v; f_c)"), TIME).states - states).max() > 0.1  # negative control


def test_a_mass_on_a_belt_sticks_to_the_belt() -> None:
    model = ik.Model.from_text(
        "belt", equations={"x": "v", "v": "stribeck(u - v; 0.6, 1.1, 0.3) - x"}, parameters={"u": 0.1}
    )

    def rate(t: float, x: np.ndarray, s: list[float]) -> tuple[float, float]:
        return x[1], s[0] * (0.6 + 0.5 * math.exp(-(((0.1 - x[1]) / 0.3) ** 2))) - x[0]

    friction = reference.Switch(lambda t, x: 0.1 - x[1], lambda t, x: x[0] / 1.1, pinned=1, level=0.1)
    states, events = reference.event_driven(rate, [friction], (0, 0), TIME)
    assert [mode for _, _, mode in events] == [0, 1, 0, 1]
    assert simulate(model, TIME).states == pytest.approx(states, abs=1e-8)


def test_lugre_follows_its_equations_and_slides_steadily_like_stribeck() -> None:
    model = slide("lugre(v; f_c, f_s, v_s, 40, 2, 0.3)", outputs={"x": "x", "F": "lugre(v; f_c, f_s, v_s, 40, 2, 0.3)"})

    def rate(t: float, x: np.ndarray, s: list[float]) -> tuple[float, float, float]:
        dz = x[1] - 40 * s[0] * x[1] * x[2] / (0.6 + 0.5 * math.exp(-((x[1] / 0.05) ** 2)))
        return x[1], 2 * math.sin(0.5 * t) - x[0] - (40 * x[2] + 2 * dz + 0.3 * x[1]), dz

    times = TIME[:1201]
    found = simulate(model, times, tolerance=1e-13)  # its steps are limited by stability, and read in between
    states, _ = reference.event_driven(rate, [reference.Switch(lambda t, x: x[1])], (0, 0, 0), times)
    assert found.states == pytest.approx(states, abs=1e-8)

    dragged = ik.Model.from_text(
        "dragged", equations={"x": "0.2"}, parameters={}, outputs={"F": "lugre(0.2; 0.6, 1.1, 0.1, 40, 2, 0.3)"}
    )
    assert dragged.state_names == ("x", "z")
    settled = 0.6 + 0.5 * math.exp(-4) + 0.3 * 0.2
    assert simulate(dragged, np.array([0, 5.0])).outputs["F"][-1] == pytest.approx(settled, rel=1e-9)


@pytest.mark.parametrize("law", FRICTION_LAWS.values(), ids=list(FRICTION_LAWS))
def test_every_law_says_what_it_is_and_what_it_is_not_for_and_dissipates(law) -> None:
    values = {item.name: symbol(item.name) for item in law.parameters}
    model = ik.Model.from_text(
        "dragged", equations={"v": "0"}, parameters=dict.fromkeys(values, 1.0), outputs={"F": law.call}
    )
    force, memory = model.outputs[0].expression, dict(zip(model.state_names[1:], model.equations[1:], strict=True))
    assert "F = " in law.description
    assert any(word in law.description for word in ("Not for", "not for", "No ", "Does not", "Passive"))
    assert law.reference
    numbers = {values[item.name]: sp.Float(item.value) for item in law.parameters}
    for speed in (-0.3, 0.02, 0.3):
        point = numbers | {symbol("v"): sp.Float(speed)}
        for name, rate in memory.items():  # in steady sliding
            z = symbol(name)
            point[z] = sp.solve(rate.subs(point), z)[0]
        assert float(force.subs(point)) * speed > 0


def test_laws_that_stick_are_those_that_jump() -> None:
    assert [name for name, law in FRICTION_LAWS.items() if law.sticks] == ["coulomb", "stribeck"]
