"""Replicates: all at once they are what single fits are, drawn as the fit found the noise to be."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import identikit as ik
import quality_factor
import reference
from identikit.likelihood import Likelihood
from identikit.model import Model, Parameter
from identikit.numerics import Summits
from identikit.problem import Noise
from identikit.uncertainty import Fitted, assessed
from identikit.uncertainty._noise_draws import NoiseDraws

DECAY = Model.from_text(
    "decay",
    states={"x": ""},
    equations={"x": "-a*x + b"},
    parameters=[Parameter("a", 1.0, "", (0, 100)), Parameter("b", 0.0, "", (0, 10))],
    outputs={"x": "x"},
)
TIME = np.linspace(0, 3, 150)


def noise_of(seed: int, samples: int = 150, memory: float = 0.0) -> np.ndarray:
    white = np.random.default_rng(seed).standard_normal(samples)
    for i in range(1, samples):
        white[i] = memory * white[i - 1] + math.sqrt(1 - memory**2) * white[i]
    return white


def decay(seed: int, sigma: float = 0.05, memory: float = 0.0, source: float = 0.3) -> ik.Record:
    clean = 2 * np.exp(-TIME) + source * (1 - np.exp(-TIME))
    return ik.Record.from_arrays(TIME, x=clean + sigma * noise_of(seed, memory=memory))


def fitted(data: ik.Record | ik.Experiment, model: Model | str, **asked: Any) -> Fitted:
    return Fitted.of(ik.Question.ask(data, model, **asked).problem(), ik.fit(data, model, **asked))


def two_records_with_gaps() -> Fitted:
    first, second = decay(1), decay(2)
    values = second.channels["x"].values.copy()
    values[40:60] = np.nan
    gap = ik.Record.from_arrays(TIME, x=values)
    return fitted(ik.Experiment((first, gap)), DECAY)


def stopped_by_friction() -> Fitted:
    time = np.linspace(0, 12, 601)
    theta = reference.horizontal_pendulum(time, zeta=0.02, mu_c=0.25)[0][0]
    record = ik.Record.from_arrays(time, theta=theta + 0.002 * noise_of(2, 601))
    return fitted(record, "horizontal_pendulum", free=["zeta", "mu_c", "k"], fix={"mu_q": 0.0})


def lognormal() -> Fitted:
    record = ik.Record.from_arrays(TIME, x=2 * np.exp(-TIME) * np.exp(0.05 * noise_of(5)))
    return fitted(record, DECAY, free=["a"], noise="lognormal")


CASES = {
    "two records, one with a gap": two_records_with_gaps,
    "a known initial state": lambda: fitted(decay(3), DECAY, initial={"x": 2.0}),
    "a rough initial state and a prior": lambda: fitted(
        decay(3), DECAY, initial={"x": {"value": 2.0, "std": 0.01}}, priors={"a": (1.0, 0.05)}
    ),
    "an estimate near its bound": lambda: fitted(decay(6, source=0.0), DECAY),
    "noise that remembers": lambda: fitted(decay(7, memory=0.9), DECAY, noise="ar"),
    "log-normal noise": lognormal,
    "friction that stops": stopped_by_friction,
}


@pytest.mark.parametrize("case", CASES)
def test_replicates_fitted_at_once_are_the_likeliest_of_each_drawn_record(case: str) -> None:
    """The likelihood of each drawn record alone falls in every direction that the bounds leave open."""
    known = CASES[case]()
    drawn = NoiseDraws(known, "parametric")(3, np.random.default_rng(11))
    found = known.likelihood.refitted(known.p, drawn)
    assert found.settled.all()
    problem, std = known.problem, np.sqrt(np.diag(known.covariance))
    low, high = problem.limits
    ends = np.cumsum([len(record.time) for record in problem.records])[:-1]
    for values, p in zip(drawn, found.p, strict=True):
        records = [replace(r, values=v) for r, v in zip(problem.records, np.split(values, ends), strict=True)]
        alone = Likelihood(problem.with_records(records), near=p)
        step = 0.3 * np.eye(len(std)) * std
        around = np.clip(np.concatenate([p[None], p + step, p - step]), low, high)
        value = alone.expansion(around).value
        moved = (around[1:] != p).any(axis=1)
        assert (value[1:][moved] < value[0] - 0.005).all()


def test_replicates_scatter_as_the_bound_says_and_intervals_are_their_quantiles() -> None:
    known = fitted(decay(3), DECAY)
    result = assessed(known.problem, known.result, "bootstrap", {"replicates": 400}, seed=2)
    for name, std in zip(known.problem.free, np.sqrt(np.diag(known.covariance)), strict=True):
        item = result.parameters[name]
        draws = np.asarray(result.artifacts["bootstrap"]["parameters"][name])
        assert item.std == pytest.approx(std, rel=0.12) and item.ci95 is not None
        inside = np.mean((draws >= item.ci95[0]) & (draws <= item.ci95[1]))
        assert 0.92 < inside < 0.98
    facts = result.diagnostics["uncertainty"]
    assert (facts["replicates"], facts["settled"], facts["refitted_by"]) == (400, 400, "likelihood")


def test_blocks_keep_the_colour_that_a_white_noise_model_does_not_know() -> None:
    """Negative control: parametric replicates of the same fit are too narrow by what the colour costs, a factor 4."""
    record = decay(8, memory=0.9)
    asked = {"noise": "white", "fix": {"b": 0.3}, "free": ["a"]}
    known = fitted(record, DECAY, **asked)
    stds = {
        kind: assessed(known.problem, known.result, "bootstrap", {"kind": kind}).parameters["a"].std
        for kind in ("parametric", "residual", "block")
    }
    plain = float(np.sqrt(known.covariance[0, 0]))
    assert stds["parametric"] == pytest.approx(plain, rel=0.2)
    assert stds["residual"] == pytest.approx(plain, rel=0.2)
    assert stds["block"] is not None and stds["block"] > 1.7 * plain


def test_quantiles_follow_a_skewed_estimate() -> None:
    known = fitted(quality_factor.record(3), quality_factor.model())
    item = assessed(known.problem, known.result, "bootstrap").parameters["Q"]
    assert item.value is not None and item.ci95 is not None
    assert item.ci95[1] - item.value > 2 * (item.value - item.ci95[0])


def test_replicates_of_another_method_are_fitted_by_it() -> None:
    record = decay(3)
    thin = ik.Record.from_arrays(TIME[::5], x=record.channels["x"].values[::5])
    known = fitted(thin, DECAY, method="least_squares", free=["a"], fix={"b": 0.3})
    result = assessed(known.problem, known.result, "bootstrap", {"replicates": 40})
    assert result.diagnostics["uncertainty"]["refitted_by"] == "least_squares"
    assert result.parameters["a"].std == pytest.approx(known.result.parameters["a"].std, rel=0.6)


@pytest.mark.parametrize("kind", ["parametric", "residual", "block"])
def test_drawn_noise_is_as_large_and_as_coloured_as_the_fit_found(kind: str) -> None:
    known = fitted(decay(9, memory=0.8), DECAY, noise="ar")
    drawn = NoiseDraws(known, kind, block=20)(200, np.random.default_rng(1))[..., 0]
    noise = drawn - drawn.mean(axis=0)
    level = float(known.likelihood.noise(known.p)[0])
    first = float(np.mean(noise[:, 1:] * noise[:, :-1]) / np.mean(noise**2))
    assert float(noise.std()) == pytest.approx(level, rel=0.35)
    assert first == pytest.approx(known.problem.noise["x"].memory[0], abs=0.15)


def test_drawn_outliers_and_levels_are_those_of_the_fit() -> None:
    known = fitted(decay(3), DECAY)
    heavy = replace(known, problem=known.problem.with_noise({"x": Noise().shaped(freedom=3.0)}))
    far = NoiseDraws(heavy, "parametric")(300, np.random.default_rng(1))[..., 0]
    spread = far - np.median(far, axis=0)
    assert float(np.mean(spread**4) / np.mean(spread**2) ** 2) > 6
    rounded = replace(known, problem=known.problem.with_noise({"x": Noise().rounded(0.2)}))
    read = NoiseDraws(rounded, "parametric")(5, np.random.default_rng(1))[..., 0]
    steps = (read - read[0, 0]) / 0.2
    np.testing.assert_allclose(steps, np.round(steps), atol=1e-9)


def test_replicates_that_do_not_settle_are_counted_left_out_and_told(monkeypatch: pytest.MonkeyPatch) -> None:
    known = fitted(decay(3), DECAY)
    whole = Likelihood.refitted

    def partly(*arguments: Any) -> Summits:
        found = whole(*arguments)
        return replace(found, settled=np.arange(len(found.p)) >= 10)

    plain = assessed(known.problem, known.result, "bootstrap", {"replicates": 100})
    monkeypatch.setattr(Likelihood, "refitted", partly)
    result = assessed(known.problem, known.result, "bootstrap", {"replicates": 100})
    told = [item.text for item in result.findings if item.code == "replicates_unsettled"]
    assert len(told) == 1 and told[0].startswith("10% of the 100 replicates")
    assert len(result.artifacts["bootstrap"]["parameters"]["a"]) == 90
    assert "replicates_unsettled" not in {item.code for item in plain.findings}


def test_the_seed_decides_and_nothing_else() -> None:
    known = fitted(decay(3), DECAY)
    first, same, other = (
        assessed(known.problem, known.result, "bootstrap", {"replicates": 40}, seed=seed) for seed in (1, 1, 2)
    )
    assert first.parameters == same.parameters
    assert first.parameters != other.parameters


def test_work_that_is_stopped_leaves_the_intervals_of_the_fit() -> None:
    stages = []

    def listener(event: ik.ProgressEvent) -> bool:
        stages.append(event.stage)
        return event.stage != "bootstrap"

    plain = ik.fit(decay(3), DECAY)
    stopped = ik.fit(decay(3), DECAY, uncertainty="bootstrap", progress=listener)
    assert "bootstrap" in stages
    assert stopped.parameters == plain.parameters
    assert "uncertainty_not_assessed" in {item.code for item in stopped.findings}
