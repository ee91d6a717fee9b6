"""Where to look: the part of the state space a model is likely to live in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from identikit.errors import ModelError, OptionError, did_you_mean
from identikit.explore._flow import Flow
from identikit.model import Model
from identikit.simulation import initial_vector

REACH = 3.0  # a state is looked for up to so many times its value at the start
BEYOND = 10.0  # and accepted up to so many times that, unless a box is given
BOX_SAMPLES = 64  # points at which the signs of the rates are tried


@dataclass(frozen=True)
class Box:
    """Bounds of all states: `low` to `high` to search in, `floor` to `ceiling` to accept what is found."""

    low: np.ndarray
    high: np.ndarray
    floor: np.ndarray
    ceiling: np.ndarray

    @property
    def width(self) -> np.ndarray:
        return self.high - self.low

    def points(self, count: int) -> np.ndarray:
        """The middle and `count` points spread evenly over the box, [states, count + 1]."""
        from scipy.stats import qmc

        spread = qmc.Sobol(len(self.low), scramble=True, seed=0).random(count)
        return np.vstack([(self.low + self.high) / 2, self.low + spread * self.width]).T


def usual_box(
    flow: Flow, given: Mapping[str, tuple[float, float]] | None = None, initial: Mapping[str, float] | None = None
) -> Box:
    """The box given for some states; for the others, from where the model starts.

    An angle (unit rad) lies between -pi and pi, a state that stays positive between zero and three times its start,
    any other within three times its start on either side of zero (one, if it starts at zero).
    """
    model = flow.model
    chosen = _checked(model, given)
    start = initial_vector(model, initial)
    size = np.where(start != 0, REACH * np.abs(start), 1.0)
    angle = np.array([state.unit == "rad" for state in model.states])
    size = np.where(angle, np.pi, size)
    positive = staying_positive(flow, start, size)
    low, high = np.where(positive, 0.0, -size), size
    floor, ceiling = np.where(positive, 0.0, -BEYOND * size), BEYOND * size
    for name, (lower, upper) in chosen.items():
        index = model.state_names.index(name)
        low[index], high[index] = floor[index], ceiling[index] = lower, upper
    return Box(low, high, floor, ceiling)


def staying_positive(flow: Flow, start: np.ndarray, size: np.ndarray) -> np.ndarray:
    """Which states start above zero and cannot fall below it: a count, a concentration, an absolute temperature.

    A set of states stays positive if f_i >= 0 wherever x_i = 0 and the others of the set are not negative. It is tried
    at 64 points; states that fail are taken out until none does.
    """
    random = np.random.default_rng(0)
    spread = random.uniform(-1, 1, (len(start), BOX_SAMPLES)) * size[:, None]
    positive = start > 0
    while True:
        points = np.where(positive[:, None], np.abs(spread), spread)
        failing = [index for index in np.flatnonzero(positive).tolist() if _falls_below_zero(flow, points, index, size)]
        if not failing:
            return positive
        positive[failing] = False


def _falls_below_zero(flow: Flow, points: np.ndarray, index: int, size: np.ndarray) -> bool:
    at_zero = points.copy()
    at_zero[index] = 1e-9 * size[index]  # not zero itself, where 1/T has no value
    with np.errstate(all="ignore"):
        usual, rate = flow.rate(0.0, points)[index], flow.rate(0.0, at_zero)[index]
    return not bool(np.all(rate >= -1e-6 * np.nanmax(np.abs(usual), initial=0.0)))


def _checked(model: Model, given: Mapping[str, tuple[float, float]] | None) -> dict[str, tuple[float, float]]:
    chosen = dict(given or {})
    for name, (low, high) in chosen.items():
        if name not in model.state_names:
            raise ModelError(f"model '{model.name}' has no state '{name}'.{did_you_mean(name, model.state_names)}")
        if not (np.isfinite([low, high]).all() and low < high):
            raise OptionError(f"the box of '{name}' is [{low:g}, {high:g}]: expected two finite numbers, lower first")
    return chosen
