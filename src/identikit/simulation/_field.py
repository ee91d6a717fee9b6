"""The right-hand side with its sensitivity equations, for many lanes at once.

A lane is one segment, record or replicate. Arrays carry the lane as their last axis; X[i, 0] is state i and
X[i, 1:] its derivatives with respect to initial states and free parameters:

    S' = df/dx S + df/dp + df/ds ds,

where ds moves only while a switch is held (dry friction at rest) and follows from g' = 0.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from typing import Any

from identikit.model import Dynamics, Linearisation


@dataclass(frozen=True)
class Drive:
    """What stays constant during a step: parameters [P, L], the inputs' cubic pieces, where they begin, the sides.

    `derived` says of every column of X after those of the initial states by which of the parameters that the dynamics
    derive for it is a derivative: its index, or their number for a column that stays zero. None = by all, in order.
    """

    p: Any
    coefficients: Any  # [inputs, 4, L]
    origin: Any  # [L]
    side: Any = ()  # [kinks, L]: +1 or -1
    derived: Any = None  # [columns]

    def inputs(self, t: Any) -> tuple[list[Any], list[Any]]:
        """u(t) and u'(t)."""
        tau = t - self.origin
        values, rates = [], []
        for c in self.coefficients:
            values.append(c[0] + tau * (c[1] + tau * (c[2] + tau * c[3])))
            rates.append(c[1] + tau * (2 * c[2] + 3 * tau * c[3]))
        return values, rates


