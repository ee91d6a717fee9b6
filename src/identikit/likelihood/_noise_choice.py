"""The shape of the noise, chosen from what a fit leaves over.

Candidates are compared by -2 log L + (numbers of the shape) log n on the residuals: white, autoregressive of growing
order, each normal or Student t. A shape replaces the white one only where it is clearly better, so that white noise
stays white. What looks like noise must be short against the motion, and must not know the motion: what a model misses
is strongest at the frequencies at which the system moves, which noise with a short memory cannot imitate. So the draws
of a shape with memory are asked whether they hold more power where the motion has its own. If they do, there is a
pattern and no noise; the fit then stays as it is, and `parts` and residual tests speak.

Residuals of a fit are less correlated than the noise was, since the fit took its share of the slow part. Patterson and
Thompson's restricted likelihood, -2 log L + log |J' V^-1 J|, corrects the memory for that; it matters where few
independent values are left.

Reference: H. D. Patterson, R. Thompson, Biometrika 58 (1971) 545; G. Schwarz, Annals of Statistics 6 (1978) 461.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from scipy.special import fdtrc

from identikit.likelihood._compression import compress
from identikit.likelihood._elimination import eliminate
from identikit.likelihood._noise_model import NoiseModel, predictors
from identikit.likelihood._settings import LIKELIHOOD
from identikit.likelihood._solver import Outcome
from identikit.measurement import quantisation, whiteness
from identikit.numerics import robust_std
from identikit.problem import Noise, NoiseKind


def outlying_noise(outcome: Outcome) -> dict[str, Noise]:
    """Student's t for outputs in which single residuals stand far out, alone among their neighbours.

    Outliers pull a fit, and what it then leaves over hangs together. They are therefore taken as such first, and the
    shape of the noise is chosen from what is left without their pull.
    """
    problem, model = outcome.iteration.segments.problem, outcome.iteration.segments.noise
    scaled = model.scaled(outcome.residual)
    found = {}
    for j, name in enumerate(problem.outputs):
        noise = problem.noise[name]
        if noise.plain and noise.kind in (NoiseKind.AUTO, NoiseKind.STUDENT) and _stand_alone(scaled[:, j]):
            found[name] = noise.shaped((), LIKELIHOOD.outlying_freedom)
    return found


def rounded_noise(outcome: Outcome) -> dict[str, Noise]:
    """Rounding for outputs whose samples lie on levels that are coarse against what the fit leaves over."""
    problem, model = outcome.iteration.segments.problem, outcome.iteration.segments.noise
    found = {}
    for j, name in enumerate(problem.outputs):
        noise = problem.noise[name]
        if not noise.plain or noise.kind is not NoiseKind.AUTO or model.spread is not None:
            continue
        grid = quantisation(model.measured[:, j])
        if grid is not None and grid.step > LIKELIHOOD.coarse_step * np.sqrt(np.nanmean(outcome.residual[:, j] ** 2)):
            found[name] = noise.rounded(grid.step)
    return found


def chosen_noise(outcome: Outcome, own: np.ndarray) -> dict[str, Noise]:
    """The shape of every output's noise as the residuals show it, but for those that the user has named.

    `own` [outputs] are the levels of noise that the record shows without a model. Residuals far above them are what the
    model misses, whatever they look like.
    """
    problem, model = outcome.iteration.segments.problem, outcome.iteration.segments.noise
    scaled = model.scaled(outcome.residual)
    found = {}
    for j, name in enumerate(problem.outputs):
        if problem.noise[name].step:
            continue
        noise = problem.noise[name].shaped()
        few = np.isfinite(scaled[:, j]).sum() < LIKELIHOOD.fewest_noise_samples
        if noise.kind in (NoiseKind.WHITE, NoiseKind.LOGNORMAL) or few:
            continue
        level = float(robust_std(scaled[:, j])) * model.typical_scale[j]  # few outliers are no reason to give up
        missed = noise.kind is NoiseKind.AUTO and level > LIKELIHOOD.most_above_noise * own[j]
        shape = noise if missed else _best_shape(noise, model, scaled, j, _time_scale(outcome))
        if shape.memory and noise.kind is NoiseKind.AUTO:
            draws, _ = replace(model, noise=tuple(shape if i == j else Noise() for i in range(len(model.noise)))).draws(
                outcome.residual
            )
            shape = noise if knows_motion(draws[:, j], model.measured[:, j], model.record) else shape
        found[name] = shape
    return found


def corrected_memory(outcome: Outcome) -> dict[str, Noise]:
    """The memories of the outputs with the share that the fit took given back, where it matters."""
    segments = outcome.iteration.segments
    problem = segments.problem
    found: dict[str, Noise] = {}
    if len(segments.time) > LIKELIHOOD.most_restricted:
        return found
    for j, name in enumerate(problem.outputs):
        noise = problem.noise[name]
        if not noise.memory or noise.kind is NoiseKind.WHITE:
            continue
        start = np.arctanh(np.array(noise.memory))
        from scipy.optimize import minimize

        best = minimize(
            lambda x, j=j, noise=noise: _restricted(outcome, j, noise.shaped(np.tanh(x), noise.freedom)),
            start,
            method="Nelder-Mead",
            options={"xatol": 3e-3, "fatol": 3e-2, "maxfev": LIKELIHOOD.restricted_rounds * len(start)},
        )
        found[name] = noise.shaped(np.tanh(best.x), noise.freedom)
    return found


def _best_shape(noise: Noise, model: NoiseModel, scaled: np.ndarray, j: int, time_scale: float) -> Noise:
    """The likeliest shape of one output, among those that the user allows."""
    series = scaled[np.isfinite(scaled[:, j]), j]
    auto, penalty = noise.kind is NoiseKind.AUTO, math.log(len(series))
    white = _independent(series, LIKELIHOOD.negligible_correlation)
    heavy = noise.kind is NoiseKind.STUDENT or (auto and _heavy_tailed(series))
    if auto and white and not heavy:
        return noise
    shapes = [noise]
    if noise.kind is NoiseKind.AR or (auto and not white):
        memory = _memory(model, scaled[:, j])
        shapes += [noise.shaped(memory)] if memory and (not auto or _short(memory, time_scale)) else []
    scores = []
    for shape in shapes:
        draws = _draws(model, shape, scaled, j)
        scores.append((_minus_two_log(draws, math.inf) + penalty * len(shape.memory), shape))
        # outliers stand alone: draws that still hang together are not outliers, but what the model misses
        if heavy and (not auto or _independent(draws[0], LIKELIHOOD.small_correlation)):
            freedom, value = _likeliest_freedom(draws)
            scores.append((value + penalty * (len(shape.memory) + 1), shape.shaped(shape.memory, freedom)))
    if noise.kind is NoiseKind.AR:
        scores = [item for item in scores if item[1].memory] or scores
    elif noise.kind is NoiseKind.STUDENT:
        scores = [item for item in scores if math.isfinite(item[1].freedom)]
    best = min(scores, key=lambda item: item[0])
    clearly = best[0] < scores[0][0] - LIKELIHOOD.clearly_better or not auto
    return best[1] if clearly else noise


def _heavy_tailed(series: np.ndarray) -> bool:
    """Whether there are more large values than normal noise has: by the fourth moment, or by a single one far out."""
    size = np.abs(series) / max(float(robust_std(series)), 1e-300)
    excess = float(np.mean(series**4)) / max(float(np.mean(series**2)) ** 2, 1e-300) - 3
    return bool(size.max() > LIKELIHOOD.outlying or excess > LIKELIHOOD.heavy * math.sqrt(24 / len(series)))


def _memory(model: NoiseModel, series: np.ndarray) -> tuple[float, ...]:
    """Partial autocorrelations by Durbin and Levinson from the series' own correlations, as many as pay:
    n log(variance of what is added) + (their number) log n is least."""
    present = np.isfinite(series)
    count, filled = int(present.sum()), np.where(present, series, 0.0)
    stretch = np.cumsum(model.breaks)
    most = min(LIKELIHOOD.most_memory, count // LIKELIHOOD.samples_per_memory)
    power = float(filled @ filled) / count
    correlation: list[float] = []
    partial: list[float] = []
    best, least, left = 0, 0.0, 0.0
    for order in range(1, most + 1):
        pairs = present[order:] & present[:-order] & (stretch[order:] == stretch[:-order])
        # lowered as if all pairs had been there: only so the correlations are those of some noise
        share = (1 - order / len(series)) / max(int(pairs.sum()), 1)
        correlation.append(share * float(filled[order:][pairs] @ filled[:-order][pairs]) / power)
        coefficients, variance = predictors(tuple(partial))
        expected = float(coefficients[order - 1, : order - 1] @ np.array(correlation[: order - 1])[::-1])
        value = (correlation[-1] - expected) / float(variance[-1])
        partial.append(float(np.clip(value, -LIKELIHOOD.largest_memory, LIKELIHOOD.largest_memory)))
        left += count * math.log(1 - partial[-1] ** 2)
        if left + order * math.log(count) < least:
            best, least = order, left + order * math.log(count)
    return tuple(partial[: best or 1])


def knows_motion(draws: np.ndarray, measured: np.ndarray, record: np.ndarray) -> bool:
    """Whether independent draws [samples] hold more power than chance gives at the frequencies of the motion.

    The power of white draws at one frequency is exponential, so that the ratio of means over m and n frequencies has
    the F distribution of 2 m and 2 n. Frequencies of the motion are those at which what was measured has a share of its
    largest power, and their neighbours: a pattern that swells and fades is not a single line. They are compared with
    those below and a little above, since a memory can be bent to follow the motion at the cost of these. Where the
    motion fills most of the band there is nothing to compare it with.
    """
    inside, outside = [], []
    for index in np.unique(record):
        own = record == index
        power, signal = (_power(part[own]) for part in (draws, measured - np.nanmean(measured)))
        near = signal > LIKELIHOOD.motion_share * signal.max(initial=0.0)
        for _ in range(LIKELIHOOD.motion_neighbours):
            near = near | np.append(near[1:], False) | np.append(False, near[:-1])
        about = np.arange(len(near)) < LIKELIHOOD.motion_about * (np.flatnonzero(near).max(initial=0) + 1)
        inside.append(power[near])
        outside.append(power[~near & about])
    band, rest = np.concatenate(inside), np.concatenate(outside)
    if not len(band) or len(rest) < len(band):
        return False
    excess = float(band.mean()) / max(float(rest.mean()), 1e-300)
    return bool(fdtrc(2 * len(band), 2 * len(rest), excess) < LIKELIHOOD.motion_alpha)


def _power(series: np.ndarray) -> np.ndarray:
    """At every frequency but zero and the highest; missing values are zero."""
    return np.asarray(np.abs(np.fft.rfft(np.nan_to_num(series))[1:-1]) ** 2)


def _stand_alone(series: np.ndarray) -> bool:
    """Whether some residuals are far out, and most of these have neighbours that are not."""
    size = np.abs(series) / max(float(robust_std(series)), 1e-300)
    far = np.nan_to_num(size) > LIKELIHOOD.outlying
    near = np.nan_to_num(size) > LIKELIHOOD.outlying / 2
    alone = far & ~np.append(False, near[:-1]) & ~np.append(near[1:], False)
    return bool(far.any() and alone.sum() > LIKELIHOOD.mostly_alone * far.sum())


def _independent(draws: np.ndarray, negligible: float) -> bool:
    """Whether draws, cut to what normal ones would be, are uncorrelated but for what is `negligible`."""
    limit = LIKELIHOOD.plain_draw * float(robust_std(draws))
    test = whiteness(np.clip(draws, -limit, limit))
    return test.white or float(np.abs(test.autocorrelation).max(initial=0.0)) < negligible


def _short(memory: tuple[float, ...], time_scale: float) -> bool:
    """Whether noise with this memory is forgotten fast against the motion."""
    coefficients = predictors(memory)[0][-1]
    radius = float(np.abs(np.roots(np.append(1.0, -coefficients))).max(initial=0.0))
    lasts = -1.0 / math.log(min(max(radius, 1e-12), 1 - 1e-12))
    return lasts <= max(LIKELIHOOD.noise_lasts * time_scale, LIKELIHOOD.fewest_noise_lasts)


def _time_scale(outcome: Outcome) -> float:
    """Samples in one oscillation of the signal: segments are cut by it."""
    layout = outcome.iteration.segments.layout
    return float(np.median(np.diff(layout.first_sample))) / LIKELIHOOD.segment_length


def _draws(model: NoiseModel, shape: Noise, scaled: np.ndarray, j: int) -> tuple[np.ndarray, np.ndarray]:
    """Draws of one output that are present, and their relative variances, if its noise has this shape."""
    series = np.where(np.arange(scaled.shape[1]) == j, scaled, np.nan)
    one = replace(model, noise=tuple(shape if i == j else Noise() for i in range(scaled.shape[1])), spread=None)
    draws, variance = one.draws(series)
    present = np.isfinite(draws[:, j])
    return draws[present, j], variance[present, j]


def _minus_two_log(draws: tuple[np.ndarray, np.ndarray], freedom: float) -> float:
    """-2 log L of draws at their likeliest level."""
    values, variance = draws
    single = NoiseModel.alike(Noise().shaped((), freedom), values[:, None])
    level = single.levels(values[:, None])
    return -2 * float(single.log_likelihood(values[:, None], level)) + float(np.sum(np.log(variance)))


def _likeliest_freedom(draws: tuple[np.ndarray, np.ndarray]) -> tuple[float, float]:
    tried = np.geomspace(LIKELIHOOD.least_freedom, LIKELIHOOD.most_freedom, LIKELIHOOD.freedoms)
    values = [(_minus_two_log(draws, float(freedom)), float(freedom)) for freedom in tried]
    best = min(values)
    return best[1], best[0]


def _restricted(outcome: Outcome, j: int, shape: Noise) -> float:
    """-2 times the restricted log-likelihood of one output's shape, residuals and slopes as they are."""
    iteration, point = outcome.iteration, outcome.point
    segments = iteration.segments
    model = replace(segments.noise, noise=tuple(shape if i == j else n for i, n in enumerate(segments.noise.noise)))
    sigma = model.levels(point.residual)
    compressed = compress(point.evaluation, segments.layout, model, sigma)
    tau = LIKELIHOOD.tightest_tether * iteration.sizes
    told = iteration.beginnings.rows(point.p, point.nodes, tau) if iteration.beginnings else {}
    still = np.zeros(len(iteration.sizes))
    linear = eliminate(compressed, point.evaluation, point.nodes, segments.layout, tau, still, told)
    states = len(iteration.sizes)
    factors = [np.diag(first)[:states] for first in linear.first]
    factors.append(np.diag(np.linalg.qr(linear.information_rows[:, iteration.moves], mode="r")))
    determinant = 2 * sum(float(np.sum(np.log(np.maximum(np.abs(part), 1e-300)))) for part in factors)
    return -2 * float(model.log_likelihood(point.residual, sigma)) + determinant
