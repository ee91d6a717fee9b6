"""Envelope matching: accuracy against the bound, wrong knowledge, scales, what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.signal import hilbert

import identikit as ik
import reference
from identikit.errors import OptionError
from identikit.oscillation import AnalyticSignal
from identikit.plotting import plot_envelope
from identikit.result import Code

TIME = np.arange(4001) * 0.01
SINGLE = {"zeta": 0.05, "mu_c": 0.03, "mu_q": 0.05}


def pendulum(start: float = np.pi / 6, **damping: float) -> np.ndarray:
    return reference.horizontal_pendulum(TIME, (start, 0.0), **damping)[0][0]


@pytest.fixture(scope="module")
def clean() -> dict[str, np.ndarray]:
    return {name: pendulum(**{name: value}) for name, value in SINGLE.items()}


def noise(seed: int, sigma: float = 0.002) -> np.ndarray:
    return sigma * np.random.default_rng(seed).standard_normal(len(TIME))


def fit(values: np.ndarray, *free: str, k: float = 20.0, bounds: dict | None = None, **options: object) -> ik.Result:
    fixed = {name: 0.0 for name in SINGLE if name not in free} | ({} if "k" in free else {"k": k})
    record = ik.Record.from_arrays(TIME, theta=values)
    return ik.fit(
        record, "horizontal_pendulum", method="envelope", free=list(free), fix=fixed, bounds=bounds, options=options
    )


@pytest.mark.study
@pytest.mark.parametrize("scale, name", [("linear", "mu_c"), ("linear", "mu_q"), ("log", "zeta")])
def test_without_noise_the_damping_is_right_to_a_thousandth_of_a_per_cent(
    scale: str, name: str, clean: dict[str, np.ndarray]
) -> None:
    assert fit(clean[name], name, scale=scale).value(name) == pytest.approx(SINGLE[name], rel=1e-5)


@pytest.mark.study
def test_with_noise_single_dampings_attain_the_bound(clean: dict[str, np.ndarray]) -> None:
    scaled = []
    for name, true in SINGLE.items():
        for seed in range(2):
            result = fit(clean[name] + noise(seed), name)
            assert result.ok
            found = result.parameters[name]
            scaled.append((found.value - true) / found.crlb)
            assert found.std < 1.5 * found.crlb
    assert 0.4 < np.sqrt(np.mean(np.square(scaled))) < 1.7


def test_three_dampings_and_the_stiffness_attain_the_bound() -> None:
    truth = {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025, "k": 20.0}
    values = pendulum(zeta=0.025, mu_c=0.015, mu_q=0.025)
    scaled = []
    for seed in range(2):
        result = fit(values + noise(seed), *truth)
        assert result.ok
        scaled += [(result.value(name) - true) / result.parameters[name].crlb for name, true in truth.items()]
    assert 0.4 < np.sqrt(np.mean(np.square(scaled))) < 1.7


def test_strong_damping_has_no_bias_from_the_noise_floor() -> None:
    values = pendulum(zeta=0.2)
    found = [fit(values + noise(seed), "zeta").parameters["zeta"] for seed in range(2)]
    assert all(abs(item.value - 0.2) < 3 * item.std and item.std < 0.002 * 0.2 for item in found)
    # negative control: the slope of the raw log envelope over the whole record
    raw = np.polyfit(TIME, np.log(np.abs(hilbert(values + noise(0) - values.mean()))), 1)[0]
    assert -raw / 0.2 < 0.95


def test_bounds_of_three_decades_do_not_trap_dry_friction(clean: dict[str, np.ndarray]) -> None:
    result = fit(clean["mu_c"] + noise(1), "mu_c", bounds={"mu_c": (1e-3, 1.0)}, initial="known")
    assert result.value("mu_c") == pytest.approx(0.03, rel=3e-3)


def test_a_known_start_helps_and_a_wrong_one_does_no_harm(clean: dict[str, np.ndarray]) -> None:
    known = fit(clean["mu_c"] + noise(2), "mu_c", initial="known")
    assert known.diagnostics["initial_states"] == "given"
    assert abs(known.value("mu_c") - 0.03) < 3 * known.parameters["mu_c"].std
    elsewhere = fit(pendulum(1.01 * np.pi / 6, mu_c=0.03) + noise(2), "mu_c", initial="known")
    assert "contradicts" in elsewhere.diagnostics["initial_states"]
    assert "initial_state_contradicted" in [item.code for item in elsewhere.findings]
    assert "initial_state_contradicted" not in [item.code for item in known.findings]  # negative control
    assert abs(elsewhere.value("mu_c") - known.value("mu_c")) < 3 * known.parameters["mu_c"].std


@pytest.mark.study
def test_a_stiffness_fixed_one_per_cent_wrong_costs_little(clean: dict[str, np.ndarray]) -> None:
    wrong = fit(clean["zeta"] + noise(3), "zeta", k=20.2)
    assert wrong.value("zeta") == pytest.approx(0.05, rel=3e-3)


def test_a_start_cycles_off_in_frequency_still_leads_to_the_right_stiffness(clean: dict[str, np.ndarray]) -> None:
    record = ik.Record.from_arrays(TIME, theta=clean["zeta"] + noise(4))
    result = ik.fit(
        record, "horizontal_pendulum", method="envelope", free=["zeta", "k"], fix={"mu_c": 0.0, "mu_q": 0.0},
        start={"k": 23.0, "zeta": 0.1},
    )  # fmt: skip
    assert result.value("k") == pytest.approx(20.0, rel=1e-4)
    assert result.value("zeta") == pytest.approx(0.05, rel=4e-3)


def test_averaging_over_one_period_leaves_the_fundamental_alone() -> None:
    time = np.arange(0, 30, 0.01)
    w = 2 * np.pi
    values = 0.7 + np.cos(w * time) + 0.3 * np.cos(2 * w * time) + 0.1 * np.cos(3 * w * time)
    decaying = values * np.exp(-1e-9 * time) + 1e-9 * np.random.default_rng(0).standard_normal(len(time))
    signal = AnalyticSignal.of(time, decaying, 1.0, 2.0)
    deep = (signal.rows > 5) & (signal.rows < 25)
    assert signal.modulus[deep] == pytest.approx(1.0, abs=5e-3)
    raw = AnalyticSignal.of(time, decaying, 0.0, 2.0)  # negative control: without averaging the harmonics ripple
    assert np.ptp(raw.modulus[(raw.rows > 5) & (raw.rows < 25)]) > 0.3


def test_a_duffing_ring_down_gives_damping_and_both_stiffnesses() -> None:
    time = np.arange(600) * 0.05
    exact = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [2.0, 0.0], time)[0]
    scaled = []
    for seed in range(3):
        values = exact + 0.05 * np.random.default_rng(seed).standard_normal(len(time))
        result = ik.fit(ik.Record.from_arrays(time, x=values), "duffing", method="envelope")
        assert result.ok
        for name, true in {"c": 0.1, "k": 1.0, "k3": 0.5}.items():
            scaled.append((result.value(name) - true) / result.parameters[name].crlb)
    assert np.sqrt(np.mean(np.square(scaled))) < 1.8


@pytest.mark.study
def test_the_wrong_law_shows_in_the_misfit(clean: dict[str, np.ndarray]) -> None:
    result = fit(clean["mu_c"] + noise(5), "zeta")
    assert result.diagnostics["envelope_misfit"] > 5
    assert any("damping law" in text for text in result.diagnostics["warnings"])
    assert "damping_law_doubtful" in [item.code for item in result.findings]


@pytest.mark.parametrize(
    "values, word",
    [
        (0.05 + 0.4 * np.cos(4.4777 * TIME), "steady"),
        (0.01 * np.exp(0.05 * TIME) * np.cos(4.4777 * TIME), "grows"),
        (np.exp(-0.03 * TIME) * (np.cos(4.5 * TIME) + 0.3 * np.cos(6.3 * TIME)), "rises again"),
    ],
)
def test_records_that_are_no_free_decay_get_words_and_no_number(values: np.ndarray, word: str) -> None:
    result = fit(values + noise(6), "zeta")
    assert result.status.code is Code.NOT_APPLICABLE
    assert word in result.status.message
    assert [item.code for item in result.findings] == ["not_a_free_decay"]
    assert result.parameters["zeta"].value is None


def test_the_picture_is_drawn_from_the_saved_result(clean: dict[str, np.ndarray], tmp_path) -> None:
    result = fit(clean["zeta"] + noise(0), "zeta")
    result.save(tmp_path / "fit.json")
    plot_envelope(ik.Result.load(tmp_path / "fit.json"), tmp_path / "fit.png")
    assert (tmp_path / "fit.png").stat().st_size > 10_000
    with pytest.raises(OptionError, match="no envelope"):
        plot_envelope(replace(result, artifacts={}))
