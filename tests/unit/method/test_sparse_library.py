"""Libraries of terms: which there are, what their coefficients are called and measured in, what does not fit."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
from identikit.method._base import ObjectionError
from identikit.method.sparse._coefficient_unit import coefficient_unit, exponents
from identikit.method.sparse._found_law import FoundLaw
from identikit.method.sparse._library import Library, library_of
from identikit.method.sparse._own_law import own_law
from identikit.model import symbol
from identikit.problem import Problem

TIME = np.arange(400) * 0.05


def library(model: str, kind: str, *channels: str, **question: object) -> Library:
    columns = {name: np.cos(TIME + k) for k, name in enumerate(channels)}
    problem = Problem.pose(ik.library_model(model), ik.Record.from_arrays(TIME, columns), **question)  # type: ignore[arg-type]
    return library_of(problem, kind)


def test_the_reports_library_has_its_nine_terms() -> None:
    found = library("horizontal_pendulum", "report", "theta")
    assert [term.text for term in found.terms] == [
        "1", "theta", "omega", "theta**2", "omega*theta", "omega*abs(omega)", "sign(omega)", "sin(theta)", "cos(theta)"
    ]  # fmt: skip


def test_a_models_own_terms_know_its_parameters() -> None:
    own = {term.text: term.own for term in library("pendulum", "model", "theta").terms}
    w0, mu = symbol("w0"), symbol("mu")
    assert own == {"sin(theta)": -(w0**2), "omega": -2 * mu * w0}


def test_polynomials_are_all_products_up_to_the_degree_in_every_equation() -> None:
    found = library("lorenz", "polynomial", "x", "y", "z")
    assert len(found.terms) == 3 * 20
    assert len({term.coefficient for term in found.terms}) == 60
    assert found.model.parameter_names == tuple(term.coefficient for term in found.terms)


def test_coefficients_have_the_unit_that_makes_the_term_a_rate() -> None:
    units = {term.text: term.unit for term in library("duffing", "auto", "x").terms}
    assert units["x"] == "1/s^2" and units["v"] == "1/s" and units["x**3"] == "1/m^2/s^2"
    assert units["sign(v)"] == "m/s^2" and units["v*abs(v)"] == "1/m"
    assert coefficient_unit(exponents("m/s"), symbol("x") ** 2, {"x": ""}) == ""  # not stated
    assert exponents("m/(s*kg)") is None and exponents("1/s") == {"s": -1}


def test_sines_of_lengths_are_refused() -> None:
    with pytest.raises(ObjectionError, match="x is in m") as error:
        library("duffing", "report", "x")
    assert error.value.finding.code == "terms_do_not_fit"


def test_a_library_that_nobody_could_search_is_refused() -> None:
    with pytest.raises(ObjectionError, match="at most 120"):
        library("coupled_pendulums", "polynomial", "q1", "q2", "p1", "p2")


def test_a_parameter_inside_a_function_is_refused_by_name() -> None:
    with pytest.raises(ObjectionError, match="kappa stands inside"):
        model = ik.Model.from_text(
            "hard", states={"x": "", "v": ""}, equations={"x": "v", "v": "-sin(kappa*x)"},
            parameters={"kappa": ik.Parameter("kappa", 1.0)}, outputs=["x"],
        )  # fmt: skip
        library_of(Problem.pose(model, ik.Record.from_arrays(TIME, {"x": np.cos(TIME)})), "auto")


def test_a_law_without_a_term_makes_zero_what_stands_in_no_other_term() -> None:
    """sin(theta) alone, of -2 mu w0 omega - w0^2 sin(theta): mu is zero, since w0 cannot be."""
    problem = Problem.pose(
        ik.library_model("pendulum"), ik.Record.from_arrays(TIME, theta=np.cos(TIME)), free=["w0", "mu"]
    )
    library = library_of(problem, "auto")
    names = [term.text for term in library.terms]
    values = np.where([name == "sin(theta)" for name in names], -9.0, 0.0)
    law = FoundLaw(library, (names.index("sin(theta)"),), values)
    own = own_law(problem, law)
    assert own is not None and own.zero == ("mu",)
    assert own.values["w0"] == pytest.approx(3.0)
    cubic = FoundLaw(library, (names.index("theta**2"),), np.where([name == "theta**2" for name in names], 1.0, 0.0))
    assert own_law(problem, cubic) is None  # negative control
