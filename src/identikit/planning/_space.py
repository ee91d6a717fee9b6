"""What the experimenter may choose when a run begins: initial states, and values that are set rather than estimated."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from identikit.errors import OptionError, did_you_mean
from identikit.model import Model
from identikit.planning._settings import DESIGN

RESOLUTION = 200  # steps over the limits: finer values would only look exact


@dataclass(frozen=True)
class Space:
    """A box of initial states and settings about the present ones.

    Arguments:
        present: all initial states at present; settings: values of all parameters at present.
        limits: {initial state or fixed parameter: (low, high)}.
    """

    model: Model
    present: Mapping[str, float]
    settings: Mapping[str, float]
    limits: Mapping[str, tuple[float, float]]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.limits)

    @property
    def here(self) -> np.ndarray:
        """The present values, moved into the limits."""
        values = [self.present.get(name, self.settings.get(name, 0.0)) for name in self.names]
        return np.array([np.clip(v, *self.limits[name]) for name, v in zip(self.names, values, strict=True)])

    def points(self, seed: int) -> np.ndarray:
        """Candidates [n, names]: the present one, corners, middles of sides, and points spread evenly in between."""
        low, high = self._ends()
        if not len(low):
            return np.zeros((1, 0))
        found = [self.here[None]]
        if len(low) <= DESIGN.corners:
            found.append(np.array(list(itertools.product(*zip(low, (low + high) / 2, high, strict=True)))))
        found.append(low + (high - low) * _even(len(low), DESIGN.points, seed))
        return self._rounded(np.concatenate(found))

    def around(self, centres: np.ndarray, reach: float, seed: int) -> np.ndarray:
        """Further candidates within `reach` times the limits of each of some centres."""
        low, high = self._ends()
        if not len(low):
            return np.zeros((0, 0))
        spread = (2 * _even(len(low), DESIGN.zoom_points, seed) - 1) * reach * (high - low)
        moved = (centres[:, None] + spread).reshape(-1, len(low))
        return self._rounded(np.clip(moved, low, high))

    def beginning(self, point: np.ndarray) -> tuple[dict[str, float], dict[str, float]]:
        """Initial states and settings at a point."""
        chosen = dict(zip(self.names, map(float, point), strict=True))
        states = {name: chosen.get(name, float(self.present[name])) for name in self.model.state_names}
        return states, {name: value for name, value in chosen.items() if name not in self.model.state_names}

    def lanes(self, points: np.ndarray, draws: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Initial states [points x draws, states] and parameters [points x draws, parameters] of every combination."""
        initial = np.empty((len(points), len(self.model.states)))
        p = np.repeat(draws[None], len(points), axis=0)
        index = {name: i for i, name in enumerate(self.model.parameter_names)}
        for k, point in enumerate(points):
            states, settings = self.beginning(point)
            initial[k] = [states[name] for name in self.model.state_names]
            for name, value in settings.items():
                p[k, :, index[name]] = value
        return np.repeat(initial, len(draws), axis=0), p.reshape(-1, p.shape[-1])

    def _ends(self) -> tuple[np.ndarray, np.ndarray]:
        ends = np.array([self.limits[name] for name in self.names], float).reshape(-1, 2)
        return ends[:, 0], ends[:, 1]

    def _rounded(self, points: np.ndarray) -> np.ndarray:
        """To values that can be set by hand, without repetition."""
        low, high = self._ends()
        step = 10.0 ** np.floor(np.log10((high - low) / RESOLUTION * 2))
        kept = np.concatenate([points[:1], np.clip(np.round(points[1:] / step) * step, low, high)])
        _, first = np.unique(np.round(kept / step, 6), axis=0, return_index=True)
        return np.asarray(kept[np.sort(first)])


def checked_limits(
    model: Model, free: tuple[str, ...], limits: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    """Limits that can be kept: of initial states that are not told by the model, and of parameters that are set."""
    always = {state.name for state in model.states if state.initial is not None}
    settable = [name for name in model.parameter_names if name not in free]
    choices = (*(name for name in model.state_names if name not in always), *settable)
    found = {}
    for name, (low, high) in limits.items():
        if name in free:
            raise OptionError(
                f"limits of '{name}': it is to be estimated, so nobody can choose it: fix it, or leave out"
            )
        if name not in choices:
            raise OptionError(
                f"limits of '{name}': expected an initial state or a fixed parameter.{did_you_mean(name, choices)}"
            )
        if not (np.isfinite([low, high]).all() and low < high):
            raise OptionError(f"limits of '{name}' are {low:g} and {high:g}: expected two numbers, the smaller first")
        found[name] = (float(low), float(high))
    return found


def usual_limits(
    model: Model, initial: Mapping[str, float], visited: Mapping[str, tuple[float, float]]
) -> dict[str, tuple[float, float]]:
    """Without limits: whoever can begin at x can begin anywhere from -x to x, if the motion has been on both sides of
    zero; a temperature or a population that stays on one side begins where it has been. Within the state's bounds."""
    found = {}
    for state in model.states:
        size = abs(float(initial[state.name]))
        least, largest = visited[state.name]
        low, high = (least, largest) if least * largest > 0 else (-size, size)
        low, high = max(low, state.bounds[0]), min(high, state.bounds[1])
        if state.initial is None and low < high:  # one that begins at its only bound leaves nothing to choose
            found[state.name] = (low, high)
    return found


def _even(dimensions: int, count: int, seed: int) -> np.ndarray:
    """Points [count, dimensions] spread evenly over the unit cube."""
    from scipy.stats import qmc

    return np.asarray(qmc.Sobol(dimensions, seed=np.random.default_rng(seed)).random(count))
