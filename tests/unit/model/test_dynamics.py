"""Derivatives of models against central differences; sign() taken out as switches."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.errors import ModelError
from identikit.model import Dynamics, Model, Observation, dynamics_of, library_model
from identikit.simulation import Drive, Field, jax


def _model(equations: dict[str, str], parameters: dict[str, float] | None = None, **other: object) -> Model:
    return Model.from_text("m", equations=equations, parameters=parameters or {}, **other)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["pendulum", "duffing", "horizontal_pendulum"])
def test_jacobians_equal_central_differences(name: str) -> None:
    """Fourth-order central differences with step 1e-3 are good to about 1e-11; asked for is 1e-9."""
    model = library_model(name)
    dynamics = dynamics_of(model, model.parameter_names)
    random = np.random.default_rng(4)
    x = random.uniform(0.2, 1.0, len(model.states))
    p = random.uniform(0.5, 1.5, len(model.parameters))
    u = random.normal(size=len(model.inputs))
    s = [0.7] * len(dynamics.guards)

    def rate(x: np.ndarray, p: np.ndarray) -> np.ndarray:
        return np.array(dynamics.rate(np, 1.3, list(x), list(u), list(u), list(p), s), float)

    def difference(of: np.ndarray, j: int, what: str) -> np.ndarray:
        total = np.zeros(len(x))
        for weight, shift in ((8, 1e-3), (-8, -1e-3), (-1, 2e-3), (1, -2e-3)):
            moved = of.copy()
            moved[j] += shift
            total += weight * (rate(moved, p) if what == "x" else rate(x, moved))
        return total / 12e-3

    at = dynamics.linearise(np, 1.3, list(x), list(u), list(u), list(p), s)
    np.testing.assert_allclose(np.array(at.rate, float), rate(x, p), rtol=1e-14)
    for table, of, what in ((at.state, x, "x"), (at.parameter, p, "p")):
        exact = np.zeros((len(x), len(of)))
        for place, value in table.items():
            exact[place] = value
        numerical = np.stack([difference(of, j, what) for j in range(len(of))], axis=1)
        np.testing.assert_allclose(exact, numerical, atol=1e-9)


def test_sign_of_a_state_becomes_a_switch_and_sign_of_a_parameter_does_not() -> None:
    dynamics = Dynamics(_model({"x": "v", "v": "-mu*sign(v) - sign(mu)*x"}, {"mu": 0.2}))
    assert [str(guard) for guard in dynamics.guards] == ["v"]
    assert dynamics.switch_states == [1]
    assert dynamics.rate(np, 0.0, [1.0, 0.5], [], [], [0.2], [0.25])[1] == pytest.approx(-0.05 - 1.0)


def test_equal_signs_are_one_switch_and_opposite_ones_too() -> None:
    model = _model({"x": "sign(v) - sign(-v)", "v": "-sign(2*v)"})
    assert len(Dynamics(model).guards) == 1


def test_a_step_in_time_is_a_switch() -> None:
    dynamics = Dynamics(_model({"x": "heaviside(t - 2)"}))
    assert [str(guard) for guard in dynamics.guards] == ["t - 2"]
    assert dynamics.rate(np, 0.0, [0.0], [], [], [], [-1.0])[0] == 0.0


@pytest.mark.parametrize(
    "acceleration", ["-sign(v)**2", "-exp(sign(v))", "-sin(sign(v))*x", "1/(2 + sign(v))", "sign(x)*sign(v)"]
)
def test_nonlinear_use_of_sign_is_refused(acceleration: str) -> None:
    with pytest.raises(ModelError, match=r"equation of 'v'.*linearly"):
        Dynamics(_model({"x": "v", "v": acceleration}))


def test_friction_that_is_switched_on_in_time_is_allowed() -> None:
    """The product of two signs is fine when only one of them can be held."""
    assert len(Dynamics(_model({"x": "v", "v": "-x - heaviside(t - 2)*sign(v)"})).guards) == 2


def test_a_step_in_time_may_enter_nonlinearly() -> None:
    """It is never held between its two values."""
    dynamics = Dynamics(_model({"x": "(15 + 5*heaviside(t - 2))**1.5"}))
    assert dynamics.rate(np, 3.0, [0.0], [], [], [], [1.0])[0] == pytest.approx(20**1.5)


def test_the_absolute_value_of_one_velocity_may_stand_beside_the_sign_of_another() -> None:
    model = _model({"v": "-sign(v) - v*abs(v)", "w": "-abs(v)*sign(w)"})
    dynamics = Dynamics(model)
    assert len(dynamics.guards) == 2
    order = {str(guard): index for index, guard in enumerate(dynamics.guards)}
    s = [0.0, 0.0]
    s[order["v"]], s[order["w"]] = -1.0, 1.0
    assert dynamics.rate(np, 0.0, [-2.0, 3.0], [], [], [], s) == [pytest.approx(5.0), pytest.approx(-2.0)]


def test_sign_inside_sign_is_refused() -> None:
    with pytest.raises(ModelError, match="itself holds"):
        Dynamics(_model({"x": "v", "v": "-sign(v - sign(x))"}))


def test_names_of_a_user_cannot_clash_with_those_of_switches() -> None:
    model = _model({"x": "-_switch0*sign(x) + u__rate*u"}, {"_switch0": 2.0, "u__rate": 3.0}, inputs=["u"])
    dynamics = Dynamics(model)
    assert dynamics.rate(np, 0.0, [1.0], [5.0], [7.0], [2.0, 3.0], [0.5]) == [pytest.approx(14.0)]


def test_two_held_switches_are_solved_together() -> None:
    """Block on block: F - m s1 = 0 and m s1 - n s2 = 0, so s1 = F/m and s2 = F/n."""
    model = _model(
        {"x": "v", "v": "F - m*sign(v - w)", "y": "w", "w": "m*sign(v - w) - n*sign(w)"},
        {"F": 0.3, "m": 0.5, "n": 0.8},
    )
    dynamics = Dynamics(model)
    assert sorted(map(str, dynamics.guards)) == ["v - w", "w"]
    module = jax()
    field = Field(dynamics, module)
    one = module.numpy.ones(1)
    drive = Drive([0.3 * one, 0.5 * one, 0.8 * one], [], one)
    x = [0 * one, 0 * one, 0 * one, 0 * one]
    held = field.held_values(0 * one, x, drive, [0 * one, 0 * one])
    found = dict(zip(map(str, dynamics.guards), (float(value[0]) for value in held), strict=True))
    assert found == pytest.approx({"v - w": 0.6, "w": 0.375}, rel=1e-14)


def test_a_function_has_the_derivatives_of_the_same_equations() -> None:
    text = _model({"x": "v", "v": "-k*sin(x) - c*v*abs(v) + u"}, {"k": 2.0, "c": 0.3}, inputs=["u"])

    def function(t: object, x: dict, u: dict, p: dict) -> list:  # type: ignore[type-arg]
        jnp = jax().numpy
        return [x["v"], -p["k"] * jnp.sin(x["x"]) - p["c"] * x["v"] * jnp.abs(x["v"]) + u["u"]]

    same = Model.from_function("f", function, states=["x", "v"], parameters={"k": 2.0, "c": 0.3}, inputs=["u"])
    assert not same.symbolic
    point = (jax().numpy, 0.0, [np.array([0.4]), np.array([-1.1])], [np.array([0.2])], [0.0], [2.0, 0.3], [])
    ours, theirs = (dynamics_of(model, ["c", "k"]).linearise(*point) for model in (text, same))
    for name in ("state", "parameter"):
        exact, other = getattr(ours, name), getattr(theirs, name)
        for place, value in other.items():
            np.testing.assert_allclose(value, exact.get(place, 0.0), atol=1e-14)


def test_a_function_that_returns_too_few_derivatives_is_named() -> None:
    model = Model.from_function("lame", lambda t, x, u, p: [1.0], states=["x", "v"], parameters={})
    with pytest.raises(ModelError, match=r"lame.*returned 1 derivatives for 2 states"):
        dynamics_of(model).rate(np, 0.0, [0.0, 0.0], [], [], [], [])


def test_outputs_chain_the_derivatives_of_states_and_parameters() -> None:
    """y = k x + sin(v) + u: dy/dq = k dx/dq + cos(v) dv/dq, and dy/dk has x besides."""
    model = _model(
        {"x": "v", "v": "-k*x"},
        {"k": 2.0, "c": 1.0},
        inputs=["u"],
        outputs={"y": "k*x + sin(v) + u", "c": "c"},
    )
    observation = Observation(model, ["y", "c"], free=["k"])
    assert observation.wanted == (0, 1)
    random = np.random.default_rng(5)
    X = random.normal(size=(7, 2, 4))  # columns: x(0), v(0), k
    t, u, p = np.arange(7.0), random.normal(size=(1, 7)), np.array([2.0, 1.0])
    value, slope = observation.with_derivatives(t, X, u, p)
    x, v = X[:, 0, 0], X[:, 1, 0]
    np.testing.assert_allclose(value[:, 0], 2 * x + np.sin(v) + u[0], rtol=1e-14)
    np.testing.assert_allclose(value[:, 1], 1.0)
    expected = 2 * X[:, 0, 1:] + np.cos(v)[:, None] * X[:, 1, 1:]
    expected[:, 2] += x
    np.testing.assert_allclose(slope[:, 0], expected, rtol=1e-13, atol=1e-14)
    np.testing.assert_array_equal(slope[:, 1], 0.0)


def test_smooth_friction_has_no_switch_left() -> None:
    model = library_model("horizontal_pendulum").with_smooth_friction(0.01)
    assert Dynamics(model).guards == []
    with pytest.raises(ModelError, match="width"):
        model.with_smooth_friction(0.0)


def test_input_expressions_replace_inputs_and_name_unknown_ones() -> None:
    model = library_model("horizontal_pendulum")
    driven = model.with_input_expressions({"q_v": "0.2*sin(3*t)"})
    assert driven.input_names == ("q_h",)
    with pytest.raises(ModelError, match=r"no input 'q_w'.*Did you mean"):
        model.with_input_expressions({"q_w": "1"})
    with pytest.raises(ModelError, match=r"input 'q_v'.*undefined symbol 'theta'"):
        model.with_input_expressions({"q_v": "theta"})
