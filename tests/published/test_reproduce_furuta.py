"""The Furuta paper's tables and figures, done again at quick scale: what they claim, and what is so."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.model import library_model
from identikit.progress import silent
from identikit.reproduce import Scale
from identikit.reproduce.furuta import figures_4_5, table_3, table_4
from identikit.reproduce.furuta.performance import goodness_of_fit, normalised_time
from identikit.reproduce.furuta.printed import GAMMA, OPTIMISER, PROPOSED, TABLE_4, UPPER
from identikit.reproduce.furuta.rig import FREE, START, TRUE, furuta
from identikit.simulation import simulate


def test_the_rig_by_hand_and_the_librarys_model_move_alike() -> None:
    time = np.arange(400) * 0.01
    model = library_model("furuta")
    ours = simulate(model, time, TRUE, dict(zip(model.state_names, START, strict=True))).states
    assert furuta(time) == pytest.approx(ours, abs=1e-7)
    assert np.abs(furuta(time, {"mu_v1": 2 * TRUE["mu_v1"]}) - ours).max() > 1e-2  # negative control: friction is felt


def test_the_observer_follows_noise_and_its_parameters_take_one_way_to_a_point_without_data() -> None:
    outcome = figures_4_5.ITEM.run(Scale(quick=True), silent)
    rows = {f"{row.case}, {row.quantity}": row for row in outcome.figures}
    norm = rows["error norm, mean of the second half"]
    assert norm.bound is not None and norm.as_printed == pytest.approx(norm.bound, rel=0.05)
    assert norm.bound > 10 * figures_4_5.THRESHOLD  # the printed threshold lies below the noise
    ways = [row for row in outcome.figures if row.quantity.startswith("greatest distance")]
    assert len(ways) == 2 and all(row.as_printed is not None and row.as_printed < 1e-9 for row in ways)
    gain = rows["gain k, end over beginning"].as_printed
    assert gain is not None and gain > 1  # printed: grows smaller


def test_one_gamma_gives_every_estimate_of_table_4_to_its_print() -> None:
    assert [float(f"{value:.3e}") for value in table_4.fixed_point()] == TABLE_4.tolist()
    gammas = 51 * TABLE_4 - UPPER
    assert gammas.min() < GAMMA < gammas.max() < 1.01 * gammas.min()


def test_table_3_is_a_line_in_the_true_values() -> None:
    slope, offset = table_3.line()
    truth = np.array([TRUE[name] for name in FREE])
    assert slope * truth + offset == pytest.approx(table_3.TABLE_3, rel=1.3e-4)


def test_equations_53_and_54_are_what_table_5_is_made_by() -> None:
    reference = np.array([[0.0, 1.0, 2.0, 3.0]])
    assert goodness_of_fit(reference, reference) == pytest.approx([100.0])
    assert goodness_of_fit(np.full((1, 4), 1.5), reference) == pytest.approx([0.0])  # the mean explains nothing
    assert normalised_time(3.43, 35.0, 1000.0) == pytest.approx(98e-6, rel=1e-3)


def test_the_text_has_the_two_ratios_of_table_5_exchanged() -> None:
    """It says 500 for the simulation and 1300 for the experiment."""
    ratio = {name: OPTIMISER[name].seconds / PROPOSED[name].seconds for name in PROPOSED}
    assert ratio["simulation"] == pytest.approx(1313, abs=1)
    assert ratio["experiment"] == pytest.approx(532, abs=1)
