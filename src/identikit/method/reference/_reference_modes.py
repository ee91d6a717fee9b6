"""What a matrix says about the motion: frequencies, rates and amplitudes; and what makes reference points unfit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from identikit.method.reference._settings import REFERENCE
from identikit.result import Finding, finding


@dataclass(frozen=True)
class Mode:
    """exp(rate t) cos(frequency t): both in 1/time, with standard deviations; frequency 0 for a real eigenvalue."""

    rate: float
    rate_std: float
    frequency: float
    frequency_std: float

    def as_dict(self) -> dict[str, float]:
        return {
            "frequency": self.frequency,
            "frequency_std": self.frequency_std,
            "rate": self.rate,
            "rate_std": self.rate_std,
        }


def modes(A: np.ndarray, slopes: np.ndarray, covariance: np.ndarray) -> list[Mode]:
    """Eigenvalues with Im >= 0, the fastest first; dl = y'dA x / y'x carries the covariance of the entries over."""
    values, right = np.linalg.eig(A)
    left = np.linalg.pinv(right)
    found = []
    for k in _ordered(values):
        change = np.einsum("a,kab,b->k", left[k], slopes, right[:, k])
        spread = [float(np.sqrt(max(part @ covariance @ part, 0.0))) for part in (change.real, change.imag)]
        real = _is_real(values[k])
        frequency = 0.0 if real else float(values[k].imag)
        found.append(Mode(float(values[k].real), spread[0], frequency, 0.0 if real else spread[1]))
    return found


def amplitudes(A: np.ndarray, first: np.ndarray) -> list[dict[str, list[float]]]:
    """Per mode (in the order of `modes`) the factors of cos and sin in every state, counted from the first point.

    X(t) = sum_k exp(rate_k t) (C_k cos(frequency_k t) + S_k sin(frequency_k t)), X(0) = first.
    """
    values, right = np.linalg.eig(A)
    share = np.linalg.lstsq(right, first.astype(complex), rcond=None)[0]
    found = []
    for k in _ordered(values):
        part = share[k] * right[:, k] * (1.0 if _is_real(values[k]) else 2.0)
        sine = np.zeros(len(part)) if _is_real(values[k]) else -part.imag
        found.append({"cos": part.real.tolist(), "sin": sine.tolist()})
    return found


def _ordered(values: np.ndarray) -> list[int]:
    kept = [k for k in range(len(values)) if values[k].imag >= 0 or _is_real(values[k])]
    return sorted(kept, key=lambda k: (-abs(values[k].imag), -values[k].real))


def _is_real(value: complex) -> bool:
    return abs(value.imag) <= REFERENCE.real * abs(value)


def condition(values: Sequence[np.ndarray]) -> float:
    """Condition number of Y = [X(t_1) ... X(t_J)] over all records."""
    found = float(np.linalg.cond(np.concatenate(list(values)).T))
    return found if np.isfinite(found) else 1e300


def warnings_of_points(
    A: np.ndarray, cond: float, spacing: float, half: float, overlapping: bool
) -> tuple[Finding, ...]:
    """Warnings on the choice of reference points."""
    found = []
    if cond > REFERENCE.ill_conditioned:
        text = (
            f"the states at the reference points are nearly dependent (condition {cond:.2g}): errors grow by about as "
            "much; use other points, or a motion that excites every mode"
        )
        found.append(finding("points_dependent", text))
    values = np.linalg.eigvals(A)
    fastest = float(np.abs(values.imag).max())
    if fastest > np.pi / spacing:
        text = (
            f"the spacing {spacing:.3g} is longer than half a period of the fastest mode ({np.pi / fastest:.3g}): "
            "modes may be mistaken for one another; use a shorter one"
        )
        found.append(finding("spacing_too_long", text))
    turned = np.exp(values * spacing)
    apart = np.abs(turned[:, None] - turned[None, :]) / np.maximum(np.abs(turned).max(), 1e-300)
    close = apart[np.triu_indices(len(values), 1)]
    if len(close) and close.min() < REFERENCE.nearly_equal:
        text = (
            f"two modes look alike at the spacing {spacing:.3g} (|exp(l_i D) - exp(l_j D)| = {close.min():.2g} of the "
            "largest): use another spacing"
        )
        found.append(finding("modes_alike", text))
    if overlapping:
        text = (
            f"the windows of half-width {half:.3g} overlap at the spacing {spacing:.3g}: they share samples, and the "
            "stated standard errors are too small"
        )
        found.append(finding("windows_overlap", text))
    return tuple(found)
