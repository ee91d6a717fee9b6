"""Which law of damping makes a free decay; data come from an integrator of their own (tests/reference.py)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from scipy.signal import lfilter

import identikit as ik
from identikit.decay import DecayFits, LawFit
from identikit.errors import DataError, ModelError
from identikit.numerics import information_weights
from identikit.result import Code, DampingReport
from reference import Switch, event_driven, horizontal_pendulum, smooth

TIMES = np.arange(3001) * 0.01
CASES = {
    "viscous": {"zeta": 0.05},
    "dry": {"mu_c": 0.05},
    "drag": {"mu_q": 0.1},
    "viscous + dry + drag": {"zeta": 0.03, "mu_c": 0.03, "mu_q": 0.06},
}


def record(seed: int = 0, sigma: float = 0.001, times: np.ndarray = TIMES, **damping: float) -> ik.Record:
    theta = horizontal_pendulum(times, **damping)[0][0]
    noise = sigma * np.random.default_rng(seed).standard_normal(len(times))
    return ik.Record.from_arrays(times, theta=theta + noise, units={"theta": "rad"}, time_unit="s")


@lru_cache
def report(law: str, model: str | None) -> DampingReport:
    return ik.damping(record(**CASES[law]), model)


@pytest.mark.parametrize("model", ["horizontal_pendulum", None])
@pytest.mark.parametrize("law", CASES)
def test_the_law_that_made_the_decay_is_named(law: str, model: str | None) -> None:
    found = report(law, model)
    assert found.ok
    assert found.best == law
    assert found.laws[0].weight > 0.9
    assert found.laws[0].held_out == pytest.approx(1.0, abs=0.15)


@pytest.mark.parametrize("law", CASES)
def test_its_parameters_are_right_within_their_deviations(law: str) -> None:
    best = report(law, "horizontal_pendulum").laws[0]
    for name, truth in CASES[law].items():
        found = best.parameters[name]
        assert abs(found["value"] - truth) < 4 * found["std"], (name, found)


def test_energy_shares_are_those_of_the_true_motion() -> None:
    """Work of each mechanism along the noise-free trajectory of the independent integrator."""
    truth = CASES["viscous + dry + drag"]
    _, omega = horizontal_pendulum(TIMES, **truth)[0]
    powers = [2 * truth["zeta"] * omega**2, truth["mu_c"] * np.abs(omega), truth["mu_q"] * np.abs(omega) ** 3]
    work = np.array([np.trapezoid(power, TIMES) for power in powers])
    shares = report("viscous + dry + drag", "horizontal_pendulum").laws[0].shares
    assert [shares[name] for name in ("viscous", "dry", "drag")] == pytest.approx(work / work.sum(), abs=0.02)


def test_wrong_laws_predict_the_rest_worse() -> None:
    laws = {law.name: law for law in report("dry", "horizontal_pendulum").laws}
    assert laws["viscous"].held_out is not None and laws["viscous"].held_out > 2
    assert laws["viscous"].predicts_worse and not laws["dry"].predicts_worse


@pytest.mark.study
def test_without_a_model_the_record_asks_for_the_curvature_it_has() -> None:
    """x'' = -9 x - 0.2 x' - 6 x^3 needs k3; the same without the cube does not (negative control)."""
    times = np.arange(2501) * 0.01
    for cubic, wanted in ((6.0, ["k3"]), (0.0, [])):

        def rate(t: float, x: np.ndarray, cubic: float = cubic) -> tuple[float, float]:
            return x[1], -9 * (x[0] - 0.3) - 0.2 * x[1] - cubic * (x[0] - 0.3) ** 3

        x = smooth(rate, (1.1, 0.0), times)[0] + 0.002 * np.random.default_rng(1).standard_normal(len(times))
        found = ik.damping(ik.Record.from_arrays(times, x=x, units={"x": "mm"}, time_unit="s"))
        assert found.best == "viscous"
        assert found.diagnostics["stiffness"] == wanted
        assert found.laws[0].parameters["zeta"]["value"] == pytest.approx(0.1, rel=0.01)
        assert found.laws[0].parameters["x0"]["unit"] == "mm"


def test_a_record_that_comes_to_rest_is_used_while_it_moves() -> None:
    found = ik.damping(record(times=np.arange(4001) * 0.01, mu_c=0.15), "horizontal_pendulum")
    assert found.best == "dry"
    assert "no motion" in found.diagnostics["warnings"][0]
    assert [item.code for item in found.findings] == ["record_cut"]


