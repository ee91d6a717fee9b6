"""One Gauss-Newton step over all weights, nodes and parameters: what only one window knows is eliminated first.

The normal equations have the form of an arrow: weights of a window meet only its two nodes and the parameters, and
nodes meet their neighbours. So weights are eliminated window by window (Schur complement), then the band of nodes, and
a system of the size of the parameters is left, which is solved within their bounds.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg import solveh_banded

from identikit.method.network._settings import PINN
from identikit.method.network._window_kernel import WindowShape
from identikit.numerics import bounded_least_squares


@dataclass(frozen=True)
class Step:
    """Changes of all unknowns: weights [windows, weights], nodes [nodes, states + 1] and parameters [free].

    `gain` is how much smaller the sum of squares would be if everything were linear.
    """

    weights: np.ndarray
    nodes: np.ndarray
    p: np.ndarray
    gain: float


@dataclass(frozen=True)
class NormalEquations:
    """J'J and J'r of all windows, and of what is known of nodes and parameters besides.

    Arguments:
        matrix, gradient: [windows, D, D] and [windows, D], D = weights, left and right node, parameters.
        left: [windows] the node at each window's left end.
        held: [nodes, states + 1] unknowns that do not move.
        extra: ((node, matrix [m, m], gradient [m]), ...) with m = states + 1 + parameters.
        prior: matrix [free, free] and gradient [free] of what is known of parameters beforehand.
    """

    shape: WindowShape
    matrix: np.ndarray
    gradient: np.ndarray
    left: np.ndarray
    held: np.ndarray
    extra: tuple[tuple[int, np.ndarray, np.ndarray], ...]
    prior: tuple[np.ndarray, np.ndarray]

    def step(self, damping: float, low: np.ndarray, high: np.ndarray) -> Step | None:
        """The step of Levenberg and Marquardt, with low <= change of p <= high; None if the equations are broken."""
        try:
            reduced = self._reduced(damping)
            changes = bounded_least_squares(*reduced.rows(), low, high)
        except (np.linalg.LinAlgError, ValueError):
            return None
        return reduced.substituted(changes)

    def information_rows(self) -> np.ndarray:
        """Rows A with A'A the information of the parameters alone."""
        return self._reduced(0.0).rows()[0]

    def _reduced(self, damping: float) -> _Reduced:
        count = self.shape.weights
        matrix = self.matrix
        own = matrix[:, :count, :count].copy()
        diagonal = np.einsum("kii->ki", own)
        mean = diagonal.mean(axis=1, keepdims=True)
        at = np.arange(count)
        own[:, at, at] += damping * np.maximum(diagonal, PINN.weight_floor * mean) + PINN.ridge * mean + 1e-300
        across = np.concatenate([matrix[:, :count, count:], self.gradient[:, :count, None]], axis=2)
        solved = np.linalg.solve(own, across)
        eliminated = np.einsum("kwi,kwj->kij", matrix[:, :count, count:], solved)
        shared = matrix[:, count:, count:] - eliminated[:, :, :-1]
        gradient = self.gradient[:, count:] - eliminated[:, :, -1]
        damped = damping * np.einsum("kii->ki", matrix[:, count:, count:])
        shared[:, np.arange(shared.shape[1]), np.arange(shared.shape[1])] += damped
        return _Reduced.of(self, solved, shared, gradient)


@dataclass(frozen=True)
class _Reduced:
    """The equations without weights: a band of nodes with the parameters as its border."""

    equations: NormalEquations
    solved: np.ndarray
    nodes: np.ndarray  # the border and the right-hand side over the band [node unknowns, free + 1]
    matrix: np.ndarray  # of the parameters alone
    gradient: np.ndarray

    @classmethod
    def of(cls, equations: NormalEquations, solved: np.ndarray, shared: np.ndarray, gradient: np.ndarray) -> _Reduced:
        node, free = equations.shape.node, equations.shape.free
        total = equations.held.size
        band = np.zeros((2 * node, total))  # lower form: band[i - j, j]
        border, right = np.zeros((total, free)), np.zeros(total)
        matrix, slope = equations.prior[0].copy(), equations.prior[1].copy()
        place = equations.left[:, None] * node + np.arange(2 * node)
        for i in range(2 * node):
            for j in range(i + 1):
                np.add.at(band[i - j], place[:, j], shared[:, i, j])
        np.add.at(border, place, shared[:, : 2 * node, 2 * node :])
        np.add.at(right, place, gradient[:, : 2 * node])
        matrix += shared[:, 2 * node :, 2 * node :].sum(axis=0)
        slope += gradient[:, 2 * node :].sum(axis=0)
        for at, own, pull in equations.extra:
            here = at * node + np.arange(node)
            for i in range(node):
                band[: i + 1, here[0] : here[0] + i + 1][i - np.arange(i + 1), np.arange(i + 1)] += own[i, : i + 1]
            border[here] += own[:node, node:]
            right[here] += pull[:node]
            matrix += own[node:, node:]
            slope += pull[node:]
        fixed = equations.held.ravel() | (band[0] <= 0)
        border[fixed], right[fixed] = 0.0, 0.0
        for d in range(2 * node):
            band[d, : total - d][fixed[: total - d] | fixed[d:]] = 0.0
        scale = 1 / np.sqrt(np.where(fixed, 1.0, band[0]))
        for d in range(2 * node):
            band[d, : total - d] *= scale[: total - d] * scale[d:]
        band[0] = np.where(fixed, 1.0, band[0] * (1 + 1e-14))
        over = solveh_banded(band, np.column_stack([border, right]) * scale[:, None], lower=True) * scale[:, None]
        matrix -= border.T @ over[:, :free]
        slope -= border.T @ over[:, free]
        return cls(equations, solved, over, (matrix + matrix.T) / 2, slope)

    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Least squares whose normal equations are those of the parameters."""
        free = len(self.gradient)
        if not free:
            return np.zeros((0, 0)), np.zeros(0)
        size = np.sqrt(np.maximum(np.diag(self.matrix), 1e-300))
        values, vectors = np.linalg.eigh(self.matrix / np.outer(size, size))
        kept = np.maximum(values, 1e-14 * max(float(values.max()), 1e-300))
        return (vectors * np.sqrt(kept)).T * size, -(vectors / np.sqrt(kept)).T @ (self.gradient / size)

    def substituted(self, p: np.ndarray) -> Step:
        shape, free = self.equations.shape, len(p)
        nodes = -(self.nodes[:, free] + self.nodes[:, :free] @ p)
        place = self.equations.left[:, None] * shape.node + np.arange(2 * shape.node)
        known = np.column_stack([nodes[place], np.tile(p, (len(place), 1))])
        weights = -(self.solved[:, :, -1] + np.einsum("kwi,ki->kw", self.solved[:, :, :-1], known))
        gain = -float(np.sum(self.equations.gradient * np.column_stack([weights, known])))
        gain -= float(self.equations.prior[1] @ p)
        for at, _, pull in self.equations.extra:
            gain -= float(pull @ np.concatenate([nodes[at * shape.node : (at + 1) * shape.node], p]))
        return Step(weights, nodes.reshape(-1, shape.node), p, gain)
