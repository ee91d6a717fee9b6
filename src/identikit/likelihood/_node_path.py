"""Where the segments of one trajectory begin, as its unknowns move away from the estimate.

    nodes(u) = nodes + S (u - estimate) + 1/2 (u - estimate)' H (u - estimate)

S are the sensitivities of the estimate's trajectory, exact; H is how they change from one side of the estimate to the
other. What this leaves of the gaps between segments is closed by integrating again, so that a good guess saves time and
changes nothing else: with H most motions of a posterior that is nearly normal are integrated once instead of twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np


@dataclass(frozen=True)
class NodePath:
    """`unknowns` [unknowns] and `nodes` [segments, states] of the estimate, `slopes` S [segments, states, unknowns],
    `bends` H [segments, states, unknowns, unknowns] where it is known."""

    unknowns: np.ndarray
    nodes: np.ndarray
    slopes: np.ndarray
    bends: np.ndarray | None = None

    def at(self, unknowns: np.ndarray) -> np.ndarray:
        """Nodes [segments, states] of a trajectory nearby."""
        off = unknowns - self.unknowns
        slopes = self.slopes if self.bends is None else self.slopes + 0.5 * (self.bends @ off)
        return np.asarray(self.nodes + slopes @ off)

    def bent(self, steps: np.ndarray, changes: np.ndarray) -> NodePath:
        """With H, from the `changes` [steps, segments, states, unknowns] of S over each of the `steps` [unknowns,
        unknowns], its columns, which span all directions."""
        along = np.einsum("ksxu,ui->sxik", changes, steps)
        symmetric = (along + np.swapaxes(along, -1, -2)) / 2  # but for third derivatives it is
        back = np.linalg.inv(steps)
        return replace(self, bends=back.T @ symmetric @ back)
