"""The likelihood of two parameters together, all others at their best, on a grid.

    { (a, b) : log L_max - l(a, b) <= 1/2 chi-squared_2(0.95) = 3.0 }

Reference: D. M. Bates, D. G. Watts, Nonlinear Regression Analysis and Its Applications, Wiley 1988, section 6.1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from identikit.progress import Progress
from identikit.uncertainty._base import Fitted
from identikit.uncertainty._profile_curves import Conditional, ProfileCurve
from identikit.uncertainty._settings import UNCERTAINTY

LEVELS = (0.68, 0.95)  # of the regions that are drawn


def pair_profile(
    fitted: Fitted, curves: Mapping[str, ProfileCurve], pair: tuple[str, str], progress: Progress
) -> dict[str, Any]:
    """The grid, how far log L lies below the top on it [b, a], the levels that bound 68 % and 95 %, and both single
    profiles' paths."""
    free = fitted.problem.free
    i, j = (free.index(name) for name in pair)
    axes = [_axis(fitted, curves[name], place) for name, place in zip(pair, (i, j), strict=True)]
    a, b = np.meshgrid(*axes)
    moved = np.stack([a.ravel() - fitted.p[i], b.ravel() - fitted.p[j]], axis=1)
    both = fitted.covariance[:, [i, j]] @ np.linalg.pinv(fitted.covariance[np.ix_([i, j], [i, j])])
    begun = fitted.p + moved @ both.T
    begun[:, i], begun[:, j] = a.ravel(), b.ravel()
    held = np.zeros(begun.shape, bool)
    held[:, [i, j]] = True
    drop = np.empty(len(begun))
    conditional = Conditional(fitted)
    rows = len(axes[0])
    for first in range(0, len(begun), rows):
        progress(first / len(begun), f"row {first // rows + 1} of {rows}")
        part = slice(first, first + rows)
        drop[part] = fitted.expansion.value[0] - conditional.best(begun[part], held[part]).value
    return {
        "kind": "table",
        "what": "profile pair",
        "names": list(pair),
        "a": axes[0],
        "b": axes[1],
        "drop": drop.reshape(a.shape),
        "levels": {f"{share:g}": float(-np.log1p(-share)) for share in LEVELS},
        "estimate": [float(fitted.p[i]), float(fitted.p[j])],
        "paths": {name: curves[name].p[:, [i, j]] for name in pair},
    }


def _axis(fitted: Fitted, curve: ProfileCurve, place: int) -> np.ndarray:
    """Values of one parameter: as far as its own profile was followed and somewhat beyond, within its bounds."""
    low, high = fitted.problem.limits
    first, last = float(curve.values.min()), float(curve.values.max())
    room = UNCERTAINTY.pair_room * (last - first)
    return np.linspace(max(first - room, low[place]), min(last + room, high[place]), UNCERTAINTY.pair_grid)
