"""Wells and hills of the potential of a model of one degree of freedom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from identikit.errors import OptionError
from identikit.explore._second_order import conservative_acceleration, potential
from identikit.model import Model

POINTS = 2001


@dataclass(frozen=True)
class Well:
    """A minimum of the potential: where, how deep below the lower of its hills (None without one), how fast.

    `frequency` is that of small swings, in radians per time unit.
    """

    position: float
    energy: float
    depth: float | None
    frequency: float


@dataclass(frozen=True)
class PotentialWells:
    """V on a grid, per unit of inertia and zero at its lowest point on the grid; its minima and its maxima."""

    position: np.ndarray
    energy: np.ndarray
    wells: tuple[Well, ...]
    hills: tuple[tuple[float, float], ...]


def potential_wells(
    model: Model,
    parameters: Mapping[str, float] | None = None,
    *,
    between: tuple[float, float],
    inputs: Mapping[str, float] | None = None,
) -> PotentialWells:
    """Integrate what accelerates x at rest, V(x) = -integral a(x, v=0) dx, and find its extremes.

    Energies are per unit of inertia, since the model gives accelerations: multiply by the mass for joules.
    Damping, dry friction and forcing that depends on time are left out. `hills` are (position, energy).
    Two extremes closer than 1/2000 of the range may be missed.
    """
    from scipy.optimize import brentq

    low, high = between
    if not (np.isfinite([low, high]).all() and low < high):
        raise OptionError(f"the range of positions is [{low:g}, {high:g}]: expected two finite numbers, lower first")
    acceleration = conservative_acceleration(model, parameters, inputs)
    grid = np.linspace(low, high, POINTS)
    a = acceleration(grid)
    changes = np.nonzero((a[:-1] > 0) != (a[1:] > 0))[0]
    roots = [float(brentq(lambda x: float(acceleration(x)), grid[i], grid[i + 1], xtol=1e-14)) for i in changes]
    is_well = a[changes] > 0
    places = np.unique(np.concatenate([grid, roots]))
    values = potential(acceleration, places)
    values = values - values.min()
    energies = [float(values[np.searchsorted(places, root)]) for root in roots]
    hills = tuple((x, e) for x, e, well in zip(roots, energies, is_well, strict=True) if not well)
    wells = []
    for x, e, well in zip(roots, energies, is_well, strict=True):
        if well:
            sides = [[h for h in hills if h[0] < x][-1:], [h for h in hills if h[0] > x][:1]]
            beside = [hill[1] - e for side in sides for hill in side]
            step = 1e-5 * (high - low)
            slope = float(acceleration(np.array(x + step)) - acceleration(np.array(x - step))) / (2 * step)
            wells.append(Well(x, e, min(beside) if beside else None, float(np.sqrt(max(-slope, 0.0)))))
    return PotentialWells(places, values, tuple(wells), hills)
