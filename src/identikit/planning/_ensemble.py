"""The information of many experiments at once, each run integrated with all its sensitivities as one lane.

Of a run that begins at x_0, a sample at t with noise sigma adds

    m(t) = sum over outputs of s s' / sigma^2,    s = d y(t) / d (x_0, p)

to the information of beginning and parameters. The beginning is eliminated by the Schur complement; runs add up. Since
sums over samples are all that matters, one integration over the longest run tells all shorter ones and every way of
sampling them.

Where dry friction brings a motion to rest follows the parameters very steeply, but only within one half swing, and a
fit may not know which: to first order that is a treasure that cannot always be had. So a search counts no rest, lest it
look for treasures; a plan that is there is judged with all that it records (`counts_rest`).

Not for chaotic motion over many Lyapunov times: there a trajectory tells without end, and no fit can use it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from identikit.model import Model, Program, dynamics_of, observe, symbol
from identikit.planning._settings import DESIGN
from identikit.simulation import Integrator, Pieces

MOST_AT_ONCE = 128  # lanes whose rows are held in memory together


@dataclass(frozen=True)
class Ensemble:
    """Runs of one model with the same sensors.

    Arguments:
        noise: {output: standard deviation}.
        known: states that will be known when a run begins; those that the model knows need not be named.
        counts_rest: whether samples tell anything after friction has stopped the motion for good.
    """

    model: Model
    free: tuple[str, ...]
    noise: Mapping[str, float]
    known: tuple[str, ...] = ()
    counts_rest: bool = False

    @cached_property
    def _integrator(self) -> Integrator:
        every = tuple(range(len(self.model.states)))
        return Integrator(dynamics_of(self.model, self.free), every, sensitivities=True, tolerance=DESIGN.tolerance)

    @cached_property
    def _beginnings(self) -> tuple[dict[int, int], Program] | None:
        """States that begin at an expression of parameters, with its derivatives; None if there are none."""
        import sympy as sp

        told = [(i, state.initial) for i, state in enumerate(self.model.states) if state.initial is not None]
        if not told:
            return None
        free = [symbol(name) for name in self.free]
        flat = [expression for _, value in told for expression in (value, *(sp.diff(value, one) for one in free))]
        symbols = [symbol(name) for name in self.model.parameter_names]
        return {i: k for k, (i, _) in enumerate(told)}, Program(flat, symbols)

    @property
    def unknown_states(self) -> list[int]:
        """States whose beginning is estimated along with the parameters."""
        return [
            i for i, state in enumerate(self.model.states) if state.initial is None and state.name not in self.known
        ]

    def rows(self, initial: np.ndarray, p: np.ndarray, pieces: Pieces, times: np.ndarray) -> np.ndarray:
        """d y/d(unknown beginning, free parameters) over the noise [runs, times, outputs, columns].

        `initial` [runs, states], `p` [runs, parameters]; zero where the model cannot be integrated that far.
        """
        return np.concatenate(
            [
                self._rows(initial[k : k + MOST_AT_ONCE], p[k : k + MOST_AT_ONCE], pieces, times)
                for k in range(0, len(initial), MOST_AT_ONCE)
            ]
        )

    def _rows(self, initial: np.ndarray, p: np.ndarray, pieces: Pieces, times: np.ndarray) -> np.ndarray:
        count, states = len(initial), len(self.model.states)
        begun, slopes = self._begun(initial, p)
        zero = np.zeros(count)
        end = np.full(count, times[-1])
        run = self._integrator.run(zero, end, begun, p, pieces, pieces.index(zero))
        every = np.tile(times, count)
        X = run.sample(every, np.arange(count + 1) * len(times))
        observation = observe(self.model, tuple(self.noise), self.free)
        per_sample = [np.repeat(column, len(times)) for column in p.T]
        with np.errstate(all="ignore"):
            _, found = observation.with_derivatives(every, X[:, list(observation.wanted)], pieces(every), per_sample)
        found = found / np.array(list(self.noise.values()))[:, None]
        found = found.reshape(count, len(times), len(self.noise), states + len(self.free))
        if slopes is not None:
            found[..., states:] += np.einsum("ntos,nsf->ntof", found[..., :states], slopes)
        # a run that cannot be integrated to its end counts as telling nothing, rather than as telling part of it
        found = np.where(np.isfinite(found), found, 0.0)
        found[run.failed] = 0.0
        if not self.counts_rest:
            found[np.arange(len(times)) >= self._moving(X[:, :, 0], count)[:, None]] = 0.0
        return np.asarray(found[..., [*self.unknown_states, *range(states, states + len(self.free))]])

    def _moving(self, x: np.ndarray, count: int) -> np.ndarray:
        """How many of the sampled instants pass until every run rests for good [runs]; all, if it does not."""
        states = x.reshape(count, -1, x.shape[-1])
        if not self._integrator.dynamics.guards:
            return np.full(count, states.shape[1])
        changes = np.abs(np.diff(states, axis=1)) > DESIGN.still * np.abs(states).max(axis=1, keepdims=True)
        late = np.argmax(changes.any(axis=2)[:, ::-1], axis=1)
        return np.asarray(np.where(changes.any(axis=(1, 2)), states.shape[1] - late, 1))

    def rest(self, initial: np.ndarray, p: np.ndarray, pieces: Pieces, longest: float) -> float:
        """When a run rests for good; the longest time if it does not."""
        if not self._integrator.dynamics.guards:
            return longest
        times = np.linspace(0.0, longest, DESIGN.grid)
        begun, zero = self._begun(initial[None], p[None])[0], np.zeros(1)
        run = self._integrator.run(zero, times[-1:], begun, p, pieces, pieces.index(zero))
        moving = int(self._moving(run.sample(times, np.array([0, len(times)]))[:, :, 0], 1)[0])
        return longest if moving == len(times) else float(times[moving])

    def _begun(self, initial: np.ndarray, p: np.ndarray) -> tuple[np.ndarray, np.ndarray | None]:
        """Initial states with those that the model tells, and how these follow the free parameters."""
        if self._beginnings is None:
            return initial, None
        where, program = self._beginnings
        width = 1 + len(self.free)
        values = [np.broadcast_to(value, (len(initial),)) for value in program(np, list(p.T))]
        begun = initial.copy()
        slopes = np.zeros((len(initial), initial.shape[1], len(self.free)))
        for state, k in where.items():
            begun[:, state] = values[k * width]
            slopes[:, state] = np.stack(values[k * width + 1 : (k + 1) * width], axis=-1)
        return begun, slopes

    def per_sample(
        self, initial: np.ndarray, p: np.ndarray, pieces: Pieces, durations: Sequence[float] | np.ndarray
    ) -> np.ndarray:
        """Information of the parameters [runs, durations, free, free] that a sample of an even series has on average.

        `durations` increase, and are taken to the nearest of the instants that are looked at.
        """
        step = durations[-1] / DESIGN.grid
        ends = np.maximum(np.round(np.asarray(durations) / step).astype(int), 1)
        times = (np.arange(DESIGN.grid) + 0.5) * step
        made = []
        for k in range(0, len(initial), MOST_AT_ONCE):
            rows = self._rows(initial[k : k + MOST_AT_ONCE], p[k : k + MOST_AT_ONCE], pieces, times)
            total, before = 0.0, 0
            parts = []
            for end in ends:
                block = rows[:, before:end]
                total = total + np.einsum("ntoi,ntoj->nij", block, block, optimize=True)
                before = int(end)
                parts.append(total / end)
            made.append(np.stack(parts, axis=1))
        return eliminated(np.concatenate(made), len(self.free))


def eliminated(information: np.ndarray, free: int) -> np.ndarray:
    """The information of the last `free` unknowns [..., free, free] if the others are not known (Schur complement).

    Directions of the others that hold no information count as known: nothing depends on them.
    """
    others = information.shape[-1] - free
    if not others:
        return information
    a, b, d = information[..., :others, :others], information[..., :others, others:], information[..., others:, others:]
    size = np.sqrt(np.maximum(np.diagonal(a, axis1=-2, axis2=-1), 1e-300))
    scales = size[..., :, None] * size[..., None, :]
    inverse = np.linalg.pinv(a / scales, rcond=1e-12, hermitian=True) / scales
    return np.asarray(d - np.swapaxes(b, -1, -2) @ inverse @ b)
