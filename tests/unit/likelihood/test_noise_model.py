"""The noise of a record: its likelihood is that of the dense covariance, and its shape is found from residuals."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats
from scipy.linalg import toeplitz

import identikit as ik
import reference
from identikit.errors import ProblemError
from identikit.likelihood import LIKELIHOOD, Likelihood, NoiseModel, Preparation, chosen_noise, compress, eliminate
from identikit.problem import Noise, Problem

TIME = np.arange(400) * 0.05
TRUTH = {"c": 0.3, "k": 4.0}
MODEL = ik.Model.from_text(
    "spring", equations={"x''": "-c*x' - k*x"}, parameters={name: ik.Parameter(name, bounds=(0, 100)) for name in TRUTH}
)
CLEAN = reference.smooth(lambda t, x: [x[1], -0.3 * x[1] - 4 * x[0]], [1.0, 0.0], TIME)[0]


def remembering(memory: float, sigma: float, seed: int, count: int = len(TIME)) -> np.ndarray:
    """Autoregressive noise of order one."""
    draws = np.random.default_rng(seed).standard_normal(count)
    noise = np.empty(count)
    noise[0] = draws[0]
    for i in range(1, count):
        noise[i] = memory * noise[i - 1] + np.sqrt(1 - memory**2) * draws[i]
    return sigma * noise


def problem_with(values: np.ndarray, **asked: object) -> Problem:
    return Problem.pose(MODEL, ik.Record.from_arrays(TIME, x=values), **asked)  # type: ignore[arg-type]


def correlations(memory: tuple[float, ...], lags: int) -> np.ndarray:
    """Autocorrelations of the noise that has these partial ones, by its own recursion."""
    order = len(memory)
    coefficients = np.zeros(order)
    found = [1.0]
    for a, partial in enumerate(memory):
        before = coefficients[:a].copy()
        found.append(float(before @ found[a:0:-1]) + partial * (1 - float(before @ found[1 : a + 1])))
        coefficients[:a], coefficients[a] = before - partial * before[::-1], partial
    for lag in range(order + 1, lags):
        found.append(float(coefficients @ np.array(found[lag - 1 : lag - order - 1 : -1])))
    return np.array(found[:lags])


@pytest.mark.parametrize("memory", [(0.8,), (0.6, -0.4, 0.3)])
def test_the_likelihood_of_remembering_noise_is_that_of_its_dense_covariance(memory: tuple[float, ...]) -> None:
    values = np.random.default_rng(0).standard_normal((60, 1))
    model = NoiseModel.alike(Noise().shaped(memory), values)
    covariance = 0.7**2 * toeplitz(correlations(memory, 60))
    expected = stats.multivariate_normal(np.zeros(60), covariance).logpdf(values[:, 0])
    assert float(model.log_likelihood(values, np.array([0.7]))) == pytest.approx(expected, rel=1e-9)


def test_what_lies_before_a_missing_sample_is_not_remembered() -> None:
    values = np.random.default_rng(1).standard_normal((40, 1))
    values[15] = np.nan
    model = NoiseModel.alike(Noise().shaped((0.9,)), values)
    apart = [NoiseModel.alike(Noise().shaped((0.9,)), part) for part in (values[:15], values[16:])]
    level = np.array([1.0])
    expected = sum(float(part.log_likelihood(part.measured, level)) for part in apart)
    assert float(model.log_likelihood(values, level)) == pytest.approx(expected, rel=1e-12)


def test_the_likelihood_of_outliers_is_students() -> None:
    values = np.random.default_rng(2).standard_t(3, (50, 1))
    model = NoiseModel.alike(Noise().shaped((), 3.0), values)
    assert float(model.log_likelihood(values, np.array([0.8]))) == pytest.approx(
        float(np.sum(stats.t(3, scale=0.8).logpdf(values)))
    )
    level = model.levels(values)
    best = float(model.log_likelihood(values, level))
    assert all(best >= float(model.log_likelihood(values, level * factor)) for factor in (0.95, 1.05))


SHAPES = {
    "remembers one": Noise().shaped((0.8,)),
    "remembers three": Noise().shaped((0.6, -0.4, 0.3)),
    "outliers": Noise().shaped((), 4.0),
    "both": Noise().shaped((0.7, 0.1), 5.0),
}


@pytest.mark.parametrize("name", SHAPES)
def test_the_gradient_is_that_of_the_value_whatever_the_noise(name: str) -> None:
    """Samples that are predicted from the segment before are counted once, in the right place: else it would not be."""
    problem = problem_with(CLEAN + remembering(0.5, 0.02, 3)).with_noise({"x": SHAPES[name]})
    p = np.array([0.31, 4.02])
    likelihood = Likelihood(problem, near=p)
    steps = 1e-4 * np.diag(p)
    slopes = [(likelihood.value(p + h) - likelihood.value(p - h)) / (2 * h.max()) for h in steps]
    assert likelihood.gradient(p) == pytest.approx(slopes, rel=2e-3)


def test_elimination_with_memory_is_generalised_least_squares() -> None:
    """Against dense algebra over the whole record: the inverse covariance between all samples, all segments."""
    memory = (0.7, -0.2)
    problem = problem_with(CLEAN + remembering(0.5, 0.02, 4)).with_noise({"x": Noise().shaped(memory)})
    preparation = Preparation.of(problem)
    p = np.array([0.3, 4.0])
    nodes = preparation.nodes(p)
    solver = preparation.solver(nodes, frozen=True)
    outcome = solver.run(p, nodes, preparation.sigma, ik.progress.silent)
    assert outcome is not None
    layout, evaluation = outcome.layout, outcome.point.evaluation
    tau = np.full(2, 1e-9)
    compressed = compress(evaluation, layout, solver.segments.noise, outcome.sigma)
    linear = eliminate(compressed, evaluation, outcome.nodes, layout, tau, np.zeros(2))
    carry, rows = np.concatenate([np.eye(2), np.zeros((2, 2))], axis=1), []
    for k in range(len(layout.begin)):
        slope = evaluation.slope[layout.first_sample[k] : layout.first_sample[k + 1], 0]
        rows.append(slope[:, :2] @ carry + slope[:, 2:] @ np.eye(2, 4, 2))
        carry = evaluation.transition[k][:, :2] @ carry + evaluation.transition[k][:, 2:] @ np.eye(2, 4, 2)
    dense = np.concatenate(rows)
    inverse = np.linalg.inv(outcome.sigma[0] ** 2 * toeplitz(correlations(memory, len(TIME))))
    covariance = np.linalg.inv(dense.T @ inverse @ dense)[2:, 2:]
    found = np.linalg.inv(linear.information_rows.T @ linear.information_rows)
    assert found == pytest.approx(covariance, rel=1e-5)


@pytest.mark.study
def test_coloured_noise_is_found_and_its_interval_is_honest_where_white_is_not() -> None:
    errors, white_errors, chosen = [], [], 0
    for seed in range(16):
        values = CLEAN + remembering(0.9, 0.05, seed)
        result = ik.fit(ik.Record.from_arrays(TIME, x=values), MODEL)
        white = ik.fit(ik.Record.from_arrays(TIME, x=values), MODEL, noise="white")
        chosen += "autoregressive" in result.noise["x"].kind
        for name, truth in TRUTH.items():
            errors.append((result.value(name) - truth) / (result.parameters[name].std or np.nan))
            white_errors.append((white.value(name) - truth) / (white.parameters[name].crlb or np.nan))
    assert chosen >= 15
    assert np.mean(np.abs(errors) < 1.96) >= 0.85
    assert np.max(np.abs(errors)) < 4.5
    # negative control: what white noise would claim
    assert np.mean(np.abs(white_errors) < 1.96) < 0.7


def test_white_noise_stays_white() -> None:
    kinds = []
    for seed in range(30):
        noise = 0.05 * np.random.default_rng(seed).standard_normal(len(TIME))
        kinds.append(ik.fit(ik.Record.from_arrays(TIME, x=CLEAN + noise), MODEL).noise["x"].kind)
    assert kinds.count("white") >= 29


@pytest.mark.study
def test_outliers_do_not_move_the_estimate() -> None:
    errors, plain = [], []
    for seed in range(12):
        random = np.random.default_rng(seed)
        values = CLEAN + 0.02 * random.standard_normal(len(TIME))
        hit = random.choice(len(TIME), 6, replace=False)
        values[hit] += random.choice([-1, 1], 6) * random.uniform(0.4, 1.0, 6)
        record = ik.Record.from_arrays(TIME, x=values)
        result, white = ik.fit(record, MODEL), ik.fit(record, MODEL, noise="white")
        assert "Student" in result.noise["x"].kind
        assert any(item.code == "noise_chosen" for item in result.findings)
        for name, truth in TRUTH.items():
            errors.append((result.value(name) - truth) / (result.parameters[name].std or np.nan))
            plain.append((white.value(name) - truth) / (result.parameters[name].std or np.nan))
    assert np.sqrt(np.mean(np.square(errors))) < 1.5
    assert np.sqrt(np.mean(np.square(plain))) > 2  # negative control: outliers do move the plain estimate


def test_a_pattern_that_lasts_as_long_as_the_motion_is_not_taken_for_noise() -> None:
    """What a missing term leaves is a pattern, not noise with a memory."""
    missing = reference.smooth(lambda t, x: [x[1], -0.3 * x[1] - 4 * x[0] - 3 * x[0] ** 3], [1.0, 0.0], TIME)[0]
    values = missing + 0.002 * np.random.default_rng(0).standard_normal(len(TIME))
    result = ik.fit(ik.Record.from_arrays(TIME, x=values), MODEL)
    assert result.noise["x"].kind == "white" and result.noise["x"].white is False


def test_errors_that_are_a_share_of_the_value_are_fitted_as_such() -> None:
    model = ik.Model.from_text("growth", equations={"n": "r*n"}, parameters=[ik.Parameter("r", bounds=(0, 5))])
    time = np.linspace(0, 6, 80)
    z = []
    for seed in range(20):
        values = 2.0 * np.exp(0.8 * time + 0.1 * np.random.default_rng(seed).standard_normal(80))
        result = ik.fit(ik.Record.from_arrays(time, n=values), model, noise="lognormal")
        z.append((result.value("r") - 0.8) / (result.parameters["r"].std or np.nan))
        slope, _ = np.polyfit(time, np.log(values), 1)
        assert result.value("r") == pytest.approx(slope, rel=1e-5)  # the same as a straight line through the logarithms
        assert result.noise["n"].kind == "log-normal"
    assert 0.6 < np.sqrt(np.mean(np.square(z))) < 1.5


def test_samples_weigh_as_their_own_standard_deviations_say() -> None:
    time = np.linspace(0, 6, 80)
    model = ik.Model.from_text("line", equations={"n": "r"}, parameters=[ik.Parameter("r", bounds=(-5, 5))])
    std = np.where(time < 3, 0.01, 1.0)
    values = 1.0 + 0.5 * time + std * np.random.default_rng(0).standard_normal(80)
    record = ik.Record.from_arrays(time, n=values, error=std)
    result = ik.fit(record, model, noise={"n": "error"})
    design = np.stack([np.ones(80), time], axis=1) / std[:, None]
    solution = np.linalg.lstsq(design, values / std, rcond=None)[0]
    assert result.value("r") == pytest.approx(solution[1], rel=1e-6)
    assert result.parameters["r"].crlb == pytest.approx(np.sqrt(np.linalg.inv(design.T @ design)[1, 1]), rel=1e-4)


@pytest.mark.parametrize(
    ("noise", "word"),
    [
        ({"y": 0.1}, "not measured"),
        ({"x": -1.0}, "above zero"),
        ({"x": "pink"}, "neither a kind of noise"),
        ({"x": {"kind": "pink"}}, "expected one of auto, white, ar, student, lognormal"),
        ({"x": {"colour": "red"}}, "no entry 'colour'"),
    ],
)
def test_noise_that_makes_no_sense_is_refused(noise: dict[str, object], word: str) -> None:
    with pytest.raises(ProblemError, match=word):
        problem_with(CLEAN, noise=noise)


def test_the_shape_that_is_asked_for_is_taken() -> None:
    values = CLEAN + 0.02 * np.random.default_rng(5).standard_normal(len(TIME))
    record = ik.Record.from_arrays(TIME, x=values)
    assert "autoregressive" in ik.fit(record, MODEL, noise="ar").noise["x"].kind
    assert "Student" in ik.fit(record, MODEL, noise={"x": "student"}).noise["x"].kind


def test_nothing_is_chosen_from_a_handful_of_values() -> None:
    short = ik.Record.from_arrays(TIME[:25], x=CLEAN[:25] + remembering(0.9, 0.02, 0)[:25])
    problem = Problem.pose(MODEL, short)
    preparation = Preparation.of(problem, None, LIKELIHOOD.segment_length)
    nodes = preparation.nodes(np.array([0.3, 4.0]))
    outcome = preparation.solver(nodes, frozen=True).run(
        np.array([0.3, 4.0]), nodes, preparation.sigma, ik.progress.silent
    )
    assert outcome is not None and not chosen_noise(outcome, preparation.sigma)
