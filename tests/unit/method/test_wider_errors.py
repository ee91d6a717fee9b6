"""Standard errors that residuals and parts of a record widen: by how much, and why."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

import identikit as ik
import reference
from identikit.likelihood import Outcome, Preparation, parts_agreement
from identikit.problem import Problem
from identikit.result import Result

LINE = ik.Model.from_text("line", equations={"n": "r"}, parameters=[ik.Parameter("r", bounds=(-100, 100))])
SPRING = ik.Model.from_text(
    "spring", equations={"x''": "-c*x' - k*x"}, parameters={name: ik.Parameter(name, bounds=(0, 100)) for name in "ck"}
)


def outcome_of(model: ik.Model, data: ik.Record | ik.Experiment, start: list[float], **asked: object) -> Outcome:
    """The same fit, without what a method makes of it."""
    preparation = Preparation.of(Problem.pose(model, data, **asked))  # type: ignore[arg-type]
    p = np.array(start)
    nodes = preparation.nodes(p)
    outcome = preparation.solver(nodes).run(p, nodes, preparation.sigma, ik.progress.silent)
    assert outcome is not None and outcome.converged
    return outcome


def lines(rates: list[float]) -> ik.Experiment:
    random, made = np.random.default_rng(0), []
    for j, rate in enumerate(rates):
        time = 20.0 * j + np.linspace(0.0, 4.0, 60)
        made.append(ik.Record.from_arrays(time, n=2.0 + rate * time + 0.05 * random.standard_normal(60)))
    return ik.Experiment(tuple(made))


def widened(model: ik.Model, data: ik.Record | ik.Experiment, **asked: object) -> Result:
    return ik.fit(data, model, method="shooting", noise="white", **asked)  # type: ignore[arg-type]


@pytest.mark.parametrize("rates", [[1.0, 1.12, 1.05, 1.16, 1.14, 1.2], [1.0, 1.2, 1.05, 1.16]])
def test_of_four_parts_and_more_their_spread_counts_with_students_quantile(rates: list[float]) -> None:
    data = lines(rates)
    result, agreement = widened(LINE, data), parts_agreement(outcome_of(LINE, data, [1.0], noise="white"))
    assert agreement is not None and not agreement.agree
    item = result.parameters["r"]
    few = stats.t(len(rates) - 2).ppf(0.975) / 1.96
    assert item.std == pytest.approx(few * agreement.std[0], rel=1e-3)
    assert item.std > 5 * (item.crlb or math.inf)
    assert item.note == "std includes the spread between parts of the record"


def test_of_fewer_parts_their_spread_counts_as_it_is() -> None:
    data = lines([1.0, 1.2, 1.1])
    result, agreement = widened(LINE, data), parts_agreement(outcome_of(LINE, data, [1.0], noise="white"))
    assert agreement is not None and not agreement.agree and len(agreement.parts) == 3
    assert result.parameters["r"].std == pytest.approx(agreement.std[0], rel=1e-3)


def test_a_parameter_at_its_bound_is_widened_as_the_one_is_that_it_goes_with() -> None:
    """No part moves it: what it shares with the other is as much wider, and at worst the rest of it adds up."""
    bent = ik.Model.from_text(
        "bent", equations={"n": "r + q*t"}, parameters={"r": ik.Parameter("r"), "q": ik.Parameter("q", bounds=(0, 9))}
    )
    random, made = np.random.default_rng(0), []
    for rate in (1.0, 1.12, 1.05, 1.16, 1.14, 1.2):
        time = np.linspace(0.0, 4.0, 60)
        made.append(ik.Record.from_arrays(time, n=rate * time - 0.01 * time**2 + 0.05 * random.standard_normal(60)))
    result = widened(bent, ik.Experiment(tuple(made)))
    assert result.value("q") == 0.0
    wider = {name: (item.std or 0) / (item.crlb or math.nan) for name, item in result.parameters.items()}
    assert wider["r"] > 2
    shared = abs(result.diagnostics["identifiability"]["correlation"]["r"]["q"])
    assert 0.5 < shared < 0.99
    assert wider["q"] == pytest.approx(wider["r"] * (shared + math.sqrt(1 - shared**2)), rel=0.02)


def test_parts_that_agree_and_white_residuals_widen_nothing() -> None:
    item = widened(LINE, lines([1.0] * 6)).parameters["r"]
    assert item.note == "" and item.std == pytest.approx(item.crlb, rel=0.05)


def swing(noise: np.ndarray) -> ik.Record:
    time = np.arange(len(noise)) * 0.05
    return ik.Record.from_arrays(
        time, x=reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - 4 * x[0]], [1.0, 0.0], time)[0] + noise
    )


def remembering(memory: float, count: int = 1600, seed: int = 1) -> np.ndarray:
    draws, noise = 0.02 * np.random.default_rng(seed).standard_normal(count), np.zeros(count)
    for i in range(1, count):
        noise[i] = memory * noise[i - 1] + draws[i]
    return noise


def test_coloured_residuals_widen_by_what_the_scores_of_segments_say() -> None:
    record = swing(remembering(0.5))
    result, outcome = widened(SPRING, record), outcome_of(SPRING, record, [0.1, 4.0], noise="white")
    agreement, scores = parts_agreement(outcome), outcome.scores()
    assert result.noise["x"].white is False
    assert agreement is not None and agreement.agree and scores is not None
    wide, plain = scores.covariances()
    expected = outcome.standard_errors * np.sqrt(np.diag(wide) / np.diag(plain))
    for i, name in enumerate("ck"):
        item = result.parameters[name]
        assert item.std is not None and item.crlb is not None
        assert item.std == pytest.approx(max(expected[i], item.crlb), rel=0.01)
        assert (item.note == "std allows for coloured residuals") == (expected[i] > 1.01 * item.crlb)
    assert max(expected / outcome.standard_errors) > 1.3
    assert "coloured_residuals" in {item.code for item in result.findings}


def test_the_noise_that_is_named_is_not_coloured() -> None:
    """Negative control: the same record, with noise that remembers."""
    result = ik.fit(swing(remembering(0.5)), SPRING, method="shooting", noise="ar")
    assert result.noise["x"].white and result.noise["x"].memory[0] == pytest.approx(0.5, abs=0.06)
    assert all(result.parameters[name].note == "" for name in "ck")


# Two outputs


PAIR = ik.Model.from_text(
    "pair",
    states={"x": "", "v": ""},
    equations={"x": "v", "v": "-c*v - k*x"},
    parameters={name: ik.Parameter(name, bounds=(0, 100)) for name in "ck"},
    outputs=["x", "v"],
)


def pair(coloured: bool, count: int) -> Result:
    """The speed has five times the amplitude, and noise that remembers or does not; the place has white noise."""
    time = np.arange(count) * 0.05
    x, v = reference.smooth(lambda t, s: [s[1], -0.05 * s[1] - 25 * s[0]], [1.0, 0.0], time)
    x, v = x + 0.02 * np.random.default_rng(5).standard_normal(count), v + 2 * remembering(0.7 * coloured, count)
    noise = "auto" if coloured else "white"
    return ik.fit(ik.Record.from_arrays(time, x=x, v=v), PAIR, method="shooting", noise=noise)


def test_every_output_has_noise_of_its_own() -> None:
    result = pair(coloured=True, count=500)
    assert result.ok
    assert result.noise["x"].kind == "white" and result.noise["x"].white
    assert result.noise["v"].memory[0] == pytest.approx(0.7, abs=0.1) and result.noise["v"].white
    found = result.diagnostics["likelihood"]
    assert found["unknowns"] == 6  # two parameters, two first states, two levels
    assert found["values"] == 1000


def test_the_largest_output_is_the_amplitude_of_a_part() -> None:
    """The speed's, five times that of the place: rms of a decay from 5."""
    table = pair(coloured=False, count=500).artifacts["parts"]
    assert len(table["amplitude"]) == len(table["begin"]) == len(table["end"]) >= 4
    middle = (np.array(table["begin"]) + np.array(table["end"])) / 2
    assert table["amplitude"] == pytest.approx(5 / math.sqrt(2) * np.exp(-0.025 * middle), rel=0.1)
    assert "what" not in table, "parts that agree are not drawn"
