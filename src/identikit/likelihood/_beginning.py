"""What is known of the states when a record begins, as rows beside the measured ones.

A known state v(p) is a gap s_0 - v(p) to be closed, as between two segments: loosely tied at first and exactly in the
end. A normal prior is one more measured value. Known values may be expressions of parameters.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import sympy as sp

from identikit.likelihood._layout import Layout
from identikit.model import Program, state_bounds, symbol
from identikit.problem import Problem


@dataclass(frozen=True)
class _Known:
    """States [m] of one record with a value and a spread (0 = exact)."""

    segment: int
    states: np.ndarray
    std: np.ndarray
    values: Program
    slopes: Program


class Beginnings:
    """The conditions on the first states of all records of a problem."""

    def __init__(self, problem: Problem, layout: Layout) -> None:
        self.problem = problem
        self._parts = []
        parameters = [symbol(name) for name in problem.model.parameter_names]
        for segment, record in zip(layout.first_of_record, problem.initial, strict=True):
            told = [(i, item) for i, item in enumerate(record.values()) if not item.free]
            if told:
                values = [sp.Float(item.value) if isinstance(item.value, float) else item.value for _, item in told]
                slopes = [sp.diff(value, symbol(name)) for value in values for name in problem.free]
                where, std = np.array([i for i, _ in told]), np.array([item.std for _, item in told])
                self._parts.append(
                    _Known(int(segment), where, std, Program(values, parameters), Program(slopes, parameters))
                )

    def __bool__(self) -> bool:
        return bool(self._parts)

    def values(self, part: _Known, p: np.ndarray) -> np.ndarray:
        """v(p) [..., m] for all parameters p [..., parameters]."""
        return np.stack([np.broadcast_to(v, p.shape[:-1]) for v in part.values(np, list(np.moveaxis(p, -1, 0)))], -1)

    def put(self, free: np.ndarray, nodes: np.ndarray) -> np.ndarray:
        """Nodes with every known or roughly known first state at its value."""
        nodes = nodes.copy()
        p = self.problem.vector(free)
        for part in self._parts:
            nodes[..., part.segment, part.states] = self.values(part, p)
        return nodes

    def gaps(self, free: np.ndarray, nodes: np.ndarray, sizes: np.ndarray) -> np.ndarray:
        """Distances [..., m] of exactly known first states from their values, in units of the states' sizes."""
        p = self.problem.vector(free)
        found = [
            ((nodes[..., part.segment, part.states] - self.values(part, p)) / sizes[part.states])[..., part.std == 0]
            for part in self._parts
        ]
        return np.concatenate(found, axis=-1) if found else np.zeros((*free.shape[:-1], 0))

    def prior_cost(self, free: np.ndarray, nodes: np.ndarray) -> np.ndarray:
        """Sum of squares of what is known roughly."""
        p = self.problem.vector(free)
        total = np.zeros(free.shape[:-1])
        for part in self._parts:
            rough = part.std > 0
            off = (nodes[..., part.segment, part.states] - self.values(part, p))[..., rough] / part.std[rough]
            total = total + np.sum(off**2, axis=-1)
        return total

    def rows(self, free: np.ndarray, nodes: np.ndarray, tau: np.ndarray) -> dict[int, np.ndarray]:
        """Rows [..., m, states + free + 1] of each segment that begins a record of which something is known.

        Exactly known states have the spread `tau` [states] for the while.
        """
        p = self.problem.vector(free)
        states, count = nodes.shape[-1], free.shape[-1]
        found = {}
        for part in self._parts:
            m = len(part.states)
            rows = np.zeros((*free.shape[:-1], m, states + count + 1))
            rows[..., np.arange(m), part.states] = 1.0
            if count:
                slopes = part.slopes(np, list(np.moveaxis(p, -1, 0)))
                table = np.stack([np.broadcast_to(v, p.shape[:-1]) for v in slopes], axis=-1)
                rows[..., states:-1] = -table.reshape(*free.shape[:-1], m, count)
            rows[..., -1] = self.values(part, p) - nodes[..., part.segment, part.states]
            found[part.segment] = rows / np.where(part.std > 0, part.std, tau[part.states])[:, None]
        return found


def node_bounds(problem: Problem, layout: Layout) -> tuple[np.ndarray, np.ndarray] | None:
    """Lower and upper bounds [segments, states] of the node states; None if there are none.

    The model's own hold all along a record, those of the problem when it begins.
    """
    table = np.tile(np.array(state_bounds(problem.model)), (len(layout.begin), 1, 1))
    for segment, record in zip(layout.first_of_record, problem.initial, strict=True):
        table[segment] = [item.bounds for item in record.values()]
    return (table[..., 0], table[..., 1]) if np.isfinite(table).any() else None
