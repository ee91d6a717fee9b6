"""Fixed short steps over many lanes at once: for filters, which look at the state at every sample anyway.

Where samples lie much closer than the motion asks for, adaptive steps with dense output gain nothing: a classical
Runge-Kutta step of order 4 from sample to sample is exact to far below the noise, costs four evaluations, and all lanes
march together. Switches are kept exact as in the adaptive integrator, with one event per switch and step: the reversal
is found on the step's cubic, the step ends there, sticks or slips, and its rest follows.

    x(t + h) = x + h (k1 + 2 k2 + 2 k3 + k4)/6

Whoever calls chooses the grid, and has to look whether a finer one changes anything.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from identikit.model import Dynamics
from identikit.progress import poll
from identikit.simulation._backend import jax as load_jax
from identikit.simulation._compilation import compiled
from identikit.simulation._field import Drive, Field
from identikit.simulation._inputs import Pieces
from identikit.simulation._kernel_identity import KeyedDynamics
from identikit.simulation._pool import Pool
from identikit.simulation._switching import cross, margins, project, resolve

FEWEST_SHARED = 32  # lanes that one core is given at least: fewer would not fill its vector units
CUBIC_ROUNDS = 8  # of regula falsi on a cubic: the rest is removed by a Newton step in time


class ShortSteps:
    """Steps from grid time to grid time in every lane, with the derivatives of all that was asked for."""

    def __init__(self, dynamics: Dynamics, wanted: tuple[int, ...], sensitivities: bool = True) -> None:
        self._pool = Pool.of(dynamics) if sensitivities else Pool.without(dynamics)
        self.wanted = wanted
        self.states = len(dynamics.x)
        self.columns = (self.states + len(dynamics.free)) if sensitivities else 0

    def run(
        self, times: np.ndarray, initial: np.ndarray, p: np.ndarray, pieces: Pieces, piece: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """Values [grid, wanted, 1 + columns, lanes] at every grid time, and the final ones [states, 1 + columns,
        lanes].

        Arguments:
            times: [grid + 1, lanes]; a lane that repeats its last time waits there, and where all do, nothing is done.
            initial: [lanes, states].
            p: [parameters].
            piece: [grid, lanes] the input piece in force after each grid time; steps do not reach beyond one.
        """
        poll()
        lanes = len(initial)
        shares = _shares(lanes)
        derived = self._pool.derived((self.wanted, times.shape, len(pieces.begins)))
        X = np.zeros((self.states, 1 + self._pool.columns(derived), lanes))
        X[:, 0] = initial.T
        for i in range(self.states if self.columns else 0):
            X[i, 1 + i] = 1.0
        march = _marching(KeyedDynamics(self._pool.dynamics), self.wanted)

        def part(own: slice) -> tuple[np.ndarray, np.ndarray]:
            values, final = march(
                times[:, own],
                X[..., own],
                np.asarray(p, float),
                pieces.begins,
                pieces.coefficients,
                piece[:, own],
                derived,
            )
            asked = 1 + self.columns
            return np.asarray(values)[:, :, :asked], np.asarray(final)[:, :asked]

        shared = [slice(first, first + lanes // shares) for first in range(0, lanes, lanes // shares)]
        with ThreadPoolExecutor(shares) as pool:
            tasks = [pool.submit(copy_context().run, part, own) for own in shared[1:]]
            found = [part(shared[0]), *(task.result() for task in tasks)]
        return np.concatenate([v for v, _ in found], axis=-1), np.concatenate([f for _, f in found], axis=-1)


def _shares(lanes: int) -> int:
    """Into how many equal parts the lanes are shared out among the processor's cores."""
    most = min(os.cpu_count() or 1, lanes // FEWEST_SHARED)
    return next((parts for parts in range(most, 1, -1) if lanes % parts == 0), 1)


@lru_cache(maxsize=32)
def _marching(holder: KeyedDynamics, wanted: tuple[int, ...]) -> Any:
    def march(times: Any, X: Any, p: Any, begins: Any, coefficients: Any, piece: Any, derived: Any) -> Any:
        jax = load_jax()
        jnp, lax = jax.numpy, jax.lax
        field = Field(holder.dynamics, jax)
        lanes = X.shape[-1]
        full = jnp.broadcast_to(p[:, None], (p.shape[0], lanes))
        where = jnp.asarray(wanted)

        def drive_of(index: Any) -> Drive:
            if not holder.dynamics.u:
                return Drive(full, jnp.zeros((0, 4, lanes)), jnp.zeros(lanes), derived=derived)
            return Drive(full, jnp.moveaxis(coefficients[index], 0, -1), begins[index], derived=derived)

        def advance(carry: Any, step: Any) -> Any:
            begin, end, index = step

            def one(carried: Any) -> Any:
                X, mode = carried
                return short_step(field, begin, X, mode, drive_of(index), end - begin, jax)

            X, mode = lax.cond((end > begin).any(), one, lambda carried: carried, carry)
            return (X, mode), X[where]

        start = settled(field, times[0], X, drive_of(piece[0]), jax)
        (X, _), values = lax.scan(advance, start, (times[:-1], times[1:], piece))
        return values, X

    return compiled(march, holder.program and repr((holder.program, wanted)))


def settled(field: Field, t: Any, X: Any, drive: Drive, jax: Any) -> tuple[Any, Any]:
    """X and the modes at a beginning: what moves slips, what is at zero is decided by the forces."""
    jnp = jax.numpy
    if not field.switches:
        return X, jnp.zeros((0, X.shape[-1]))
    x = _states(X)
    drive = _with_sides(field, x, drive, jnp)
    u, _ = drive.inputs(t)
    guards = field.dynamics.guard(jnp, t, x, u, drive.p)
    mode = jnp.sign(jnp.stack([jnp.broadcast_to(guard, t.shape) for guard in guards]))
    pending = mode == 0
    mode = resolve(field, t, x, drive, mode, pending)
    return (project(field, t, X, drive, mode, pending) if X.shape[1] > 1 else X), mode


def short_step(field: Field, t: Any, X: Any, mode: Any, drive: Drive, h: Any, jax: Any) -> tuple[Any, Any]:
    """X and the modes one step h [lanes] later."""
    jnp, lax = jax.numpy, jax.lax
    x = _states(X)
    drive = _with_sides(field, x, drive, jnp)
    if not field.switches:
        return _stepped(field, t, X, drive, mode, h, jax), mode
    # what went unnoticed in the step before, a second reversal or a jump of an input, is put right
    guards = jnp.stack(
        [jnp.broadcast_to(g, h.shape) for g in field.dynamics.guard(jnp, t, x, drive.inputs(t)[0], drive.p)]
    )
    mode = jnp.where((mode != 0) & (mode * guards < 0), jnp.sign(guards), mode)
    whole = _stepped(field, t, X, drive, mode, h, jax)
    hit = (margins(field, t + h, _states(whole), drive, mode) < 0) & (h > 0)

    def through(_: None) -> tuple[Any, Any]:
        happened = hit.any(axis=0)
        fraction = _crossing(field, t, X, whole, drive, mode, h, hit, jnp, lax)
        which = jnp.argmin(fraction, axis=0)
        share = jnp.where(happened, jnp.min(fraction, axis=0), 0.0)
        part = _stepped(field, t, X, drive, mode, share * h, jax)
        at, landed, new_mode = cross(field, t + share * h, part, drive, mode, which, happened, h)
        rest = jnp.clip(t + h - at, 0.0, h)
        ended = _stepped(field, at, landed, drive, new_mode, rest, jax)
        return jnp.where(happened, ended, whole), jnp.where(happened, new_mode, mode)

    return lax.cond(hit.any(), through, lambda _: (whole, mode), None)


def _stepped(field: Field, t: Any, X: Any, drive: Drive, mode: Any, h: Any, jax: Any) -> Any:
    """X a step h [lanes] later; a loop over the stages, so that the equations are compiled once.

    States and derivatives go through the same stages: the derivatives are then those of the step itself, not only of
    what it approximates, and a least-squares search that ties many steps together sees no contradiction. (Derivatives
    by one evaluation per step, at its middle, cost half as much; with friction that turns within a fraction of a step
    they mislead the search so much that it takes three times as many rounds.)
    """
    jnp = jax.numpy
    share, weight = jnp.asarray([0.0, 0.5, 0.5, 1.0]), jnp.asarray([1.0, 2.0, 2.0, 1.0]) / 6

    def stage(i: Any, carry: Any) -> Any:
        slope, total = carry
        slope = field(t + share[i] * h, X + share[i] * h * slope, drive, mode)
        return slope, total + weight[i] * slope

    nothing = jnp.zeros_like(X)
    return X + h * jax.lax.fori_loop(0, 4, stage, (nothing, nothing))[1]


def _crossing(
    field: Field, t: Any, X: Any, whole: Any, drive: Drive, mode: Any, h: Any, hit: Any, jnp: Any, lax: Any
) -> Any:
    """The fraction of the step at which each margin turns negative [switches, lanes], 2 where it does not."""
    x0, x1 = X[:, 0], whole[:, 0]
    f0 = h * jnp.stack(field.state_rate(t, list(x0), drive, mode))
    f1 = h * jnp.stack(field.state_rate(t + h, list(x1), drive, mode))

    def margins_at(theta: Any) -> Any:
        found = []
        for k in range(field.switches):
            s = theta[k]
            bend = s * (1 - s)
            x = (1 - s) * x0 + s * x1 + bend * ((1 - s) * (f0 - (x1 - x0)) - s * (f1 - (x1 - x0)))
            found.append(margins(field, t + s * h, list(x), drive, mode)[k])
        return jnp.stack(found)

    low, high = jnp.zeros_like(mode), jnp.ones_like(mode)

    def narrow(_: Any, search: Any) -> Any:
        low, high, below, above = search
        guess = low + (high - low) * jnp.clip(below / (below - above), 0.02, 0.98)
        value = margins_at(guess)
        negative = value < 0
        return (
            jnp.where(negative, low, guess),
            jnp.where(negative, guess, high),
            jnp.where(negative, below, value),
            jnp.where(negative, value, above),
        )

    first = jnp.maximum(margins_at(low), 0.0)
    last = jnp.where(hit, margins_at(high), -1.0)
    low, high, below, above = lax.fori_loop(0, CUBIC_ROUNDS, narrow, (low, high, first, jnp.minimum(last, -1e-300)))
    return jnp.where(hit, low + (high - low) * below / (below - above), 2.0)


def _states(X: Any) -> list[Any]:
    return [X[i, 0] for i in range(X.shape[0])]


def _with_sides(field: Field, x: list[Any], drive: Drive, jnp: Any) -> Drive:
    """The drive with the side of every kink on which the states are."""
    if not field.kinks:
        return drive
    levels = field.dynamics.levels(jnp, drive.p)
    sides = [
        jnp.where(x[state] >= level, 1.0, -1.0) for (state, _), level in zip(field.dynamics.kinks, levels, strict=True)
    ]
    return replace(drive, side=jnp.stack(sides))
