"""The potential is the integral of the force at rest."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.errors import ModelError, OptionError
from identikit.explore import potential_wells
from identikit.model import library_model


def test_a_double_well_has_the_depth_of_its_formula() -> None:
    """V = -x^2/2 + x^4/16: wells at +-2, one deep, with frequency sqrt 2."""
    found = potential_wells(library_model("duffing"), {"k": -1.0, "k3": 0.25}, between=(-3, 3.1))
    assert [well.position for well in found.wells] == pytest.approx([-2, 2])
    assert [well.depth for well in found.wells] == pytest.approx([1, 1])
    assert [well.frequency for well in found.wells] == pytest.approx([np.sqrt(2)] * 2, rel=1e-6)
    assert found.hills == (pytest.approx((0, 1), abs=1e-9),)
    expected = -(found.position**2) / 2 + found.position**4 / 16 + 1
    assert found.energy == pytest.approx(expected, abs=1e-9)


def test_forcing_in_time_damping_and_dry_friction_do_not_count() -> None:
    quiet = potential_wells(library_model("duffing"), between=(-1, 1))
    driven = potential_wells(library_model("duffing"), {"F": 27.0, "c": 3.0}, between=(-1, 1))
    assert driven.energy == pytest.approx(quiet.energy)
    rough = potential_wells(library_model("horizontal_pendulum"), {"mu_c": 0.3}, between=(-1, 1))
    assert rough.wells[0].position == pytest.approx(0.0499377, abs=1e-7)
    assert rough.wells[0].depth is None


def test_the_origami_has_its_two_barriers() -> None:
    found = potential_wells(library_model("miura_origami"), between=(0.0, 0.06))
    assert [well.depth * 0.135e3 for well in found.wells] == pytest.approx([1.47, 6.44], abs=0.005)  # type: ignore[operator]


def test_a_model_that_is_no_oscillator_is_refused() -> None:
    with pytest.raises(ModelError, match="one degree of freedom"):
        potential_wells(library_model("tank_reactor"), between=(0, 1))
    with pytest.raises(OptionError, match="lower first"):
        potential_wells(library_model("duffing"), between=(1, 0))


@pytest.mark.parametrize(
    ("name", "values", "wells", "hills"),
    [
        ("horizontal_pendulum", {}, [0.0499377], []),
        ("pendulum", {}, [0.0], [-np.pi, np.pi]),
        ("magnetic_pendulum", {}, [-0.5229, 0.42146], [0.0]),
        ("duffing", {}, [0.0], []),
        ("duffing", {"k": -1.0, "k3": 0.1}, [-np.sqrt(10), np.sqrt(10)], [0.0]),
        ("duffing", {"k3": -0.05}, [0.0], [-np.sqrt(20), np.sqrt(20)]),
        ("miura_origami", {}, [0.05045 - 0.0401, 0.08145 - 0.0401], [0.06007 - 0.0401]),
    ],
)
def test_the_usual_range_shows_every_well(
    name: str, values: dict[str, float], wells: list[float], hills: list[float]
) -> None:
    model = library_model(name)
    found = potential_wells(model, values)
    assert [well.position for well in found.wells] == pytest.approx(wells, abs=5e-5)
    assert [place for place, _ in found.hills] == pytest.approx(hills, abs=5e-5)
    assert model.ready is not None
    assert found.position[0] < model.ready.initial[found.name] < found.position[-1]
    assert min(well.energy for well in found.wells) == 0


def test_a_force_that_never_vanishes_has_no_wells() -> None:
    with pytest.raises(ModelError, match="never vanishes"):
        potential_wells(library_model("friction_drive"))
    assert potential_wells(library_model("friction_drive"), between=(-1, 1)).wells == ()


def test_wells_print_as_a_table() -> None:
    text = str(potential_wells(library_model("magnetic_pendulum")))
    assert text.splitlines()[0].split()[:4] == ["theta", "[rad]", "energy", "[rad^2/s^2]"]
    assert [line.split()[:2] for line in text.splitlines()[1:]] == [
        ["-0.522899", "well"],
        ["0", "hill"],
        ["0.421461", "well"],
    ]
