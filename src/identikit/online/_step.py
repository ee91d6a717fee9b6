"""One step of the extended Kalman filter on states and parameters, in square-root form, compiled once.

    between samples     x' = f,  S = dx/d(x, p) along,      P = F P F' + Q
    at a sample         e = y - h(x, p),  one measured value after the other (Potter)

The covariance P of (x, theta) is carried as a factor, P = R R', so that it cannot lose its sign; theta are the
parameters in coordinates in which they are free: the logarithm of a positive one, else the parameter itself. Process
noise that acts over an interval h is put in its middle, (1 + Phi)/2 q sqrt(h): right to second order in h.

Reference: G. J. Bierman, Factorization Methods for Discrete Sequential Estimation, Academic Press 1977.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

from identikit.model import Model, dynamics_of, observe
from identikit.simulation import Drive, Field, compiled, jax, program_text, settled, short_step


class Belief(NamedTuple):
    """Time [], states [n], coordinates of the parameters [f], and the factor R [n + f, n + f] of their covariance."""

    t: Any
    x: Any
    theta: Any
    root: Any


class Constants(NamedTuple):
    """What does not change from sample to sample."""

    p: Any  # [parameters] those that are fixed; the others are put in
    logarithmic: Any  # [f] which parameters are known by their logarithms
    low: Any  # [f] bounds of the parameters
    high: Any
    process: Any  # [n] intensity of process noise
    drift: Any  # [f] intensity with which coordinates drift
    sigma: Any  # [outputs]


def filter_step(model: Model, free: tuple[str, ...], outputs: tuple[str, ...], drifts: bool) -> Any:
    """The compiled step; equal equations share it. `drifts` says whether any parameter does."""
    made = _kept_step if model.symbolic else _made_step
    return made(model, free, outputs, drifts)


@lru_cache(maxsize=32)
def _kept_step(model: Model, free: tuple[str, ...], outputs: tuple[str, ...], drifts: bool) -> Any:
    return _made_step(model, free, outputs, drifts)


def _made_step(model: Model, names: tuple[str, ...], outputs: tuple[str, ...], drifts: bool) -> Any:
    """(belief, constants, t, steps, y, u before, slope of u) -> belief after the sample, and what is told of it:
    states, parameters, their standard deviations, innovations, their expected ones, and the quickest rate on the way.

    Shapes never change, so this is compiled once, at the first call.
    """
    dynamics, observation = dynamics_of(model, names), observe(model, outputs, names)
    free = [dynamics.model.parameter_names.index(name) for name in dynamics.free]

    def step(belief: Belief, constants: Constants, t: Any, steps: Any, y: Any, u: Any, du: Any) -> tuple[Belief, Any]:
        jnp, lax = module.numpy, module.lax
        field = Field(dynamics, module)
        states = belief.x.shape[0]
        where = jnp.asarray(free, dtype=int)

        def parameters(theta: Any) -> tuple[Any, Any, Any]:
            """All parameters, the free ones, and their slopes by the coordinates."""
            own = jnp.where(constants.logarithmic, jnp.exp(jnp.where(constants.logarithmic, theta, 0.0)), theta)
            return constants.p.at[where].set(own), own, jnp.where(constants.logarithmic, own, 1.0)

        full, _, slope = parameters(belief.theta)
        inputs = jnp.stack([u, du, jnp.zeros_like(u), jnp.zeros_like(u)], axis=-1)[..., None]
        drive = Drive(full[:, None], inputs, belief.t[None])
        X = jnp.concatenate([belief.x[:, None], jnp.eye(states), jnp.zeros((states, len(free)))], axis=1)[..., None]
        X, mode = settled(field, belief.t[None], X, drive, module)
        length = t - belief.t
        h = length / steps

        def move(i: Any, carry: Any) -> Any:
            X, mode = carry
            return short_step(field, (belief.t + i * h)[None], X, mode, drive, h[None], module)

        X, _ = lax.fori_loop(0, steps, move, (X, mode))
        x, move_x, move_p = X[:, 0, 0], X[:, 1 : 1 + states, 0], X[:, 1 + states :, 0] * slope
        root = _moved(belief.root, move_x, move_p, constants, length, drifts, jnp)
        theta = belief.theta

        at = u + length * du
        innovations, expected = [], []
        for j in range(len(observation.names)):
            full, _, slope = parameters(theta)
            value, by_state, by_free = observation.at(jnp, j, t, x, at, full)
            gradient = jnp.concatenate([by_state, by_free * slope])
            e = y[j] - value
            f = root.T @ gradient
            variance = constants.sigma[j] ** 2
            total = f @ f + variance
            known = jnp.isfinite(y[j])
            gain = jnp.where(known, root @ f / total, 0.0)
            change = gain * jnp.where(known, e, 0.0)
            root = root - jnp.outer(gain, f) / (1 + jnp.sqrt(variance / total))
            x, theta = x + change[:states], theta + change[states:]
            innovations.append(e)
            expected.append(jnp.sqrt(total))
        inside = jnp.where(constants.logarithmic, jnp.log(jnp.maximum(constants.high, 1e-300)), constants.high)
        least = jnp.where(constants.logarithmic, jnp.log(jnp.maximum(constants.low, 1e-300)), constants.low)
        theta = jnp.clip(theta, least, inside)
        _, own, slope = parameters(theta)
        spread = jnp.sqrt(jnp.sum(root**2, axis=1))
        told = [x, own, spread[:states], spread[states:] * slope, jnp.stack(innovations), jnp.stack(expected)]
        return Belief(t, x, theta, root), jnp.concatenate([*told, _quickest(move_x, length, jnp)[None]])

    module = jax()
    return compiled(step, program_text(model, outputs, names, (drifts,)), one_shape=True)


def _quickest(move_x: Any, length: Any, jnp: Any) -> Any:
    """About the quickest rate of the linearised equations, from what they did over an interval.

    Of two states that drive each other, x' = v and v' = -w^2 x, the rate is w: between the rows, not the largest.
    """
    rows = jnp.sum(jnp.abs(move_x - jnp.eye(move_x.shape[0])), axis=1) / jnp.maximum(length, 1e-300)
    return jnp.sqrt(jnp.max(rows) * jnp.minimum(jnp.max(rows), jnp.maximum(jnp.min(rows), 1.0)))


def _moved(root: Any, move_x: Any, move_p: Any, constants: Constants, length: Any, drifts: bool, jnp: Any) -> Any:
    """The factor of the covariance at the end of an interval."""
    states = move_x.shape[0]
    count = root.shape[0]
    F = jnp.eye(count).at[:states, :states].set(move_x).at[:states, states:].set(move_p)
    middle = 0.5 * (jnp.eye(states) + move_x) * constants.process * jnp.sqrt(length)
    noise = jnp.zeros((count, states)).at[:states].set(middle)
    parts = [F @ root, noise]
    if drifts:
        parts.append(jnp.concatenate([0.5 * move_p, jnp.eye(count - states)]) * constants.drift * jnp.sqrt(length))
    return jnp.linalg.qr(jnp.concatenate(parts, axis=1).T, mode="r").T
