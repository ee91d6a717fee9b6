"""Neural ODE: which term is unknown, the network in its place, what it learns, and what it says when it cannot."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import sympy as sp

import identikit as ik
import reference
from identikit.cli.main import main
from identikit.errors import OptionError
from identikit.method._base import ObjectionError
from identikit.method.neural_ode import NeuralOde
from identikit.method.unknown_term._term_network import TermNetwork
from identikit.method.unknown_term._unknown_term import unknown_term
from identikit.model import Model, model_from_toml, symbol
from identikit.plotting import plot_fit
from identikit.progress import ProgressEvent
from identikit.result import Code, Result, describe_law

PENDULUM = ik.library_model("horizontal_pendulum")
DRY, BREAKING, SPEED, VISCOUS = 0.03, 0.02, 0.15, 0.04
SIGMA = 0.0009  # with 100 Hz as much information as 0.002 at 500 Hz


def noise(count: int, sigma: float = SIGMA, seed: int = 0) -> np.ndarray:
    return sigma * np.random.default_rng(seed).standard_normal(count)


def stribeck(v: np.ndarray) -> np.ndarray:
    speed = np.abs(v)
    return np.sign(v) * (DRY + BREAKING * np.exp(-((speed / SPEED) ** 2)) + VISCOUS * speed)


def stribeck_record() -> ik.Record:
    """The horizontal pendulum with a friction that no model here has; it comes to rest after some 54 s."""

    def force(t: float, x: np.ndarray) -> float:
        return float(np.cos(x[0]) - 20.0 * x[0])

    def rate(t: float, x: np.ndarray, s: list[float]) -> tuple[float, float]:
        speed = abs(x[1])
        return x[1], force(t, x) - s[0] * (DRY + BREAKING * np.exp(-((speed / SPEED) ** 2)) + VISCOUS * speed)

    time = np.arange(6001) * 0.01
    friction = reference.Switch(lambda t, x: x[1], lambda t, x: force(t, x) / (DRY + BREAKING), pinned=1)
    states, _ = reference.event_driven(rate, [friction], (np.pi / 6, 0.0), time)
    return ik.Record.from_arrays(time, {"theta": states[0] + noise(len(time))}, units={"theta": "rad"})


def codes(result: Result) -> set[str]:
    return {item.code for item in result.findings}


@pytest.fixture(scope="module")
def learned() -> Result:
    """The law found for that record."""
    return ik.discover(stribeck_record(), PENDULUM, method="neural_ode", options={"unknown": "friction"})


# Which term is meant


def test_friction_is_all_that_depends_on_the_velocity_alone_and_vanishes_with_it() -> None:
    term = unknown_term(PENDULUM, "friction")
    assert term.friction and term.variables == ("omega",)
    assert term.without(PENDULUM) == ("zeta", "mu_c", "mu_q")
    assert symbol("omega") not in term.kept.free_symbols
    assert {"k", "theta", "q_v"} <= set(map(str, term.kept.free_symbols))


def test_the_terms_of_a_parameter_are_those_that_hold_it() -> None:
    dry = unknown_term(PENDULUM, "term(mu_c)")
    assert dry.friction and dry.without(PENDULUM) == ("mu_c",)
    spring = unknown_term(PENDULUM, "term(k)")
    assert not spring.friction and spring.variables == ("theta",)
    assert sp.simplify(spring.removed + symbol("k") * symbol("theta")) == 0


def test_an_additional_force_leaves_every_term_in_its_place() -> None:
    term = unknown_term(PENDULUM, "force(theta, omega)")
    assert term.removed == 0 and term.equation == 1 and term.variables == ("theta", "omega")
    assert sp.simplify(term.kept - PENDULUM.equations[1]) == 0


def test_with_several_velocities_the_one_that_is_meant_has_to_be_named() -> None:
    pair = ik.library_model("coupled_pendulums")
    with pytest.raises(OptionError, match=r"several velocities.*friction in p1"):
        unknown_term(pair, "friction")
    assert unknown_term(pair, "friction in p2").equation == pair.state_names.index("p2")
    assert unknown_term(pair, "force(q1, p1)").equation == pair.state_names.index("p1")
    with pytest.raises(OptionError, match="say on which velocity"):
        unknown_term(pair, "force(q1, q2)")


@pytest.mark.parametrize(
    ("phrase", "said"),
    [
        ("term(mu_x)", "no parameter 'mu_x'. Did you mean 'mu_"),
        ("force(omga)", "no state 'omga'. Did you mean 'omega'"),
        ("friction in theta", "'theta' is not a velocity"),
        ("force(theta, theta)", "named twice"),
    ],
)
def test_names_that_the_model_does_not_have_are_refused_with_the_nearest_one(phrase: str, said: str) -> None:
    with pytest.raises(OptionError) as error:
        unknown_term(PENDULUM, phrase)
    assert said in str(error.value)


def test_a_model_without_a_velocity_has_no_place_for_friction_but_one_for_a_named_term() -> None:
    foxes = ik.library_model("lotka_volterra")
    with pytest.raises(ObjectionError) as error:
        unknown_term(foxes, "friction")
    assert error.value.finding.code == "no_velocity_equation"
    named = foxes.state_names[0]
    assert unknown_term(foxes, f"force({named}) in {named}").equation == 0


# The network


def network(phrase: str = "friction", seed: int = 0) -> TermNetwork:
    term = unknown_term(PENDULUM, phrase)
    visited = {"theta": (-0.4, 0.5), "omega": (-2.0, 2.0)}
    return TermNetwork.of(PENDULUM, term, {name: visited[name] for name in term.variables}, seed)


def test_the_network_of_a_friction_is_odd_and_jumps_by_its_dry_part() -> None:
    found = network()
    speeds = np.array([1e-9, 0.1, 1.0, 2.0])
    np.testing.assert_array_equal(found.table({"omega": speeds}), -found.table({"omega": -speeds}))
    np.testing.assert_allclose(found.table({"omega": speeds[:1]})[0], [1.0, *[0.0] * 9], atol=1e-6)
    assert found.bounds[found.weights[0]] == (0.0, np.inf)


def test_the_network_can_imitate_dry_friction_with_drag() -> None:
    found = network()
    columns = found.grid(50)
    wanted = 0.03 * np.sign(columns["omega"]) + 0.05 * columns["omega"] * np.abs(columns["omega"])
    weights = found.imitated(wanted, columns)
    assert np.abs(found.table(columns) @ weights - wanted).max() < 0.02 * wanted.max()


def test_a_model_with_the_network_reads_back_from_its_file_and_lacks_the_old_parameters() -> None:
    found = network()
    model = found.model(PENDULUM, np.arange(10) / 100)
    again = model_from_toml(model.to_toml())
    assert again.parameter_names == ("k", *found.weights)
    assert sp.simplify(again.equations[1] - model.equations[1]) == 0


def test_units_over_several_states_are_drawn_by_the_seed_and_only_by_it() -> None:
    first, same, other = (network("force(theta, omega)", seed).features for seed in (0, 0, 1))
    assert first == same != other


# What it learns


@pytest.mark.study
def test_a_stribeck_curve_is_learned_within_three_per_cent_of_the_truth_and_inside_its_band(learned: Result) -> None:
    curve = learned.artifacts["friction over omega"]
    v, value, std = (np.array(curve[key]) for key in ("x", "value", "std"))
    shown = (np.abs(v) > 0.02 * curve["visited"][1]) & (np.abs(v) < curve["visited"][1])
    off = np.abs(value - stribeck(v))[shown]
    assert (off < 0.03 * np.abs(stribeck(v[shown]))).all()
    assert np.mean(off < 1.96 * std[shown]) > 0.8
    # negative control: no sum of the model's own three terms comes as near
    basis = np.stack([np.sign(v), v, v * np.abs(v)], axis=1)[shown]
    best = basis @ np.linalg.lstsq(basis, stribeck(v[shown]), rcond=None)[0]
    assert np.abs(best / stribeck(v[shown]) - 1).max() > 0.05


@pytest.mark.study
def test_the_law_has_a_formula_whose_trajectory_leaves_only_noise(learned: Result) -> None:
    assert learned.ok, learned.status
    assert "formula_found" in codes(learned)
    assert learned.noise["theta"].white
    assert learned.noise["theta"].sigma == pytest.approx(SIGMA, rel=0.03)
    assert learned.discovered is not None
    law = model_from_toml(learned.discovered)
    assert law.equations[1].has(sp.sign) and "zeta" not in law.parameter_names
    assert learned.value("k") == pytest.approx(20.0, rel=1e-4)


@pytest.mark.study
def test_losses_and_the_curve_are_kept_and_drawn(learned: Result, tmp_path: Path) -> None:
    training = learned.artifacts["training"]
    assert len(training["losses"]["data"]) == len(training["parameters"]["k"]) == len(training["stage"])
    plot_fit(Result.from_dict(learned.as_dict()), tmp_path / "fit.png")
    assert (tmp_path / "fit.png").stat().st_size > 10_000


@pytest.mark.study
def test_the_law_and_its_rivals_are_told_in_words(learned: Result) -> None:
    text = describe_law(Result.from_dict(json.loads(learned.to_json())))
    assert "sign(omega)" in text and "Rivals: " in text and "predicts the rest" in text


def viscous_record(missing: float = 0.0) -> ik.Record:
    time = np.arange(1500) * 0.02
    states = reference.smooth(lambda t, x: [x[1], np.cos(x[0]) - 20 * x[0] - 0.1 * x[1]], [np.pi / 6, 0.0], time)
    values = states[0] + noise(len(time), 0.002)
    values[np.random.default_rng(1).uniform(size=len(time)) < missing] = np.nan
    return ik.Record.from_arrays(time, {"theta": values})


@pytest.mark.study
def test_gaps_do_no_harm_and_no_dry_friction_is_learned_where_there_is_none() -> None:
    """Negative control of the jump: a viscous friction is learned as one, with a fifth of the samples missing."""
    result = ik.fit(
        viscous_record(0.2), PENDULUM, method="neural_ode", options={"unknown": "friction", "formula": False}
    )
    assert result.ok, result.status
    assert "no_formula" in codes(result)
    curve = result.artifacts["friction over omega"]
    v, value, std = (np.array(curve[key]) for key in ("x", "value", "std"))
    inside = np.abs(v) < curve["visited"][1]
    off = np.abs(value - 0.1 * v)
    assert np.mean((off < 1.96 * std)[inside]) > 0.8
    assert off[inside].max() < 0.05 * 0.1 * v[inside].max()
    assert result.parameters["zeta"].value is None and "curve" in result.parameters["zeta"].note
    assert abs(result.value("k") - 20.0) < 4 * result.parameters["k"].std  # type: ignore[operator]


@pytest.mark.study
def test_a_network_whose_trajectory_disagrees_is_never_ok() -> None:
    """The spring hardens, and the model's does not: a friction cannot make up for it."""
    time = np.arange(300) * 0.05
    clean = reference.smooth(lambda t, x: [x[1], -0.05 * x[1] - x[0] - 3 * x[0] ** 3], [1.5, 0.0], time)[0]
    known = Model.from_text(
        "spring", equations={"x": "v", "v": "-k*x - c*v"}, parameters={"k": 1.0, "c": 0.1}, outputs=["x"]
    )
    record = ik.Record.from_arrays(time, {"x": clean + noise(len(time), 0.01)})
    result = ik.fit(record, known, method="neural_ode", options={"unknown": "friction"})
    assert result.status.code is not Code.OK


