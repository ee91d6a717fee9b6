"""The damping of a real pendulum, where the folder of public records lies beside the project."""

from __future__ import annotations

from pathlib import Path

import pytest

import identikit as ik

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the folder of real records is not here")


@pytest.mark.study
def test_a_real_pendulum_loses_its_energy_by_dry_friction_and_drag_and_a_viscous_part_cannot_be_told() -> None:
    """Published as viscous alone (0.0672 1/s); that law is excluded. Every tenth sample: 80 per oscillation."""
    whole = ik.load(DATA / "multiarm_single_pendulum" / "single_pendulum_free_swing.csv", segments="segment")
    thinned = ik.Experiment(
        tuple(
            ik.Record.from_arrays(
                record.time[::10], theta=record.channels["theta_rad_from_upright"].values[::10], time_unit="s"
            )
            for record in whole
        )
    )
    report = ik.damping(thinned, "pendulum")
    assert report.ok
    assert report.best in ("dry + drag", "viscous + dry + drag")
    assert report.law("viscous").weight < 0.001 < report.law("viscous + dry + drag").weight
    viscous, dry, drag = (report.mechanisms[name] for name in ("viscous", "dry", "drag"))
    outside = report.diagnostics["outside"]  # a loss that rises faster than the speed, which drag may only imitate
    assert "dry" in outside["name"] and outside["weight"] < 0.5
    assert dry.probability > 0.99 and drag.probability + outside["weight"] > 0.99
    assert dry.share_low > 0.2 and drag.share_low > 0.2
    assert 0.02 < viscous.share_high < 0.5  # neither excluded nor needed
    assert report.diagnostics["effective_samples"] < 1000  # of 5500: the residuals are long waves
    assert "not white" in report.sentences[-1]
    assert "falls with speed" in next(item.text for item in report.findings if item.code == "loss_not_explained")
    assert report.law("viscous + dry + drag").parameters["w0"]["value"] ** 2 == pytest.approx(64.219, rel=0.01)
    # without the model the record asks for a sine of radians by itself, and gives the same law and numbers
    found = ik.damping(thinned)
    assert found.best == report.best and found.diagnostics["stiffness"] == ["kappa"]
    assert found.laws[0].parameters["kappa"]["value"] == pytest.approx(1.0, abs=0.005)
    for name, given in report.laws[0].parameters.items():
        if name in ("mu_c", "mu_q"):
            assert abs(found.laws[0].parameters[name]["value"] - given["value"]) < 0.2 * given["std"]
