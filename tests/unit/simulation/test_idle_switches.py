"""Dry friction and drag with a coefficient of zero cost nothing, and change nothing."""

import numpy as np
import pytest

from identikit.model import dynamics_of, library_model
from identikit.simulation import simulate
from identikit.simulation._simulate import _without_idle_switches

TIME = np.arange(400) * 0.05
PENDULUM = library_model("horizontal_pendulum")


def test_friction_of_zero_gives_the_motion_of_hardly_any_friction():
    none = simulate(PENDULUM, TIME, {"zeta": 0.02, "mu_c": 0.0, "mu_q": 0.0})
    hardly = simulate(PENDULUM, TIME, {"zeta": 0.02, "mu_c": 1e-14, "mu_q": 1e-14})
    some = simulate(PENDULUM, TIME, {"zeta": 0.02, "mu_c": 1e-3, "mu_q": 0.0})
    assert none.outputs["theta"] == pytest.approx(hardly.outputs["theta"], abs=1e-9)
    assert np.abs(none.outputs["theta"] - some.outputs["theta"]).max() > 1e-4


def test_only_switches_that_do_nothing_are_left_out():
    assert len(dynamics_of(_without_idle_switches(PENDULUM, frozenset())).guards) == 1
    assert len(dynamics_of(_without_idle_switches(PENDULUM, frozenset({"mu_q"}))).guards) == 1
    assert len(dynamics_of(_without_idle_switches(PENDULUM, frozenset({"mu_c"}))).guards) == 0
    assert _without_idle_switches(PENDULUM, frozenset({"zeta"})).equations == PENDULUM.equations
