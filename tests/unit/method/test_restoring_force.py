"""Restoring force: the law in the equations, the points from a record, bands, jumps, refusals and the picture."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import identikit as ik
import reference
from identikit.errors import OptionError
from identikit.likelihood import smooth_curves
from identikit.method import method_named
from identikit.method._status import Check, decide
from identikit.method.force._force_law import ForceLaw, force_law
from identikit.method.force._force_points import ForcePoints
from identikit.method.restoring_force import verdict_on
from identikit.model.library.miura_origami import restoring_force as origami_force
from identikit.plotting import plot_fit, plot_restoring_force
from identikit.problem import Problem
from identikit.result import Code, Result
from ready import experiment_of

TIME = np.arange(1500) * 0.02
TRUTH = np.array([0.1, 1.0, 0.5])


def duffing(seed: int, sigma: float = 0.01) -> Problem:
    clean = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [2.0, 0.0], TIME)[0]
    values = clean + sigma * np.random.default_rng(seed).standard_normal(len(TIME))
    return Problem.pose(ik.library_model("duffing"), ik.Record.from_arrays(TIME, x=values))


def law_of(problem: Problem) -> ForceLaw:
    law = force_law(problem.model, problem.outputs, problem.free)
    assert law is not None
    return law


def points_of(problem: Problem, p: np.ndarray) -> ForcePoints:
    return ForcePoints.of(problem, law_of(problem), smooth_curves(problem), p)


def library_law(name: str, outputs: tuple[str, ...], free: tuple[str, ...] | None = None) -> ForceLaw | None:
    model = ik.library_model(name)
    return force_law(model, outputs, free or model.default_free)


@pytest.fixture(scope="module")
def fitted() -> Result:
    return ik.fit(experiment_of(duffing(0)), "duffing", method="restoring_force")


def numbers(values: object) -> np.ndarray:
    return np.array(values, dtype=float)


def test_the_known_part_is_told_from_the_law() -> None:
    law = library_law("duffing", ("x",))
    assert law is not None and law.inertia == "m" and law.units == ("m", "m/s", "N")
    assert {str(item) for item in law.known.free_symbols} == {"F", "Omega", "t", "m"}
    assert {str(item) for item in law.law.free_symbols} == {"c", "k", "k3", "x", "v"}
    magnets = library_law("magnetic_pendulum", ("theta",))
    assert magnets is not None and "w0" in {str(item) for item in magnets.known.free_symbols}


def test_a_force_between_mass_and_base_is_a_function_of_the_relative_motion() -> None:
    law = library_law("miura_origami", ("X",))
    assert law is not None and law.base == ("Y", "W") and law.foreign == []
    p = np.array([item.value for item in law.model.parameters], dtype=float)
    height = np.linspace(0.045, 0.095, 40)
    found = law.force(height - 0.0401, np.zeros(40), p)
    assert found == pytest.approx(origami_force(height), rel=1e-9)
    assert found != pytest.approx(origami_force(height + 0.001), rel=1e-3)  # negative control


@pytest.mark.parametrize(
    "model, free, channels, words",
    [
        ("coupled_pendulums", None, ("q1", "q2", "p1", "p2"), "one degree of freedom"),
        ("duffing", ["c", "k", "F"], ("x",), "depends on t"),
        ("friction_drive", None, ("x",), "depends on u"),
    ],
)
def test_what_has_no_force_surface_is_refused(
    model: str, free: list[str] | None, channels: tuple[str, ...], words: str
) -> None:
    values = {name: np.cos(TIME + i) for i, name in enumerate(channels)}
    problem = Problem.pose(ik.library_model(model), ik.Record.from_arrays(TIME, values), free=free)
    assert words in str(method_named("restoring_force").objections(problem)[0])


def test_velocity_alone_is_not_enough() -> None:
    record = ik.Record.from_arrays(TIME, V=np.cos(TIME))
    problem = Problem.pose(ik.library_model("miura_origami"), record)
    assert "X can neither be measured nor derived" in method_named("restoring_force").objections(problem)[0].text
    assert method_named("restoring_force").objections(duffing(0)) == []  # negative control


def test_the_smoothed_curve_is_the_true_force_within_its_band(fitted: Result) -> None:
    section = fitted.artifacts["force over displacement"]
    x, smoothed, band = (numbers(section[key]) for key in ("x", "smoothed", "band"))
    inside = np.isfinite(smoothed) & (np.abs(x) < 0.95 * np.abs(x).max())
    true = x + 0.5 * x**3
    within = np.abs(smoothed - true)[inside] < 3 * band[inside] + 0.01
    assert within.mean() > 0.9
    hard = np.abs(smoothed - x)[inside] < 3 * band[inside] + 0.01  # negative control: without the cubic term
    assert hard.mean() < 0.5


def test_the_band_is_the_scatter_over_seeds() -> None:
    sections = [points_of(duffing(seed, 0.02), TRUTH).over_displacement() for seed in range(12)]
    reach = min(np.abs(section["x"]).max() for section in sections)
    x = np.linspace(-0.8 * reach, 0.8 * reach, 21)
    curves = np.array([np.interp(x, section["x"], numbers(section["smoothed"])) for section in sections])
    bands = np.array([np.interp(x, section["x"], numbers(section["band"])) for section in sections])
    ratio = np.sqrt(np.mean(curves.var(axis=0, ddof=1))) / np.sqrt(np.mean(bands**2))
    assert 0.7 < ratio < 1.4


def test_parameters_are_found_and_the_law_explains_the_force(fitted: Result) -> None:
    assert fitted.ok
    assert fitted.diagnostics["force_explained"] > 0.99
    for name, true in zip(("c", "k", "k3"), TRUTH, strict=True):
        found = fitted.parameters[name]
        assert found.std is not None
        assert abs(fitted.value(name) - true) < 4 * found.std


def jump(mu_c: float, zeta: float) -> float:
    """Friction seen in the record: the smoothed force at 0.4 < |v| < 1, at positive less at negative velocities."""
    time = np.arange(5000) * 0.002
    clean = reference.horizontal_pendulum(time, mu_c=mu_c, zeta=zeta)[0][0]
    values = clean + 5e-4 * np.random.default_rng(0).standard_normal(len(time))
    problem = Problem.pose(ik.library_model("horizontal_pendulum"), ik.Record.from_arrays(time, theta=values))
    section = points_of(problem, np.array([zeta, mu_c, 0.0, 20.0])).over_velocity(0.0)
    v, force = numbers(section["x"]), numbers(section["smoothed"])
    medium = (np.abs(v) > 0.4) & (np.abs(v) < 1) & np.isfinite(force)
    return float(force[medium & (v > 0)].mean() - force[medium & (v < 0)].mean())


def test_dry_friction_shows_as_a_jump_at_velocity_zero() -> None:
    assert jump(0.3, 0.0) == pytest.approx(0.6, rel=0.15)
    assert jump(0.0, 0.0) == pytest.approx(0.0, abs=0.05)  # negative control


def test_no_section_is_smoothed_across_a_jump() -> None:
    problem = duffing(0)
    law = law_of(problem)
    assert not law.jumps
    dry = library_law("horizontal_pendulum", ("theta",))
    assert dry is not None and dry.jumps


def test_a_measured_velocity_makes_the_force_less_noisy() -> None:
    """V' is one derivative of a noisy signal, X'' two."""
    time = np.arange(2000) * 0.001
    base = {"Y": 0.003 * np.sin(40 * time), "W": 0.12 * np.cos(40 * time)}
    random = np.random.default_rng(0)
    x, v = 0.04 + 0.005 * np.sin(40 * time + 1), 0.2 * np.cos(40 * time + 1)
    noisy = {
        "X": x + 5e-5 * random.standard_normal(len(time)),
        "V": v + 2e-3 * random.standard_normal(len(time)),
    }
    bands = []
    for outputs in (("X", "V"), ("X",)):
        record = ik.Record.from_arrays(time, {**{name: noisy[name] for name in outputs}, **base})
        problem = Problem.pose(ik.library_model("miura_origami"), record)
        truth = np.array([problem.model.parameter(name).value for name in problem.free], dtype=float)
        points = points_of(problem, truth)
        middle = np.zeros(len(points.time))
        middle[len(middle) // 2] = 1.0
        bands.append(points.deviation(middle))
    assert bands[0] is not None and bands[1] is not None
    assert bands[0] < bands[1]


def test_a_chaotic_record_that_no_trajectory_follows_is_forgiven_only_if_the_law_holds(fitted: Result) -> None:
    lost = Check(False, False, (), fitted.fit, fitted.noise)
    _, status, findings = decide(verdict_on(0.98), lost)
    assert status.code is Code.OK and "98.0 %" in status.message
    assert [item.code for item in findings] == ["force_explained", "not_followed_though_confirmed"]
    _, status, findings = decide(verdict_on(0.5), lost)  # negative control
    assert status.code is Code.NOT_CONVERGED and [item.code for item in findings] == ["not_followed"]
    stopped = replace(lost, stopped=True)
    assert decide(verdict_on(0.98), stopped)[1].code is Code.NOT_CONVERGED


def test_the_picture_comes_from_the_saved_result_alone(fitted: Result, tmp_path) -> None:
    fitted.save(tmp_path / "fit.json")
    loaded = Result.load(tmp_path / "fit.json")
    figure = plot_restoring_force(loaded, tmp_path / "force.png")
    assert (tmp_path / "force.png").stat().st_size > 10_000
    titles = [axes.get_title(loc="left") for axes in figure.axes]
    stiffness, damping = (
        "force over displacement, at v = 0",
        f"force over velocity, at x = {loaded.diagnostics['rest']:.3g}",
    )
    assert titles[:3] == [stiffness, damping, "force surface"]
    for axes in figure.axes[:2]:
        marked = sorted(line.get_xdata()[0] for line in axes.lines if line.get_linestyle() == ":")
        at = axes.lines[0].get_xdata()
        assert 0.94 < np.mean((at > marked[0]) & (at < marked[1])) < 0.96


def test_the_picture_of_the_fit_holds_the_force_too_and_of_other_fits_does_not(fitted: Result, tmp_path) -> None:
    with_force = plot_fit(fitted, tmp_path / "fit.svg")
    assert "force surface" in [axes.get_title(loc="left") for axes in with_force.axes]
    plain = replace(fitted, artifacts={k: v for k, v in fitted.artifacts.items() if v.get("what") is None})
    assert "force surface" not in [axes.get_title(loc="left") for axes in plot_fit(plain).axes]
    with pytest.raises(OptionError, match="holds no restoring force"):
        plot_restoring_force(plain)
