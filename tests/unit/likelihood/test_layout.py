"""How records are cut into segments."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
from identikit.likelihood import LIKELIHOOD, cut
from identikit.problem import Problem

TIME = np.linspace(0, 30, 301)
LORENZ = {"x": TIME, "y": TIME, "z": TIME}  # any numbers do: only their count matters


def segments(channels: dict[str, np.ndarray]) -> int:
    problem = Problem.pose(ik.library_model("lorenz"), ik.Record.from_arrays(TIME, channels))
    return len(cut(problem, [1e-3]).begin)


@pytest.mark.parametrize("outputs", [1, 2, 3])
def test_a_segment_has_six_measured_values_for_each_of_its_states(outputs: int) -> None:
    """Not six samples: where all twelve states of a chaotic circuit are measured, that made segments twelve times too
    long to follow it."""
    channels = dict(list(LORENZ.items())[:outputs])
    assert segments(channels) == pytest.approx(outputs * len(TIME) / (3 * LIKELIHOOD.fewest_segment_values), rel=0.05)


def test_values_that_are_missing_do_not_count() -> None:
    half = np.where(np.arange(len(TIME)) % 2, TIME, np.nan)
    assert segments(LORENZ | {"y": half, "z": half}) == pytest.approx(segments({"x": TIME, "y": TIME}), abs=1)


def test_several_sensors_of_one_state_do_not_make_segments_shorter() -> None:
    model = ik.Model.from_text(
        "spring",
        equations={"x''": "-k*x"},
        parameters={"k": 1.0},
        outputs={"one": "x", "two": "2*x", "three": "3*x"},
    )

    def count(*names: str) -> int:
        posed = Problem.pose(model, ik.Record.from_arrays(TIME, dict.fromkeys(names, TIME)))
        return len(cut(posed, [1e-3]).begin)

    assert count("one", "two", "three") == count("one", "two") > count("one")
