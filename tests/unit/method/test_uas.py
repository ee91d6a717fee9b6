"""The universal adaptive stabilizer: its functions, its law, its observer, and that it says what it does."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from scipy.integrate import solve_ivp

import identikit as ik
import reference
from identikit.method.adaptive_observer._adaptation_law import AdaptationLaw
from identikit.method.adaptive_observer._nussbaum import mittag_leffler, shape_of
from identikit.method.adaptive_observer._observer import ObserverPath, observe
from identikit.method.adaptive_observer._outcome import ObserverOutcome
from identikit.method.adaptive_observer._told import told
from identikit.problem import Problem
from identikit.progress import silent
from identikit.result import Code, Severity, of_severity

TIME = np.arange(2001) * 0.01
BOUNDS = {"mu": (0.0, 0.5)}
FIXED_POINT = 0.5 / 51  # with the default confidences 1 and 50


def swing(mu: float, w0: float = 3.0) -> np.ndarray:
    """Angle and velocity of a pendulum by the independent integrator."""
    return reference.smooth(lambda t, x: [x[1], -2 * mu * w0 * x[1] - w0**2 * np.sin(x[0])], (1.2, 0.0), TIME)


def recorded(values: np.ndarray, seed: int = 0, sigma: float = 0.05) -> ik.Record:
    noisy = values + sigma * np.random.default_rng(seed).standard_normal(values.shape)
    return ik.Record.from_arrays(TIME, dict(zip(("theta", "omega"), noisy, strict=False)))


PENDULUM = ik.Model.from_text(
    "swing",
    equations={"theta": "omega", "omega": "-2*mu*w0*omega - w0**2*sin(theta)"},
    parameters=[ik.Parameter("mu", 0.05, bounds=(0, 2)), ik.Parameter("w0", 3.0, fixed=True)],
)
POSITION_ONLY = ik.Model.from_text(
    "angle",
    equations={"theta": "omega", "omega": "-2*mu*w0*omega - w0**2*sin(theta)"},
    parameters=[ik.Parameter("mu", 0.05, bounds=(0, 2)), ik.Parameter("w0", 3.0, fixed=True)],
    outputs=["theta"],
)


def fitted(record: ik.Record, model: ik.Model = PENDULUM, **options: object) -> ik.Result:
    return ik.fit(record, model, method="uas", bounds=BOUNDS, options=options)


def series(alpha: float, k: float) -> float:
    """E_alpha(-k^alpha) by its power series with enough digits."""
    with mpmath.workdps(90):
        argument, total, n = -(mpmath.mpf(k) ** mpmath.mpf(alpha)), mpmath.mpf(0), 0
        while n < 500:
            term = argument**n / mpmath.gamma(mpmath.mpf(alpha) * n + 1)
            total, n = total + term, n + 1
            if n > 10 and abs(term) < mpmath.mpf(10) ** -40:
                break
        return float(total)


@pytest.mark.parametrize("alpha", [2.001, 2.3, 2.7, 2.999, 3.0])
@pytest.mark.parametrize("k", [0.0, 0.4, 1.85, 5.44, 9.07, 60.0])
def test_the_mittag_leffler_function_keeps_its_digits_where_its_series_loses_them(alpha: float, k: float) -> None:
    expected = series(alpha, k)
    size = max(1.0, np.exp(k * np.cos(np.pi / alpha)))  # of its oscillation
    found = float(mittag_leffler(np, np.float64(k), shape_of(alpha, 1.0)))
    assert found == pytest.approx(expected, abs=1e-12 * size)


def test_for_alpha_three_it_is_the_closed_form_and_the_integral_comes_to_it() -> None:
    k = np.linspace(0, 30, 301)
    closed = (np.exp(-k) + 2 * np.exp(k / 2) * np.cos(np.sqrt(3) * k / 2)) / 3
    assert mittag_leffler(np, k, shape_of(3.0, 1.0)) == pytest.approx(closed, rel=1e-12, abs=1e-12)
    near = mittag_leffler(np, k[:50], shape_of(3.0 - 1e-12, 1.0))
    assert near == pytest.approx(closed[:50], abs=1e-9)
    assert mittag_leffler(np, k / 2, shape_of(3.0, 8.0)) == pytest.approx(closed, rel=1e-12, abs=1e-12)


def test_the_law_in_closed_form_is_the_law_integrated_whatever_the_error() -> None:
    law = AdaptationLaw.of(["a", "b"], {"a": (0.1, 2.0), "b": (-1.0, np.inf)}, 0.3, 1.5, 4.0)
    begin = np.array([5.0, 2.0])

    def error(t: float) -> float:
        return abs(np.sin(3 * t)) * np.exp(-t) + 0.1

    def rate(t: float, y: np.ndarray) -> list[float]:
        a, b = y[:2]
        pulls = [0.3 + 1.5 * (2.0 - a) + 4 * (0.1 - a), 0.3 + 4 * (-1.0 - b)]
        return [*(pull * error(t) for pull in pulls), error(t)]

    times = np.linspace(0, 8, 30)
    found = solve_ivp(rate, (0, 8), [*begin, 0.0], "DOP853", times, rtol=1e-10, atol=1e-12, max_step=0.05).y
    assert law.at(begin, found[2]) == pytest.approx(found[:2].T, abs=1e-8)
    assert law.fixed_point(begin) == pytest.approx([(0.3 + 3.0 + 0.4) / 5.5, (0.3 - 4) / 4])


def test_without_bounds_nothing_pulls() -> None:
    free = {"a": (-np.inf, np.inf)}
    begin = np.array([2.0])
    assert AdaptationLaw.of(["a"], free, 0.0, 1.0, 50.0).fixed_point(begin) == 2.0
    pushed = AdaptationLaw.of(["a"], free, 0.5, 1.0, 50.0)
    assert np.isinf(pushed.fixed_point(begin)).all()
    assert pushed.at(begin, np.array([0.0, 4.0]))[:, 0] == pytest.approx([2.0, 4.0])


def test_the_observer_follows_its_equations() -> None:
    """Against SciPy, with the measured velocity between samples on the same straight lines."""
    values = swing(0.05)
    problem = Problem.pose(PENDULUM, recorded(values, sigma=0.0), bounds=BOUNDS)
    curves = ik.likelihood.smooth_curves(problem)
    law = AdaptationLaw.of(["mu"], problem.bounds, 0.01, 1.0, 3.0)
    begin, shape, first = np.array([0.3]), shape_of(2.5, 1.0), 0.05
    given = told(problem, 0, curves[0], problem.vector(begin), 4)
    path = observe(PENDULUM, ["mu"], [given], problem.vector(begin), law, mittag_leffler, shape, first, silent)

    def rate(t: float, y: np.ndarray) -> list[float]:
        theta, omega, k, mu, _ = y
        e = np.interp(t, TIME, values[1]) - omega
        gain = float(mittag_leffler(np, np.float64(k), shape))
        acceleration = -6 * mu * omega - 9 * np.sin(theta) + gain * e
        return [omega, acceleration, e**2, (0.01 + (0.5 - mu) - 3 * mu) * abs(e), abs(e)]

    last = 100
    start = [*given.beginning, first, 0.3, 0.0]
    found = solve_ivp(rate, (0, TIME[last]), start, "DOP853", TIME[: last + 1], rtol=1e-9, atol=1e-11, max_step=0.01).y
    taken = slice(0, 4 * last + 1, 4)
    assert path.states[taken] == pytest.approx(found[:2].T, abs=1e-5)
    assert path.gain[taken] == pytest.approx(found[2], abs=1e-5)
    assert path.parameters[taken, 0] == pytest.approx(found[3], abs=1e-5)
    assert path.covered[taken] == pytest.approx(found[4], abs=1e-5)
    assert np.ptp(found[3]) > 0.05  # negative control: something adapts


def test_any_record_gives_the_same_estimate_and_the_result_says_so() -> None:
    sines = np.stack([np.sin(1.7 * TIME), 1.7 * np.cos(1.7 * TIME)])
    records = [swing(0.02), swing(0.06), swing(0.2), sines, np.zeros((2, len(TIME)))]
    for seed, values in enumerate(records):
        result = fitted(recorded(values, seed))
        assert result.value("mu") == pytest.approx(FIXED_POINT, rel=1e-6)
        assert result.status.code is Code.NOT_IDENTIFIABLE
        refusals = of_severity(result.findings, Severity.REFUSAL)
        assert [item.code for item in refusals] == ["estimate_ignores_record"]
        assert refusals[0].about == ("mu",) and "does not depend on the data" in refusals[0].text
        found = result.parameters["mu"]
        assert (found.identifiable, found.std, found.ci95) == (False, None, None)
        assert result.diagnostics["uas"]["arrived"] and result.diagnostics["uas"]["distance"]["mu"] < 1e-6
    told_by_shooting = [ik.fit(recorded(swing(mu)), PENDULUM).value("mu") for mu in (0.02, 0.2)]  # negative control
    assert told_by_shooting == pytest.approx([0.02, 0.2], rel=0.05)


def test_an_estimate_on_the_way_is_told_to_be_one() -> None:
    result = fitted(recorded(swing(0.06)), lambda_u=0.02, lambda_l=0.1)
    told_of = result.diagnostics["uas"]
    assert not told_of["arrived"] and 0.05 < told_of["share_of_way"]["mu"] < 0.95
    assert f"{100 * told_of['share_of_way']['mu']:.3g} % of the way" in result.status.message
    assert result.status.code is Code.NOT_IDENTIFIABLE and result.parameters["mu"].identifiable is False


def test_velocities_are_slopes_of_positions_where_only_these_are_measured() -> None:
    values = swing(0.06)
    by_slope = fitted(recorded(values[:1], sigma=0.01), POSITION_ONLY)
    assert by_slope.value("mu") == pytest.approx(FIXED_POINT, rel=1e-3)
    observed = np.array(by_slope.artifacts["adaptation"]["states"]["omega"])
    at = np.interp(by_slope.artifacts["adaptation"]["t"], TIME, values[1])
    assert np.sqrt(np.mean((observed - at)[200:] ** 2)) < 0.1 * np.std(at)


def test_two_degrees_of_freedom_states_outside_pairs_and_several_records_are_taken() -> None:
    pair = reference.smooth(lambda t, x: [x[2], x[3], -2 * x[0] + x[1], x[0] - 2 * x[1]], (1, 0, 0, 0), TIME)
    record = ik.Record.from_arrays(TIME, dict(zip(("q1", "q2", "p1", "p2"), pair, strict=True)))
    both = ik.fit(
        record, "coupled_pendulums", method="uas", bounds={"a": (0, 4), "b": (-2, 2)}, options={"lambda_l": 5}
    )
    assert both.diagnostics["uas"]["fixed_point"] == pytest.approx({"a": 4 / 6, "b": (2 - 10) / 6})
    bristles = ik.Model.from_text(
        "bristles",
        equations={"x": "v", "v": "-9*x - dahl(v; f_c, 20)"},
        parameters=[ik.Parameter("f_c", 0.5, bounds=(0.1, 2))],
        outputs=["x"],
    )
    decay = ik.Record.from_arrays(TIME, {"x": np.cos(3 * TIME) * np.exp(-0.1 * TIME)})
    many = ik.Experiment((decay, decay))
    result = ik.fit(many, bristles, method="uas")
    assert result.value("f_c") == pytest.approx((2 + 50 * 0.1) / 51, rel=0.01)
    assert set(result.artifacts["adaptation"]["record"]) == {0, 1}


def test_an_observer_that_is_lost_says_so() -> None:
    wild = ik.fit(recorded(swing(0.06)), PENDULUM, method="uas", bounds={"mu": (-2000.0, 2.0)})
    codes = [item.code for item in of_severity(wild.findings, Severity.REFUSAL)]
    assert codes == ["observer_burst", "estimate_ignores_record"]
    assert wild.status.code is Code.NOT_CONVERGED and np.isfinite(wild.value("mu"))


def test_estimates_are_averaged_where_the_error_has_fallen_below_the_threshold() -> None:
    count = 100
    error = np.where(np.arange(count) < 40, 1.0, 0.01)
    z = np.linspace(1.0, 0.0, count)[:, None]
    path = ObserverPath(
        np.arange(count) * 0.1, np.zeros(count, int), np.zeros((count, 2)), z, error, error, error, None, False
    )
    law = AdaptationLaw.of(["a"], {"a": (0.0, 1.0)}, 0.0, 1.0, 1.0)

    def estimate(threshold: float) -> ObserverOutcome:
        return ObserverOutcome.of(["a"], path, z[0], law, threshold, 0.1)

    assert estimate(0.05).p[0] == pytest.approx(z[40:50].mean()) and estimate(0.05).reached
    assert estimate(0.0).p[0] == pytest.approx(z[90:].mean()) and not estimate(0.0).reached


def test_models_without_pairs_and_positions_that_nobody_measured_are_refused() -> None:
    lorenz = ik.Record.from_arrays(TIME, {name: np.sin(TIME + i) for i, name in enumerate("xyz")})
    assert "not_second_order" in [item.code for item in ik.fit(lorenz, "lorenz", method="uas").findings]
    only_velocity = ik.Model.from_text(
        "rate", equations={"x": "v", "v": "-k*x**3"}, parameters={"k": 9.0}, outputs=["v"]
    )
    result = ik.fit(ik.Record.from_arrays(TIME, {"v": np.sin(3 * TIME)}), only_velocity, method="uas")
    assert result.status.code is Code.NOT_APPLICABLE
    assert "state_not_measured" in [item.code for item in result.findings]


def test_the_picture_marks_the_fixed_point(tmp_path) -> None:
    result = fitted(recorded(swing(0.06)))
    result.save(tmp_path / "fit.json")
    figure = ik.plot(ik.Result.load(tmp_path / "fit.json"), tmp_path / "fit.png")
    words = [text.get_text() for part in (figure, *figure.subfigs) for axes in part.axes for text in axes.texts]
    assert "fixed point" in words
