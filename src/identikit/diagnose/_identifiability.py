"""Which parameters a record can tell, and which it cannot, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

UNKNOWN = 0.5  # a standard deviation of half the parameter's own size: nothing is known but the order of magnitude
ALIKE = 0.8  # correlation from which parameters can stand in for each other
PARTNER = 0.95  # correlation from which two parameters are named together
STRONG = 0.97


@dataclass(frozen=True)
class Identifiability:
    """Standard deviations and correlations from the information, verdicts per parameter, and sentences.

    `deviation` is infinite where the record holds no information; `alone` is the deviation if all other
    parameters were known.
    """

    deviation: np.ndarray
    alone: np.ndarray
    correlation: np.ndarray
    identifiable: tuple[bool, ...]
    problems: tuple[str, ...]
    warnings: tuple[str, ...]
    condition: float


def identifiability(
    names: Sequence[str],
    values: np.ndarray,
    information_rows: np.ndarray,
    bounds: Mapping[str, tuple[float, float]],
    typical: Mapping[str, float | None],
) -> Identifiability:
    """Judge an estimate by rows whose Gram matrix is the Fisher information (already in units of the noise).

    A parameter is not identifiable if the record does not depend on it, if its deviation exceeds half its
    size, or a third of the range its bounds leave. Its size is the largest of its estimate, the model's
    usual value, and the amount of it that would do what the parameters it resembles do together: a friction
    of 0 +- 0.001 is well known where 0.1 of it would explain the whole decay.
    """
    count = len(names)
    a = information_rows
    norm = np.sqrt(np.einsum("ij,ij->j", a, a))
    scale = np.where(norm > 0, norm, 1.0)
    _, singular, vt = np.linalg.svd(a / scale, full_matrices=False)
    top = max(float(singular.max(initial=0.0)), 1e-300)
    weak = singular < 1e-10 * top
    inverse = vt.T / np.maximum(singular, 1e-10 * top)
    covariance = (inverse @ inverse.T) / np.outer(scale, scale)
    deviation = np.sqrt(np.diag(covariance))
    blind = norm <= 1e-12 * norm.max(initial=0.0)
    deviation = np.where(blind, np.inf, deviation)
    if weak.any():  # a direction without information makes everything in it unknown
        inside = np.abs(vt[weak]).max(axis=0) > 0.05
        deviation = np.where(inside & ~blind, np.inf, deviation)
    alone = np.where(norm > 0, 1.0 / scale, np.inf)
    spread = np.sqrt(np.diag(covariance))
    correlation = covariance / np.outer(spread, spread)
    verdicts, problems, warnings = [], [], []
    named: set[frozenset[str]] = set()
    for i, name in enumerate(names):
        low, high = bounds[name]
        usual, others = abs(typical.get(name) or 0.0), _stand_in(i, values, a, correlation)
        size = max(abs(values[i]), usual, others)
        scaled = max(usual, others) > 0  # an estimate near zero is no measure of itself
        hopeless = (
            not np.isfinite(deviation[i])
            or (scaled and deviation[i] > UNKNOWN * size)
            or (np.isfinite(high - low) and deviation[i] > (high - low) / 3)
        )
        verdicts.append(not hopeless)
        if not hopeless:
            continue
        partners = [names[j] for j in range(count) if j != i and abs(correlation[i, j]) > PARTNER]
        group = frozenset([name, *partners])
        if partners and group not in named:
            named.add(group)
            together = [other for other in names if other in group]
            problems.append(f"{_and(together)} cannot be told apart by this record")
        elif not partners:
            problems.append(f"this record says too little about {name}")
    for i in range(count):
        for j in range(i + 1, count):
            if verdicts[i] and verdicts[j] and abs(correlation[i, j]) > STRONG:
                warnings.append(
                    f"{names[i]} and {names[j]} are strongly correlated ({correlation[i, j]:+.3f}): quote them together"
                )
    condition = float(top / max(float(singular.min(initial=top)), 1e-300))
    return Identifiability(deviation, alone, correlation, tuple(verdicts), tuple(problems), tuple(warnings), condition)


def _stand_in(i: int, values: np.ndarray, a: np.ndarray, correlation: np.ndarray) -> float:
    """How much of parameter i would do, to first order, what the others that resemble it do together."""
    alike = np.abs(correlation[i]) > ALIKE
    alike[i] = False
    norm = float(a[:, i] @ a[:, i])
    return abs(float(a[:, i] @ (a[:, alike] @ values[alike]))) / norm if norm > 0 else 0.0


def _and(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
