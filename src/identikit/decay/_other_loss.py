"""Is there a loss outside the laws that explains a decay as well? Then the laws may only imitate it.

The weights of a set of laws add up to one, whether or not the truth is among them. Three mechanisms together follow the
fall by many another loss so closely that nothing but white noise is left over, and then no residual tells. What can be
asked is whether another loss would do as well: a power of the speed that none of the laws has, alone or beside one or
two mechanisms, and with no more parameters than the likeliest law. It is compared by its amplitude (`amplitude_rates`):
if that misses the record's own amplitude by a rms of d, and that of the law with every mechanism by d_0, then

    -2 ln L  =  that of the law with every mechanism  +  n ln(1 + (d^2 - d_0^2) / (2 sigma^2)),

and never less than that of this law: averages over a swing can tell that a loss does as well, not that it does better.

The record's own amplitude is that of the law, times one and what the residuals of each swing are of it.
The best of them counts as one law more, charged for the choice (J. Chen, Z. Chen, Biometrika 95 (2008) 759).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from identikit.decay._evidence import criterion
from identikit.decay._laws import DecayFits, Fall, LawFit
from identikit.decay._settings import RANKING
from identikit.decay._work import other_powers
from identikit.oscillation import AmplitudeCurve, amplitude_rates


@dataclass(frozen=True)
class OtherLoss:
    """A loss outside the laws: its power of the speed as a name, the mechanisms beside it, its BIC."""

    power: str
    mechanisms: tuple[str, ...]
    criterion: float


def other_loss(
    fits: DecayFits, whole: LawFit, best: tuple[str, ...], asked: Sequence[str], inflated: float
) -> OtherLoss | None:
    """The best of other losses with no more parameters than the likeliest law; None if nothing can be said.

    Arguments:
        whole: the law with every mechanism.
        best: the mechanisms of the likeliest law.
        asked: mechanisms that are in question.
        inflated: how often residuals count the same information.
    """
    fall = fits.fall(whole)
    if fall is None or not best:
        return None
    law = _averaged(fits, whole, fall)
    target = _measured(fits, whole, fall, law)
    already = _apart([item.amplitude for item in law], target)
    rivals = [
        (name, beside)
        for name in other_powers()
        for size in range(len(best))
        for beside in combinations([mechanism for mechanism in asked if mechanism in best], size)
    ]
    samples = int(np.isfinite(whole.residual[:, 0]).sum())
    effective = max(samples / inflated, RANKING.fewest_effective)
    dampings = sum(len(names) for names in fits.damped.parameters.values()) - len(whole.pinned)
    made = []
    for name, beside in rivals:
        _, amplitudes = amplitude_rates(target, (*beside, name), fall.loss)
        further = (_apart(amplitudes, target) - already) / 2 / whole.outcome.sigma[0] ** 2
        worse = samples * float(np.log1p(max(further, 0.0)))
        fewer = dampings - len(beside) - 1
        value = criterion(whole, inflated) + worse / inflated - fewer * float(np.log(effective))
        made.append(OtherLoss(name, beside, value + 2 * float(np.log(len(rivals)))))
    return min(made, key=lambda item: item.criterion, default=None)


def _apart(amplitudes: list[np.ndarray], target: list[AmplitudeCurve]) -> float:
    """Mean square of what amplitudes miss."""
    return float(np.mean(np.concatenate([a - b.amplitude for a, b in zip(amplitudes, target, strict=True)]) ** 2))


def _measured(fits: DecayFits, whole: LawFit, fall: Fall, law: list[AmplitudeCurve]) -> list[AmplitudeCurve]:
    """The amplitudes of the record: those of the law, corrected by how much of each swing its residuals are."""
    ends = np.cumsum([len(record.time) for record in fits.problem.records])[:-1]
    made = []
    for record, residual, modelled, item in zip(
        fits.problem.records, np.split(whole.residual[:, 0], ends), fits.modelled(whole), law, strict=True
    ):
        edges = np.concatenate([[-np.inf], (item.time[1:] + item.time[:-1]) / 2, [np.inf]])
        swing = np.digitize(record.time, edges) - 1
        about = modelled[:, 0] - item.middle
        known = np.isfinite(residual) & np.isfinite(about)
        count = len(item.time)
        along = np.bincount(swing[known], (residual * about)[known], count)
        size = np.bincount(swing[known], about[known] ** 2, count)
        made.append(replace(item, amplitude=item.amplitude * (1 + along / np.maximum(size, 1e-300))))
    return made


def _averaged(fits: DecayFits, whole: LawFit, fall: Fall) -> list[AmplitudeCurve]:
    """The amplitudes of the law with every mechanism by the same averages that the other losses get, so that what these
    leave out is the same on both sides."""
    free = fits.problem.free
    coefficients = {
        mechanism: float(sum(whole.p[free.index(name)] for name in names if name in free))
        for mechanism, names in fits.damped.parameters.items()
        if any(name in free for name in names)
    }
    own = fall.loss.of(coefficients)
    return [replace(item, amplitude=own.amplitudes(item.time, float(item.amplitude[0]))) for item in fall.envelopes]
