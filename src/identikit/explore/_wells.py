"""Wells and hills of the potential of a model of one degree of freedom."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from identikit.errors import ModelError, OptionError
from identikit.explore._box import BEYOND, REACH
from identikit.explore._second_order import conservative_acceleration, degree_of_freedom, potential
from identikit.explore._subject import Subject
from identikit.model import Model
from identikit.simulation import initial_vector

POTENTIAL_POINTS = 2001  # of the drawn potential
SEARCH = 20001  # places at which extremes are looked for when no range is given
ABOVE = 3.0  # the usual range goes up to so many times the height of the highest hill


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
    """V on a grid, per unit of inertia and zero in its lowest well (without one, at its lowest point on the grid).

    `name` is the state that `position` stands for.
    """

    subject: Subject
    name: str
    position: np.ndarray
    energy: np.ndarray
    wells: tuple[Well, ...]
    hills: tuple[tuple[float, float], ...]

    def __str__(self) -> str:
        from identikit.explore._text import wells_text

        return wells_text(self)


def potential_wells(
    model: Model,
    parameters: Mapping[str, float] | None = None,
    *,
    between: tuple[float, float] | None = None,
    inputs: Mapping[str, float] | None = None,
    initial: Mapping[str, float] | None = None,
) -> PotentialWells:
    """Integrate what accelerates x at rest, V(x) = -integral a(x, v=0) dx, and find its extremes.

    Energies are per unit of inertia, since the model gives accelerations: multiply by the mass for joules.
    Damping, dry friction and forcing that depends on time are left out. `hills` are (position, energy).
    Two extremes closer than 1/2000 of the range may be missed.

    Without `between` the range holds every extreme found near the start (`initial`, else the example experiment's) and
    goes up to three times the height of the hills and beyond the start; for a potential that repeats after a turn it
    is one turn and a quarter around the well next to the start.
    """
    from scipy.optimize import brentq

    position = degree_of_freedom(model)[0]
    acceleration = conservative_acceleration(model, parameters, inputs)
    low, high = between or _usual_range(model, acceleration, float(initial_vector(model, initial)[position]))
    if not (np.isfinite([low, high]).all() and low < high):
        raise OptionError(f"the range of positions is [{low:g}, {high:g}]: expected two finite numbers, lower first")
    grid = np.linspace(low, high, POTENTIAL_POINTS)
    a = acceleration(grid)
    changes = np.nonzero((a[:-1] > 0) != (a[1:] > 0))[0]
    roots = [float(brentq(lambda x: float(acceleration(x)), grid[i], grid[i + 1], xtol=1e-14)) for i in changes]
    is_well = a[changes] > 0
    places = np.unique(np.concatenate([grid, roots]))
    values = potential(acceleration, places)
    lowest = [value for value, well in zip(values[np.searchsorted(places, roots)], is_well, strict=True) if well]
    values = values - min(lowest, default=values.min())
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
    return PotentialWells(
        Subject.of(model, parameters), model.state_names[position], places, values, tuple(wells), hills
    )


def _usual_range(model: Model, acceleration: Callable[[np.ndarray], np.ndarray], start: float) -> tuple[float, float]:
    angle = model.states[degree_of_freedom(model)[0]].unit == "rad"
    reach = np.pi if angle else REACH * abs(start) or 1.0
    grid = np.linspace(-BEYOND * reach, BEYOND * reach, SEARCH)
    with np.errstate(all="ignore"):
        a, turned = acceleration(grid), acceleration(grid + 2 * np.pi)
    known = np.isfinite(a)
    changes = np.nonzero(known[:-1] & known[1:] & ((a[:-1] > 0) != (a[1:] > 0)))[0]
    if not len(changes):
        raise ModelError(
            f"the potential of model '{model.name}' has neither wells nor hills within {BEYOND * reach:g} of zero: "
            "the force at rest never vanishes. Change its parameters or inputs, or look elsewhere (between)"
        )
    places, is_well = grid[changes], a[changes] > 0
    if angle and np.allclose(a, turned, rtol=1e-9, atol=1e-9 * np.abs(a).max()):
        wells = places[is_well]
        centre = wells[np.argmin(np.abs(wells - start))]
        return float(centre - 1.25 * np.pi), float(centre + 1.25 * np.pi)
    inner = (min(*places, start), max(*places, start))
    span = (inner[1] - inner[0]) or reach
    # beyond an outermost hill it only falls: a little of that is enough
    margins = [
        0.25 * span if not side and place in inner else 1.5 * span
        for place, side in zip(places[[0, -1]], is_well[[0, -1]], strict=True)
    ]
    grid = np.linspace(inner[0] - margins[0], inner[1] + margins[1], SEARCH)
    with np.errstate(all="ignore"):
        energy = potential(acceleration, grid)
    within = (grid >= inner[0]) & (grid <= inner[1])
    bottom, top = energy[within].min(), energy[within].max()
    hills = np.interp(places[~is_well], grid, energy)
    limit = max(bottom + 1.5 * (top - bottom), bottom + ABOVE * (hills.max(initial=bottom) - bottom))
    # what is higher than that, or has no value, is left out on both sides
    out = ~(energy <= limit) & ~within
    left = grid[out & (grid < inner[0])].max(initial=grid[0])
    right = grid[out & (grid > inner[1])].min(initial=grid[-1])
    return float(left), float(right)
