"""Work that was asked to stop: what it has by then is returned, marked as such, and nothing is made up."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
from identikit.result import Code, Ending, Result

TIME = np.arange(600) * 0.05
DECAY = np.exp(-0.05 * TIME) * np.cos(2 * TIME) + 0.002 * np.random.default_rng(0).standard_normal(600)
MODEL = ik.Model.from_text(
    "spring",
    equations={"x": "v", "v": "-c*v - k*x/m"},
    parameters={"c": 0.1, "k": 4.0, "m": ik.Parameter("m", 1.0, "kg", fixed=True)},
    outputs=["x"],
)


def stopped_at(stage: str, method: str = "least_squares", **asked: object) -> Result:
    """As soon as that stage is told of."""
    record = ik.Record.from_arrays(TIME, x=DECAY)
    return ik.fit(record, MODEL, method=method, progress=lambda event: event.stage != stage, **asked)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["least_squares", "energy"])
def test_an_estimate_that_was_not_checked_is_what_the_method_itself_knows(method: str) -> None:
    result = stopped_at("judging", method)
    assert result.status.code is Code.NOT_CONVERGED and "stopped on request" in result.status.message
    assert [item.code for item in result.findings] == ["stopped_early"]
    assert result.verdict is not None and result.verdict.code is Ending.STOPPED
    assert result.diagnostics["stopped_early"] is True and not result.fit and result.covariance is None
    for name, truth in (("c", 0.1), ("k", 4.0)):
        item = result.parameters[name]
        assert item.value == pytest.approx(truth, rel=0.01) and item.note == "stopped before it was checked"
        assert item.std is not None and item.ci95 is not None
        assert item.ci95 == pytest.approx((item.value - 1.96 * item.std, item.value + 1.96 * item.std))
    assert result.parameters["m"].value == 1.0 and result.parameters["m"].role == "fixed"


def test_its_interval_is_cut_at_its_bounds() -> None:
    result = stopped_at("judging", bounds={"k": (0.0, 4.0022)})
    item = result.parameters["k"]
    assert item.ci95 is not None and item.ci95[1] == 4.0022 and item.ci95[0] > 4.0


def test_before_there_are_values_there_are_none() -> None:
    result = stopped_at("smoothing")
    assert result.status.code is Code.NOT_CONVERGED
    assert result.status.message == "stopped on request, before there were any values"
    assert [item.code for item in result.findings] == ["stopped_early"]
    assert result.verdict is not None and result.verdict.code is Ending.STOPPED
    assert result.parameters["k"].value is None and result.parameters["k"].note == "not estimated"
    assert result.parameters["m"].value == 1.0


def test_a_search_that_is_stopped_has_its_best_so_far() -> None:
    result = stopped_at("solving", "shooting")
    assert result.status.code is Code.NOT_CONVERGED
    assert [item.code for item in result.findings if item.code == "stopped_early"] == ["stopped_early"]


def test_of_a_method_that_does_not_apply_nothing_else_is_said() -> None:
    function = ik.Model.from_function(
        "function", lambda t, x, u, p: [-p["k"] * x["x"]], states=["x"], parameters={"k": 1.0}
    )
    record = ik.Record.from_arrays(TIME, x=DECAY)
    result = ik.fit(record, function, method="energy", progress=lambda event: False)
    assert result.status.code is Code.NOT_APPLICABLE
    assert "stopped_early" not in {item.code for item in result.findings}


@pytest.mark.parametrize(("level", "said"), [("auto", [("v",)]), (0.01, [("v",)]), (0.0, [])])
def test_noise_that_moves_the_states_is_said_not_to_be_counted_unless_there_is_none(
    level: float | str, said: list[tuple[str, ...]]
) -> None:
    result = ik.fit(ik.Record.from_arrays(TIME, x=DECAY), MODEL, method="shooting", noise={"v'": level})
    assert [item.about for item in result.findings if item.code == "process_noise_ignored"] == said
