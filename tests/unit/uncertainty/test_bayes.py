"""Intervals from the posterior, judged where it is known in closed form: a straight line through noisy points."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

import identikit as ik
from identikit.errors import OptionError
from identikit.measurement import Experiment
from identikit.result import Result

# its import takes a second, which whoever only collects tests need not wait for
pytestmark = pytest.mark.skipif(find_spec("nutpie") is None, reason="nutpie is not installed")
TIME = np.arange(11) * 0.5
NOISE = np.random.default_rng(3).standard_normal(len(TIME))
LINE = ik.Model.from_text("line", equations={"x": "a"}, parameters=[ik.Parameter("a")], outputs=["x"])
LONG = {"draws": 700}
SHORT = {"draws": 250, "warmup": 100, "chains": 2}  # for claims about means and widths, not about their ends


def fitted(slope: float = 0.7, model: ik.Model = LINE, **asked: Any) -> Result:
    record = ik.Record.from_arrays(TIME, {"x": 1.0 + slope * TIME + 0.2 * NOISE})
    usual = {"method": "shooting", "uncertainty": "bayes", "seed": 1, "noise": "white"}
    return ik.fit(record, model, **{**usual, **asked})


def exact(slope: float = 0.7) -> tuple[float, float, int]:
    """Slope, its scale and the degrees of freedom of a straight line fitted to the record."""
    line = stats.linregress(TIME, 1.0 + slope * TIME + 0.2 * NOISE)
    return float(line.slope), float(line.stderr), len(TIME) - 2


@pytest.fixture(scope="module")
def long_run() -> Result:
    return fitted(uncertainty_options=LONG)


def test_the_posterior_of_a_slope_is_students_t(long_run: Result) -> None:
    slope, scale, freedom = exact()
    item = long_run.parameters["a"]
    assert item.value == pytest.approx(slope, abs=1e-6)
    assert item.std == pytest.approx(scale * np.sqrt(freedom / (freedom - 2)), rel=0.06)
    draws = np.ravel(long_run.artifacts["posterior"]["parameters"]["a"])
    for share in (0.025, 0.25, 0.5, 0.75, 0.975):
        below = np.mean(draws < stats.t.ppf(share, freedom, slope, scale))
        # four binomial standard errors of half as many independent draws
        assert below == pytest.approx(share, abs=4 * np.sqrt(2 * share * (1 - share) / len(draws)))
    # 2.5 % of the draws on either side, counted so that few draws make no narrower intervals
    assert item.ci95 == pytest.approx(np.quantile(draws, [0.025, 0.975], method="weibull"))
    # negative control: the normal distribution of the likelihood's curvature is much narrower
    assert item.ci95[1] - item.ci95[0] > 1.25 * 2 * 1.96 * item.crlb


def test_chains_that_agree_are_not_complained_of(long_run: Result) -> None:
    facts = long_run.diagnostics["uncertainty"]
    assert "posterior_not_converged" not in {item.code for item in long_run.findings}
    assert facts["divergent"] == 0
    assert set(facts["unknowns"]) == {"a", "x(0)"}
    assert all(one["rhat"] < 1.02 and one["effective_draws"] > 700 for one in facts["unknowns"].values())
    _, scale, _ = exact()
    sigma = scale * np.sqrt(np.sum((TIME - TIME.mean()) ** 2))  # of the residuals, with their degrees of freedom
    assert facts["noise"]["x"]["mean"] == pytest.approx(sigma, rel=0.25)


def test_a_prior_counts() -> None:
    slope, scale, _ = exact()
    tight = fitted(priors={"a": (slope + 3 * scale, 0.1 * scale)}, uncertainty_options=SHORT).parameters["a"]
    assert tight.value == pytest.approx(slope + 3 * scale, abs=0.2 * scale)
    assert tight.std == pytest.approx(0.1 * scale, rel=0.15)


@pytest.mark.study
def test_where_a_bound_is_likeliest_the_interval_begins_there() -> None:
    """The record falls a little, the slope may not: no interval about the middle would contain zero."""
    rising = ik.Model.from_text(
        "line", equations={"x": "a"}, parameters=[ik.Parameter("a", bounds=(0, 5))], outputs=["x"]
    )
    found = fitted(slope=-0.02, model=rising, uncertainty_options={"draws": 300})
    slope, scale, freedom = exact(-0.02)
    left = stats.t.sf(-slope / scale, freedom)
    expected = slope + scale * stats.t.isf(0.05 * left, freedom)
    assert found.parameters["a"].ci95[0] == 0.0
    assert found.parameters["a"].ci95[1] == pytest.approx(expected, rel=0.15)


def test_what_nothing_holds_has_no_posterior() -> None:
    two = ik.Model.from_text("two", equations={"x": "a + b"}, parameters={"a": None, "b": None}, outputs=["x"])
    codes = {item.code: item.text for item in fitted(model=two, uncertainty_options=SHORT).findings}
    assert "there is no posterior" in codes["uncertainty_not_assessed"]
    held = fitted(model=two, priors={"b": (0.0, 0.5)}, uncertainty_options=SHORT)
    assert "uncertainty_not_assessed" not in {item.code for item in held.findings}
    assert held.parameters["b"].std == pytest.approx(0.5, rel=0.15)
    assert "prior_decides" in {item.code for item in held.findings}


def test_the_same_seed_gives_the_same_draws_and_another_seed_others() -> None:
    few = {"draws": 50, "warmup": 50, "chains": 2}
    runs = [fitted(seed=seed, uncertainty_options=few) for seed in (1, 1, 2)]
    first, again, other = (run.artifacts["posterior"]["parameters"]["a"] for run in runs)
    assert np.array_equal(first, again) and not np.array_equal(first, other)


def test_few_draws_are_complained_of() -> None:
    few = fitted(uncertainty_options={"draws": 50, "warmup": 50, "chains": 2})
    said = next(item for item in few.findings if item.code == "posterior_not_converged")
    assert "independent" in said.text and said.about == ("a",)


def test_a_saved_posterior_is_drawn_and_handed_to_arviz(long_run: Result, tmp_path: Path) -> None:
    long_run.save(tmp_path / "fit.json")
    loaded = Result.load(tmp_path / "fit.json")
    data = loaded.to_inference_data()
    assert data.posterior["a"].shape == (4, 700)
    assert float(data.posterior["a"].std()) == pytest.approx(long_run.parameters["a"].std, rel=0.01)
    assert data.sample_stats["diverging"].sum() == 0
    ik.plot(loaded, tmp_path / "posterior.png", kind="posterior")
    assert (tmp_path / "posterior.png").stat().st_size > 20_000
    with pytest.raises(OptionError, match="no posterior"):
        fitted(uncertainty="fisher").to_inference_data()


@pytest.mark.study
def test_likelihoods_and_new_samples_of_some_draws_are_handed_to_arviz() -> None:
    time = np.arange(60) * 0.1
    values = {
        name: at + 0.7 * time + 0.2 * np.random.default_rng(at).standard_normal(60) for at, name in ((1, "a"), (4, "b"))
    }
    records = tuple(ik.Record.from_arrays(time, {"x": one}, name=name) for name, one in values.items())
    asked = {"method": "shooting", "uncertainty": "bayes", "noise": {"x": 0.2}}
    data = ik.fit(Experiment(records), LINE, **asked).to_inference_data()
    likely, new = data.log_likelihood["log_likelihood"], data.posterior_predictive
    assert likely.dims == ("chain", "draw", "record") and list(likely.record.values) == ["a", "b"]
    draw = int(likely.draw[3])
    at = data.posterior.sel(chain=2, draw=draw)
    for name, one in values.items():
        line = float(at[f"x(0) {name}"]) + float(at["a"]) * time
        told = likely.sel(chain=2, draw=draw, record=name)
        assert float(told) == pytest.approx(stats.norm.logpdf(one, line, 0.2).sum(), abs=1e-6)
        off = new[f"x, {name}"] - np.interp(new[f"t of x, {name}"], time, one.mean() + 0.7 * (time - time.mean()))
        assert off.dims[:2] == ("chain", "draw") and float(off.std()) == pytest.approx(0.2, rel=0.1)
        assert data.observed_data[f"x, {name}"].values == pytest.approx(one)


@pytest.mark.study
def test_new_samples_spread_as_the_column_of_standard_deviations_says() -> None:
    time = np.arange(100) * 0.05
    spread = np.geomspace(0.001, 0.1, len(time))
    values = 1.0 + 0.7 * time + spread * np.random.default_rng(5).standard_normal(len(time))
    record = ik.Record.from_arrays(time, x=values, x_std=spread, name="run")
    asked = {"outputs": {"x": "x"}, "noise": {"x": "x_std"}, "uncertainty": "bayes"}
    band = ik.fit(record, LINE, method="shooting", **asked).artifacts["posterior of x, run"]
    half = (band["samples"][2] - band["samples"][0]) / 2
    for part in (slice(0, 25), slice(75, 100)):
        assert np.mean(half[part] / (1.96 * spread[part])) == pytest.approx(1.0, abs=0.1)


@pytest.mark.study
def test_new_samples_have_the_tails_of_students_noise() -> None:
    time = np.arange(400) * 0.05
    values = 1.0 + 0.7 * time + 0.1 * np.random.default_rng(6).standard_t(3, len(time))
    found = ik.fit(
        ik.Record.from_arrays(time, x=values, name="run"), LINE, method="shooting", noise="student", uncertainty="bayes"
    )
    band, noise = found.artifacts["posterior of x, run"], found.noise["x"]
    assert noise.freedom is not None and noise.freedom < 6
    half = np.mean(band["samples"][2] - band["samples"][0]) / 2
    assert half == pytest.approx(noise.sigma * stats.t.ppf(0.975, noise.freedom), rel=0.1)


def test_a_stop_on_the_way_leaves_the_fit_as_it_was() -> None:
    seen = []

    def listener(event: ik.ProgressEvent) -> bool:
        seen.append(event.sentence)
        return not event.sentence.startswith(("warming up", "sampling"))

    stopped = fitted(uncertainty_options={"draws": 20000}, progress=listener)
    assert "stopped on request" in next(i.text for i in stopped.findings if i.code == "uncertainty_not_assessed")
    assert stopped.parameters["a"].std is not None and "posterior" not in stopped.artifacts
    assert any("draws" in sentence for sentence in seen)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"log_uniform": "b"}, "not free"),
        ({"log_uniform": "a"}, "lower bound above zero"),
        ({"chains": 1}, "from 2 to 64"),
        ({"dras": 10}, "draws"),
    ],
)
def test_wrong_options_are_named(options: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        fitted(uncertainty_options=options)


@pytest.mark.study
def test_a_prior_that_is_flat_in_the_logarithm_moves_a_little_to_zero() -> None:
    positive = ik.Model.from_text(
        "line", equations={"x": "a"}, parameters=[ik.Parameter("a", bounds=(0.01, 5))], outputs=["x"]
    )
    flat, scale = (
        fitted(slope=0.15, model=positive, uncertainty_options={"draws": 300, "log_uniform": names}).diagnostics
        for names in ("", "a")
    )
    means = [run["uncertainty"]["unknowns"]["a"]["mean"] for run in (flat, scale)]
    assert means[1] < means[0] - 0.005
