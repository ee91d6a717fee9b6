"""Evidence between explanations of the same data: weights by an information criterion, and unseen data predicted."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def information_weights(criteria: Sequence[float]) -> np.ndarray:
    """Probabilities of explanations that were equally likely before; infinite criteria get none.

    weight = exp(-BIC/2) / sum (G. Schwarz, Annals of Statistics 6 (1978) 461; A. E. Raftery, Sociological Methodology
    25 (1995) 111).
    """
    table = np.asarray(criteria, float)
    found = np.exp(-0.5 * (table - np.min(table)))
    return np.asarray(found / found.sum())


def predicts_worse(errors: np.ndarray, best: np.ndarray, noise: np.ndarray, trifle: float, blocks: int) -> bool:
    """Whether one explanation predicts unseen samples worse than another, beyond chance and by more than a trifle.

    Squared errors [samples, outputs] are compared in blocks, whose differences count as draws (F. X. Diebold, R. S.
    Mariano, Journal of Business and Economic Statistics 13 (1995) 253).

    Arguments:
        noise: [outputs] the unit of errors.
        trifle: share of the rms error: a smaller difference decides nothing.
        blocks: into how many the samples are cut.
    """
    if np.nanmean((errors / noise) ** 2) < (1 + trifle) ** 2 * np.nanmean((best / noise) ** 2):
        return False
    difference = np.nansum((errors / noise) ** 2 - (best / noise) ** 2, axis=1)
    seen = np.isfinite(errors).any(axis=1)
    means = np.array([part.mean() for part in np.array_split(difference[seen], blocks) if len(part)])
    spread = float(np.std(means, ddof=1)) / np.sqrt(len(means)) if len(means) > 2 else np.inf
    return bool(np.mean(means) > 2 * spread)
