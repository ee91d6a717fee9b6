"""Dry friction and drag with a coefficient of zero cost nothing, and change nothing."""

import sys

import numpy as np
import pytest

from identikit.model import dynamics_of, library_model
from identikit.simulation import simulate

TIME = np.arange(400) * 0.05
PENDULUM = library_model("horizontal_pendulum")


def test_friction_of_zero_gives_the_motion_of_hardly_any_friction():
    none = simulate(PENDULUM, TIME, {"zeta": 0.02, "mu_c": 0.0, "mu_q": 0.0})
    hardly = simulate(PENDULUM, TIME, {"zeta": 0.02, "mu_c": 1e-14, "mu_q": 1e-14})
    some = simulate(PENDULUM, TIME, {"zeta": 0.02, "mu_c": 1e-3, "mu_q": 0.0})
    assert none.outputs["theta"] == pytest.approx(hardly.outputs["theta"], abs=1e-9)
    assert np.abs(none.outputs["theta"] - some.outputs["theta"]).max() > 1e-4


class IntegratedError(Exception):
    """A motion was to be integrated."""


def test_only_switches_that_do_nothing_are_left_out(monkeypatch):
    """Drag reverses with friction: without friction it is smooth enough."""

    def integrated(dynamics, *_, **__):
        raise IntegratedError(dynamics)

    def switched(**values):
        with pytest.raises(IntegratedError) as met:
            simulate(PENDULUM, TIME, {"zeta": 0.02, "mu_c": 0.1, "mu_q": 0.1} | values)
        return met.value.args[0]

    monkeypatch.setattr(sys.modules[simulate.__module__], "Integrator", integrated)
    assert len(switched().guards) == 1
    assert len(switched(mu_q=0.0).guards) == 1
    assert len(switched(mu_c=0.0).guards) == 0
    assert switched(zeta=0.0) is dynamics_of(PENDULUM)
