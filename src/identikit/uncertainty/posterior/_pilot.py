"""Better coordinates where bounds cut the posterior: those of the normal approximation, cut in the same way.

Near a bound neither the estimate nor the information there says where the posterior lies and how wide it is: of three
dampings that only their sum is known of, each is held by the others' bounds. So the normal distribution of the estimate
is sampled within the bounds first, which costs no integration, and its draws give middle, widths and correlations.
"""

from __future__ import annotations

import numpy as np

from identikit.progress import silent
from identikit.uncertainty.posterior._coordinates import Coordinates
from identikit.uncertainty.posterior._sampler import sampled
from identikit.uncertainty.posterior._settings import POSTERIOR


def piloted(coordinates: Coordinates, information: np.ndarray, seed: int) -> Coordinates:
    """Coordinates after a pilot run, of unknowns that are zero at the estimate; as they were where no bound is near."""
    low, high = coordinates.low, coordinates.high
    spread = coordinates.soft / POSTERIOR.softness
    near = np.minimum(-low, high) < POSTERIOR.near_bound * spread
    if not near.any():
        return coordinates

    def normal(u: np.ndarray) -> tuple[float, np.ndarray]:
        off = information @ u
        return -0.5 * float(u @ off), -off

    for _ in range(POSTERIOR.pilot_rounds):
        found = sampled(
            normal, coordinates, POSTERIOR.pilot_chains, POSTERIOR.pilot_draws, POSTERIOR.pilot_draws, seed, silent
        )
        coordinates = Coordinates.of_draws(found.values.reshape(-1, len(low)), low, high)
    return coordinates
