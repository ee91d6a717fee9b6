"""The unscented Kalman filter of states and parameters, in square-root form, with a smoothing pass.

Instead of derivatives, 2 N points about the mean are carried through the equations, one standard deviation times root N
away in every direction of the covariance's factor; mean and covariance after it are those of the points. All points of
a step are lanes of one march of the integrator. Parameters are constant states, positive ones by their logarithms.

    points      m, m +- sqrt(N) columns of R,       weight 1/(2 N) each, none on m itself
    prediction  R = factor of the points' spread and the process noise, by QR
    update      gain from the points' outputs, R by as many Potter steps as there are outputs
    smoothing   x_k + G (x_k+1 smoothed - x_k+1 predicted), G from the same points (Rauch, Tung, Striebel)

Reference: S. J. Julier, J. K. Uhlmann, Proceedings of the IEEE 92 (2004) 401; R. van der Merwe, E. A. Wan, ICASSP 2001,
3461 (square-root form); S. Sarkka, IEEE Transactions on Automatic Control 53 (2008) 845 (smoother).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from identikit.likelihood import triangular
from identikit.model import Model, dynamics_of, observe
from identikit.problem import Observed, Problem
from identikit.simulation import Drive, Field, compiled, jax, program_text, settled, short_step


@dataclass(frozen=True)
class Unscented:
    """`theta` and `root` [free], [free, free]: coordinates of the parameters after the last sample, and the factor of
    their covariance; `states`, `deviations` [samples, states] smoothed; `draws` [samples, outputs] innovations over
    what was expected of them."""

    theta: np.ndarray
    root: np.ndarray
    states: np.ndarray
    deviations: np.ndarray
    draws: np.ndarray


def unscented(
    problem: Problem,
    record: Observed,
    mean: np.ndarray,
    root: np.ndarray,
    logarithmic: np.ndarray,
    process: np.ndarray,
    sigma: np.ndarray,
) -> Unscented:
    """Filter and smooth one record.

    Arguments:
        mean, root: of (states, coordinates of the parameters) before the first sample; root [N, N].
        logarithmic: [free] which parameters are known by their logarithms.
        process: [states] intensity of process noise.
        sigma: [outputs] measurement noise.
    """
    model = problem.model
    march = (_marching if model.symbolic else _made)(model, problem.free, problem.outputs)
    fixed = np.array([problem.fixed.get(name, 1.0) for name in model.parameter_names])
    pieces = record.pieces
    spread = sigma * (np.ones_like(record.values) if record.spread is None else record.spread)
    found = march(
        mean, root, np.asarray(logarithmic, bool), process, fixed, record.time, record.values, spread, pieces.begins,
        pieces.coefficients, pieces.index(np.append(record.time[:1], record.time[:-1])),
    )  # fmt: skip
    means, roots, crosses, predicted, predicted_roots, draws = (np.asarray(part) for part in found)
    states = len(model.states)
    smooth, spreads = _smoothed(means, roots, crosses, predicted, predicted_roots)
    last = triangular(roots[-1][states:].T).T
    return Unscented(means[-1, states:], last, smooth[:, :states], spreads[:, :states], draws)


def _smoothed(
    means: np.ndarray, roots: np.ndarray, crosses: np.ndarray, predicted: np.ndarray, predicted_roots: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Means and standard deviations [samples, N] given all samples, backward."""
    mean, covariance = means.copy(), roots[-1] @ roots[-1].T
    spread = np.empty_like(means)
    spread[-1] = np.sqrt(np.diag(covariance))
    for k in range(len(means) - 2, -1, -1):
        ahead = predicted_roots[k + 1] @ predicted_roots[k + 1].T
        gain = np.linalg.lstsq(ahead, crosses[k + 1].T, rcond=1e-13)[0].T
        mean[k] = means[k] + gain @ (mean[k + 1] - predicted[k + 1])
        covariance = roots[k] @ roots[k].T + gain @ (covariance - ahead) @ gain.T
        spread[k] = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    return mean, spread


