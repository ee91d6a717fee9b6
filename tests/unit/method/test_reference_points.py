"""Reference points: the published estimator, what connecting the points gains, what is refused, and the planner."""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
from identikit.errors import OptionError
from identikit.method import method_named, plan_reference_points
from identikit.method.reference._linear_matrix import Pattern, linear_form
from identikit.method.reference._local_fits import LocalFits, clusters, fit_windows
from identikit.method.reference._reference_modes import amplitudes, warnings_of_points
from identikit.method.reference._reference_points_choice import window_bias
from identikit.method.reference._reference_solve import by_slopes, connected, exponential, noise_of
from identikit.problem import Problem
from identikit.result import Code, Result

SIGMA = 1 / (8 * np.sqrt(3))
TWO = np.array([[2.0, 1.0], [1.0, 2.0]])
PENDULUMS = np.array([[0, 0, 1, 0], [0, 0, 0, 1], [-2, 1, 0, 0], [1, -2, 0, 0]], float)
RELEASED = np.array([1.0, 0, 0, 0])


def motion(A: np.ndarray, initial: np.ndarray, time: np.ndarray) -> np.ndarray:
    """exp(A t) initial from the eigenvectors, [states, times]."""
    values, vectors = np.linalg.eig(A)
    shares = np.linalg.solve(vectors, initial.astype(complex))
    return np.real(vectors @ (shares[:, None] * np.exp(np.outer(values, time))))


def clustered(spacing: float, points: int, half: int, width: float) -> np.ndarray:
    return np.concatenate([j * spacing + np.linspace(-width, width, 2 * half + 1) for j in range(points)])


def noisy(A: np.ndarray, initial: np.ndarray, time: np.ndarray, seed: int, sigma: float = SIGMA) -> np.ndarray:
    return motion(A, initial, time) + sigma * np.random.default_rng(seed).standard_normal((len(A), len(time)))


def record_of(values: np.ndarray, time: np.ndarray, model: str) -> ik.Record:
    return ik.Record.from_arrays(time, dict(zip(ik.library_model(model).output_names, values, strict=True)))


def fitted(values: np.ndarray, time: np.ndarray, model: str, **options: object) -> Result:
    return ik.fit(record_of(values, time, model), model, method="reference_points", options=options)


def windows(
    A: np.ndarray, initial: np.ndarray, seed: int | None, spacing: float, half: int, width: float, degree: int = 1
) -> LocalFits:
    time = clustered(spacing, len(A), half, width)
    values = motion(A, initial, time) if seed is None else noisy(A, initial, time, seed)
    at = spacing * np.arange(len(A))
    return fit_windows(time, list(values), at, np.full(len(at), width), degree, 24)