def test_several_records_share_their_law() -> None:
    several = ik.Experiment(tuple(record(seed=i, times=np.arange(1201) * 0.01, zeta=0.1) for i in range(2)))
    found = ik.damping(several, "horizontal_pendulum")
    assert found.best == "viscous" and len(found.curves) == 2


def test_a_mechanism_the_model_lacks_is_added() -> None:
    model = ik.Model.from_text("spring", equations={"x''": "-k*x - c*x'"}, parameters={"k": 20.0, "c": 0.1})
    times = np.arange(2001) * 0.01
    x = smooth(lambda t, x: (x[1], -20 * x[0] - 0.2 * x[1] * abs(x[1])), (1.0, 0.0), times)[0]
    noisy = x + 0.002 * np.random.default_rng(0).standard_normal(len(times))
    found = ik.damping(ik.Record.from_arrays(times, x=noisy), model)
    assert found.best == "drag"
    assert found.diagnostics["added"] == ["dry", "drag"]
    assert found.laws[0].parameters["drag"]["value"] == pytest.approx(0.2, rel=0.02)


def test_models_of_several_degrees_of_freedom_are_refused() -> None:
    with pytest.raises(ModelError, match="one degree of freedom"):
        ik.damping(record(zeta=0.05), "double_pendulum")


@pytest.mark.study
def test_another_method_gives_the_same_law() -> None:
    found = ik.damping(record(**CASES["viscous"]), "horizontal_pendulum", method="least_squares")
    assert found.method == "least_squares"
    assert found.laws[0].mechanisms[0] == "viscous"
    assert found.law("drag").bic_difference > 100


def test_a_method_that_does_not_apply_says_why() -> None:
    found = ik.damping(record(times=np.arange(1201) * 0.01, zeta=0.1), "horizontal_pendulum", method="reference_points")
    assert found.status.code is Code.NOT_APPLICABLE
    assert "reference_points" in found.status.message and not found.laws
    assert [item.code for item in found.findings] == ["no_law_by_method"]


@pytest.mark.parametrize(
    ("spoil", "word"),
    [
        (lambda t, x: x * np.exp(0.12 * t), "grows"),
        (lambda t, x: np.clip(x, -0.2, 0.25), "limit"),
        (lambda t, x: x + 0.2 * np.exp(-0.03 * t) * np.cos(7.3 * t), "oscillation"),
        (lambda t, x: 0.4 * np.cos(4.48 * t) + 0 * x, "steady"),
    ],
)
def test_what_is_no_free_decay_gets_words_and_no_number(spoil, word: str) -> None:  # type: ignore[no-untyped-def]
    times = np.arange(2001) * 0.01
    theta = spoil(times, horizontal_pendulum(times, zeta=0.05)[0][0])
    theta = theta + 0.001 * np.random.default_rng(0).standard_normal(len(times))
    found = ik.damping(ik.Record.from_arrays(times, theta=theta), "horizontal_pendulum")
    assert found.status.code is Code.NOT_APPLICABLE
    assert word in found.status.message
    assert found.laws == () and found.best is None


def test_two_oscillations_are_too_few() -> None:
    found = ik.damping(record(times=np.arange(280) * 0.01, zeta=0.05), "horizontal_pendulum")
    assert found.status.code is Code.NOT_APPLICABLE and "at least 3" in found.status.message


def test_a_driven_model_is_no_free_decay() -> None:
    base = record(times=np.arange(1201) * 0.01, zeta=0.1)
    driven = base.channels["theta"].values
    push = ik.Record.from_arrays(base.time, theta=driven, q_h=np.sin(base.time))
    refused = ik.damping(push, "horizontal_pendulum")
    assert "an input changes" in refused.status.message
    assert refused.findings[0].code == "motion_is_driven"


def test_several_columns_without_a_model_ask_which() -> None:
    both = ik.Record.from_arrays(TIMES, a=np.cos(TIMES), b=np.sin(TIMES))
    with pytest.raises(DataError, match="say which one is the decay") as caught:
        ik.damping(both)
    assert (caught.value.remedy, caught.value.about) == ("name_column", "x")