@lru_cache(maxsize=16)
def _marching(model: Model, free: tuple[str, ...], outputs: tuple[str, ...]) -> Any:
    """Equal equations share what is compiled."""
    return _made(model, free, outputs)


def _made(model: Model, free: tuple[str, ...], outputs: tuple[str, ...]) -> Any:
    dynamics, observation = dynamics_of(model), observe(model, outputs)
    places = [model.parameter_names.index(name) for name in free]

    def march(
        mean: Any, root: Any, logarithmic: Any, process: Any, fixed: Any, time: Any, values: Any, spread: Any, begins:
            Any,
        coefficients: Any, piece: Any,
    ) -> Any:  # fmt: skip
        module = jax()
        jnp, lax = module.numpy, module.lax
        field = Field(dynamics, module)
        states, count = len(model.states), mean.shape[0]
        lanes = 2 * count

        def points_of(mean: Any, root: Any) -> Any:
            return jnp.concatenate(
                [mean[:, None] + jnp.sqrt(count) * root, mean[:, None] - jnp.sqrt(count) * root], axis=1
            )

        def parameters(points: Any) -> Any:
            theta = points[states:]
            own = jnp.where(logarithmic[:, None], jnp.exp(jnp.where(logarithmic[:, None], theta, 0.0)), theta)
            full = jnp.broadcast_to(fixed[:, None], (fixed.shape[0], lanes))
            return full.at[jnp.asarray(places, dtype=int)].set(own)

        def advance(carry: Any, sample: Any) -> Any:
            mean, root, before = carry
            t, y, level, index = sample
            points = points_of(mean, root)
            full = parameters(points)
            u = jnp.broadcast_to(coefficients[index][..., None], (*coefficients.shape[1:], lanes))
            drive = Drive(full, u, jnp.broadcast_to(begins[index], (lanes,)))
            begun, h = jnp.broadcast_to(before, (lanes,)), jnp.broadcast_to(t - before, (lanes,))
            X, mode = settled(field, begun, points[:states, None], drive, module)
            X, _ = short_step(field, begun, X, mode, drive, h, module)
            moved = jnp.concatenate([X[:, 0], points[states:]])
            predicted = moved.mean(axis=1)
            off, was = (moved - predicted[:, None]) / jnp.sqrt(lanes), (points - mean[:, None]) / jnp.sqrt(lanes)
            noise = jnp.zeros((count, states)).at[:states].set(jnp.diag(process * jnp.sqrt(t - before)))
            predicted_root = jnp.linalg.qr(jnp.concatenate([off, noise], axis=1).T, mode="r").T
            cross = was @ off.T
            again = points_of(predicted, predicted_root)
            inputs, _ = Drive(full, u, jnp.broadcast_to(begins[index], (lanes,))).inputs(jnp.broadcast_to(t, (lanes,)))
            seen = observation.values(jnp, t, list(again[:states]), inputs, list(parameters(again)))
            mean, root, draws = predicted, predicted_root, []
            for j, value in enumerate(seen):
                value = jnp.broadcast_to(value, (lanes,))
                known = jnp.isfinite(y[j])
                # the outputs' slope along each column of the factor, by the points two steps apart
                slope = (value[:count] - value[count:]) / (2 * jnp.sqrt(count))
                gradient = jnp.linalg.lstsq(predicted_root.T, slope)[0]
                e = y[j] - value.mean() - gradient @ (mean - predicted)
                f = root.T @ gradient
                total = f @ f + level[j] ** 2
                gain = jnp.where(known, root @ f / total, 0.0)
                mean = mean + gain * jnp.where(known, e, 0.0)
                root = root - jnp.outer(gain, f) / (1 + level[j] / jnp.sqrt(total))
                draws.append(e / jnp.sqrt(total))
            return (mean, root, t), (mean, root, cross, predicted, predicted_root, jnp.stack(draws))

        _, found = lax.scan(advance, (mean, root, time[0]), (time, values, spread, piece))
        return found

    return compiled(march, program_text(model, outputs, static=free))