def joined(fit: LocalFits, pattern: Pattern, sigma: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    start = by_slopes([fit], pattern, sigma).q
    limit = np.full(len(start), np.inf)
    found = connected([fit], pattern.matrix, start, sigma, (-limit, limit), lambda fraction, words: True)
    assert found is not None
    return found.q, found.covariance


def test_as_published_it_is_the_formula_of_the_paper() -> None:
    """Equations 8 and 9: means, slopes over a symmetric grid, A = Y' Y^-1; window around t = 0 and a pause between."""
    time = clustered(0.5, 2, 500, 0.05)
    values = noisy(TWO, np.array([1.0, 0.0]), time, 0)
    parts = values.reshape(2, 2, -1)
    offsets = np.linspace(-0.05, 0.05, 1001)
    Y, slopes = parts.mean(axis=2), parts @ offsets / (offsets @ offsets)
    result = fitted(values, time, "linear", connect=False, degree=1, points=2)
    assert np.array(result.diagnostics["matrix"]) == pytest.approx(slopes @ np.linalg.inv(Y), rel=1e-9)
    other = fitted(values, time, "linear", connect=False, degree=3, points=2)  # negative control
    assert np.array(other.diagnostics["matrix"]) != pytest.approx(slopes @ np.linalg.inv(Y), rel=1e-3)


@pytest.mark.parametrize("connect", [False, True])
def test_stated_deviations_are_the_scatter_over_seeds(connect: bool) -> None:
    pattern = Pattern.full(2)
    scores = []
    for seed in range(60):
        fit = windows(TWO, np.array([1.0, 0.0]), seed, 0.5, 4000, 0.05)
        sigma = noise_of([fit])
        if connect:
            q, covariance = joined(fit, pattern, sigma)
        else:
            solved = by_slopes([fit], pattern, sigma)
            q, covariance = solved.q, solved.covariance
        scores.append((q - TWO.ravel()) / np.sqrt(np.diag(covariance)))
    spread = np.sqrt(np.mean(np.square(scores)))
    assert 0.85 < spread < 1.15
    assert not 0.85 < 2 * spread < 1.15  # negative control: deviations half as large would not pass


def test_the_conservative_structure_makes_frequencies_ten_times_better() -> None:
    def frequencies(q: np.ndarray, pattern: Pattern) -> np.ndarray:
        return np.sort(np.abs(np.linalg.eigvals(pattern.matrix(q)[0]).imag))[::2]

    free, tied, slopes = [], [], []
    for seed in range(12):
        fit = windows(PENDULUMS, RELEASED, seed, np.pi / 3, 5000, 0.0562, degree=2)
        sigma = noise_of([fit])
        for pattern, found in ((Pattern.full(4), free), (Pattern.conservative(4), tied)):
            found.append(frequencies(joined(fit, pattern, sigma)[0], pattern) - [1, np.sqrt(3)])
        conservative = Pattern.conservative(4)
        slopes.append(frequencies(by_slopes([fit], conservative, sigma).q, conservative) - [1, np.sqrt(3)])

    def rms(errors: list[np.ndarray]) -> np.ndarray:
        return np.sqrt(np.mean(np.square(errors), axis=0))

    assert (rms(free) > 10 * rms(tied)).all()
    assert not (rms(free) > 10 * rms(slopes)).all()  # negative control: the structure without connecting the points


def test_the_width_of_a_window_biases_slopes_as_predicted_and_connected_points_not_at_all() -> None:
    fit = windows(PENDULUMS, RELEASED, None, np.pi / 3, 400, 0.2)
    pattern, sigma = Pattern.full(4), np.full(4, 1e-6)
    solved = by_slopes([fit], pattern, sigma)
    error = solved.q - PENDULUMS.ravel()
    assert np.abs(error).max() > 0.01
    assert window_bias([fit], pattern, solved.q, sigma) == pytest.approx(error, abs=0.05 * np.abs(error).max())
    assert joined(fit, pattern, sigma)[0] == pytest.approx(PENDULUMS.ravel(), abs=1e-8)


def test_a_higher_degree_removes_the_leading_bias() -> None:
    def worst(degree: int) -> float:
        fit = windows(PENDULUMS, RELEASED, None, np.pi / 3, 400, 0.4, degree)
        return float(np.abs(by_slopes([fit], Pattern.full(4), np.full(4, 1e-6)).q - PENDULUMS.ravel()).max())

    assert worst(3) < 0.05 * worst(1)
    assert worst(2) > 0.5 * worst(1)  # the slope of a parabola over a symmetric window is that of the line


def test_on_a_spread_record_connected_points_reach_the_bound() -> None:
    time = np.arange(500) * 0.04
    scores = []
    for seed in range(6):
        result = fitted(noisy(PENDULUMS, RELEASED, time, seed, 0.05), time, "coupled_pendulums")
        assert result.ok
        for name, truth in {"a": 2.0, "b": -1.0}.items():
            found = result.parameters[name]
            assert found.std is not None and found.crlb is not None
            assert found.std < 1.1 * found.crlb
            scores.append((found.value - truth) / found.std)
    assert np.sqrt(np.mean(np.square(scores))) < 1.8
    slopes = fitted(noisy(PENDULUMS, RELEASED, time, 0, 0.05), time, "coupled_pendulums", connect=False)
    assert slopes.parameters["a"].std > 5 * slopes.parameters["a"].crlb  # negative control


def test_samples_missing_from_one_channel_only_are_left_out_of_that_channel() -> None:
    time = np.linspace(-1, 1, 201)
    values = np.stack([1 + 2 * time, 3 - time])
    values[0, ::3] = np.nan
    fit = fit_windows(time, list(values), np.zeros(1), np.ones(1), 1, 4)
    assert fit.value[0] == pytest.approx([1, 3])
    assert fit.slope[0] == pytest.approx([2, -1])
    assert fit.spare[0] < fit.spare[1]


def test_pauses_split_a_record_into_clusters() -> None:
    assert len(clusters(clustered(0.5, 3, 50, 0.05))) == 3
    assert len(clusters(np.linspace(0, 1, 400))) == 1


def test_amplitudes_are_those_of_the_paper() -> None:
    """F for the pendulums released at q = (1, 0): halves, and the frequencies over two."""
    fast, slow = amplitudes(PENDULUMS, RELEASED)
    w = np.sqrt(3)
    assert fast["cos"] == pytest.approx([0.5, -0.5, 0, 0], abs=1e-12)
    assert fast["sin"] == pytest.approx([0, 0, -w / 2, w / 2], abs=1e-12)
    assert slow["cos"] == pytest.approx([0.5, 0.5, 0, 0], abs=1e-12)
    assert slow["sin"] == pytest.approx([0, 0, -0.5, -0.5], abs=1e-12)


def test_unfit_reference_points_are_named() -> None:
    assert warnings_of_points(PENDULUMS, 3.0, np.pi / 3, 0.05, False) == ()
    found = warnings_of_points(PENDULUMS, 1e5, 2 * np.pi, 4.0, True)
    assert [item.code for item in found] == ["points_dependent", "spacing_too_long", "modes_alike", "windows_overlap"]
    words = " ".join(map(str, found))
    for sign in ("condition 1e+05", "half a period", "look alike", "overlap"):
        assert sign in words


def test_a_mode_that_is_not_excited_is_not_passed_off_as_known() -> None:
    time = clustered(0.3, 2, 300, 0.1)
    one_mode = fitted(noisy(TWO, np.array([1.0, 1.0]), time, 0), time, "linear")
    assert one_mode.status.code is Code.NOT_IDENTIFIABLE
    both = fitted(noisy(TWO, np.array([1.0, 0.0]), time, 0), time, "linear")  # negative control
    assert both.ok


def test_structure_fixes_what_it_knows_of_a_free_matrix() -> None:
    time = np.arange(400) * 0.05
    values = noisy(PENDULUMS, RELEASED, time, 1, 0.02)
    result = fitted(values, time, "linear4", structure="conservative")
    assert result.ok
    assert result.parameters["a_13"].role == "fixed" and result.value("a_13") == 1
    assert result.value("a_31") == pytest.approx(-2, abs=4 * (result.parameters["a_31"].std or 0))
    assert result.diagnostics["frequencies"] == pytest.approx([np.sqrt(3), 1], abs=2e-3)


@pytest.mark.parametrize("model, states", [("linear3", 3), ("linear", 2)])
def test_structure_is_refused_where_it_cannot_be(model: str, states: int) -> None:
    time = np.arange(300) * 0.02
    A = np.diag([-1.0, -2.0, -3.0])[:states, :states] + 0.5
    problem = Problem.pose(
        ik.library_model(model),
        record_of(noisy(A, np.ones(states), time, 0, 0.01), time, model),
        fix={"a_12": 0.3} if states == 2 else None,
    )
    method = method_named("reference_points")
    result = method.estimate(problem, options=method.resolve_options({"structure": "conservative"}))
    assert result.status.code is Code.NOT_APPLICABLE
    assert "conservative" in result.status.message
    assert [item.code for item in result.findings] == ["structure_contradicted"]


def test_a_matrix_not_linear_in_its_parameters_is_fitted_too() -> None:
    model = ik.Model.from_text(
        "oscillator",
        equations={"x": "v", "v": "-w0**2*x - 2*mu*w0*v"},
        parameters=[ik.Parameter("w0", 1.0, "", (0.1, 50)), ik.Parameter("mu", 0.1, "", (0, 1))],
        outputs=["x", "v"],
    )
    form = linear_form(model, ("w0", "mu"))
    assert form is not None and not form.affine
    A = np.array([[0.0, 1.0], [-9.0, -0.3]])
    time = np.arange(300) * 0.03
    values = noisy(A, np.array([1.0, 0.0]), time, 0, 0.02)
    record = ik.Record.from_arrays(time, x=values[0], v=values[1])
    result = ik.fit(record, model, method="reference_points")
    assert result.ok
    for name, truth in {"w0": 3.0, "mu": 0.05}.items():
        assert abs(result.value(name) - truth) < 4 * (result.parameters[name].std or 0)


def test_what_it_cannot_treat_is_said() -> None:
    time = np.arange(200) * 0.05
    method = method_named("reference_points")
    swing = Problem.pose(ik.library_model("duffing"), ik.Record.from_arrays(time, x=np.cos(time)))
    (objection,) = method.objections(swing)
    assert objection.code == "not_linear" and "not linear" in objection.text
    hidden = ik.Record.from_arrays(time, q1=np.cos(time), q2=np.sin(time))
    (objection,) = method.objections(Problem.pose(ik.library_model("coupled_pendulums"), hidden))
    assert (objection.code, objection.about) == ("state_not_measured", ("p1", "p2"))
    whole = record_of(motion(PENDULUMS, RELEASED, time), time, "coupled_pendulums")
    assert method.objections(Problem.pose(ik.library_model("coupled_pendulums"), whole)) == []  # negative control


def test_fewer_windows_than_states_are_refused() -> None:
    time = np.arange(200) * 0.05
    values = noisy(PENDULUMS, RELEASED, time, 0)
    result = fitted(values, time, "coupled_pendulums", points=3)
    assert result.status.code is Code.NOT_APPLICABLE
    assert "3 windows" in result.status.message
    assert [item.code for item in result.findings] == ["too_few_windows"]


def test_the_exponential_and_its_derivative() -> None:
    step = 1e-6
    slopes = np.array([[[0.0, 1.0], [0.0, 0.0]]])
    M, dM = exponential(TWO, slopes)
    values, vectors = np.linalg.eigh(TWO)
    assert pytest.approx(vectors @ np.diag(np.exp(values)) @ vectors.T) == M
    ahead, behind = (exponential(TWO + sign * step * slopes[0], slopes)[0] for sign in (1, -1))
    assert dM[0] == pytest.approx((ahead - behind) / (2 * step), rel=1e-6)


def test_a_plan_predicts_the_error_of_the_published_estimator_and_of_better_designs() -> None:
    initial = np.array([1.0, 0.0])
    plan = plan_reference_points(TWO, initial=initial, sigma=SIGMA, samples=2001, longest=0.5)
    pattern = Pattern.full(2)
    errors, better, spread = [], [], []
    for seed in range(50):
        fit = windows(TWO, initial, seed, plan.spacing, 1000, plan.window)
        sigma = noise_of([fit])
        errors.append(by_slopes([fit], pattern, sigma).q - TWO.ravel())
        better.append(joined(fit, pattern, sigma)[0] - TWO.ravel())
        time = np.linspace(-plan.window, plan.spacing + plan.window, 4002)
        values = noisy(TWO, initial, time, seed)
        at = np.linspace(time[0], time[-1], 13)
        middles = (at[1:] + at[:-1]) / 2
        even = fit_windows(time, list(values), middles, np.full(12, (at[1] - at[0]) / 2), 3, 24)
        spread.append(joined(even, pattern, noise_of([even]))[0] - TWO.ravel())

    def rms(table: list[np.ndarray]) -> float:
        return float(np.sqrt(np.mean(np.square(table))))

    assert rms(errors) == pytest.approx(plan.error, rel=0.25)
    assert rms(better) == pytest.approx(plan.bound, rel=0.25)
    assert rms(spread) == pytest.approx(plan.bound_spread, rel=0.25)
    assert plan.bound < 0.75 * plan.error
    narrow = plan_reference_points(TWO, initial=initial, sigma=SIGMA, samples=2001, longest=0.1)
    assert narrow.error > 2 * plan.error  # negative control: a poor spacing is predicted to be poor


def test_spreading_the_samples_is_better_than_gathering_them() -> None:
    """Negative control: windows that nearly touch, as a higher degree permits, are as good as spread samples."""
    narrow = plan_reference_points(PENDULUMS, initial=RELEASED, sigma=SIGMA, samples=200_001, degree=1)
    wide = plan_reference_points(PENDULUMS, initial=RELEASED, sigma=SIGMA, samples=200_001, degree=3)
    assert narrow.bound > 1.5 * narrow.bound_spread
    assert wide.bound < 1.2 * wide.bound_spread


def test_a_plan_for_a_wanted_accuracy_is_just_accurate_enough() -> None:
    plan = plan_reference_points(frequencies=[1.0, 1.7], sigma=0.05, accuracy=0.02)
    assert 0.019 < plan.error <= 0.02
    assert plan.points == 4 and plan.spacing < np.pi / 1.7
    assert str(plan.samples) in str(plan)


@pytest.mark.parametrize(
    "given, words",
    [
        ({"sigma": 0.1, "samples": 100}, "either the matrix A or the frequencies"),
        ({"A": [[1.0, 2.0]], "sigma": 0.1, "samples": 100}, "square matrix"),
        ({"A": TWO, "sigma": 0.1}, "either the wanted accuracy or the samples"),
        ({"A": TWO, "sigma": 0.0, "samples": 100}, "sigma is 0.0"),
        ({"A": TWO, "sigma": 0.1, "samples": 3}, "samples is 3"),
        ({"A": TWO, "sigma": 0.1, "samples": 100, "initial": [1.0]}, "1 values for 2 states"),
        ({"A": TWO, "sigma": 0.1, "accuracy": 1e-9}, "needs more than"),
        ({"frequencies": [1.0, 1.0], "sigma": 0.1, "samples": 100}, "distinct"),
    ],
)
def test_a_plan_that_cannot_be_made_is_refused_in_words(given: dict, words: str) -> None:
    with pytest.raises(OptionError, match=words):
        plan_reference_points(**given)
