"""Which parameters a record can tell, and which it cannot, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from identikit.numerics import Information
from identikit.result import Finding, Severity, finding, of_severity

VARIETY = "take a record with more variety (other amplitudes, other inputs)"
UNKNOWN = 0.5  # a standard deviation of half the parameter's own size: nothing is known but the order of magnitude
LOOSE = 0.05  # of a parameter's size: a standard error from which a parameter is not known by itself, if it is also
SHADOWED = 100.0  # times what it would be with all others known: they stand in for it, only a combination is known
STANDS_IN = 0.8  # correlation from which parameters can stand in for each other
PARTNER = 0.95  # correlation from which two parameters are named together
STRONG = 0.97  # correlation from which two parameters that are both known earn a warning
NOT_KNOWN_AT_ALL = 1e3  # times a parameter's size, and its error with all others known: beyond, it is not known at all
NO_EFFECT = 1e-12  # of the largest effect that a parameter of its own size has: below, it is the integrator's rounding


@dataclass(frozen=True)
class Identifiability:
    """Standard deviations and correlations from the information, verdicts per parameter, and findings.

    `deviation` is infinite where the record holds no information; `alone` is the standard error if all other
    parameters were known; `reach` is the largest distance to another explanation that fits as well, zero if none does;
    `sizes` are what standard errors are compared with.
    """

    deviation: np.ndarray
    alone: np.ndarray
    correlation: np.ndarray
    identifiable: tuple[bool, ...]
    findings: tuple[Finding, ...]
    condition: float
    reach: np.ndarray
    sizes: np.ndarray

    @property
    def problems(self) -> tuple[Finding, ...]:
        """What the record cannot tell."""
        return of_severity(self.findings, Severity.REFUSAL)

    @property
    def warnings(self) -> tuple[Finding, ...]:
        return of_severity(self.findings, Severity.WARNING)


@dataclass(frozen=True)
class _Local:
    """What the information at one point says."""

    values: np.ndarray
    rows: np.ndarray
    deviation: np.ndarray
    alone: np.ndarray
    correlation: np.ndarray
    condition: float

    @classmethod
    def at(cls, values: np.ndarray, rows: np.ndarray, sizes: np.ndarray) -> _Local:
        known = Information.of_rows(rows)
        # what a whole parameter does is compared, not what one unit of it does: 1e6 ohm stand beside 1e-8 ampere
        size = np.maximum(np.abs(values), sizes)
        effect = known.sizes * size
        blind = effect <= NO_EFFECT * effect.max(initial=0.0)
        alone = np.where(blind, np.inf, 1.0 / np.where(blind, 1.0, known.sizes))
        # a thousand times itself, since others can stand in for it: the rounding of a singular value, not an error
        errors = known.standard_errors
        hopeless = (errors > NOT_KNOWN_AT_ALL * size) & (errors > NOT_KNOWN_AT_ALL * alone)
        deviation = np.where(blind | hopeless, np.inf, errors)
        return cls(values, rows, deviation, alone, known.correlation, known.condition)

    def size(self, i: int, bounds: tuple[float, float], typical: float | None) -> tuple[float, bool]:
        """How large a parameter is, and whether that is a measure of its standard error."""
        low, high = bounds
        value = abs(float(self.values[i]))
        if low > 0 or high < 0:
            return value, True  # zero is excluded, so the estimate is a measure of itself
        usual, others = abs(typical or 0.0), _stand_in(i, self.values, self.rows, self.correlation)
        return max(value, usual, others), max(usual, others) > 0  # an estimate near zero is no measure of itself

    def is_unidentifiable(self, i: int, deviation: float, bounds: tuple[float, float], typical: float | None) -> bool:
        """Whether a parameter with that standard error is as good as unknown."""
        low, high = bounds
        size, scaled = self.size(i, bounds, typical)
        shadowed = self.deviation[i] > SHADOWED * self.alone[i]
        return bool(
            not np.isfinite(deviation)
            or (scaled and deviation > (LOOSE if shadowed else UNKNOWN) * size)
            or (np.isfinite(high - low) and deviation > (high - low) / 3)
        )


def identifiability(
    names: Sequence[str],
    values: np.ndarray,
    information_rows: np.ndarray,
    bounds: Mapping[str, tuple[float, float]],
    typical: Mapping[str, float | None],
    *,
    widened: np.ndarray | None = None,
    others: Sequence[tuple[np.ndarray, np.ndarray]] = (),
) -> Identifiability:
    """Judge an estimate by rows whose Gram matrix is the Fisher information (already in units of the noise).

    A parameter is not identifiable if the record does not depend on it, if its standard error exceeds half its size,
    or a third of the range its bounds leave, or if others stand in for it: its standard error exceeds a twentieth of
    its size and would be a hundred times smaller if they were known. The size of a parameter whose bounds exclude zero
    is its estimate. Else it is the largest of its estimate, the model's usual value, and the amount of it that would
    do what the parameters it resembles do together: a friction of 0 +- 0.001 is well known where 0.1 of it would
    explain the whole decay. The same must hold at every other explanation that fits as well.

    Arguments:
        widened: standard errors to judge by where they exceed those of the information (coloured residuals).
        others: (values, information rows) of other explanations that fit as well.
    """
    sizes = np.array([usual_size(bounds[name], typical.get(name)) for name in names])
    here = _Local.at(values, information_rows, sizes)
    elsewhere = [_Local.at(*other, sizes) for other in others]
    reach = np.max([np.zeros(len(names)), *(np.abs(other.values - values) for other in elsewhere)], axis=0)
    judged = np.maximum(np.maximum(here.deviation, reach), 0.0 if widened is None else widened)
    verdicts = []
    groups: dict[tuple[str, ...], None] = {}  # ordered, without repetition
    idle, poor = [], []
    for i, name in enumerate(names):
        limits, usual = bounds[name], typical.get(name)
        unknown = here.is_unidentifiable(i, judged[i], limits, usual) or any(
            other.is_unidentifiable(i, other.deviation[i], limits, usual) for other in elsewhere
        )
        verdicts.append(not unknown)
        if not unknown:
            continue
        alike = tuple(n for n, c in zip(names, here.correlation[i], strict=True) if n == name or abs(c) > PARTNER)
        if not np.isfinite(here.alone[i]):
            idle.append(name)
        elif len(alike) == 1:
            poor.append(name)
        else:
            groups[alike] = None
    findings = [not_told_apart(group) for group in groups]
    if idle:
        findings.append(finding("no_effect", f"this record does not depend on {_and(idle)}: fix {_it(idle)}", *idle))
    if poor:
        text = f"this record says too little about {_and(poor)}: fix {_it(poor)}, or {VARIETY}"
        findings.append(finding("not_identifiable", text, *poor))
    for i, first in enumerate(names):
        for j in range(i + 1, len(names)):
            if verdicts[i] and verdicts[j] and abs(here.correlation[i, j]) > STRONG:
                text = f"{first} and {names[j]} are strongly correlated ({here.correlation[i, j]:+.3f}): "
                findings.append(finding("strongly_correlated", text + "quote them together", first, names[j]))
    for other in elsewhere:
        written = ", ".join(f"{name} = {value:.3g}" for name, value in zip(names, other.values, strict=True))
        findings.append(finding("other_explanation", f"the record is explained as well by {written}", *names))
    return Identifiability(
        here.deviation,
        here.alone,
        here.correlation,
        tuple(verdicts),
        tuple(findings),
        here.condition,
        reach,
        np.array([here.size(i, bounds[name], typical.get(name))[0] or sizes[i] for i, name in enumerate(names)]),
    )


def usual_size(bounds: tuple[float, float], typical: float | None) -> float:
    """How large a parameter is apart from its estimate: as the model says, else as its bounds do; 1 if neither does.

    Bounds that exclude zero say the geometric mean of their ends, others the smaller of their distances from zero.
    """
    low, high = bounds
    ends = [abs(end) for end in bounds if np.isfinite(end) and end != 0]
    if typical:
        return abs(typical)
    if not ends:
        return 1.0
    return float(np.sqrt(low) * np.sqrt(high)) if low > 0 and np.isfinite(high) else min(ends)


def _stand_in(i: int, values: np.ndarray, a: np.ndarray, correlation: np.ndarray) -> float:
    """How much of parameter i would do, to first order, what the others that resemble it do together."""
    alike = np.abs(correlation[i]) > STANDS_IN
    alike[i] = False
    norm = float(a[:, i] @ a[:, i])
    return abs(float(a[:, i] @ (a[:, alike] @ values[alike]))) / norm if norm > 0 else 0.0


def not_told_apart(names: Sequence[str]) -> Finding:
    """Parameters that can stand in for each other."""
    return finding(
        "inseparable", f"{_and(names)} cannot be told apart by this record: fix one of them, or {VARIETY}", *names
    )


def _it(names: Sequence[str]) -> str:
    return "it" if len(names) == 1 else "them"


def _and(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
