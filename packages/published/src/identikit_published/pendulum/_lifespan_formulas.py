"""The report's topological formulas, Eqs. (3)-(5), as printed: from the first and the last lifespan of a record."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import numpy as np
from numpy.typing import NDArray

from identikit.method.free_decay import printed_estimate
from identikit.oscillation import DRAG, DRY, VISCOUS, decline_of
from identikit_published.pendulum._swing import DAMPINGS, TIME

WINDOW = 0.5  # periods: smoothing before lifespans are taken, as the method topological has it
LAWS = {"zeta": (VISCOUS, 2.0), "mu_c": (DRY, 1.0), "mu_q": (DRAG, 1.0)}  # and the factor in the equation of motion


def _by_formula(
    case: str, values: NDArray[np.float64], share: float, corrected: bool = False, window: float = WINDOW
) -> Mapping[str, float]:
    (name,) = DAMPINGS[case]
    law, factor = LAWS[name]
    decline = decline_of(TIME, values, 1.0, window)
    lengths = share * decline.lengths
    first, last = float(lengths[0]), float(lengths[-1])
    found = printed_estimate(law, factor, first, last, len(lengths) - 1, decline.frequency)
    lacking = decline.frequency / (1.0 if law == VISCOUS else np.pi)
    return {name: found * lacking if corrected else found}


by_amplitude = partial(_by_formula, share=0.5)
"""L is half the way from a peak to the valley: the reading that is nearest to the report's figures."""
by_whole_swing = partial(_by_formula, share=1.0)
"""L is all of that way, which is what persistence gives."""
by_right_formula = partial(_by_formula, share=0.5, corrected=True, window=0.0)
"""The same with the factor that each formula lacks, w, w/pi and w/pi, of records without noise, which need no
smoothing."""
