"""What an experiment would tell."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
from identikit.likelihood import Likelihood
from identikit.planning import (
    PresentGiven,
    expected,
    expected_of_rows,
    planned_variants,
    present_plan,
    weakest,
)


def planned(name: str, **given: object) -> tuple[Likelihood, np.ndarray]:
    plan = present_plan(ik.library_model(name), PresentGiven(**given))  # type: ignore[arg-type]
    return plan.likelihood(), plan.centre


def test_standard_errors_are_the_bound_and_fall_with_the_noise() -> None:
    likelihood, centre = planned("duffing")
    told = expected(likelihood, centre)
    bound = np.sqrt(np.diag(np.linalg.inv(likelihood.information(centre))))
    assert told.std == pytest.approx(bound, rel=1e-6)
    assert told.relative == pytest.approx(told.std / np.abs(centre))
    assert told.all_identifiable and not told.findings
    quieter, _ = planned("duffing", noise={"x": 0.025})
    assert expected(quieter, centre).std == pytest.approx(told.std / 2, rel=1e-4)
    assert expected_of_rows(likelihood.problem, centre, 2 * told.rows).std == pytest.approx(told.std / 2)


def test_what_scales_together_is_the_weakest_direction() -> None:
    likelihood, centre = planned("duffing", free=("m", "c", "k", "k3"))
    told = expected(likelihood, centre)
    assert not any(told.identifiable) and not np.isfinite(told.std).any()
    (direction,) = weakest(told)
    assert direction.changes == pytest.approx(dict.fromkeys(("m", "c", "k", "k3"), 1.0), rel=1e-4)
    assert direction.std == np.inf


def test_a_longer_and_a_denser_record_tell_more() -> None:
    plan = present_plan(ik.library_model("lotka_volterra"), PresentGiven())
    likelihood = plan.likelihood()
    told = expected(likelihood, plan.centre)
    variants = planned_variants(plan, told, likelihood.problem)
    longer, denser, quieter = (item.std for item in variants.values() if item is not None)
    assert denser == pytest.approx(told.std / np.sqrt(2), rel=0.02)
    assert (longer < 0.72 * told.std).all() and quieter == pytest.approx(told.std / 2)


def test_what_others_stand_in_for_is_not_identifiable_although_its_error_is_small() -> None:
    """At 1.5 rad a magnet and gravity are known to 17 per cent each, and their sum to 0.04 per cent."""
    likelihood, centre = planned(
        "magnetic_pendulum", free=("mu", "w0", "a1", "a2", "a3"), initial={"theta": 1.5, "omega": 0.0}
    )
    told = expected(likelihood, centre)
    assert told.relative[:3] == pytest.approx(0.166, rel=0.02)
    assert told.identifiable == (False, False, False, True, True)
    fixed, centre = planned("magnetic_pendulum", initial={"theta": 1.5, "omega": 0.0})
    assert expected(fixed, centre).all_identifiable
