"""Whether two estimates of the same record agree.

They share their data, so that their errors go together. Where the first is efficient, its error is not correlated with
the difference d to any other unbiased estimate (else a mixture of both would be better than the best), and

    var(d) = std_2^2 - std_1^2

which is less than either; where it is not, the sum of the variances is taken, as if they had nothing in common.
Reference: J. A. Hausman, Specification tests in econometrics, Econometrica 46 (1978) 1251.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from scipy.special import ndtri

from identikit.comparison._settings import COMPARISON
from identikit.result import ParameterEstimate

Estimates = Mapping[str, ParameterEstimate]


@dataclass(frozen=True)
class Difference:
    """Of one parameter: in standard errors of the difference (`z`), in those of the reference (`shift`); `wider` is how
    much wider its interval is than that of the reference, as a share."""

    name: str
    z: float
    shift: float
    wider: float

    @property
    def is_none(self) -> bool:
        """Whether both are the end of one fit."""
        return max(abs(self.shift), abs(self.wider)) < COMPARISON.same


def compared(reference: Estimates, other: Estimates) -> list[Difference]:
    """The differences of all parameters that both know with an uncertainty."""
    found = []
    for name, one in reference.items():
        two = other.get(name)
        if two is None or not (_known(one) and _known(two)):
            continue
        assert one.value is not None and two.value is not None and one.std is not None and two.std is not None
        difference = two.value - one.value
        spread = _spread(one.std, two.std, one.crlb)
        found.append(Difference(name, difference / spread, difference / one.std, two.std / one.std - 1))
    return found


def shifts(reference: Estimates, other: Estimates) -> dict[str, float]:
    """Distances in standard errors of the reference, of an estimate that need not state any."""
    return {
        name: (other[name].value or 0.0) / one.std - (one.value or 0.0) / one.std
        for name, one in reference.items()
        if name in other and other[name].value is not None and _known(one) and one.std
    }


def threshold(tests: int) -> float:
    """Standard errors beyond which a difference is no chance, when so many are looked at (Bonferroni)."""
    return float(-ndtri(COMPARISON.level / (2 * max(tests, 1))))


def _known(item: ParameterEstimate) -> bool:
    values = (item.value, item.std)
    return item.identifiable is not False and all(v is not None and math.isfinite(v) for v in values) and item.std != 0


def _spread(first: float, second: float, bound: float | None) -> float:
    """Standard error of the difference; never less than what standard errors are known to."""
    if bound is None or not 0 < first <= COMPARISON.efficient * bound:
        return math.hypot(first, second)
    least = COMPARISON.known_variance * max(first, second) ** 2
    return math.sqrt(max(second**2 - first**2, least))
