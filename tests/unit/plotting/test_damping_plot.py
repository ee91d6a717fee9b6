"""The picture of a decay shows the laws that matter and leaves the others out."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from identikit.plotting import plot_damping
from identikit.result import Code, DampingReport, LawResult, Status

WEIGHTS = {"viscous + dry": 0.97, "viscous": 0.02, "viscous + drag": 0.009, "dry": 0.001, "drag": 0.0, "none": 0.0}


def report(records: int = 1) -> DampingReport:
    t = np.linspace(0, 20, 400)
    at = np.linspace(0.5, 19.5, 40)
    amplitude = np.exp(-0.1 * at)
    envelopes = {
        name: {"t": at, "amplitude": amplitude * (1 + 0.01 * i), "middle": 0.0} for i, name in enumerate(WEIGHTS)
    }
    laws = tuple(
        LawResult(name, tuple(name.split(" + ")), {}, {}, 0.0, 0.0, weight, None, None, {}, True)
        for name, weight in WEIGHTS.items()
    )
    curve = {
        "output": "theta",
        "column": "theta",
        "unit": "rad",
        "time_unit": "s",
        "t": t,
        "measured": np.exp(-0.1 * t) * np.cos(5 * t),
        "amplitude": {"t": at, "amplitude": amplitude},
        "envelopes": envelopes,
    }
    curves = tuple({**curve, "record": f"run {i}"} for i in range(records))
    return DampingReport("", "shooting", Status(Code.OK, ""), "viscous + dry", laws=laws, curves=curves)


def test_laws_with_weight_and_the_plain_ones_are_named() -> None:
    named = [text.get_text() for text in plot_damping(report()).legends[0].get_texts()]
    assert [text.partition(" (")[0] for text in named] == ["measured", "viscous + dry", "viscous", "dry", "drag"]


def test_panels_take_the_whole_width() -> None:
    figure = plot_damping(report())
    figure.draw_without_rendering()
    assert all(axes.get_position().width > 0.85 for axes in figure.axes)


def test_amplitudes_are_numbers_without_powers_of_ten() -> None:
    figure = plot_damping(report())
    figure.draw_without_rendering()
    labels = [label.get_text() for label in figure.axes[1].get_yticklabels()]
    assert "0.5" in labels
    assert not any("10^" in label for label in labels)


def test_records_beyond_three_are_said_in_words(tmp_path: Path) -> None:
    figure = plot_damping(report(5), tmp_path / "decay.png")
    assert len(figure.axes) == 9
    assert "3 of 5 records" in figure.get_suptitle()
