"""Pictures of what the tools find carry names, units and every state of rest, and are written whole."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from identikit.errors import OptionError
from identikit.explore import (
    Basins,
    basins,
    energy_balance,
    lyapunov_exponent,
    phase_portrait,
    poincare_section,
    potential_wells,
)
from identikit.model import library_model
from identikit.plotting import (
    plot_basins,
    plot_energy,
    plot_exponent,
    plot_finding,
    plot_portrait,
    plot_section,
    plot_wells,
)
from identikit.simulation import simulate

MAGNETS = library_model("magnetic_pendulum")
DUFFING = library_model("duffing")


@pytest.fixture(scope="module")
def magnetic() -> Basins:
    return basins(MAGNETS, starts=201)


def markers(axes, colour: str) -> int:  # type: ignore[no-untyped-def]
    return sum(
        len(np.atleast_1d(line.get_xdata()))
        for line in axes.lines
        if line.get_marker() == "o" and line.get_markerfacecolor() == colour
    )


def test_wells_are_marked_stable_and_hills_unstable() -> None:
    figure = plot_wells(potential_wells(MAGNETS))
    (axes,) = figure.axes
    assert (markers(axes, "#c2410c"), markers(axes, "white")) == (2, 1)
    assert axes.get_xlabel() == "theta [rad]"
    assert axes.get_ylabel() == "potential per inertia [rad^2/s^2]"
    title = axes.get_title(loc="left")
    assert "well at 0.4215: depth 5.764, small swings 15.83 rad/s" in title
    single = plot_wells(potential_wells(DUFFING)).axes[0]
    assert (markers(single, "#c2410c"), markers(single, "white")) == (1, 0)


def test_the_walls_do_not_dwarf_the_wells() -> None:
    found = potential_wells(MAGNETS)
    low, high = plot_wells(found).axes[0].get_ylim()
    assert high < 0.3 * found.energy.max()
    assert low < 0 < max(energy for _, energy in found.hills) < high


def test_basins_are_bands_that_meet_at_the_boundaries(magnetic: Basins) -> None:
    figure = plot_basins(magnetic)
    above, band = figure.axes
    runs = 1 + int(np.sum(magnetic.attractor[:-1] != magnetic.attractor[1:]))
    assert len(band.patches) == len(above.patches) == runs
    edges = sorted({round(patch.get_x(), 9) for patch in band.patches})
    for item in magnetic.boundaries:
        assert min(abs(edge - item.start) for edge in edges) < 1e-6
    colours = {patch.get_facecolor() for patch in band.patches}
    assert len(colours) == 2
    words = [text.get_text() for text in figure.legends[0].get_texts()]
    assert words[0].startswith("A: rests at theta = -0.5229") and words[0].endswith("%)")
    assert "start, theta [rad]" in band.get_xlabel()


def test_undecided_and_lost_starts_have_their_own_colour_and_words() -> None:
    lost = plot_basins(basins(DUFFING, {"k3": -0.05}, starts=21))
    assert any("leaves without bound" in text.get_text() for text in lost.legends[0].get_texts())
    short = plot_basins(basins(MAGNETS, between=(0.7, 1.0), starts=21, duration=0.02))
    assert any("undecided (100.0 %)" in text.get_text() for text in short.legends[0].get_texts())


def test_a_forced_section_is_in_the_plane_of_position_and_velocity() -> None:
    found = poincare_section(DUFFING, {"F": 1.0, "Omega": 1.5, "c": 0.4}, period=2 * np.pi / 1.5, points=100)
    (axes,) = plot_section(found).axes
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x [m]", "v [m/s]")


def test_a_section_of_two_states_at_a_crossing_shows_each_return_over_the_last() -> None:
    found = poincare_section(library_model("pendulum"))
    axes = plot_section(found).axes[0]
    assert axes.get_xlabel() == "omega [rad/s], one crossing"
    assert len(axes.collections[0].get_offsets()) == found.states.shape[1] - 1


def test_a_portrait_marks_rests_also_a_turn_away_and_streams_only_where_they_hold() -> None:
    figure = plot_portrait(phase_portrait(library_model("pendulum")))
    axes = figure.axes[0]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("theta [rad]", "omega [rad/s]")
    assert markers(axes, "white") == 3  # upright, and a turn to either side
    assert any(type(item).__name__ == "LineCollection" for item in axes.collections)
    forced = plot_portrait(phase_portrait(DUFFING, {"F": 1.0})).axes[0]
    assert not forced.collections
    assert "under its forcing" in forced.get_title(loc="left")


def test_an_exponent_shows_its_estimate_converging() -> None:
    found = lyapunov_exponent(DUFFING, duration=100)
    (axes,) = plot_exponent(found).axes
    assert axes.get_ylabel() == "largest Lyapunov exponent [1/s]"
    running = next(line for line in axes.lines if line.get_label() == "running estimate")
    assert np.asarray(running.get_ydata())[-1] == pytest.approx(found.value)


def test_energies_and_works_have_a_panel_each() -> None:
    time = np.linspace(0, 10, 501)
    above, below = plot_energy(energy_balance(DUFFING, simulate(DUFFING, time))).axes
    assert {line.get_label() for line in above.lines} == {"kinetic", "potential", "total"}
    assert {"work of damping", "work of driving"} <= {line.get_label() for line in below.lines}
    assert above.get_ylabel() == "energy [m^2/s^2]"


@pytest.mark.parametrize(("name", "beginning"), [("a.png", b"\x89PNG"), ("a.svg", b"<?xml"), ("a.PDF", b"%PDF")])
def test_the_ending_chooses_the_format(tmp_path: Path, name: str, beginning: bytes, magnetic: Basins) -> None:
    plot_finding(magnetic, tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(beginning)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_another_ending_is_refused_and_leaves_nothing(tmp_path: Path, magnetic: Basins) -> None:
    with pytest.raises(OptionError, match="expected one of"):
        plot_finding(magnetic, tmp_path / "a.gif")
    assert list(tmp_path.iterdir()) == []