def test_a_report_survives_saving(tmp_path) -> None:  # type: ignore[no-untyped-def]
    first = report("viscous", "horizontal_pendulum")
    first.save(tmp_path / "damping.json")
    again = DampingReport.load(tmp_path / "damping.json")
    assert again.best == first.best and str(again) == str(first)
    (tmp_path / "other.json").write_text('{"schema": "identikit/result/1"}')
    with pytest.raises(DataError, match="identikit/damping/1"):
        DampingReport.load(tmp_path / "other.json")


def test_textbook_figures_are_given_only_where_the_decay_is_exponential() -> None:
    viscous, dry = (report(law, "horizontal_pendulum").baselines for law in ("viscous", "dry"))
    assert viscous["log_decrement"]["ratio"] == pytest.approx(0.05 / 4.4777, rel=0.01)
    assert not viscous["log_decrement"]["warnings"]
    for name in ("log_decrement", "half_power"):
        assert dry[name]["ratio"] is None and "this decay is dry" in dry[name]["warnings"][0]
    # a fifth of the first swing is left at the end: the line is as wide as the record is short
    assert viscous["half_power"]["ratio"] is None and "too large" in viscous["half_power"]["warnings"][0]


PENDULUM = {"viscous": {"c": 0.15}, "dry": {"f": 0.5}, "drag": {"q": 0.05}, "dry + drag": {"f": 0.2, "q": 0.02}}


def near_upright(case: str, noise: str, seed: int = 0, cubic: float = 0.0, seconds: float = 30.0) -> ik.Record:
    """A pendulum (w0 = 5 rad/s) let go at 170 degrees, measured with a sensor whose zero is off by 0.3 rad."""
    c, f, q = (PENDULUM[case].get(name, 0.0) for name in "cfq")

    def rate(t: float, x: np.ndarray, s: list[float]) -> tuple[float, float]:
        lost = c * x[1] + q * x[1] * abs(x[1]) + cubic * x[1] ** 3 + (f * s[0] if s else 0.0)
        return x[1], -25 * np.sin(x[0]) - lost

    times = np.arange(int(seconds / 0.01) + 1) * 0.01
    sticks = [Switch(lambda t, x: x[1], lambda t, x: -25 * np.sin(x[0]) / f, pinned=1)] if f else []
    theta = event_driven(rate, sticks, (np.radians(170), 0.0), times)[0][0] + 0.3
    draws = np.random.default_rng(seed).standard_normal(len(times))
    if noise == "coloured":  # autoregressive, 0.9 from sample to sample
        draws = lfilter([np.sqrt(1 - 0.9**2)], [1, -0.9], draws)
    return ik.Record.from_arrays(times, theta=theta + 0.003 * draws, units={"theta": "rad"}, time_unit="s")


@pytest.mark.study
@pytest.mark.parametrize(("case", "noise"), [("viscous", "white"), ("dry + drag", "coloured")])
def test_a_fall_from_near_upright_gets_the_same_law_without_the_model_as_with_it(case: str, noise: str) -> None:
    made = near_upright(case, noise)
    given, found = ik.damping(made, "pendulum"), ik.damping(made)
    assert given.best == found.best == case
    assert found.diagnostics["stiffness"] == ["kappa"]
    own, other = found.laws[0].parameters, given.laws[0].parameters
    assert abs(own["kappa"]["value"] - 1) < 4 * own["kappa"]["std"]
    assert abs(own["x0"]["value"] - other["offset"]["value"]) < other["offset"]["std"]
    assert abs(other["offset"]["value"] - 0.3) < 0.01  # not a turn more, which would be the same zero
    for name in {"mu_c", "mu_q"} & set(own):
        assert abs(own[name]["value"] - other[name]["value"]) < own[name]["std"]
    assert abs(found.laws[0].weight - given.laws[0].weight) < 0.2
    if noise == "coloured":
        assert found.diagnostics["inflation"] > 5 and found.laws[0].weight < 0.999
        for name, truth in (("mu_c", 0.2), ("mu_q", 0.02)):
            assert abs(own[name]["value"] - truth) < 4 * own[name]["std"]