class Field:
    """dX/dt for a fixed set of switch modes: +1, -1, or 0 for held."""

    def __init__(self, dynamics: Dynamics, jax: Any) -> None:
        self.dynamics = dynamics
        self.jnp = jax.numpy
        self.jax = jax
        self.switches = len(dynamics.guards)
        self.kinks = len(dynamics.kinks)

    def held_values(self, t: Any, x: Sequence[Any], drive: Drive, mode: Sequence[Any]) -> list[Any]:
        """Switch values: the mode itself where it slips, the value that keeps g' = 0 where it is held."""
        if not self.switches:
            return []
        u, du = drive.inputs(t)
        rate, slope = self.dynamics.guard_rate(self.jnp, t, x, u, du, drive.p, mode, drive.side)
        held = [m == 0 for m in mode]
        change = self.solve_held(slope, [-r for r in rate], held)
        return [m + c for m, c in zip(mode, change, strict=True)]

    def solve_held(self, slope: dict[tuple[int, int], Any], right: Sequence[Any], held: Sequence[Any]) -> list[Any]:
        """Solve slope[held, held] change = right by Gauss elimination; rows that slip get zero."""
        jnp, count = self.jnp, self.switches
        rows = [
            [jnp.where(held[i] & held[j], slope.get((i, j), 0.0), 1.0 if i == j else 0.0) for j in range(count)]
            for i in range(count)
        ]
        # A switch that nothing can hold (no friction) must not divide by zero: its huge value then means
        # "slips".
        for i in range(count):
            rows[i][i] = jnp.where(rows[i][i] == 0, -1e-300, rows[i][i])
        values = [jnp.where(held[i], right[i], 0.0) for i in range(count)]
        for pivot in range(count):
            for i in range(pivot + 1, count):
                factor = rows[i][pivot] / rows[pivot][pivot]
                rows[i] = [a - factor * b for a, b in zip(rows[i], rows[pivot], strict=True)]
                values[i] = values[i] - factor * values[pivot]
        for i in reversed(range(count)):
            for j in range(i + 1, count):
                values[i] = values[i] - rows[i][j] * values[j]
            values[i] = values[i] / rows[i][i]
        return values

    def state_rate(self, t: Any, x: Sequence[Any], drive: Drive, mode: Sequence[Any]) -> list[Any]:
        """dx/dt alone."""
        s = self.held_values(t, x, drive, mode)
        u, du = drive.inputs(t)
        like = x[0]
        found = self.dynamics.rate(self.jnp, t, x, u, du, drive.p, s, drive.side)
        return self._at_rest([self.jnp.broadcast_to(rate, like.shape) for rate in found], mode)

    def _at_rest(self, rates: list[Any], mode: Sequence[Any]) -> list[Any]:
        """A state that is itself held has a rate of exactly zero, not one of rounding."""
        for k, state in enumerate(self.dynamics.switch_states):
            if state is not None:
                rates[state] = self.jnp.where(mode[k] == 0, 0.0, rates[state])
        return rates

    def __call__(self, t: Any, X: Any, drive: Drive, mode: Sequence[Any]) -> Any:
        """dX/dt of shape [states, 1 + columns, L]."""
        jnp = self.jnp
        states, columns = X.shape[0], X.shape[1] - 1
        x = [X[i, 0] for i in range(states)]
        if columns == 0:
            return jnp.stack(self.state_rate(t, x, drive, mode))[:, None, :]
        s = self.held_values(t, x, drive, mode)
        u, du = drive.inputs(t)
        at = self._kept(lambda: self.dynamics.linearise(jnp, t, x, u, du, drive.p, s, drive.side), t)
        tangents = [X[i, 1:] for i in range(states)]
        shift = self._switch_tangents(at, tangents, drive, mode) if self.switches else []
        own = self._parameter_table(at.parameter, states, X[0, 1:], drive)
        rows = []
        for i in range(states):
            row = own[i]
            for j in range(states):
                if (i, j) in at.state:
                    row = row + at.state[i, j] * tangents[j]
            for k in range(self.switches):
                if (i, k) in at.switch:
                    row = row + at.switch[i, k] * shift[k]
            rows.append(jnp.concatenate([jnp.broadcast_to(at.rate[i], x[i].shape)[None], row]))
        return jnp.stack(self._at_rest(rows, mode))

    def _kept(self, linearise: Callable[[], Linearisation], t: Any) -> Linearisation:
        """The linearisation, written to memory before it is used.

        Otherwise the compiler computes every entry anew for each column that it is multiplied with: it drops its own
        optimisation barriers, but looks into no branch, not even into one that is always taken (times are finite).
        """
        jnp = self.jnp

        def tables() -> Any:
            at = linearise()
            return self.jax.tree.map(jnp.asarray, tuple(getattr(at, part.name) for part in fields(at)))

        def never() -> Any:
            return self.jax.tree.map(lambda leaf: jnp.full(leaf.shape, jnp.nan, leaf.dtype), shapes)

        shapes = self.jax.eval_shape(tables)
        return Linearisation(*self.jax.lax.cond(jnp.ravel(t)[0] < jnp.inf, tables, never))

    def _parameter_table(self, table: dict[tuple[int, int], Any], rows: int, like: Any, drive: Drive) -> Any:
        """df/dp of all rows, [rows, columns, L], in the last columns.

        Gathered from the entries that there are: a zero for each of the others would compile slowly.
        """
        jnp = self.jnp
        columns, lanes = like.shape
        order = {place: index for index, place in enumerate(table)}
        count, nothing = len(self.dynamics.free), len(order)
        where = jnp.asarray([[order.get((i, k), nothing) for k in range(count + 1)] for i in range(rows)])
        where = where[:, self._derived(drive)]
        where = jnp.pad(where, ((0, 0), (columns - where.shape[1], 0)), constant_values=nothing)
        values = jnp.stack([jnp.broadcast_to(value, (lanes,)) for value in (*table.values(), 0.0)])
        return values[where]

    def parameter_columns(self, table: dict[tuple[int, int], Any], i: int, like: Any, drive: Drive) -> Any:
        """Row i of df/dp, placed in the last columns."""
        jnp = self.jnp
        count = len(self.dynamics.free)
        if not any((i, k) in table for k in range(count)):
            return 0.0
        columns, lanes = like.shape
        entries = [jnp.broadcast_to(table.get((i, k), 0.0), (lanes,)) for k in range(count + 1)]
        chosen = jnp.stack(entries)[self._derived(drive)]
        return jnp.pad(chosen, ((columns - chosen.shape[0], 0), (0, 0)))

    def _derived(self, drive: Drive) -> Any:
        return self.jnp.arange(len(self.dynamics.free)) if drive.derived is None else drive.derived

    def _switch_tangents(self, at: Any, tangents: Sequence[Any], drive: Drive, mode: Sequence[Any]) -> list[Any]:
        """ds of held switches from d(g') = 0; zero where the switch slips."""
        right = []
        for k in range(self.switches):
            total = self.parameter_columns(at.guard_rate_parameter, k, tangents[0], drive)
            for j, tangent in enumerate(tangents):
                if (k, j) in at.guard_rate_state:
                    total = total + at.guard_rate_state[k, j] * tangent
            right.append(-total)
        return self.solve_held(at.guard_rate_switch, right, [m == 0 for m in mode])
