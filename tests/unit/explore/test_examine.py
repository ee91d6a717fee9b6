"""One front: every view fits the models it is for, and says of the others why not."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.errors import IdentikitError, ModelError, OptionError
from identikit.explore import VIEWS, EnergyBalance, examine
from identikit.model import LIBRARY, Model, library_model

ONE_DEGREE = {
    "horizontal_pendulum",
    "pendulum",
    "duffing",
    "magnetic_pendulum",
    "miura_origami",
    "van_der_pol",
    "friction_drive",
}


@pytest.mark.parametrize("name", LIBRARY)
def test_wells_are_for_models_of_one_degree_of_freedom_with_a_place_to_rest(name: str) -> None:
    if name in ONE_DEGREE - {"friction_drive"}:
        assert "well" in str(examine(library_model(name), "wells"))
    else:
        with pytest.raises(ModelError, match=r"one degree of freedom|never vanishes"):
            examine(library_model(name), "wells")


@pytest.mark.parametrize("name", LIBRARY)
def test_the_energy_of_the_ready_experiment_is_accounted_for(name: str) -> None:
    if name not in ONE_DEGREE:
        with pytest.raises(ModelError, match="one degree of freedom"):
            examine(library_model(name), "energy")
        return
    found = examine(library_model(name), "energy")
    assert isinstance(found, EnergyBalance)
    size = max(np.abs(found.damping).max(), np.abs(found.driving).max(), found.kinetic.max())
    assert np.abs(found.residual).max() < 1e-6 * size
    driven = name in {"miura_origami", "friction_drive"}
    assert bool(np.abs(found.driving).max() > 1e-6 * size) is driven


@pytest.mark.parametrize("view", VIEWS)
def test_a_model_of_ones_own_can_be_looked_at_without_a_ready_experiment(view: str) -> None:
    model = Model.from_text(
        "mine", equations={"x''": "-k*x - c*x' + x - x**3"}, parameters={"k": 0.5, "c": 0.2}, states={"x": "m"}
    )
    found = str(examine(model, view, initial={"x": 1.5}))
    expected = {"wells": "0.707107", "basins": "0.707107", "portrait": "0.707107", "poincare": "comes to rest",
                "lyapunov": "come together", "energy": "work of damping"}  # fmt: skip
    assert expected[view] in found


def test_the_start_and_the_parameters_are_used() -> None:
    found = examine(library_model("duffing"), "energy", {"c": 0.0}, initial={"x": 1.0}, duration=5.0)
    assert isinstance(found, EnergyBalance)
    assert found.time[-1] == 5.0
    assert not found.damping.any()
    assert found.subject.changed == {"c": 0.0}
    assert "c = 0" in found.subject.title


def test_ranges_choose_what_is_varied() -> None:
    found = examine(library_model("magnetic_pendulum"), "basins", ranges={"omega": (-2.0, 2.0)}, initial={"theta": 0.4})
    assert "boundary, omega [rad/s]" in str(found) or "omega" in str(found)
    assert found.name == "omega"  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("view", "options", "words"),
    [
        ("welds", {}, "Did you mean 'wells'"),
        ("wells", {"parameters": {"kk": 1.0}}, "no parameter 'kk'"),
        ("wells", {"initial": {"y": 1.0}}, "no state 'y'"),
        ("wells", {"ranges": {"v": (0.0, 1.0)}}, "lie along 'x'"),
        ("wells", {"duration": 1.0}, "takes no duration"),
        ("energy", {"ranges": {"x": (0.0, 1.0)}}, "takes no ranges"),
        ("basins", {"ranges": {"x": (0.0, 1.0), "v": (0.0, 1.0)}}, "vary one state"),
        ("portrait", {"ranges": {"x": (0.0, 1.0)}}, "ranges of two states"),
        ("portrait", {"ranges": {"x": (0.0, 1.0), "y": (0.0, 1.0)}}, "no state 'y'"),
        ("energy", {"duration": -1.0}, "positive"),
    ],
)
def test_what_makes_no_sense_is_refused(view: str, options: dict[str, object], words: str) -> None:
    with pytest.raises(IdentikitError, match=words):
        examine(library_model("duffing"), view, **options)  # type: ignore[arg-type]


def test_steps_make_no_section() -> None:
    with pytest.raises(ModelError, match="steps, which do not repeat"):
        examine(library_model("tank_reactor"), "poincare")


def test_a_model_that_is_a_function_is_refused() -> None:
    model = Model.from_function("f", lambda t, x, u, p: [-p["k"] * x["x"]], states=["x"], parameters={"k": 1.0})
    for view in ("wells", "basins", "portrait", "energy"):
        with pytest.raises((ModelError, OptionError), match="as mathematics"):
            examine(model, view)