def test_stopped_it_keeps_the_best_so_far() -> None:
    calls = 0

    def listener(event: ProgressEvent) -> bool:
        nonlocal calls
        calls += "k" in event.values
        return calls < 3

    result = ik.fit(viscous_record(), PENDULUM, method="neural_ode", options={"unknown": "friction"}, progress=listener)
    assert result.status.code is Code.NOT_CONVERGED and "stopped_early" in codes(result)
    assert result.value("k") == pytest.approx(20.0, rel=0.2)


# What it says when it cannot


def test_a_state_that_is_not_seen_is_named() -> None:
    hidden = Model.from_text(
        "hidden", equations={"x": "-c*x", "y": "z", "z": "-y"}, parameters={"c": 1.0}, outputs=["x"]
    )
    time = np.arange(200) * 0.02
    result = ik.fit(
        ik.Record.from_arrays(time, {"x": np.exp(-time) + noise(200, 0.01)}),
        hidden,
        method="neural_ode",
        options={"unknown": "force(y) in z"},
    )
    assert result.status.code is Code.NOT_APPLICABLE
    (found,) = (item for item in result.findings if item.code == "state_not_measured")
    assert found.about == ("y",)


def test_too_few_samples_are_refused() -> None:
    record = ik.Record.from_arrays(np.arange(6) * 0.1, {"theta": np.cos(np.arange(6))})
    found = ik.discover(record, PENDULUM, method="neural_ode")
    assert found.status.code is Code.NOT_APPLICABLE and "too_few_samples" in codes(found)


def test_without_a_known_model_there_is_nothing_to_put_a_network_into() -> None:
    with pytest.raises(OptionError, match="name the model"):
        ik.discover(viscous_record(), states=["theta"], method="neural_ode")


def test_a_term_that_does_not_exist_ends_the_command_with_one_sentence_and_nothing_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    record = viscous_record()
    table = np.stack([record.time, record.channels["theta"].values], axis=1)
    np.savetxt("swing.csv", table, delimiter=",", header="t,theta", comments="")
    command = ["discover", "swing.csv", "--known", "horizontal_pendulum", "--method", "neural_ode", "-o", "law.toml"]
    assert main([*command, "--option", "unknown=term(mu)"]) == 2
    assert "has no parameter 'mu'. Did you mean" in capsys.readouterr().err
    assert main([*command, "--option", "unknown=nonsense"]) == 2
    assert "friction, term(PARAMETER) or force(STATE, ...)" in capsys.readouterr().err
    assert not Path("law.toml").exists()


def test_the_options_of_an_estimate_have_defaults_that_are_a_plain_fit() -> None:
    assert NeuralOde.resolve_options() == {"unknown": "nothing", "settings": "segments", "formula": True}