@pytest.mark.study
@pytest.mark.parametrize("noise", ["white", "coloured"])
@pytest.mark.parametrize(("cubic", "wanted"), [(0.3, ["k3"]), (0.0, [])])
def test_coloured_noise_neither_buys_nor_hides_a_curvature(cubic: float, wanted: list[str], noise: str) -> None:
    """Autoregressive noise, 0.9 from sample to sample, looks small among neighbours and counts for few of them."""
    times = np.arange(2001) * 0.01
    x = smooth(lambda t, x: (x[1], -9 * x[0] - 0.2 * x[1] - cubic * x[0] ** 3), (0.8, 0.0), times)[0]
    draws = np.random.default_rng(103).standard_normal(len(times))
    if noise == "coloured":
        draws = lfilter([np.sqrt(1 - 0.9**2)], [1, -0.9], draws)
    found = ik.damping(ik.Record.from_arrays(times, x=x + 0.003 * draws))
    assert found.diagnostics["stiffness"] == wanted
    assert found.best == "viscous"


@pytest.mark.parametrize("cubic", [0.002, 0.0])
def test_a_mixture_that_another_loss_explains_as_well_is_not_called_sure(cubic: float) -> None:
    """Viscous damping and the cube of the speed, which no law has; without the cube nothing is said (control)."""
    times = np.arange(2501) * 0.01
    x = smooth(lambda t, x: (x[1], -25 * x[0] - 0.1 * x[1] - cubic * x[1] ** 3), (1.0, 0.0), times)[0]
    found = ik.damping(ik.Record.from_arrays(times, x=x + 0.002 * np.random.default_rng(1).standard_normal(len(times))))
    said = [item for item in found.findings if item.code == "law_imitated"]
    total = sum(law.weight for law in found.laws) + found.diagnostics["outside"]["weight"]
    assert total == pytest.approx(1.0)
    if cubic:
        assert found.diagnostics["outside"]["name"] == "viscous + |v|^3"
        assert found.laws[0].weight < 0.5 and "sure" not in found.sentences[0]
        assert "as |v|^3" in said[0].text and "zeta" in said[0].about
        assert found.mechanisms["viscous"].probability > 0.9
    else:
        assert found.best == "viscous" and found.laws[0].weight > 0.9 and not said


def test_a_decay_that_no_law_describes_is_a_misfit() -> None:
    """Dry friction, with the mechanism taken out of the question; left in, the record is described (control)."""
    dry = record(times=np.arange(1501) * 0.01, mu_c=0.12)
    wrong = ik.damping(dry, "horizontal_pendulum", fix={"mu_c": 0.0, "mu_q": 0.0})
    assert wrong.status.code is Code.MISFIT and not wrong.ok
    assert wrong.findings[0].code == "unsteady_parameter" and wrong.findings[0].about == ("zeta",)
    assert "no law describes this record" in wrong.status.message and wrong.laws
    assert ik.damping(dry, "horizontal_pendulum").ok


@pytest.mark.study
def test_a_loss_that_no_law_has_is_named_by_the_amplitudes_where_it_acts() -> None:
    """A loss with the cube of the speed besides: the likeliest law loses too much at small swings, and says so."""
    spoilt = ik.damping(near_upright("viscous", "white", cubic=0.0004), "pendulum")
    assert "not white" in " ".join(spoilt.sentences)
    said = next(item for item in spoilt.findings if item.code == "loss_not_explained")
    assert "grows faster with the swing" in said.text and "mu" in said.about
    plain = ik.damping(near_upright("viscous", "white"), "pendulum")
    assert [item.code for item in plain.findings] == ["equivalent_explanation"]  # negative control
    ratio = spoilt.law("viscous").parameters["mu"]["std"] / plain.law("viscous").parameters["mu"]["std"]
    assert ratio > 20  # parts of the record ask for other numbers
    ranges = spoilt.law("viscous").ranges
    assert [item.above > item.below for item in ranges] == [True] * 3
    assert ranges[0].misfit > 1.5 and ranges[0].loss > 1 > ranges[-1].loss


def test_a_gap_longer_than_half_a_period_is_no_objection() -> None:
    whole = record(zeta=0.05)
    theta = whole.channels["theta"].values.copy()
    theta[(TIMES > 10) & (TIMES < 11.2)] = np.nan  # an oscillation lasts 1.4 s
    found = ik.damping(ik.Record.from_arrays(TIMES, theta=theta, units={"theta": "rad"}), "horizontal_pendulum")
    assert found.best == "viscous"


