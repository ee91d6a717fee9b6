"""Force over velocity of the friction laws: steady sliding, what is held at rest, loops of laws with a memory."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.errors import OptionError
from identikit.explore import friction_curve
from identikit.model import FRICTION_LAWS
from identikit.plotting import plot_friction


@pytest.mark.parametrize("law", FRICTION_LAWS.values(), ids=list(FRICTION_LAWS))
def test_a_curve_is_odd_and_opposes_the_motion(law) -> None:
    curve = friction_curve(law)
    assert curve.force == pytest.approx(-curve.force[::-1], rel=1e-12)
    assert (curve.force * curve.velocity > 0).all()
    assert (curve.swing is None) == (law.deflection_rate is None)


def test_the_curve_of_stribeck_falls_from_the_break_loose_force_to_that_of_sliding() -> None:
    curve = friction_curve(FRICTION_LAWS["stribeck"], {"f_s": 3.0, "v_s": 0.02}, fastest=0.2)
    middle = len(curve.force) // 2
    assert curve.velocity[-1] == 0.2
    assert curve.force[middle] == pytest.approx(3.0) and curve.force[-1] == pytest.approx(1.0)


def test_steady_sliding_of_lugre_is_stribeck_with_viscous_and_a_swing_lags_behind_it() -> None:
    bristles = friction_curve(FRICTION_LAWS["lugre"])
    sliding = friction_curve(FRICTION_LAWS["stribeck"])
    assert bristles.force == pytest.approx(sliding.force + 0.3 * sliding.velocity, rel=1e-9)
    assert bristles.swing is not None
    v, force = bristles.swing
    assert np.isclose(force[0], force[-1], rtol=1e-3)  # a closed loop
    assert np.abs(force).max() < 1.5
    slowing = (v > 0.02) & (np.gradient(v) < 0)
    speeding = (v > 0.02) & (np.gradient(v) > 0)
    assert force[slowing].mean() > force[speeding].mean() + 0.3


def test_wrong_parameters_are_refused() -> None:
    with pytest.raises(OptionError, match="no parameter 'f_d'"):
        friction_curve(FRICTION_LAWS["coulomb"], {"f_d": 1.0})
    with pytest.raises(OptionError, match="f_c of the friction law 'coulomb' is -1: expected a positive number"):
        friction_curve(FRICTION_LAWS["coulomb"], {"f_c": -1.0})


def test_one_law_or_all_are_drawn_with_what_the_lines_mean(tmp_path) -> None:
    one = plot_friction([friction_curve(FRICTION_LAWS["stribeck"])], tmp_path / "one.png")
    assert (tmp_path / "one.png").stat().st_size > 10_000
    assert [text.get_text() for text in one.legends[0].get_texts()] == ["held at rest", "steady sliding"]
    every = plot_friction([friction_curve(law) for law in FRICTION_LAWS.values()])
    assert [axes.get_title(loc="left") for axes in every.axes] == list(FRICTION_LAWS)
