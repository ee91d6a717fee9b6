"""Real measurements, where the folder of public records lies beside the project; the product ships none of
them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import identikit as ik
from identikit.result import Code
from identikit.simulation import sampled, simulate

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the folder of real records is not here")


def every(count: int, record: ik.Record, **columns: str) -> ik.Record:
    """One sample in so many of the named columns, all angles."""
    values = {name: record.channels[column].values[::count] for name, column in columns.items()}
    return ik.Record.from_arrays(record.time[::count], values, units=dict.fromkeys(values, "rad"))


@pytest.mark.study
def test_a_real_pendulum_counted_from_upright_is_fitted_without_a_start() -> None:
    """Published: m g a/(m a^2 + I) = 64.219 1/s^2; dry friction and drag halve what a viscous law leaves
    over."""
    file = DATA / "multiarm_single_pendulum" / "single_pendulum_free_swing.csv"
    swings = [every(8, swing, theta="theta_rad_from_upright") for swing in ik.load(file, segments="segment")]
    whole = ik.fit(ik.Experiment(tuple(swings)), "pendulum", free=["w0", "mu", "mu_c", "mu_q", "offset"])
    viscous = ik.fit(ik.Experiment(tuple(swings)), "pendulum", free=["w0", "mu", "offset"])
    assert whole.ok and viscous.status.code is Code.MISFIT
    missing = next(item for item in viscous.findings if item.code == "missing_term")
    assert {"mu_c", "mu_q"} <= set(missing.about)
    assert whole.value("w0") ** 2 == pytest.approx(64.219, rel=0.01)
    assert whole.noise["theta"].sigma < 0.5 * viscous.noise["theta"].sigma
    assert len(whole.initial_states) == 6


@pytest.mark.parametrize(
    "name, arguments, records",
    [
        ("multiarm_double_pendulum/double_pendulum_free_swing.csv", {"segments": "segment"}, 30),
        ("dfki_double_pendulum/trajectory_00.csv", {}, 1),
        ("lynx_hare/hudson-bay-lynx-hare.csv", {"time": "Year"}, 1),
    ],
)
def test_real_files_are_read_as_they_are(name: str, arguments: dict, records: int) -> None:
    assert len(ik.load(DATA / name, **arguments)) == records


def test_the_pelts_of_hudson_bay_give_the_published_rates() -> None:
    """Log-normal errors, so logarithms are fitted; the published figures are posterior means."""
    record = ik.load(DATA / "lynx_hare" / "hudson-bay-lynx-hare.csv", time="Year")[0]
    logarithms = {f"log_{name.lower()}": np.log(record.channels[name].values) for name in ("Hare", "Lynx")}
    result = ik.fit(ik.Record.from_arrays(record.time - 1900, logarithms), "lotka_volterra")
    assert result.ok, result.status.message
    for name, published in {"alpha": 0.55, "beta": 0.028, "gamma": 0.80, "delta": 0.024}.items():
        found = result.parameters[name]
        assert found.std is not None
        assert abs(result.value(name) - published) < 0.5 * found.std, (name, found)


def test_the_law_of_predator_and_prey_is_found_in_the_pelts_without_being_told() -> None:
    """Nothing known: of all polynomials that 21 years can tell apart, the terms of Lotka and Volterra are chosen."""
    found = ik.discover(DATA / "lynx_hare" / "hudson-bay-lynx-hare.csv", time="Year")
    assert found.ok, found.status.message
    chosen = {(row[0], row[1]) for row in found.artifacts["terms"]["rows"] if row[4]}
    assert chosen == {("Lynx", "Lynx"), ("Lynx", "Hare*Lynx"), ("Hare", "Hare"), ("Hare", "Hare*Lynx")}
    held_out = found.diagnostics["held_out"]  # the last third, predicted from the rest
    assert held_out["Lynx"]["rmse"] < 5 and held_out["Hare"]["rmse"] < 6, held_out


@pytest.mark.study
def test_a_real_double_pendulum_gives_the_published_ratios_within_one_per_cent() -> None:
    """Four of the thirty swings, every fifth sample; published ratios over the second link's inertia."""
    file = DATA / "multiarm_double_pendulum" / "double_pendulum_free_swing.csv"
    swings = list(ik.load(file, segments="segment"))[:4]
    thinned = [every(5, swing, theta1="theta1_rad", theta2="theta2_rad") for swing in swings]
    result = ik.fit(ik.Experiment(tuple(thinned)), "double_pendulum")
    assert result.ok, result.status.message
    published = {"inertia": 1.7958, "coupling": 0.88237, "gravity_1": 105.885, "gravity_2": 50.109}
    for name, value in published.items():
        assert result.value(name) == pytest.approx(value, rel=0.01), name
    # negative control: masses counted at the links' ends would be off by more than that
    assert abs(result.value("coupling") - 1.0) > 0.1


