"""Parts of a record: on straight lines their comparison is textbook statistics of slopes."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import minimize_scalar

import identikit as ik
import reference
from identikit.likelihood import Agreement, Outcome, Preparation, parts_agreement
from identikit.problem import Problem

LINE = ik.Model.from_text("line", equations={"n": "r"}, parameters=[ik.Parameter("r", bounds=(-100, 100))])
SPRING = ik.Model.from_text(
    "spring", equations={"x''": "-c*x' - k*x"}, parameters={name: ik.Parameter(name, bounds=(0, 100)) for name in "ck"}
)
SIGMA = 0.05


def outcome_of(model: ik.Model, records: list[ik.Record], start: list[float], **asked: object) -> Outcome:
    preparation = Preparation.of(Problem.pose(model, ik.Experiment(tuple(records)), **asked))  # type: ignore[arg-type]
    p = np.array(start)
    nodes = preparation.nodes(p)
    outcome = preparation.solver(nodes).run(p, nodes, preparation.sigma, ik.progress.silent)
    assert outcome is not None and outcome.converged
    return outcome


def lines(rates: list[float], apart: float = 20.0, seed: int = 0) -> list[ik.Record]:
    """A record for each slope; one begins `apart` after the other, and they are more and more finely sampled."""
    made, random = [], np.random.default_rng(seed)
    for j, rate in enumerate(rates):
        time = j * apart + np.linspace(0.0, 4.0, 30 + 10 * j)
        made.append(ik.Record.from_arrays(time, n=2.0 + rate * time + SIGMA * random.standard_normal(len(time))))
    return made


@dataclass(frozen=True)
class Slopes:
    """The slope of each record by itself, with its standard error, and where each lies."""

    value: np.ndarray
    std: np.ndarray
    middle: np.ndarray

    @classmethod
    def of(cls, records: list[ik.Record], sigma: float) -> Slopes:
        value, std = [], []
        for record in records:
            t = record.time - record.time.mean()
            value.append(float(t @ record.channels["n"].values / (t @ t)))
            std.append(sigma / math.sqrt(t @ t))
        return cls(np.array(value), np.array(std), np.array([record.time[[0, -1]].mean() for record in records]))

    def effects(self, drifts: bool) -> tuple[np.ndarray, np.ndarray, float]:
        """Common slope and drift, their covariance, and the spread, by restricted maximum likelihood."""
        along = (self.middle - self.middle.mean()) / self.middle.std()
        design = np.stack([np.ones(len(along)), along], axis=1) if drifts else np.ones((len(along), 1))

        def fitted(spread: float) -> tuple[np.ndarray, np.ndarray, float]:
            weight = 1 / (self.std**2 + spread**2)
            covariance = np.linalg.inv(design.T @ (weight[:, None] * design))
            found = covariance @ design.T @ (weight * self.value)
            rest = self.value - design @ found
            return found, covariance, -np.log(weight).sum() - np.linalg.slogdet(covariance)[1] + weight @ rest**2

        best = minimize_scalar(lambda s: fitted(math.exp(s))[2], bounds=(-12, 3), method="bounded")
        return *fitted(math.exp(best.x))[:2], math.exp(best.x)


def compared(rates: list[float], **asked: bool) -> tuple[Agreement, Outcome, Slopes]:
    records = lines(rates)
    outcome = outcome_of(LINE, records, [1.0])
    agreement = parts_agreement(outcome, **asked)
    assert agreement is not None
    return agreement, outcome, Slopes.of(records, float(outcome.sigma[0]))


def test_parts_that_agree_say_what_each_says_alone() -> None:
    agreement, outcome, slopes = compared([1.0] * 6)
    assert agreement.agree
    common = np.average(slopes.value, weights=slopes.std**-2)
    assert outcome.p[0] == pytest.approx(common, abs=1e-6)
    assert [outcome.p[0] + part.change[0] for part in agreement.parts] == pytest.approx(slopes.value, abs=1e-6)
    assert [part.std[0] for part in agreement.parts] == pytest.approx(slopes.std, rel=1e-6)
    gain = np.sum(((slopes.value - common) / slopes.std) ** 2)
    assert agreement.p_value == pytest.approx(stats.chi2(5).sf(gain), rel=1e-4)
    assert [agreement.spread[0], agreement.drift[0], agreement.std[0]] == [0.0, 0.0, 0.0]


def test_a_spread_and_a_drift_are_those_of_restricted_maximum_likelihood() -> None:
    agreement, outcome, slopes = compared([1.0, 1.12, 1.05, 1.16, 1.14, 1.2])
    assert not agreement.agree and agreement.along == "time"
    assert agreement.p_value < 1e-6
    (common, drift), covariance, spread = slopes.effects(drifts=True)
    assert spread > 2 * slopes.std.max()
    assert agreement.spread[0] == pytest.approx(spread, rel=0.02)
    drifted = math.sqrt(drift**2 - covariance[1, 1])
    assert agreement.drift[0] == pytest.approx(drifted, rel=0.02)
    assert agreement.std[0] == pytest.approx(math.hypot(math.sqrt(covariance[0, 0]), drifted), rel=0.02)
    # every part's own, drawn towards the line through all
    along = (slopes.middle - slopes.middle.mean()) / slopes.middle.std()
    line = common + drift * along
    drawn = spread**2 / (spread**2 + slopes.std**2)
    expected = line + drawn * (slopes.value - line)
    assert [outcome.p[0] + part.change[0] for part in agreement.parts] == pytest.approx(expected, abs=2e-3)
    design = np.stack([np.ones(6), along], axis=1)
    of_line = np.einsum("ij,jk,ik->i", design, covariance, design)
    variance = spread**2 * (1 - drawn) + (1 - drawn) ** 2 * of_line
    assert [part.std[0] for part in agreement.parts] == pytest.approx(np.sqrt(variance), rel=0.02)


def test_a_drift_downward_is_negative() -> None:
    agreement, _, _ = compared([1.2, 1.14, 1.16, 1.05, 1.12, 1.0])
    assert agreement.along == "time" and agreement.drift[0] < -0.03


def test_where_the_motion_is_larger_in_some_parts_a_drift_goes_along_its_amplitude() -> None:
    agreement, _, slopes = compared([1.6, 1.0, 1.45, 1.15, 1.3, 1.5])
    assert agreement.along == "amplitude"
    assert agreement.drift[0] == pytest.approx(np.std(slopes.value), rel=0.05)  # the steeper, the larger: no scatter
    assert agreement.spread[0] < 0.1 * agreement.drift[0]


def test_of_few_parts_all_that_differs_may_be_a_drift() -> None:
    agreement, _, slopes = compared([1.0, 1.3, 1.2])
    (_,), covariance, spread = slopes.effects(drifts=False)
    assert agreement.spread[0] == pytest.approx(spread, rel=0.02)
    assert agreement.drift[0] == agreement.spread[0]
    assert agreement.std[0] == pytest.approx(math.hypot(math.sqrt(covariance[0, 0]), spread), rel=0.02)


def test_where_a_pattern_is_suspected_parts_that_agree_have_a_spread_too() -> None:
    agreement, outcome, slopes = compared([1.0] * 6, suspected=True)
    assert agreement.agree
    (_, drift), covariance, _ = slopes.effects(drifts=True)
    beyond_chance = math.sqrt(max(drift**2 - covariance[1, 1], 0.0))
    assert abs(agreement.drift[0]) == pytest.approx(beyond_chance, rel=0.05, abs=1e-6)
    assert agreement.std[0] > 0.5 * outcome.standard_errors[0]


def test_a_part_with_a_known_beginning_knows_more() -> None:
    """A straight line through a known point: its slope has the error sigma over the root of sum t^2."""
    records = lines([1.0] * 4, apart=0.0)
    outcome = outcome_of(LINE, records, [1.0], initial=[{"n": 2.0}, {}, {}, {"n": 2.0}])
    agreement = parts_agreement(outcome)
    assert agreement is not None and agreement.agree
    sigma = float(outcome.sigma[0])
    for part, record, known in zip(agreement.parts, records, (True, False, False, True), strict=True):
        t = record.time if known else record.time - record.time.mean()
        assert part.std[0] == pytest.approx(sigma / math.sqrt(t @ t), rel=1e-4)


def test_of_parts_of_which_one_alone_tells_anything_all_agree() -> None:
    driven = ik.Model.from_text(
        "driven", equations={"n": "r*u"}, parameters=[ik.Parameter("r", bounds=(-9, 9))], inputs=["u"]
    )
    time, random = np.linspace(0, 4, 60), np.random.default_rng(0)
    records = [
        ik.Record.from_arrays(time, n=on * time + SIGMA * random.standard_normal(60), u=np.full(60, on))
        for on in (1.0, 0.0)
    ]
    agreement = parts_agreement(outcome_of(driven, records, [1.0]))
    assert agreement is not None and agreement.p_value == 1.0 and agreement.agree


def test_one_record_that_is_short_has_no_parts() -> None:
    assert parts_agreement(outcome_of(LINE, lines([1.0]), [1.0])) is None


def spring(damping: float, records: int = 1, count: int = 1201) -> tuple[Outcome, list[ik.Record]]:
    time, random = np.arange(count) * 0.05, np.random.default_rng(2)
    x = reference.smooth(lambda t, x: [x[1], -damping * x[1] - 4 * (x[0] - 0.0)], [1.0, 0.0], time)[0]
    made = [ik.Record.from_arrays(time, x=x + 0.01 * random.standard_normal(count)) for _ in range(records)]
    return outcome_of(SPRING, made, [0.05, 4.0]), made


def test_a_long_record_is_cut_into_eight_parts_one_after_the_other() -> None:
    outcome, (record,) = spring(0.05)
    agreement = parts_agreement(outcome)
    assert agreement is not None and agreement.agree and len(agreement.parts) == 8
    parts, values = agreement.parts, record.channels["x"].values
    assert parts[0].begin == record.time[0] and parts[-1].end == record.time[-1]
    assert [part.begin for part in parts[1:]] == [part.end for part in parts[:-1]]
    assert {part.record for part in parts} == {0}
    lengths = np.array([part.end - part.begin for part in parts])
    assert lengths.max() < 1.4 * lengths.min()
    for part in parts:
        inside = (record.time >= part.begin) & ((record.time < part.end) | (part.end == record.time[-1]))
        assert part.amplitude[0] == pytest.approx(np.sqrt(np.mean((values[inside] - values.mean()) ** 2)), rel=1e-9)
    assert agreement.along == "amplitude"


def test_two_records_have_four_parts_each() -> None:
    outcome, _ = spring(0.05, records=2)
    agreement = parts_agreement(outcome)
    assert agreement is not None
    assert [part.record for part in agreement.parts] == [0] * 4 + [1] * 4


def test_a_parameter_at_its_bound_stays_there_in_every_part() -> None:
    outcome, _ = spring(-0.01)
    assert outcome.p[0] == 0.0
    agreement = parts_agreement(outcome, suspected=True)
    assert agreement is not None
    assert all(part.change[0] == 0 and part.std[0] == 0 for part in agreement.parts)
    assert all(part.std[1] > 0 for part in agreement.parts)
    assert agreement.std[0] == 0 and agreement.std[1] > 0