def test_the_table_has_units_and_the_frequency() -> None:
    text = str(report("viscous", None))
    assert "mu_c [rad/s^2]" in text and "rms [rad]" in text and "w0 = 4." in text


def test_what_every_law_leaves_over_is_that_of_one_trajectory(monkeypatch) -> None:  # type: ignore[no-untyped-def]
    """Also of laws that are far off: segments that do not meet would flatter them."""
    fitted = []

    def watched(self: DecayFits, *given: Any) -> LawFit | None:
        fitted.append(original(self, *given))
        return fitted[-1]

    original = DecayFits.of
    monkeypatch.setattr(DecayFits, "of", watched)
    found = ik.damping(near_upright("dry", "white", seconds=20.0), "pendulum")
    assert len(fitted) == len(found.laws) == 8
    for fit in fitted:
        assert fit.outcome.widest_gap <= 1e-5, fit.law
    named = {" + ".join(fit.law) or "none": float(np.sqrt(np.nanmean(fit.residual**2))) for fit in fitted}
    assert {law.name: law.rms["theta"] for law in found.laws} == pytest.approx(named, rel=1e-3)


def test_weights_are_probabilities_of_equally_likely_laws() -> None:
    assert information_weights([10.0, 10.0, np.inf]) == pytest.approx([0.5, 0.5, 0.0])
    assert information_weights([0.0, 2 * np.log(9)]) == pytest.approx([0.9, 0.1])


def test_residuals_that_repeat_themselves_count_for_fewer_samples() -> None:
    """White noise counts in full; the same amount of slow noise does not."""
    slow = np.random.default_rng(3).standard_normal(len(TIMES) + 200)
    slow = np.convolve(slow, np.ones(201) / 201, mode="valid")
    theta = horizontal_pendulum(TIMES, zeta=0.05)[0][0]
    coloured = ik.Record.from_arrays(TIMES, theta=theta + 0.002 * slow / slow.std(), units={"theta": "rad"})
    found = ik.damping(coloured, "horizontal_pendulum")
    assert found.diagnostics["inflation"] > 5
    assert "not white" in str(found)
    assert report("viscous", "horizontal_pendulum").diagnostics["inflation"] < 1.5


@pytest.mark.parametrize("unit", [1e-6, 1.0, 1e4])
def test_the_unit_of_a_record_does_not_matter(unit: float) -> None:
    """Metres of a motion of micrometres, and the same in other units."""
    times = np.arange(1201) * 0.01
    x = smooth(lambda t, x: (x[1], -100 * x[0] - 0.4 * x[1]), (1.0, 0.0), times)[0]
    noisy = unit * (x + 0.003 * np.random.default_rng(2).standard_normal(len(times)))
    found = ik.damping(ik.Record.from_arrays(times, x=noisy))
    assert found.best == "viscous"
    assert found.laws[0].parameters["zeta"]["value"] == pytest.approx(0.2, rel=0.02)


def test_a_record_that_begins_before_the_release_is_used_from_there() -> None:
    times = np.arange(2401) * 0.01
    moving = smooth(lambda t, x: (x[1], -100 * x[0] - 0.3 * x[1]), (1.0, 0.0), times[:-400])[0]
    x = np.concatenate([np.ones(400), moving]) + 0.004 * np.random.default_rng(0).standard_normal(len(times))
    found = ik.damping(ik.Record.from_arrays(times, x=x))
    assert found.best == "viscous"
    assert found.diagnostics["inflation"] < 1.5
    assert "was used from 4." in str(found)


@pytest.mark.study
def test_a_record_without_noise_is_no_reason_for_a_larger_law() -> None:
    times = np.arange(2001) * 0.01
    x = smooth(lambda t, x: (x[1], -100 * x[0] - 0.2 * x[1]), (1.0, 0.0), times)[0]
    assert ik.damping(ik.Record.from_arrays(times, x=x)).best == "viscous"


@pytest.mark.parametrize("make", [lambda t: t, lambda t: 0 * t])
def test_noise_and_drift_are_no_decay(make) -> None:  # type: ignore[no-untyped-def]
    noise = 0.1 * np.random.default_rng(0).standard_normal(len(TIMES))
    found = ik.damping(ik.Record.from_arrays(TIMES, x=make(TIMES) + noise))
    assert found.status.code is Code.NOT_APPLICABLE and not found.laws