def hanging(name: str) -> ik.Record:
    """The first three seconds of a torque-driven robot's record, ten samples to one."""
    record = ik.load(DATA / "dfki_double_pendulum" / name)[0]
    count = int(np.searchsorted(record.time, 3.0)) // 10 * 10
    columns = {"q1": "pos_meas1", "q2": "pos_meas2", "tau_1": "tau_meas1", "tau_2": "tau_meas2"}
    thinned = {key: record.channels[column].values[:count] for key, column in columns.items()}
    means = {key: values.reshape(-1, 10).mean(axis=1) for key, values in thinned.items()}
    return ik.Record.from_arrays(record.time[:count].reshape(-1, 10).mean(axis=1), **means)


@pytest.mark.study
def test_a_real_robot_driven_by_measured_torques_predicts_its_next_record() -> None:
    """Published: masses, lengths, inertias and friction, from which the model's combinations follow."""
    model, rotor = ik.library_model("driven_double_pendulum"), 7.659297952841183e-05
    published = {
        "inertia_1": 0.053470810264 + 0.604345946919 * 0.3**2 + 43 * rotor,
        "inertia_2": 0.023923745288 - 6 * rotor,
        "coupling": 0.604345946919 * 0.3 * 0.183776860837,
        "gravity_1": (0.559380615143 * 0.3 + 0.604345946919 * 0.3) * 9.81,
        "gravity_2": 0.604345946919 * 0.183776860837 * 9.81,
    }
    others = {"c1": 0.001, "c2": 0.001, "f1": 0.093 * np.pi / 2, "f2": 0.078 * np.pi / 2, "rotor": 42 * rotor}
    result = ik.fit(hanging("trajectory_00.csv"), model, fix={"rotor": 42 * rotor})
    assert result.status.code != "not_converged", result.status.message
    assert result.fit["q1"].fit_percent > 90 and result.fit["q2"].fit_percent > 95
    for name, value in published.items():
        found = result.parameters[name]
        assert result.value(name) == pytest.approx(value, rel=0.12), name
        assert found.std is not None and abs(result.value(name) - value) < 4 * found.std

    held_out = hanging("trajectory_12.csv")
    torques = sampled(held_out.time, {name: held_out.channels[name].values for name in ("tau_1", "tau_2")})
    rest = dict.fromkeys(model.state_names, 0.0)

    def explained(values: dict[str, float]) -> float:
        run = simulate(model, held_out.time, values, rest, torques).outputs
        misses = [
            np.std(held_out.channels[q].values - run[q]) / np.std(held_out.channels[q].values) for q in ("q1", "q2")
        ]
        return float(1 - max(misses))

    ours = {name: result.value(name) for name in result.free} | {"rotor": 42 * rotor}
    assert explained(ours) > 0.9
    assert explained(ours) > explained(published | others)
    assert explained(ours | {"gravity_2": 1.3 * ours["gravity_2"]}) < 0.8  # negative control
