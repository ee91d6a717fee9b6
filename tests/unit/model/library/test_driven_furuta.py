"""The driven Furuta pendulum against the tilted one and against Newton; what a drive makes absolute."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

import identikit as ik
from identikit.model import library_model, symbol

MODEL = library_model("driven_furuta")
RIG = {"m1": 0.37, "m2": 0.128, "l1": 0.062, "l2": 0.062, "L1": 0.216, "j1z": 3.09e-3, "j2": 5.25e-3, "g": 9.81}


def at(model: ik.Model, values: dict[str, float], state: dict[str, float]) -> np.ndarray:
    known = {symbol(name): value for name, value in {**values, **state}.items()}
    return np.array([float(sp.sympify(equation.subs(known))) for equation in model.equations])


@pytest.mark.parametrize("state", [(0.3, 2.0, 1.5, -4.0), (-1.0, -0.7, -3.0, 2.0), (2.0, 3.0, 0.1, 6.0)])
def test_on_a_vertical_axis_without_friction_it_moves_as_the_tilted_one_does(state: tuple[float, ...]) -> None:
    tilted = library_model("furuta")
    own = {item.name: float(item.value or 0.0) for item in tilted.parameters}
    # thin: no inertia about its own length; the friction's own speeds do not matter without friction
    own |= {"phi": 0.0, "j2x": RIG["j2"], "j2y": RIG["j2"], "j2z": 0.0, **{k: RIG[k] for k in RIG if k != "j2"}}
    own |= {f"mu_{kind}{joint}": 0.0 for kind in "dsv" for joint in (0, 1)}
    base = {
        "arm": RIG["j1z"] + RIG["m1"] * RIG["l1"] ** 2 + RIG["m2"] * RIG["L1"] ** 2,
        "bob": RIG["j2"] + RIG["m2"] * RIG["l2"] ** 2,
        "coupling": RIG["m2"] * RIG["l2"] * RIG["L1"],
        "gravity": RIG["m2"] * RIG["l2"] * RIG["g"],
        "k_V": 0.005, "V": 0.0, **dict.fromkeys(("c0", "c1", "f0", "f1"), 0.0),
    }  # fmt: skip
    names = dict(zip(("q0", "q1", "w0", "w1"), state, strict=True))
    assert at(MODEL, base, names) == pytest.approx(at(tilted, own, names), rel=1e-12)


def test_a_voltage_turns_the_arm_and_friction_brakes_it() -> None:
    values = {item.name: float(item.value or 0.0) for item in MODEL.parameters}
    hanging = {"q0": 0.0, "q1": sp.pi / 2, "w0": 0.0, "w1": 0.0}  # the pendulum level: no coupling of the inertias
    pushed = at(MODEL, {**values, "V": 2.0}, hanging)[2]
    assert pushed == pytest.approx(2 * values["k_V"] / (values["arm"] + values["bob"]), rel=1e-12)
    braked = at(MODEL, {**values, "V": 0.0}, {**hanging, "w0": 3.0})[2]
    assert braked == pytest.approx(-(3 * values["c0"] + values["f0"]) / (values["arm"] + values["bob"]), rel=1e-12)


@pytest.mark.study
def test_with_the_torque_constant_free_only_ratios_are_told_and_that_is_said() -> None:
    """A shorter record of the ready experiment; negative control: with k_V known everything is told."""
    record = ik.simulate("driven_furuta", duration=5.0, seed=3)
    free = ["arm", "bob", "coupling", "gravity", "c0", "c1", "f0", "f1"]
    known = ik.fit(record, MODEL, free=free, inputs={"V": "V"})
    assert known.ok, known.status
    for name in free:
        estimate = known.parameters[name]
        assert estimate.value is not None and estimate.std is not None
        assert abs(estimate.value - float(MODEL.parameter(name).value or 0.0)) < 4 * estimate.std
    open_scale = ik.fit(record, MODEL, free=[*free, "k_V"], inputs={"V": "V"})
    assert open_scale.status.code.value == "not_identifiable"
    assert "k_V" in open_scale.status.message
