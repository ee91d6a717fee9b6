"""When a motion is caught: it will end in this state of rest and in no other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from identikit.explore._box import Box
from identikit.explore._equilibria import Equilibrium, periodic_angles, wrapped
from identikit.explore._flow import Flow
from identikit.explore._second_order import degree_of_freedom
from identikit.explore._wells import PotentialWells
from identikit.model import Model

UNDECIDED = -1  # in place of an attractor's number
DIRECTIONS = 400  # in which a region about a state of rest is tested, at each of the RADII
RADII = np.geomspace(1e-6, 1.0, 60)
TURN = 2 * np.pi  # radians


class EnergyCatch:
    """One degree of freedom whose damping only takes energy: caught once too slow for the lower of the two hills.

    `table` is the potential with every well and its two hills; `attractors` are positions. In a `periodic` potential
    wells a turn apart are one, and the table reaches a turn beyond the one around its middle.
    """

    def __init__(self, model: Model, attractors: Sequence[float], table: PotentialWells, periodic: bool) -> None:
        self.position, self.velocity = degree_of_freedom(model)
        self.table, self.periodic = table, periodic
        self.first = (table.position[0] + table.position[-1]) / 2 - np.pi
        hills = [(-np.inf, np.inf), *table.hills, (np.inf, np.inf)]
        self.wells = []
        for well in table.wells:
            left = max((hill for hill in hills if hill[0] < well.position), key=lambda hill: hill[0])
            right = min((hill for hill in hills if hill[0] > well.position), key=lambda hill: hill[0])
            owner = int(np.argmin([self._apart(well.position - place) for place in attractors]))
            self.wells.append((left[0], right[0], min(left[1], right[1]), owner))

    def _apart(self, gap: float) -> float:
        return abs((gap + np.pi) % TURN - np.pi) if self.periodic else abs(gap)

    def __call__(self, states: np.ndarray) -> np.ndarray:
        """The attractor that has caught each of the states [lanes, states], else UNDECIDED."""
        x = states[:, self.position]
        if self.periodic:
            x = self.first + np.mod(x - self.first, TURN)
        level = np.interp(x, self.table.position, self.table.energy, left=np.inf, right=np.inf)
        energy = states[:, self.velocity] ** 2 / 2 + level
        found = np.full(len(x), UNDECIDED)
        for left, right, lower, owner in self.wells:
            found[(x > left) & (x < right) & (energy < lower)] = owner
        return found


class EllipsoidCatch:
    """Any model: caught once inside an ellipsoid around a state of rest that motions only enter.

    V = y' P y with A' P + P A = -1, A the linearised model in units of the box. The ellipsoid is the largest at which
    and inside which V was found to fall, at 400 points of each of up to 60 shells. It ends halfway to the next state
    of rest. A state that attracts only by dry friction has none.
    """

    def __init__(self, flow: Flow, box: Box, attractors: Sequence[Equilibrium], resting: Sequence[Equilibrium]) -> None:
        self.flow, self.width, self.periodic = flow, box.width, periodic_angles(flow, box)
        self.caught = []
        for item in attractors:
            rest = np.array(list(item.state.values()))
            others = [np.array(list(other.state.values())) for other in resting if other is not item]
            gaps = [float(np.abs(self.apart(place[None], rest)).max()) for place in others]
            if item.attracting:
                self.caught.append((rest, *self._ellipsoid(rest, min([*gaps, 2.0]) / 2)))
            else:
                self.caught.append((rest, np.eye(len(rest)), -1.0))

    def apart(self, states: np.ndarray, rest: np.ndarray) -> np.ndarray:
        """How far [lanes, states] are from a state of rest, in units of the box, the short way round for angles."""
        gaps: np.ndarray = wrapped(states - rest, self.periodic) / self.width
        return gaps

    def _ellipsoid(self, rest: np.ndarray, reach: float) -> tuple[np.ndarray, float]:
        from scipy.linalg import solve_continuous_lyapunov

        width = self.width[:, None]
        shape = solve_continuous_lyapunov((self.flow.jacobian(0.0, rest) * self.width / width).T, -np.eye(len(rest)))
        random = np.random.default_rng(0).standard_normal((len(rest), DIRECTIONS))
        shell = np.linalg.solve(np.linalg.cholesky(shape).T, random / np.linalg.norm(random, axis=0))
        size = reach / float(np.abs(shell).max())
        level = -1.0
        for radius in size * RADII:
            with np.errstate(all="ignore"):
                rate = self.flow.rate(0.0, rest[:, None] + radius * width * shell) / width
            if not np.all(np.einsum("ik,ij,jk->k", shell, shape, rate) < 0):
                break
            level = radius**2
        return shape, level

    def __call__(self, states: np.ndarray) -> np.ndarray:
        """The attractor that has caught each of the states [lanes, states], else UNDECIDED."""
        found = np.full(len(states), UNDECIDED)
        for index, (rest, shape, level) in enumerate(self.caught):
            gap = self.apart(states, rest)
            found[np.einsum("ki,ij,kj->k", gap, shape, gap) <= level] = index
        return found
