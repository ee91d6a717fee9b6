"""The compiled integrator: adaptive Runge-Kutta over many lanes at once, with exact switching.

Every lane chooses its own steps; one pass of the loop tries one step in every lane that is not done. Accepted
steps are stored as polynomials (dense output), so sampling never limits the step. The kernel runs until every
lane has arrived or its buffer is full; the caller then continues from the returned state, so one compiled
kernel serves records of any length. Steps end exactly where an input piece ends, and at kinks of the right-hand side.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from identikit.model import Dynamics
from identikit.simulation._backend import jax as load_jax
from identikit.simulation._compilation import compiled
from identikit.simulation._field import Drive, Field
from identikit.simulation._kernel_identity import KeyedDynamics
from identikit.simulation._switching import (
    INSPECTED,
    cross,
    first_crossing,
    jump,
    lowest,
    margins,
    project,
    resolve,
    rough,
)
from identikit.simulation._tableau import TABLEAUS, Tableau

SAFETY, SHRINK, GROW = 0.9, 0.2, 6.0  # of the step that the error allows; smallest and largest factor on a step
SHORTEST_JUDGED = 1e-6  # relative to the lane's time scale: a shorter step is never called too long for its switches
SLOPE_TOLERANCE = 1e-4
"""Error of a derivative per step, relative to the largest it has been. Steps that resolve the states resolve these far
better; only on a stiff stretch, where the states have settled and hide that a step is unstable, do derivatives show
it."""
STILL = 1e-6  # of the largest state's size: the least size that the error of any state is measured by
SMALLEST_STEP = 1e-14  # relative to the lane's time scale: below it a lane is given up as failed


class LaneState(NamedTuple):
    """Where every lane stands; arrays with the lane last."""

    t: Any
    X: Any
    step: Any  # the step to try next
    mode: Any  # [switches, L]: +1, -1, 0 held
    pending: Any  # [switches, L]: must be resolved before the next step
    side: Any  # [kinks, L]: +1, -1
    landing: Any  # the step that should end on a switch or a kink, 0 if none
    which: Any  # the switch it should land on; kinks count on from the last switch
    piece: Any  # index of the input piece in force
    failed: Any
    scale: Any  # [states, L] the largest size of each state so far, or what the caller knows to be typical
    steepness: Any  # [states, columns - 1, L] the largest size of each derivative so far


class Lanes(NamedTuple):
    """What a lane is asked to do."""

    end: Any  # [L] final time
    p: Any  # [P, L]
    begins: Any  # [pieces] when each input piece begins, the pieces of all records joined
    ends: Any  # [pieces]
    coefficients: Any  # [pieces, inputs, 4]
    tolerance: Any  # error allowed per step, relative to `scale`
    derived: Any  # [columns] which parameter each column is a derivative by, see `Drive`


class Steps(NamedTuple):
    """Accepted steps: begin, length (0 = nothing stored), polynomial coefficients of the wanted states."""

    begin: Any  # [K, L]
    length: Any  # [K, L]
    coefficients: Any  # [K, D + 1, wanted states, 1 + columns, L]


@lru_cache(maxsize=64)
def _compiled(holder: KeyedDynamics, wanted: tuple[int, ...], capacity: int, tableau_name: str) -> Any:
    tableau = TABLEAUS[tableau_name]()

    def kernel(state: LaneState, lanes: Lanes) -> tuple[LaneState, Steps]:
        return _integrate(state, lanes, holder.dynamics, wanted, capacity, tableau)

    program = holder.program
    return compiled(kernel, program and repr((program, wanted, capacity, tableau_name)))


_one_at_a_time = Lock()  # threads that come for the same kernel at once would each compile it


def kernel(dynamics: Dynamics, wanted: tuple[int, ...], capacity: int, tableau: str = "dormand_prince") -> Any:
    """The compiled kernel: `wanted` states get dense output, `capacity` steps fit its buffer."""
    with _one_at_a_time:
        return _compiled(KeyedDynamics(dynamics), wanted, capacity, tableau)


def _integrate(
    state: LaneState,
    lanes: Lanes,
    dynamics: Dynamics,
    wanted: tuple[int, ...],
    capacity: int,
    tableau: Tableau,
) -> tuple[LaneState, Steps]:
    jax = load_jax()
    jnp, lax = jax.numpy, jax.lax
    field = Field(dynamics, jax)
    _, columns, count = state.X.shape
    degree = tableau.dense.shape[1]
    steps = Steps(
        jnp.zeros((capacity, count)),
        jnp.zeros((capacity, count)),
        jnp.zeros((capacity, degree + 1, len(wanted), columns, count)),
    )
    dense = jnp.asarray(tableau.dense)

    def drive_of(piece: Any, side: Any) -> Drive:
        coefficients = jnp.moveaxis(lanes.coefficients[piece], 0, -1)  # [inputs, 4, L]
        return Drive(lanes.p, coefficients, lanes.begins[piece], side, lanes.derived)

    def attempt(carry: tuple[Any, LaneState, Steps]) -> tuple[Any, LaneState, Steps]:
        index, now, stored = carry
        drive = drive_of(now.piece, now.side)
        if field.switches:
            now = _settle(now, drive, field, lax)
        active = (now.t < lanes.end) & ~now.failed
        stop = jnp.minimum(lanes.end, lanes.ends[now.piece]) if dynamics.u else lanes.end
        room = stop - now.t
        landing = now.landing > 0
        # a step that would leave a sliver before the stop is stretched to it
        whole = now.step * (1 + 1e-10) >= room
        h = jnp.where(landing, now.landing, jnp.where(whole, room, now.step))
        h = jnp.where(active, h, 0.0)
        slopes = _stages(field, tableau, now, h, drive, jax)
        weights = jnp.asarray(np.vstack([tableau.b, tableau.error[0]]))
        change, unsure = h * (weights @ slopes.reshape(tableau.stages, -1)).reshape(2, *now.X.shape)
        new = now.X + change
        error = h * jnp.tensordot(jnp.asarray(tableau.error), slopes[:, :, 0], axes=1)
        scale = jnp.maximum(now.scale, jnp.abs(new[:, 0]))
        # a state that has hardly moved, next to others that are large, may be all rounding: no step could satisfy it
        typical = jnp.maximum(scale, STILL * jnp.max(scale, axis=0))
        ratio = _error_ratio(error, typical, lanes.tolerance, jnp)
        steepness = now.steepness
        if columns > 1:
            steepness = jnp.maximum(steepness, jnp.abs(new[:, 1:]))
            ratio = jnp.maximum(ratio, _slope_error_ratio(unsure[:, 1:], typical, steepness, jnp))
        finite = jnp.isfinite(new).all(axis=(0, 1)) & jnp.isfinite(ratio)
        ratio = jnp.where(finite, ratio, 1e10)
        good = active & ((ratio <= 1) | (landing & finite))
        factor = jnp.clip(SAFETY * jnp.maximum(ratio, 1e-10) ** (-1.0 / tableau.order), SHRINK, GROW)
        # a step cut short by a stop or an event says nothing against the longer step planned before it
        proposal = jnp.where(landing, now.step, h * factor)
        proposal = jnp.where(good & whole & ~landing, jnp.maximum(proposal, now.step), proposal)
        step = jnp.where(active, proposal, now.step)
        failed = now.failed | (active & ~good & (h <= SMALLEST_STEP * jnp.maximum(jnp.abs(now.t), lanes.end - now.t)))
        of_wanted = slopes[:, jnp.asarray(wanted)]
        polynomial = h * jnp.tensordot(dense.T, of_wanted, axes=1)  # [D, wanted, columns, L]
        t_new = jnp.where(good & ~landing & whole, stop, now.t + h)

        if field.switches or field.kinks:
            primal = h * jnp.tensordot(dense.T, slopes[:, :, 0], axes=1)  # [D, n, L]
            # without a shortest length, rounding in a tiny friction force would be taken for roughness
            judged = good & ~landing & (h > SHORTEST_JUDGED * jnp.maximum(jnp.abs(now.t), lanes.end - now.t))
            good, t_new, new, mode, side, next_landing, which, unclear = _events(
                now, drive, field, (good, landing, h, t_new, new, primal, judged), jax
            )
            step = jnp.where(unclear, 0.4 * h, step)
        else:
            mode, side, next_landing, which = now.mode, now.side, now.landing, now.which

        arrived = good & (t_new >= stop) & (stop < lanes.end) if dynamics.u else jnp.zeros_like(good)
        piece = now.piece + arrived
        if any(dynamics.guard_inputs):
            x = [new[i, 0] for i in range(new.shape[0])]
            mode = jump(field, t_new, x, drive, drive_of(piece, side), mode, arrived)
        after = LaneState(
            t=jnp.where(good, t_new, now.t),
            X=jnp.where(good, new, now.X),
            step=step,
            mode=mode,
            # a jump of an input can release what is held
            pending=now.pending | (arrived & (mode == 0)) if field.switches else now.pending,
            side=side,
            landing=next_landing,
            which=which,
            piece=piece,
            failed=failed,
            scale=jnp.where(good, scale, now.scale),
            steepness=jnp.where(good, steepness, now.steepness),
        )
        start = jnp.concatenate([now.X[jnp.asarray(wanted)][None], polynomial])
        length = jnp.where(good, h, 0.0)
        stored = Steps(
            lax.dynamic_update_index_in_dim(stored.begin, now.t, index, 0),
            lax.dynamic_update_index_in_dim(stored.length, length, index, 0),
            lax.dynamic_update_index_in_dim(stored.coefficients, start, index, 0),
        )
        return index + 1, after, stored

    def unfinished(carry: tuple[Any, LaneState, Steps]) -> Any:
        index, now, _ = carry
        return (index < capacity) & jnp.any((now.t < lanes.end) & ~now.failed)

    _, state, steps = lax.while_loop(unfinished, attempt, (0, state, steps))
    return state, steps


def _error_ratio(error: Any, typical: Any, tolerance: Any, jnp: Any) -> Any:
    """Largest error over states in units of the tolerance, [L]; `error` is [rows, n, L]."""
    size = jnp.max(jnp.abs(error) / (tolerance * typical + 1e-300), axis=1)
    if len(size) == 1:
        return size[0]
    fine, coarse = size
    return fine * fine / jnp.sqrt(fine * fine + 0.01 * coarse * coarse + 1e-300)


def _slope_error_ratio(error: Any, typical: Any, steepness: Any, jnp: Any) -> Any:
    """Largest error over derivatives in units of their tolerance, [L]; `error` is [n, columns - 1, L]."""
    unit = typical[:, None] + 1e-150
    largest = jnp.max(steepness / unit, axis=0)
    # derivatives that are all but zero, next to others, may be all rounding too
    largest = jnp.maximum(largest, STILL * jnp.max(largest, axis=0))
    return jnp.max(jnp.max(jnp.abs(error) / unit, axis=0) / (SLOPE_TOLERANCE * largest + 1e-300), axis=0)


def _stages(field: Field, tableau: Tableau, now: LaneState, h: Any, drive: Drive, jax: Any) -> Any:
    """All k_i, shape [stages, n, columns, L].

    The stages are a loop, not unrolled: the right-hand side then stands once in the compiled program,
    which compiles several times faster and runs about as fast.
    """
    jnp = jax.numpy
    a, c = jnp.asarray(tableau.a), jnp.asarray(tableau.c)
    slopes = jnp.zeros((tableau.stages, *now.X.shape))

    def stage(i: Any, slopes: Any) -> Any:
        moved = (a[i] @ slopes.reshape(tableau.stages, -1)).reshape(now.X.shape)
        slope = field(now.t + c[i] * h, now.X + h * moved, drive, now.mode)
        return jax.lax.dynamic_update_index_in_dim(slopes, slope, i, 0)

    return jax.lax.fori_loop(0, tableau.stages, stage, slopes)


def _settle(now: LaneState, drive: Drive, field: Field, lax: Any) -> LaneState:
    """Decide the modes that are pending (at the start, and after a jump of an input)."""
    jnp = field.jnp

    def decide(now: LaneState) -> LaneState:
        x = [now.X[i, 0] for i in range(now.X.shape[0])]
        mode = resolve(field, now.t, x, drive, now.mode, now.pending)
        X = now.X
        if X.shape[1] > 1:
            X = project(field, now.t, X, drive, mode, now.pending)
        return now._replace(mode=mode, X=X, pending=jnp.zeros_like(now.pending))

    return lax.cond(jnp.any(now.pending), decide, lambda same: same, now)


def _events(now: LaneState, drive: Drive, field: Field, step: tuple[Any, ...], jax: Any) -> tuple[Any, ...]:
    """Land on the first switch or kink inside the step, or cross the one this step was meant to land on."""
    good, landing, h, t_new, new, primal, judged = step
    jnp, lax = jax.numpy, jax.lax
    switches, lanes = field.switches, now.t.shape[0]
    x0 = now.X[:, 0]
    kinked = jnp.asarray([state for state, _ in field.dynamics.kinks], dtype=int)
    levels = jnp.asarray([jnp.broadcast_to(level, (lanes,)) for level in field.dynamics.levels(jnp, drive.p)])

    def moved(theta: Any, begin: Any, polynomial: Any) -> Any:
        value = jnp.zeros_like(begin)
        for coefficient in reversed(list(polynomial)):
            value = (value + coefficient) * theta
        return begin + value

    def switch_margins(theta: Any) -> Any:
        return margins(field, now.t + theta * h, list(moved(theta, x0, primal)), drive, now.mode)

    def margins_at(theta: Any) -> Any:
        """Every margin at its own fraction of the step, [switches + kinks, L]."""
        parts = [switch_margins(theta[k])[k][None] for k in range(switches)]
        if field.kinks:
            parts.append(drive.side * (moved(theta[switches:], x0[kinked], primal[:, kinked]) - levels))
        return jnp.concatenate(parts)

    samples = lax.map(
        lambda theta: margins_at(jnp.full((switches + field.kinks, lanes), theta)), jnp.asarray(INSPECTED)
    )
    unclear = judged & rough(field, samples[:, :switches], now.mode) if switches else jnp.zeros_like(good)
    good = good & ~unclear
    candidate = good & ~landing
    least = lowest(margins_at, samples, jnp)

    def search(_: None) -> tuple[Any, Any]:
        fraction, which = first_crossing(margins_at, samples, least, jnp, lax.while_loop)
        return fraction, which.astype(now.which.dtype)

    def nothing(_: None) -> tuple[Any, Any]:
        return jnp.full((lanes,), 2.0), jnp.zeros((lanes,), dtype=now.which.dtype)

    fraction, which = lax.cond(
        jnp.any(candidate & ((samples[1:] < 0).any(axis=0) | (least[1] < 0)).any(axis=0)),
        search,
        nothing,
        None,
    )
    hit = candidate & (fraction <= 1)
    next_landing = jnp.where(hit, jnp.maximum(fraction, 1e-12) * h, 0.0)
    landed = good & landing

    def carry_across(_: None) -> tuple[Any, Any, Any]:
        t, X, mode = cross(field, t_new, new, drive, now.mode, now.which, landed, h)
        return jnp.where(landed, t, t_new), jnp.where(landed, X, new), jnp.where(landed, mode, now.mode)

    mode = now.mode
    if switches:
        t_new, new, mode = lax.cond(jnp.any(landed), carry_across, lambda _: (t_new, new, now.mode), None)
    of_kink = now.which - switches == jnp.arange(field.kinks)[:, None]
    side = jnp.where(landed & of_kink, -now.side, now.side)
    return good & ~hit, t_new, new, mode, side, next_landing, jnp.where(hit, which, now.which), unclear
