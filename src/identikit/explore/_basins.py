"""Basins of attraction along a line: where does a release from here come to rest?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from identikit.errors import ModelError, OptionError, did_you_mean
from identikit.explore._equilibria import Equilibrium
from identikit.explore._flow import require_autonomous
from identikit.explore._resting_places import LANES, resting_places
from identikit.explore._settling import UNDECIDED
from identikit.explore._subject import Subject
from identikit.explore._wells import PotentialWells
from identikit.model import Model
from identikit.simulation import initial_vector

OSCILLATOR_STARTS = 1001  # on a line: boundaries are closed in upon afterwards
GENERAL_STARTS = 241  # models with more states cost more, and have to come nearer to be caught
ROUNDS = 4  # of closing in on the boundaries
MOST_BETWEEN = 4  # steps of the grid from one decided start to the next
MOST_BOUNDARIES = 64  # that many are closed in upon; more is fine structure that a finer grid should show first


@dataclass(frozen=True)
class Boundary:
    """A start at which the end changes from attractor `left` to attractor `right` (or ESCAPED), known to +-`within`."""

    start: float
    left: int
    right: int
    within: float


@dataclass(frozen=True)
class Basins:
    """For each `start` of the state `name` the index of the attractor it ends in.

    UNDECIDED (-1): not settled within `duration`; ESCAPED (-2): left without bound. `held` are the other states at the
    start. `potential` is there for one degree of freedom, if its position is varied.
    """

    subject: Subject
    name: str
    start: np.ndarray
    attractor: np.ndarray
    attractors: tuple[Equilibrium, ...]
    boundaries: tuple[Boundary, ...]
    held: dict[str, float]
    duration: float
    potential: PotentialWells | None = None

    def share(self, attractor: int) -> float:
        """The part of the starts that end there."""
        return float(np.mean(self.attractor == attractor))

    def __str__(self) -> str:
        from identikit.explore._text import basins_text

        return basins_text(self)


def basins(
    model: Model,
    parameters: Mapping[str, float] | None = None,
    *,
    along: str | None = None,
    between: tuple[float, float] | None = None,
    starts: int | None = None,
    initial: Mapping[str, float] | None = None,
    inputs: Mapping[str, float] | None = None,
    duration: float | None = None,
    tolerance: float = 1e-9,
) -> Basins:
    """Vary one state at the start, hold the others, and see in which stable state of rest each motion ends.

    `along` is the state to vary (default: the position, else the first state) `between` two values (default: the range
    of `potential_wells`, else where `equilibria` searches). The other states start at `initial`, else at the ready
    experiment's values; a model of one degree of freedom starts from rest unless `initial` gives its velocity.

    Starts are integrated side by side, and each is decided as soon as it is caught. With one degree of freedom and
    damping that only takes energy that is so once v^2/2 + V(x) is below the lower of the two hills beside it; in
    general, once inside an ellipsoid around the state of rest that motions were found only to enter. What dry friction
    holds elsewhere counts for the nearest state of rest. Boundaries between neighbouring starts are then closed in
    upon. Bands narrower than the spacing of the starts may be missed.

    Refused: forcing that depends on time, no damping, no stable state of rest.

    Reference: A. H. Nayfeh, B. Balachandran, Applied Nonlinear Dynamics, Wiley 1995, section 1.4.
    """
    if starts is not None and starts < 2:
        raise OptionError(f"{starts} starts are asked for: expected at least two")
    if duration is not None and not 0 < duration < np.inf:
        raise OptionError(f"the duration is {duration:g}: expected a positive number")
    require_autonomous(model, parameters)
    if along is not None and along not in model.state_names:
        raise ModelError(f"model '{model.name}' has no state '{along}'.{did_you_mean(along, model.state_names)}")
    places = resting_places(model, parameters, inputs, initial)
    name = along or model.state_names[places.oscillator[0] if places.oscillator else 0]
    index = model.state_names.index(name)
    low, high = between or places.range_of(index)
    if not (np.isfinite([low, high]).all() and low < high):
        raise OptionError(f"the range of '{name}' is [{low:g}, {high:g}]: expected two finite numbers, lower first")
    held = initial_vector(model, initial)
    if places.oscillator:
        velocity = places.oscillator[1]
        held[velocity] = (initial or {}).get(model.state_names[velocity], 0.0)
    total = duration or places.settling_time()

    def ends(values: np.ndarray) -> np.ndarray:
        lanes = np.tile(held, (len(values), 1))
        lanes[:, index] = values
        return places.ends(lanes, total, tolerance)

    values = np.linspace(low, high, starts or (OSCILLATOR_STARTS if places.oscillator else GENERAL_STARTS))
    attractor = ends(values)
    return Basins(
        Subject.of(model, parameters),
        name,
        values,
        attractor,
        places.attractors,
        tuple(_boundaries(values, attractor, ends)),
        {other: float(value) for other, value in zip(model.state_names, held, strict=True) if other != name},
        float(total),
        places.potential if places.oscillator and index == places.oscillator[0] else None,
    )


def _boundaries(
    values: np.ndarray, attractor: np.ndarray, ends: Callable[[np.ndarray], np.ndarray]
) -> Iterator[Boundary]:
    """Each gap between decided starts of different ends is divided again and again, all gaps at once.

    A few undecided starts may lie in a gap: right on a boundary, a motion takes for ever.
    """
    decided = np.nonzero(attractor != UNDECIDED)[0]
    before, after = decided[:-1], decided[1:]
    chosen = (attractor[before] != attractor[after]) & (after - before <= MOST_BETWEEN)
    low, high = values[before[chosen]], values[after[chosen]]
    left, right = attractor[before[chosen]], attractor[after[chosen]]
    if 0 < len(low) <= MOST_BOUNDARIES:
        parts = max(3, LANES // len(low))
        for _ in range(ROUNDS):
            inner = np.linspace(low, high, parts + 2)[1:-1]  # [parts, gaps]
            ladder = np.vstack([low, inner, high])
            found = np.vstack([left, ends(inner.ravel()).reshape(inner.shape), right])
            for gap in range(len(low)):
                end = found[:, gap]
                above = int(np.argmax((end != left[gap]) & (end != UNDECIDED)))
                below = int(np.nonzero(end[:above] == left[gap])[0][-1])
                low[gap], high[gap], right[gap] = ladder[below, gap], ladder[above, gap], end[above]
    for lower, upper, one, other in zip(low, high, left, right, strict=True):
        yield Boundary(float(lower + upper) / 2, int(one), int(other), float(upper - lower) / 2)
