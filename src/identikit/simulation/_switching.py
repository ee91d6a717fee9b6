"""What happens at a switch: find it inside a step, decide stick or slip, carry sensitivities across.

At a reversal at time te the sensitivities jump, since te moves with the parameters:

    S+ = S- + (f- - f+) dte/dp,      dte/dp = -(dg/dx S- + dg/dp) / g'-

(the saltation matrix). For dry friction this multiplies the velocity row by a+/a- and sets it to zero at a
stick. Reference: R. I. Leine, H. Nijmeijer, Dynamics and Bifurcations of Non-Smooth Mechanical Systems,
Springer 2004, ch. 7.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from identikit.simulation._field import Drive, Field

# Points of a step at which margins are looked at: a pair of crossings between its ends would show. Uneven, so
# that no period of a force hides behind them.
INSPECTED = (0.0, 0.21, 0.43, 0.62, 0.83, 1.0)
# A margin that these points do not follow as a quartic to this part of its size needs a shorter step.
ROUGH = 2e-3
LOCATING_ROUNDS = 60  # at most; five or six are usual
LOCATED = 1e-13  # of the step


def margins(field: Field, t: Any, x: Sequence[Any], drive: Drive, mode: Any) -> Any:
    """Positive while a mode is valid: s g for slip, 1 - s^2 for held. Shape [switches, L]."""
    jnp = field.jnp
    u, _ = drive.inputs(t)
    guards = field.dynamics.guard(jnp, t, x, u, drive.p)
    held = field.held_values(t, x, drive, mode)
    return jnp.stack([jnp.where(m == 0, 1.0 - s * s, m * g) for m, s, g in zip(mode, held, guards, strict=True)])


def rough(field: Field, samples: Any, mode: Any) -> Any:
    """Lanes whose step is too long to judge a margin that the states' own error says nothing about.

    While dry friction holds, nothing moves and the error is zero, yet the force may swing beyond the band and
    back; a guard of time alone is the same. The fifth divided difference of the inspected values tells.
    """
    jnp = field.jnp
    points = np.array(INSPECTED)
    gaps = points[:, None] - points + np.eye(len(points))
    weights = 1 / gaps.prod(axis=1)
    weights *= 2 / np.abs(weights).sum()
    departure = jnp.abs(jnp.tensordot(jnp.asarray(weights), samples, axes=1))  # [switches, L]
    size = jnp.abs(samples).max(axis=0)
    held = mode == 0
    size = jnp.where(held, jnp.maximum(size, 1.0), size)
    controlled = jnp.asarray([[state is not None] for state in field.dynamics.switch_states]) & ~held
    return ((departure > ROUGH * size) & ~controlled).any(axis=0)


def lowest(margins_at: Callable[[Any], Any], samples: Any, jnp: Any) -> tuple[Any, Any]:
    """Where each margin is least and what it is there: a parabola through the least inspected value.

    `margins_at` takes a fraction of the step for each margin and lane.
    """
    points = jnp.asarray(INSPECTED)
    middle = jnp.clip(jnp.argmin(samples, axis=0), 1, len(INSPECTED) - 2)
    (a, fa), (b, fb), (c, fc) = (
        (points[middle + i], jnp.take_along_axis(samples, (middle + i)[None], axis=0)[0]) for i in (-1, 0, 1)
    )
    left, right = (fb - fa) / (b - a), (fc - fb) / (c - b)
    bend = (right - left) / (c - a)
    vertex = 0.5 * (a + b) - left / (2 * jnp.where(bend > 0, bend, 1.0))
    vertex = jnp.where(bend > 0, jnp.clip(vertex, a, c), b)
    return vertex, margins_at(vertex)


def first_crossing(
    margins_at: Callable[[Any], Any], samples: Any, least: tuple[Any, Any], jnp: Any, while_loop: Any
) -> tuple[Any, Any]:
    """The earliest fraction of the step at which a margin turns negative, per lane, and which switch it is.

    `samples` are the margins at the inspected points, `least` the lowest in between; a fraction above 1 means
    none. Illinois' regula falsi on the step's dense output, until no lane's guess moves.
    """
    low = jnp.zeros_like(samples[0])
    high = jnp.full_like(low, 2.0)
    # right after an event the margin is zero at the step's beginning: that root is not looked for
    value_low = 1e-3 * jnp.abs(samples[1])
    value_high = -jnp.ones_like(low)
    vertex, deepest = least
    for theta, value in zip(INSPECTED[1:], samples[1:], strict=True):
        dip = (vertex > low) & (vertex < theta) & (deepest < 0) & (high > 1)
        high = jnp.where(dip, vertex, high)
        value_high = jnp.where(dip, deepest, value_high)
        new = (value < 0) & (high > 1)
        high = jnp.where(new, theta, high)
        value_high = jnp.where(new, value, value_high)
        low = jnp.where(high > 1, theta, low)
        value_low = jnp.where(high > 1, value, value_low)
    found = high <= 1

    def secant(low: Any, high: Any, value_low: Any, value_high: Any) -> Any:
        return low + (high - low) * value_low / (value_low - value_high)

    def unsure(search: tuple[Any, ...]) -> Any:
        rounds, moved = search[:2]
        return (rounds < LOCATING_ROUNDS) & jnp.any(found & (moved > LOCATED))

    def narrow(search: tuple[Any, ...]) -> tuple[Any, ...]:
        rounds, _, before, low, high, value_low, value_high, last = search
        guess = secant(low, high, value_low, value_high)
        value = margins_at(guess)
        below = value < 0
        # Illinois: an end that stays twice running counts half, or it would stay for ever
        return (
            rounds + 1,
            jnp.abs(guess - before),
            guess,
            jnp.where(below, low, guess),
            jnp.where(below, guess, high),
            jnp.where(below, jnp.where(last < 0, 0.5, 1.0) * value_low, value),
            jnp.where(below, value, jnp.where(last > 0, 0.5, 1.0) * value_high),
            jnp.where(below, -1.0, 1.0),
        )

    start = (0, jnp.ones_like(low), high, low, high, value_low, value_high, jnp.zeros_like(low))
    *_, low, high, value_low, value_high, _ = while_loop(unsure, narrow, start)
    fraction = jnp.where(found, secant(low, high, value_low, value_high), 2.0)
    return jnp.min(fraction, axis=0), jnp.argmin(fraction, axis=0)


def resolve(field: Field, t: Any, x: Sequence[Any], drive: Drive, mode: Any, at_zero: Any) -> Any:
    """Stick or slip for the switches whose argument is zero, given the direction they came from."""
    jnp = field.jnp
    count = field.switches
    u, du = drive.inputs(t)
    rate, slope = field.dynamics.guard_rate(jnp, t, x, u, du, drive.p, list(mode), drive.side)
    decided = []
    for k in range(count):
        opposing = jnp.broadcast_to(slope.get((k, k), 0.0), mode[k].shape)
        # Nothing pulls back to zero: the switch is simply crossed. At rest without a direction it leaves by
        # its rate.
        onward = jnp.where(mode[k] != 0, -mode[k], jnp.where(rate[k] < 0, -1.0, 1.0))
        crossed = jnp.where(opposing == 0, jnp.where(rate[k] == 0, onward, jnp.sign(rate[k])), onward)
        decided.append(jnp.where(at_zero[k], jnp.where(opposing < 0, 0.0, crossed), mode[k]))
    for _ in range(count):  # each round releases the one that is furthest from being held; the others try again
        value = field.held_values(t, x, drive, decided)
        excess = [jnp.where(at_zero[k] & (decided[k] == 0), jnp.abs(value[k]), 0.0) for k in range(count)]
        worst = jnp.stack(excess).max(axis=0)
        decided = [
            jnp.where((excess[k] > 1) & (excess[k] == worst), jnp.sign(value[k]), decided[k]) for k in range(count)
        ]
    return jnp.stack(decided)


def project(field: Field, t: Any, X: Any, drive: Drive, mode: Any, pending: Any) -> Any:
    """Sensitivities of what is held from the start: whatever would move g off zero dies at once.

    S+ = S- + df/ds ds with ds from dg/dx S+ + dg/dp = 0, the limit of the jump at a stick from either side.
    """
    jnp = field.jnp
    x = [X[i, 0] for i in range(X.shape[0])]
    u, du = drive.inputs(t)
    at = field.dynamics.linearise(jnp, t, x, u, du, drive.p, field.held_values(t, x, drive, mode), drive.side)
    off = _guard_tangents(field, t, X, u, drive)
    held = [m == 0 for m in mode]
    change = field.solve_held(at.guard_rate_switch, [-o for o in off], held)
    change = [jnp.where(pending.any(axis=0), c, 0.0) for c in change]
    for (i, k), slope in at.switch.items():
        X = X.at[i, 1:].add(slope * change[k])
    return X


def _guard_tangents(field: Field, t: Any, X: Any, u: Sequence[Any], drive: Drive) -> list[Any]:
    """dg/dx S + dg/dp of every switch."""
    x = [X[i, 0] for i in range(X.shape[0])]
    to_state, to_parameter = field.dynamics.guard_gradient(field.jnp, t, x, u, drive.p)
    found = []
    for k in range(field.switches):
        total = field.jnp.zeros_like(X[0, 1:]) + field.parameter_columns(to_parameter, k, X[0, 1:], drive)
        for j in range(X.shape[0]):
            if (k, j) in to_state:
                total = total + to_state[k, j] * X[j, 1:]
        found.append(total)
    return found


def jump(field: Field, t: Any, x: Sequence[Any], old: Drive, new: Drive, mode: Any, arrived: Any) -> Any:
    """Modes after inputs may have jumped from one piece to the next, for switches that depend on them."""
    jnp = field.jnp
    before, _ = old.inputs(t)
    after, _ = new.inputs(t)
    guards = field.dynamics.guard(jnp, t, x, after, new.p)
    decided = []
    for m, guard, used in zip(mode, guards, field.dynamics.guard_inputs, strict=True):
        jumped = jnp.zeros_like(arrived)
        for i in used:
            size = jnp.abs(after[i]) + jnp.abs(before[i])
            jumped = jumped | (jnp.abs(after[i] - before[i]) > 1e-9 * size)
        decided.append(jnp.where(arrived & jumped & (guard != 0), jnp.sign(guard), m))
    return jnp.stack(decided)


def cross(
    field: Field, t: Any, X: Any, drive: Drive, mode: Any, which: Any, happened: Any, length: Any
) -> tuple[Any, Any, Any]:
    """Carry lanes that `happened` to land on switch `which` across it.

    Returns time, X and modes. A lane lands within the dense output's error of the event; one Newton step in
    time brings it there.
    """
    jnp = field.jnp
    dynamics = field.dynamics
    states = X.shape[0]
    x = [X[i, 0] for i in range(states)]
    chosen = [(which == k) & happened for k in range(field.switches)]
    slipping = [c & (m != 0) for c, m in zip(chosen, mode, strict=True)]
    arrived = jnp.stack(slipping).any(axis=0)
    u, du = drive.inputs(t)
    before = jnp.stack(field.state_rate(t, x, drive, mode))
    switch_values = field.held_values(t, x, drive, mode)
    rates, _ = dynamics.guard_rate(jnp, t, x, u, du, drive.p, switch_values, drive.side)
    guards = dynamics.guard(jnp, t, x, u, drive.p)
    guard = sum(jnp.where(c, g, 0.0) for c, g in zip(slipping, guards, strict=True))
    rate = sum(jnp.where(c, r, 0.0) for c, r in zip(slipping, rates, strict=True))
    rate = jnp.where(rate == 0, 1.0, rate)
    # where everything is rounding (an equilibrium) the quotient means nothing: the time may not leave the step
    delay = jnp.where(arrived, jnp.clip(-guard / rate, -0.5 * length, 0.5 * length), 0.0)
    t = t + delay
    X = X.at[:, 0].add(before * delay)
    for k, state in enumerate(dynamics.switch_states):
        if state is not None:
            X = X.at[state, 0].set(jnp.where(slipping[k], 0.0, X[state, 0]))
    x = [X[i, 0] for i in range(states)]
    # A held switch that was released leaves in the direction of the value it would have needed.
    released = [jnp.where(c & (m == 0), jnp.sign(v), m) for c, m, v in zip(chosen, mode, switch_values, strict=True)]
    # The jump of one switch changes the force on those that are held, so these are decided anew with it.
    touched = [s | (arrived & (m == 0)) for s, m in zip(slipping, mode, strict=True)]
    new_mode = resolve(field, t, x, drive, jnp.stack(released), jnp.stack(touched))
    if X.shape[1] > 1:
        after = jnp.stack(field.state_rate(t, x, drive, new_mode))
        tangents = _guard_tangents(field, t, X, u, drive)
        moved = sum(jnp.where(c, tangent, 0.0) for c, tangent in zip(slipping, tangents, strict=True))
        event_time = -moved / rate
        jump = (before - after)[:, None, :] * event_time[None]
        X = X.at[:, 1:].add(jnp.where(arrived, jump, 0.0))
        for k, state in enumerate(dynamics.switch_states):
            if state is not None:  # exactly, not to rounding
                stuck = slipping[k] & (new_mode[k] == 0)
                X = X.at[state, 1:].set(jnp.where(stuck, 0.0, X[state, 1:]))
    return t, X, new_mode
