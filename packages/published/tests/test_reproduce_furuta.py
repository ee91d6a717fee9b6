"""The Furuta paper's tables and figures, done again at quick scale: what they claim, and what is so."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.model import library_model
from identikit.progress import silent
from identikit.simulation import simulate
from identikit_published import Scale
from identikit_published.furuta import observer, tables
from identikit_published.furuta.runs import (
    EXPERIMENT,
    FREE,
    GAMMA,
    GUESS_3,
    OPTIMISER,
    PROPOSED,
    SIMULATION,
    START,
    TABLE_3,
    TABLE_4,
    TOLD,
    TRUE,
    UPPER,
    Bound,
    furuta,
    goodness_bound,
    goodness_of_fit,
    normalised_time,
    plain_fit,
)


def test_the_rig_by_hand_and_the_librarys_model_move_alike() -> None:
    time = np.arange(400) * 0.01
    model = library_model("furuta")
    ours = simulate(model, time, TRUE, dict(zip(model.state_names, START, strict=True))).states
    assert furuta(time) == pytest.approx(ours, abs=1e-7)
    assert np.abs(furuta(time, {"mu_v1": 2 * TRUE["mu_v1"]}) - ours).max() > 1e-2  # negative control: friction is felt


def test_the_observer_follows_noise_and_its_parameters_take_one_way_to_a_point_without_data() -> None:
    outcome = observer.figures_4_5(Scale(quick=True), silent)
    rows = {f"{row.case}, {row.quantity}": row for row in outcome.figures}
    norm = rows["error norm, mean of the second half"]
    assert norm.bound is not None and norm.as_printed == pytest.approx(norm.bound, rel=0.05)
    assert norm.bound > 10 * observer.FIGURES_4_5_CLAIMS.threshold  # the printed threshold lies below the noise
    ways = [row for row in outcome.figures if row.quantity.startswith("greatest distance")]
    assert len(ways) == 2 and all(row.as_printed is not None and row.as_printed < 1e-9 for row in ways)
    gain = rows["gain, if k is meant, end over beginning"].as_printed
    assert gain is not None and gain > 1  # printed: grows smaller
    feedback = next(
        row for row in outcome.figures if row.case.startswith("gain, if the input") and "half" in row.quantity
    )
    assert feedback.as_printed is not None and feedback.as_printed > 1  # nor does the input, with such noise


def test_on_the_stand_in_the_input_follows_the_error_and_no_parameter_oscillates() -> None:
    rows = {(row.case, row.quantity): row for row in observer.figures_8_9(Scale(quick=True), silent).figures}
    falls = [row for (case, quantity), row in rows.items() if "input" in case and quantity.startswith("mean")]
    assert [row.as_printed is not None and row.as_printed < 0.5 for row in falls] == [True]
    back = rows["all ten parameters", "greatest step back on their way, in units of its length"]
    assert back.as_printed is not None and back.as_printed < 1e-12 and "oscillate" in str(back.printed)


def test_neighbouring_motions_part_in_proportion_to_time_which_is_no_chaos() -> None:
    rubbed, free = observer.parting()
    assert rubbed.obtained is not None and rubbed.obtained < 30
    assert free.obtained == pytest.approx(2, abs=0.15)


def test_the_bound_of_the_fit_is_the_misfit_of_an_estimate_that_is_one_standard_deviation_off() -> None:
    """In one parameter, all others known: the motion with it moved so far misses by as much."""
    name, std = "mu_d1", 1e-7
    covariance = np.zeros((len(TOLD), len(TOLD)))
    covariance[TOLD.index(name), TOLD.index(name)] = std**2
    case = EXPERIMENT
    bound = Bound(dict.fromkeys(TOLD, std), covariance, np.zeros((1, 2)))
    moved = case.free_motion({**case.friction, name: case.friction[name] + std})[:2]
    missed = 100 - goodness_of_fit(moved, case.clean[:2])
    assert 100 - goodness_bound(case, bound) == pytest.approx(missed, rel=0.05)


def test_the_plain_optimiser_says_whether_it_ended_by_itself() -> None:
    """On one second without noise: it needs more than two steps from the guess, and none worth taking at the truth."""
    case, part = SIMULATION, slice(0, 1_000)
    early = plain_fit(case.time[part], case.clean[:, part], case.guess, 2)
    assert not early.converged and early.evaluations == 2
    assert plain_fit(case.time[part], case.clean[:, part], case.friction, 20).converged


def test_the_starting_values_of_table_3_are_ten_times_the_truth_and_not_the_middle_of_the_bounds() -> None:
    truth = np.array([TRUE[name] for name in FREE])
    assert ((GUESS_3 / truth > 9.5) & (GUESS_3 / truth < 10.3)).all()
    assert (GUESS_3 / (UPPER / 2)).max() > 100 * (GUESS_3 / (UPPER / 2)).min()
    below = 100 * (1 - TABLE_3 / truth)
    assert below.min() >= 3.0 and below.max() < 5.3


def test_table_1_has_more_inertia_than_a_thin_body_between_its_ends_can_have() -> None:
    mass, inertia, centre, length = 0.128, 5.25e-3, 0.0620, 0.316
    assert inertia > mass * length**2 / 4 > mass * centre * (length - centre)
    assert centre < inertia / (mass * length)  # nor can it be meant about the pivot


def test_one_gamma_gives_every_estimate_of_table_4_to_its_print() -> None:
    assert [float(f"{value:.3e}") for value in tables.fixed_point()] == TABLE_4.tolist()
    gammas = 51 * TABLE_4 - UPPER
    assert gammas.min() < GAMMA < gammas.max() < 1.01 * gammas.min()


def test_table_3_is_a_line_in_the_true_values() -> None:
    slope, offset = tables.line()
    truth = np.array([TRUE[name] for name in FREE])
    assert slope * truth + offset == pytest.approx(TABLE_3, rel=1.3e-4)


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
