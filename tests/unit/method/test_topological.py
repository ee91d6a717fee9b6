"""Topological damping: accuracy, and what is refused."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.errors import OptionError
from identikit.plotting import plot_persistence
from identikit.result import Code

TIME = np.arange(6001) * 0.01
SINGLE = {"zeta": 0.05, "mu_c": 0.03, "mu_q": 0.05}


def pendulum(**damping: float) -> np.ndarray:
    return reference.horizontal_pendulum(TIME, **damping)[0][0]


@pytest.fixture(scope="module")
def clean() -> dict[str, np.ndarray]:
    return {name: pendulum(**{name: value}) for name, value in SINGLE.items()}


def fit(values: np.ndarray, *free: str, options: dict[str, object] | None = None, seed: int | None = None) -> ik.Result:
    if seed is not None:
        values = values + 0.002 * np.random.default_rng(seed).standard_normal(len(values))
    fixed = {name: 0.0 for name in SINGLE if name not in free} | ({} if "k" in free else {"k": 20.0})
    record = ik.Record.from_arrays(TIME, theta=values)
    return ik.fit(record, "horizontal_pendulum", method="topological", free=list(free), fix=fixed, options=options)


@pytest.mark.study
@pytest.mark.parametrize("name", SINGLE)
def test_without_noise_each_damping_is_right_to_five_thousandths_of_a_per_cent(
    name: str, clean: dict[str, np.ndarray]
) -> None:
    assert fit(clean[name], name).value(name) == pytest.approx(SINGLE[name], rel=5e-5)


def test_with_noise_the_error_is_within_its_deviations_and_near_the_bound(clean: dict[str, np.ndarray]) -> None:
    scaled, ratios = [], []
    for name, true in SINGLE.items():
        for seed in range(2):
            found = fit(clean[name], name, seed=seed).parameters[name]
            scaled.append((found.value - true) / found.std)
            ratios.append(found.std / found.crlb)
    assert 0.3 < np.sqrt(np.mean(np.square(scaled))) < 1.8
    assert 1.0 <= np.median(ratios) < 1.9


def test_three_dampings_and_the_stiffness_are_found_together() -> None:
    truth = {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025, "k": 20.0}
    result = fit(pendulum(zeta=0.025, mu_c=0.015, mu_q=0.025), *truth, seed=4)
    assert result.ok
    for name, true in truth.items():
        found = result.parameters[name]
        assert abs(found.value - true) < 4 * found.std
        assert found.std < 0.02 * true
    assert result.diagnostics["damping_laws"] == {"zeta": "viscous", "mu_c": "dry", "mu_q": "drag"}


def test_lifespans_of_the_raw_record_are_too_long_and_the_fitted_offset_makes_up_for_it(
    clean: dict[str, np.ndarray],
) -> None:
    raw = fit(clean["zeta"], "zeta", options={"smoothing": 0}, seed=1)
    assert raw.value("zeta") == pytest.approx(0.05, rel=0.015)


def test_the_wrong_law_shows_in_the_scatter_of_the_lifespans(clean: dict[str, np.ndarray]) -> None:
    result = fit(clean["mu_c"], "zeta", seed=2)
    assert result.diagnostics["lifespan_misfit"] > 5
    assert any("damping law" in text for text in result.diagnostics["warnings"])
    assert "damping_law_doubtful" in [item.code for item in result.findings]
    assert fit(clean["mu_c"], "mu_c", seed=2).diagnostics["lifespan_misfit"] < 1.5


def test_a_pendulum_of_large_swings_with_a_sensor_offset_needs_no_small_angles() -> None:
    time = np.arange(3000) * 0.02
    exact = reference.smooth(lambda t, x: [x[1], -2 * 0.01 * 3 * x[1] - 9 * np.sin(x[0])], [2.2, 0.0], time)[0]
    values = exact + 0.4 + 0.005 * np.random.default_rng(5).standard_normal(len(time))
    record = ik.Record.from_arrays(time, theta=values)
    result = ik.fit(record, "pendulum", method="topological", free=["w0", "mu", "offset"])
    assert result.ok
    assert result.value("mu") == pytest.approx(0.01, rel=2e-3)
    assert result.value("w0") == pytest.approx(3.0, rel=1e-3)
    assert result.value("offset") == pytest.approx(0.4, abs=2e-3)


def test_records_that_are_no_free_decay_get_words_and_no_number() -> None:
    steady = 0.05 + 0.4 * np.cos(4.4777 * TIME)
    for values, word in (
        (steady, "steady"),
        (np.clip(pendulum(zeta=0.05), -0.2, 0.3), "limit"),
        (pendulum(zeta=0.05)[:250], "oscillations"),
    ):
        time = TIME[: len(values)]
        noisy = values + 1e-3 * np.random.default_rng(0).standard_normal(len(values))
        if word == "limit":
            noisy = np.clip(noisy, -0.2, 0.3)
        result = ik.fit(ik.Record.from_arrays(time, theta=noisy), "horizontal_pendulum", method="topological")
        assert result.status.code is Code.NOT_APPLICABLE
        assert word in result.status.message
        assert result.parameters["zeta"].value is None


def test_the_picture_is_drawn_from_the_saved_result(clean: dict[str, np.ndarray], tmp_path) -> None:
    result = fit(clean["zeta"], "zeta", options={"loops": True}, seed=0)
    result.save(tmp_path / "fit.json")
    figure = plot_persistence(ik.Result.load(tmp_path / "fit.json"), tmp_path / "fit.png")
    assert (tmp_path / "fit.png").stat().st_size > 10_000
    assert len(figure.axes) == 4
    loops = np.array(
        result.artifacts["loops, record"]["rows"] if "loops, record" in result.artifacts else _loops(result)
    )
    # the death of the loops falls as the amplitude does
    slope = np.polyfit(loops[:, 0], np.log(loops[:, 2]), 1)[0]
    assert slope == pytest.approx(-0.05, rel=0.05)
    with pytest.raises(OptionError, match="no lifespans"):
        plot_persistence(replace(result, artifacts={}))


def _loops(result: ik.Result) -> list[list[float]]:
    return next(item["rows"] for item in result.artifacts.values() if item.get("what") == "loops")
