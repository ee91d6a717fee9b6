"""auto: which method refines, and what a second one that shares nothing with it says. Data from elsewhere."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np
import pytest

import identikit as ik
import reference
from corpus import SWING
from identikit.errors import OptionError
from identikit.method import method_named
from identikit.method.galerkin import Galerkin
from identikit.method.shooting import Shooting
from identikit.result import Code, Finding, Result
from stochastic import shaken_pendulum

TRUTH = {"zeta": 0.03, "k": 20.0}
FIXED = {"mu_c": 0.01, "mu_q": 0.0}
TIME = np.arange(0, 20, 0.01)


def swing(noise: np.ndarray) -> ik.Record:
    clean = reference.horizontal_pendulum(TIME, **TRUTH, **FIXED)[0][0]
    return ik.Record.from_arrays(TIME, {"theta": clean + noise})


def white(seed: int) -> np.ndarray:
    return 0.003 * np.random.default_rng(seed).standard_normal(len(TIME))


@lru_cache
def fitted(**asked: object) -> Result:
    return ik.fit(swing(white(1)), "horizontal_pendulum", free=list(TRUTH), fix=FIXED, **asked)  # type: ignore[arg-type]


def codes(result: Result) -> set[str]:
    return {item.code for item in result.findings}


def test_the_estimate_is_that_of_shooting_and_a_second_method_agrees() -> None:
    result, plain = fitted(), fitted(method="shooting")
    assert result.method == "shooting" and result.ok
    assert all(result.value(name) == plain.value(name) for name in TRUTH)
    assert {"auto_did", "second_opinion_agrees"} <= codes(result)
    told = result.diagnostics["auto"]
    assert told["refined_by"] == "shooting" and told["second_opinion"]["method"] == "galerkin"
    assert set(told["second_opinion"]["z"]) == set(TRUTH)
    assert not {"auto_did", "second_opinion_agrees"} & codes(plain)


def test_two_sentences_say_what_was_done() -> None:
    text = str(fitted())
    assert "shooting refined starting values (regression)" in text
    assert "galerkin, which integrates nothing, agrees within" in text


def test_the_second_opinion_can_be_left_out() -> None:
    result = ik.fit(
        swing(white(1)), "horizontal_pendulum", free=list(TRUTH), fix=FIXED, options={"second_opinion": "no"}
    )
    assert "auto_did" in codes(result) and "second_opinion" not in result.diagnostics["auto"]


def compared(monkeypatch: pytest.MonkeyPatch, first: Result, second: Result) -> Finding:
    """What auto says of two results, had its two methods come to them."""
    with monkeypatch.context() as patched:
        patched.setattr(Shooting, "run", lambda *_, **__: first)
        patched.setattr(Galerkin, "estimate", lambda *_, **__: second)
        result = ik.fit(swing(white(1)), "horizontal_pendulum", free=list(TRUTH), fix=FIXED)
    (found,) = (item for item in result.findings if item.code.endswith("second_opinion") or "opinion_" in item.code)
    return found


def test_agreement_is_stated_with_an_error_above_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    result = fitted(method="shooting")
    assert "agrees within 0.1 standard errors" in compared(monkeypatch, result, result).text


def test_an_estimate_that_is_off_is_noticed_and_what_is_known_explains_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """The negative control: the same comparison with the first estimate moved by ten of its standard errors."""
    result, other = fitted(method="shooting"), fitted(method="galerkin")
    item = result.parameters["k"]
    assert item.value is not None and item.std is not None
    moved = replace(result, parameters={**result.parameters, "k": replace(item, value=item.value + 10 * item.std)})
    found = compared(monkeypatch, moved, other)
    assert (found.code, found.about) == ("second_opinion_differs", ("k",))
    failed = replace(other, status=replace(other.status, code=Code.MISFIT))
    assert compared(monkeypatch, moved, failed).code == "second_opinion_explained"
    coloured = {name: replace(noise, white=False) for name, noise in result.noise.items()}
    assert "coloured" in compared(monkeypatch, replace(moved, noise=coloured), other).text
    lost = replace(other, status=replace(other.status, code=Code.NOT_CONVERGED))
    assert compared(monkeypatch, moved, lost).code == "no_second_opinion"


@pytest.mark.parametrize("seed", range(6))
def test_white_noise_raises_no_false_alarm(seed: int) -> None:
    result = ik.fit(swing(white(10 + seed)), "horizontal_pendulum", free=list(TRUTH), fix=FIXED)
    assert "second_opinion_agrees" in codes(result)


def test_a_model_that_is_a_function_has_no_second_opinion() -> None:
    model = ik.Model.from_function(
        "decay", lambda t, x, u, p: [-p["rate"] * x["x"]], states=["x"], parameters={"rate": 0.4}
    )
    noise = 0.01 * np.random.default_rng(0).standard_normal(len(TIME))
    record = ik.Record.from_arrays(TIME, {"x": np.exp(-0.5 * TIME) + noise})
    result = ik.fit(record, model)
    assert result.ok and "no_second_opinion" in codes(result)


def test_process_noise_is_left_to_the_filter() -> None:
    times, theta = shaken_pendulum(0, 0.05)
    record = ik.Record.from_arrays(times, {"theta": theta})
    result = ik.fit(record, SWING, noise={"omega'": 0.05})
    assert result.method == "kalman" and result.diagnostics["auto"]["refined_by"] == "kalman"


def test_auto_describes_itself_like_a_method() -> None:
    described = method_named("auto").as_dict()
    assert described["name"] == "auto" and "second_opinion" in described["options"]


def test_options_are_those_of_the_method_that_is_chosen_and_another_is_named() -> None:
    """They were dropped without a word where there is process noise."""
    time, theta = shaken_pendulum(0, 0.05, 1.0)
    record, asked = ik.Record.from_arrays(time, theta=theta), {"free": ["k", "zeta"], "noise": {"omega'": "auto"}}
    with pytest.raises(OptionError, match="auto chose kalman, which has no option 'tolerance'"):
        ik.fit(record, "horizontal_pendulum", options={"tolerance": 1e-8}, **asked)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="auto chose shooting, which has no option 'filter'"):
        ik.fit(swing(white(1)), "horizontal_pendulum", free=["k"], fix=FIXED, options={"filter": "unscented"})
    with pytest.raises(OptionError, match=r"Method auto has no option 'tolerence'.*'tolerance'"):
        ik.fit(swing(white(1)), "horizontal_pendulum", options={"tolerence": 1e-8})
