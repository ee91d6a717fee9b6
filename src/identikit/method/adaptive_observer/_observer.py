"""The observer: the model with its parameters adapting, pulled to the measured velocities by a Nussbaum gain.

    x' = v,    v' = a(t, x, v, u, z) + N(k) e,    e = v_measured - v,
    k' = |e|^2,    z' = (pull - rate z) |e|       (the adaptation law),    E' = |e|

For M(x) v' = F the paper writes the feedback as a force M(x) N(k) e; the inertia matrix cancels, so that the equations
solved for the accelerations, which every model has, are enough. States outside pairs x' = v follow their own equations.
Classical Runge-Kutta steps from sample to sample, compiled; the sign of a velocity is taken as it is in each stage, so
dry friction in the observer chatters where it should stick.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np

from identikit.method._settings import OBSERVER
from identikit.method.adaptive_observer._adaptation_law import AdaptationLaw
from identikit.method.adaptive_observer._nussbaum import Nussbaum, Shape
from identikit.method.adaptive_observer._told import Told
from identikit.model import Model, dynamics_of, kinematic_pairs
from identikit.progress import Progress
from identikit.simulation import compiled, program_text
from identikit.simulation import jax as load_jax


@dataclass(frozen=True)
class ObserverPath:
    """Where the observer went, over the grid of its steps.

    `record` [times] numbers the record that a time belongs to; `states` [times, states], `parameters` [times, free],
    `error` [times] = |e|, `gain` [times] = k, `covered` [times] = E. `burst` is the time at which the observer lost
    the record, where the path ends; `stopped` says that it was asked to.
    """

    time: np.ndarray
    record: np.ndarray
    states: np.ndarray
    parameters: np.ndarray
    error: np.ndarray
    gain: np.ndarray
    covered: np.ndarray
    burst: float | None
    stopped: bool


def observe(
    model: Model,
    free: Sequence[str],
    records: Sequence[Told],
    p: np.ndarray,
    law: AdaptationLaw,
    nussbaum: Nussbaum,
    shape: Shape,
    first_gain: float,
    progress: Progress,
) -> ObserverPath:
    """Run through the records one after the other; gain and parameters go on from record to record.

    `p` are all parameters, those in `free` with the values they start from.
    """
    velocities = [v for _, v in kinematic_pairs(model)]
    where = [model.parameter_names.index(name) for name in free]
    run, states = _kernel(model, tuple(free), nussbaum), len(model.states)
    spread = max(float(np.sqrt(np.mean(item.velocity[:, 0] ** 2))) for item in records) or 1.0
    total, done = sum(len(item.time) for item in records), 0
    y = np.concatenate([np.zeros(states), [first_gain], p[where], [0.0]])
    parts: list[np.ndarray] = []
    burst, stopped = None, False
    for number, item in enumerate(records):
        y = np.concatenate([item.beginning, y[states:]])
        rows = [_row(item.time[0], number, _distance(item.velocity[0, 0], y[velocities]), y)]
        for begin in range(0, len(item.velocity), OBSERVER.chunk):
            task = _padded(item, slice(begin, begin + OBSERVER.chunk))
            found = np.asarray(run(y, p, law.pull, law.rate, shape, *task))[: len(item.velocity) - begin]
            measured = item.velocity[begin : begin + len(found), 2]
            error = _distance(measured, found[:, velocities])
            with np.errstate(all="ignore"):
                adrift = law.departure(p[where], found[:, -1], found[:, states + 1 : -1])
            good = np.isfinite(found).all(axis=1) & (error < OBSERVER.burst * spread) & (adrift < OBSERVER.adrift)
            kept = len(found) if good.all() else int(np.argmin(good))
            times = item.time[begin + 1 : begin + 1 + kept]
            rows += [_row(times, number, error[:kept], found[:kept])]
            done += len(found)
            y = found[kept - 1] if kept else y
            stopped = progress(done / total, f"gain {y[states]:.3g}", y[states + 1 : -1]) is False
            burst = float(item.time[begin + kept]) if kept < len(found) else None
            if stopped or burst is not None:
                break
        parts += rows
        if burst is not None or stopped:
            break
    whole = np.concatenate(parts)
    return ObserverPath(
        time=whole[:, 0],
        record=whole[:, 1].astype(int),
        states=whole[:, 3 : 3 + states],
        parameters=whole[:, 4 + states : -1],
        error=whole[:, 2],
        gain=whole[:, 3 + states],
        covered=whole[:, -1],
        burst=burst,
        stopped=stopped,
    )


def _distance(measured: np.ndarray, observed: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):  # a burst: seen by the caller
        return np.linalg.norm(measured - observed, axis=-1)


def _row(time: Any, number: int, error: Any, y: np.ndarray) -> np.ndarray:
    """Time, record, error and state of the observer, [times, columns]."""
    columns = np.broadcast_arrays(np.atleast_1d(time), float(number), np.atleast_1d(error))
    return np.concatenate([np.stack(columns, axis=1), np.atleast_2d(y)], axis=1)


def _padded(item: Told, chosen: slice) -> tuple[np.ndarray, ...]:
    """Times, step lengths, velocities and inputs of some steps, with steps of length zero after the last."""
    time, length = item.time[:-1][chosen], np.diff(item.time)[chosen]
    missing = OBSERVER.chunk - len(time)
    made = [time, length, item.velocity[chosen], item.inputs[chosen]]
    made = [np.concatenate([a, np.repeat(a[-1:], missing, axis=0)]) for a in made]
    made[1][OBSERVER.chunk - missing :] = 0.0
    return tuple(made)


@lru_cache(maxsize=16)
def _kernel(model: Model, free: tuple[str, ...], nussbaum: Nussbaum) -> Callable[..., Any]:
    """(y, p, pull, rate, shape, time, length, velocity, inputs) -> y after every step, [steps, ...]."""
    jax = load_jax()
    jnp = jax.numpy
    dynamics = dynamics_of(model)
    velocities = jnp.asarray([v for _, v in kinematic_pairs(model)])
    where = jnp.asarray([model.parameter_names.index(name) for name in free])
    states = len(model.states)
    still = [0.0] * len(model.inputs)

    def run(y: Any, p: Any, pull: Any, rate: Any, shape: Shape, *task: Any) -> Any:
        def slope(t: Any, y: Any, measured: Any, u: Any) -> Any:
            x, k, z = y[:states], y[states], y[states + 1 : -1]
            full = list(p.at[where].set(z))
            signs = [jnp.sign(g) for g in dynamics.guard(jnp, t, list(x), list(u), full)]
            f = jnp.stack([jnp.asarray(f, float) for f in dynamics.rate(jnp, t, list(x), list(u), still, full, signs)])
            e = measured - x[velocities]
            squared = e @ e
            norm = jnp.sqrt(squared)
            f = f.at[velocities].add(nussbaum(jnp, k, shape) * e)
            return jnp.concatenate([f, squared[None], (pull - rate * z) * norm, norm[None]])

        def step(y: Any, given: Any) -> Any:
            t, h, v, u = given
            k1 = slope(t, y, v[0], u[0])
            k2 = slope(t + h / 2, y + h / 2 * k1, v[1], u[1])
            k3 = slope(t + h / 2, y + h / 2 * k2, v[1], u[1])
            k4 = slope(t + h, y + h * k3, v[2], u[2])
            after = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)
            return after, after

        return jax.lax.scan(step, y, task)[1]

    return compiled(run, program_text(model, static=(*free, nussbaum)))
