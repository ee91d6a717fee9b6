"""The present experiment: what a fit tells of it, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import identikit as ik
from identikit.errors import OptionError
from identikit.measurement import Record
from identikit.planning import PresentGiven, noise_taken, present_plan, usual_limits
from identikit.result import NoiseFound, Result

TIME = np.arange(0.0, 12.0, 0.1)


def growth(low: float) -> ik.Model:
    return ik.Model.from_text(
        "growth",
        states={"x": ik.State("x", bounds=(low, np.inf))},
        equations={"x": "r*x*(1 - x/10)"},
        parameters=[ik.Parameter("r", 1.0, "", (0.01, 10))],
        outputs=["x"],
    )


def fitted(model: ik.Model, std: float, initial: float = 0.05) -> Result:
    """A fit whose first state is known to `std`."""
    noise = 0.3 * np.random.default_rng(1).standard_normal(len(TIME))
    x = 10 / (1 + (10 / initial - 1) * np.exp(-TIME))
    found = ik.fit(Record.from_arrays(TIME, x=x + noise, time_unit="s"), model, method="shooting")
    return replace(found, initial_states=({"x": {"value": initial, "std": std}},))


@pytest.mark.parametrize("low", [0.0, -np.inf])
def test_a_growth_that_begins_near_zero_begins(low: float) -> None:
    model = growth(low)
    (run,) = present_plan(model, PresentGiven(), fitted(model, std=0.05)).runs
    assert run.initial == {"x": 0.05}


def test_a_velocity_that_may_as_well_be_zero_is_zero() -> None:
    model = ik.library_model("duffing")
    fit = ik.fit(ik.simulate("duffing", seed=3), model)
    begun = fit.initial_states[0]
    for value, expected in ((0.003, 0.0), (0.05, 0.05)):
        told = {**begun, "v": {"value": value, "std": 0.01}}
        (run,) = present_plan(model, PresentGiven(), replace(fit, initial_states=(told,))).runs
        assert run.initial["v"] == expected and run.initial["x"] == begun["x"]["value"]
    told = {**begun, "v": {"value": 0.003, "std": 0.01}}
    (run,) = present_plan(model, PresentGiven(initial={"v": 0.003}), replace(fit, initial_states=(told,))).runs
    assert run.initial["v"] == 0.003, "what is given stands"


def test_noise_with_outliers_is_planned_with_as_normal_noise_that_tells_as_much() -> None:
    """The Fisher information of a location, by quadrature of the score of Student's t."""
    freedom, scale = 3.0, 0.2
    u = np.linspace(-2000, 2000, 4_000_001) * scale
    density = (1 + (u / scale) ** 2 / freedom) ** (-(freedom + 1) / 2)
    score = (freedom + 1) * u / (freedom * scale**2 + u**2)
    information = (density * score**2).sum() / density.sum()
    model = growth(0.0)
    fit = replace(fitted(model, 0.01), noise={"x": NoiseFound(scale, True, "Student t", (), freedom)})
    plan = present_plan(model, PresentGiven(), fit)
    assert plan.noise["x"] == pytest.approx(1 / np.sqrt(information), rel=1e-3)
    (note,) = noise_taken(plan, fit)
    assert note.code == "noise_planned_constant" and note.about == ("x",) and "outliers" in note.text


def test_noise_with_a_memory_is_noted_with_what_it_costs() -> None:
    """A mean of n samples of an autoregression is known to sqrt((1 + r)/(1 - r)) times that of independent ones."""
    model = growth(0.0)
    fit = fitted(model, 0.01)
    plan = present_plan(model, PresentGiven(), fit)
    (note,) = noise_taken(plan, replace(fit, noise={"x": NoiseFound(0.3, True, "autoregressive", (0.8,))}))
    assert "memory" in note.text and "up to 3 times" in note.text
    assert not noise_taken(plan, replace(fit, noise={"x": NoiseFound(0.3, True)})), "negative control: white noise"


@pytest.mark.parametrize(
    "given, words",
    [
        ({"free": ["r", "r"]}, "'r' is listed twice"),
        ({"parameters": {"r": -4.0}}, r"-4 of 'r' lies outside its bounds \[0.01, 10\]"),
    ],
)
def test_what_cannot_be_is_refused(given: dict, words: str) -> None:
    with pytest.raises(OptionError, match=words):
        ik.design(growth(0.0), initial={"x": 1.0}, duration=3.0, dt=0.1, noise={"x": 0.1}, fits=0, **given)


def test_a_state_that_begins_at_its_bound_leaves_nothing_to_choose() -> None:
    both = {"x": (-1.0, 1.0)}
    assert usual_limits(growth(1.0), {"x": 1.0}, both) == {}
    assert usual_limits(growth(0.5), {"x": 1.0}, both) == {"x": (0.5, 1.0)}


def test_without_limits_what_stays_on_one_side_of_zero_begins_where_it_has_been() -> None:
    """No temperature below zero because the present one is above it."""
    assert usual_limits(growth(0.0), {"x": 1.0}, {"x": (1.0, 1.4)}) == {"x": (1.0, 1.4)}
