"""sindy: exactly the true terms, constants at the bound, and an honest word where the law is another or open."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.result import Code

TIME = np.arange(6001) * 0.005
FREE = ["zeta", "mu_c", "mu_q", "k"]


@lru_cache(maxsize=8)
def swing(zeta: float = 0.0, mu_c: float = 0.0, mu_q: float = 0.0) -> np.ndarray:
    return reference.horizontal_pendulum(TIME, zeta=zeta, mu_c=mu_c, mu_q=mu_q)[0][0]


def record(clean: np.ndarray, samples: int = len(TIME)) -> ik.Record:
    noise = 0.002 * np.random.default_rng(0).standard_normal(len(TIME))
    return ik.Record.from_arrays(TIME[:samples], {"theta": (clean + noise)[:samples]})


def chosen(result: ik.Result) -> set[str]:
    return {row[1] for row in result.artifacts["terms"]["rows"] if row[4]}


@pytest.fixture(scope="module")
def dry() -> ik.Result:
    return ik.fit(record(swing(mu_c=0.03)), "horizontal_pendulum", method="sindy", free=FREE)


def test_dry_friction_alone_is_found_among_nine_terms_with_its_constant(dry: ik.Result) -> None:
    assert dry.ok, dry.status
    assert chosen(dry) == {"theta", "cos(theta)", "sign(omega)"}
    found = dry.parameters["mu_c"]
    assert found.value is not None and found.std is not None and found.crlb is not None
    assert abs(found.value - 0.03) < 4 * found.std < 4 * 1.05 * found.crlb


def test_parameters_that_the_law_lacks_are_zero_and_say_so(dry: ik.Result) -> None:
    for name in ("zeta", "mu_q"):
        found = dry.parameters[name]
        assert (found.value, found.std, found.role) == (0.0, None, "free")
        assert found.note == "not in the law that was found"
    assert "terms_left_out" in [item.code for item in dry.findings]


def test_unrefined_constants_are_kept_beside_the_refined_ones(dry: ik.Result) -> None:
    rows = {row[0]: row for row in dry.artifacts["unrefined parameters"]["rows"]}
    assert rows["mu_c"][1] == pytest.approx(0.03, abs=4 * rows["mu_c"][2])
    assert rows["mu_c"][1] != dry.value("mu_c")


def test_every_term_has_a_probability_over_rivals_and_over_replicates(dry: ik.Result) -> None:
    columns = dry.artifacts["terms"]["columns"]
    for row in dry.artifacts["terms"]["rows"]:
        told = dict(zip(columns, row, strict=True))
        expected = 1.0 if told["in the law"] else 0.0
        assert told["probability"] == pytest.approx(expected, abs=0.2)
        assert told["replicates"] == pytest.approx(expected, abs=0.3)


def test_the_end_of_the_record_is_predicted_from_its_beginning(dry: ik.Result) -> None:
    assert dry.diagnostics["held_out"]["theta"]["rmse"] == pytest.approx(0.002, rel=0.1)


def test_the_law_is_a_model_file_that_fit_reads(dry: ik.Result) -> None:
    assert dry.discovered is not None
    again = ik.fit(record(swing(mu_c=0.03)), dry.discovered)
    assert again.ok and again.free == ("mu_c", "k")
    assert again.value("mu_c") == pytest.approx(dry.value("mu_c"), rel=1e-3)


def test_a_law_with_other_terms_than_the_models_gives_no_parameters_but_the_law() -> None:
    time = np.arange(2000) * 0.02
    clean = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [2.0, 0.0], time)[0]
    noisy = clean + 0.01 * np.random.default_rng(0).standard_normal(len(time))
    spring = ik.Model.from_text(
        "spring", states={"x": "m", "v": "m/s"}, equations={"x": "v", "v": "-c*v - k*x"},
        parameters={"c": ik.Parameter("c", 0.1), "k": ik.Parameter("k", 1.0)}, outputs=["x"],
    )  # fmt: skip
    result = ik.fit(ik.Record.from_arrays(time, {"x": noisy}), spring, method="sindy")
    assert result.status.code is Code.MISFIT
    assert result.findings[0].code == "another_law"
    assert all(result.parameters[name].value is None for name in ("c", "k"))
    assert chosen(result) == {"x", "v", "x**3"}
    assert result.discovered is not None and "c_x3" in result.discovered


def test_gaps_cost_no_more_than_their_samples() -> None:
    time = np.arange(1500) * 0.03
    clean = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [2.0, 0.0], time)[0]
    values = clean + 0.02 * np.random.default_rng(0).standard_normal(len(time))
    values[600:800] = np.nan
    values[::11] = np.nan
    result = ik.fit(ik.Record.from_arrays(time, {"x": values}), "duffing", method="sindy")
    assert result.ok, result.status
    assert chosen(result) == {"x", "v", "x**3"}
    assert result.diagnostics["law"]["misfit"] == pytest.approx(1.0, abs=0.15)


def test_noise_alone_has_no_law() -> None:
    """Negative control."""
    values = np.random.default_rng(1).standard_normal(2000)
    record = ik.Record.from_arrays(np.arange(2000) * 0.05, {"x": values})
    assert not ik.fit(record, "duffing", method="sindy").ok
