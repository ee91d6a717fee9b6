"""Structural identifiability: results known from the literature, and ranks taken by another way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import mpmath
import numpy as np
import pytest
import sympy as sp

from identikit.model import Model, Parameter, library_model, symbol
from identikit.result import RemedyKind, StructuralResult, SymmetryKind
from identikit.structure import InputKind, NotAnalysableError, StructuralQuestion, structural


def made(equations: dict[str, str], parameters: str, **other: Any) -> Model:
    named = {name: Parameter(name) for name in parameters.split()}
    return Model.from_text("made", equations=equations, parameters=named, **other)


def judged(model: Model, free: Sequence[str] = (), outputs: Sequence[str] = (), **other: Any) -> StructuralResult:
    names = tuple(free) or model.default_free
    fixed = {item.name: item.value for item in model.parameters if item.name not in names} | other.pop("fixed", {})
    return structural(StructuralQuestion(model, tuple(outputs) or model.output_names, names, fixed, **other))


def singles(found: StructuralResult, kind: RemedyKind) -> set[str]:
    return {item.parts[0].name for item in found.remedies if len(item.parts) == 1 and item.parts[0].kind is kind}


def test_of_predators_that_nobody_counts_only_the_scale_is_lost() -> None:
    found = judged(library_model("lotka_volterra"), outputs=["hare"])
    assert found.unidentified == ("beta",)
    assert (found.rank, found.unknowns) == (5, 6)
    assert [(item.kind, dict(item.weights)) for item in found.symmetries] == [
        (SymmetryKind.SCALING, {"beta": 1.0, "lynx": -1.0})
    ]
    assert found.combinations == ("beta*lynx",)
    assert singles(found, RemedyKind.VALUE) == {"beta"}
    assert singles(found, RemedyKind.INITIAL) == singles(found, RemedyKind.SENSOR) == {"lynx"}


def test_both_counted_tell_everything() -> None:
    """Negative control."""
    found = judged(library_model("lotka_volterra"))
    assert found.ok and found.rank == found.unknowns and not found.symmetries and not found.remedies


def test_fitzhugh_nagumo_is_told_by_its_voltage() -> None:
    assert judged(library_model("fitzhugh_nagumo"), outputs=["V"]).ok


def test_two_compartments_that_both_lose_tell_sums_and_a_product() -> None:
    """Four rate constants with input and measurement in the first compartment (Bellman and Astrom 1970)."""
    rates = {"x1": "-(k01 + k21)*x1 + k12*x2 + u", "x2": "k21*x1 - (k02 + k12)*x2"}
    found = judged(made(rates, "k01 k21 k12 k02 V", outputs={"y": "x1/V"}, inputs=["u"]))
    assert found.unidentified == ("k01", "k21", "k12", "k02")
    assert found.combinations[:3] == ("k01 + k21", "k02 + k12", "k12*k21")
    assert found.by_input["generic"] == ("V",) and found.by_input["absent"] == ()
    without = judged(made(rates, "k01 k21 k12 k02 V", outputs={"y": "x1/V"}, inputs=["u"]), ["k21", "k12", "k01", "V"],
                     fixed={"k02": 0.0})  # fmt: skip
    assert without.ok


def test_an_epidemic_with_unknown_reporting_has_no_scale() -> None:
    model = made({"S": "-beta*S*I", "I": "beta*S*I - gamma*I"}, "beta gamma r", outputs={"y": "r*I"})
    found = judged(model)
    assert found.unidentified == ("beta", "r")
    assert found.combinations[0] == "beta/r"
    assert dict(found.symmetries[0].weights) == {"beta": 1.0, "r": 1.0, "S": -1.0, "I": -1.0}


def test_the_goodwin_oscillator_has_two_scales() -> None:
    rates = {"x": "-b*x + a/(A + z**5)", "y": "alpha*x - beta*y", "z": "gam*y - delta*z"}
    found = judged(made(rates, "b a A alpha beta gam delta", outputs={"x": "x"}))
    assert found.unidentified == ("a", "A", "alpha", "gam") and found.unknowns - found.rank == 2
    assert found.combinations[:2] == ("a/A", "A/(alpha^5*gam^5)")
    assert all(len(item.parts) == 2 for item in found.remedies) and found.remedies


def test_a_spring_and_a_mass_scale_together_until_a_force_is_known() -> None:
    model = library_model("duffing")
    names = ("m", "c", "k", "k3")
    found = judged(model, names)
    assert found.unidentified == names and found.combinations == ("c/m", "k/m", "k3/m")
    assert found.symmetries[0].text == "m, c, k and k3 can be multiplied by one common factor"
    assert singles(found, RemedyKind.VALUE) == set(names) and singles(found, RemedyKind.SETTING) == {"F"}
    assert judged(model, names, fixed={"F": 2.0}).ok
    unknown_force = judged(model, (*names, "F"))
    assert unknown_force.combinations == ("F/m", "c/m", "k/m", "k3/m")


def test_a_stiffness_made_of_two_parts_is_told_as_a_whole() -> None:
    straight = made({"x''": "-2*mu*w0*x' - w0**2*x - 2*a1*x"}, "mu w0 a1")
    assert judged(straight).combinations == ("2*mu*w0", "2*a1 + w0^2")
    assert judged(made({"x''": "-2*mu*w0*x' - w0**2*sin(x) - 2*a1*x"}, "mu w0 a1")).ok


def test_a_weight_and_the_zero_of_a_sensor_are_told_together() -> None:
    found = judged(made({"x''": "-k*x - g"}, "k g o", outputs={"y": "x + o"}))
    assert found.unidentified == ("g", "o") and found.combinations == ("g - k*o", "o + x")


def test_of_two_frictions_the_sum_is_told_in_both_directions() -> None:
    found = judged(made({"x''": "-k*x - (mu + nu)*sign(x')"}, "k mu nu"))
    assert found.symmetries[0].kind is SymmetryKind.TRANSLATION and found.combinations == ("mu + nu",)
    assert [mode.sides for mode in found.modes] in (
        [{"sign(x_dot)": -1}, {"sign(x_dot)": 1}],
        [{"sign(x_dot)": 1}, {"sign(x_dot)": -1}],
    )


def test_a_friction_and_a_weight_need_both_directions() -> None:
    """mu sign(v) + g is one constant while v keeps its sign."""
    found = judged(made({"x''": "-k*x - mu*sign(x') - g"}, "k mu g"))
    assert found.ok
    assert all(mode.identifiable == ("k",) for mode in found.modes) and len(found.modes) == 2


def test_the_furuta_joint_tells_force_times_friction() -> None:
    model = library_model("furuta")
    found = judged(model, [*model.default_free, "F_n0", "mu_s0"])
    assert {"F_n0*mu_d0", "F_n0*mu_s0", "mu_v0*tanh(4*F_n0/F_t0)"} <= set(found.combinations)
    assert {"mu_d1", "mu_v1"} == {name for name, told in found.parameters.items() if told}
    viscous = judged(model, [*model.default_free, "F_t0", "F_t1", "mu_s1", "v_t1"])
    assert set(viscous.unidentified) == {"F_t0", "F_t1", "mu_v0", "mu_v1"}


def test_circuits_without_currents_have_no_scale_of_impedance() -> None:
    model = library_model("coupled_chua")
    found = judged(model, outputs=[name for name in model.output_names if name.startswith("v")])
    assert found.unknowns - found.rank == 1 and len(found.unidentified) == 11
    assert found.symmetries[0].weights["C_1"] == -found.symmetries[0].weights["L"] == 1.0


def test_what_is_known_at_the_beginning_counts() -> None:
    model = library_model("lotka_volterra")
    assert judged(model, outputs=["hare"], known={"lynx": 4.0}).ok
    assert judged(model, outputs=["hare"], known={"lynx": None}).ok
    assert not judged(model, outputs=["hare"], known={"hare": 30.0}).ok
    by_formula = made({"x": "-k*x*z", "z": "-z"}, "k z0", outputs=["x"])
    assert judged(by_formula, known={"z": symbol("z0")}).combinations == ("k*z0",)


def test_a_beginning_at_rest_tells_less_than_another() -> None:
    """At x = v = 0 without a force nothing moves."""
    model = made({"x''": "-k*x - c*x'"}, "k c")
    assert judged(model, known={"x": 0.0, "x_dot": 0.0}).unidentified == ("k", "c")
    assert judged(model, known={"x": 1.0, "x_dot": 0.0}).ok


def test_an_input_that_rests_frees_nothing() -> None:
    model = made({"x": "-k*x + b*u"}, "k b", inputs=["u"])
    assert judged(model, inputs=InputKind.ABSENT).unidentified == ("b",)
    assert judged(model, drives={"u": sp.Integer(0)}).remedies[0].parts[0].kind is RemedyKind.INPUT
    assert judged(model, drives={"u": sp.sin(symbol("t"))}).ok


def test_relations_between_functions_are_kept() -> None:
    doubled = judged(made({"x''": "-a*sin(2*x) - b*sin(x)*cos(x)"}, "a b"))
    assert doubled.combinations == ("2*a + b",)
    hyperbolic = judged(made({"x": "-a*tanh(x) - b*(exp(2*x) - 1)/(exp(2*x) + 1)"}, "a b"))
    assert hyperbolic.combinations == ("a + b",)
    rooted = judged(made({"x": "-a*x**1.5 - b*sqrt(x)*x"}, "a b"))
    assert rooted.combinations == ("a + b",)


def test_what_looks_alike_and_is_not_is_told_apart() -> None:
    """Negative control."""
    for rate in (
        "-a*sin(2*x) - b*sin(x)",
        "-a*tanh(x) - b*atan(x)",
        "-a*sqrt(x) - b*x**2",
        "-a*log(x) - b*asin(x)",
        "-a*exp(-b*x)",
        "-a*x**b",
        "-a*acos(x) - b*atan2(x, 1 + x)",
        "-a*max(x, 0) - b*min(x, 0)",
        "-a*abs(x) - b*x",
        "-a*tan(x) - b*cosh(x) - sinh(x)",
    ):
        assert judged(made({"x": rate}, "a b")).ok, rate


def test_a_parameter_without_effect_can_have_any_value() -> None:
    found = judged(made({"x": "-a*x"}, "a b"))
    assert found.unidentified == ("b",) and found.symmetries[0].text == "b can have any value"


def test_limits_are_told_where_both_sides_of_them_occur() -> None:
    found = judged(made({"x": "-a*min(max(x, low), high)"}, "a low high"))
    assert found.ok and len(found.modes) >= 3
    inside = np.linspace(0.1, 0.2, 50)
    within = StructuralQuestion(
        library_model("coupled_chua"), ("v1_1",), ("G_a", "G_b"), {}, states=np.tile(inside[:, None], 12), times=inside
    )
    assert structural(_with_values(within)).unidentified == ("G_b",)  # beyond one volt, where the motion never is


def _with_values(question: StructuralQuestion) -> StructuralQuestion:
    values = {item.name: float(item.value or 0) for item in question.model.parameters if item.name not in question.free}
    return replace(question, fixed=values)


def test_a_function_is_not_analysed() -> None:
    model = Model.from_function("f", lambda t, x, u, p: [-p["k"] * x["x"]], states=["x"], parameters={"k": 1.0})
    with pytest.raises(NotAnalysableError, match="function"):
        judged(model)


@pytest.mark.parametrize(
    ("equations", "parameters", "outputs"),
    [
        ({"x": "-k*x*z", "z": "-c*z + q*x"}, "k c q", {"y": "s*x"}),
        ({"x''": "-w**2*sin(x) - m*x' - g*cos(x)"}, "w m g", {"x": "x"}),
        ({"x": "-a*x/(K + x) + b*z", "z": "a*x/(K + x) - d*z"}, "a K b d", {"x": "x"}),
        ({"x": "-a*exp(-b/x)*z", "z": "-a*exp(-b/x)*x"}, "a b", {"x": "x"}),
    ],
)
def test_ranks_agree_with_lie_derivatives_in_many_digits(
    equations: dict[str, str], parameters: str, outputs: dict[str, str]
) -> None:
    names = f"{parameters} s" if "s*" in next(iter(outputs.values())) else parameters
    model = made(equations, names, outputs=outputs)
    found = judged(model)
    states = [symbol(name) for name in model.state_names]
    unknowns = [*map(symbol, model.default_free), *states]
    row, rows = model.outputs[0].expression, []
    for _ in unknowns:
        rows.append([sp.diff(row, item) for item in unknowns])
        row = sum((sp.diff(row, x) * f for x, f in zip(states, model.equations, strict=True)), sp.Integer(0))
    random = np.random.default_rng(3)
    with mpmath.workdps(60):
        at = [mpmath.mpf(value) for value in random.uniform(0.5, 1.5, len(unknowns))]
        evaluate = sp.lambdify(unknowns, rows, "mpmath")
        singular = mpmath.svd_r(mpmath.matrix(evaluate(*at)), compute_uv=False)
        rank = sum(1 for value in singular if value > singular[0] * mpmath.mpf(10) ** -40)
    assert found.rank == rank
