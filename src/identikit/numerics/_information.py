"""Standard deviations from rows whose Gram matrix is the information."""

from __future__ import annotations

import numpy as np


def standard_errors(a: np.ndarray) -> np.ndarray:
    """Square roots of the diagonal of (a' a)^-1, the inverse information; infinite where there is none."""
    scale = np.sqrt(np.einsum("ij,ij->j", a, a))
    safe = np.where(scale > 0, scale, 1.0)
    _, singular, vt = np.linalg.svd(a / safe, full_matrices=False)
    floor = 1e-13 * max(singular.max(initial=0.0), 1e-300)
    inverse = vt.T / np.maximum(singular, floor)
    return np.where(scale > 0, np.sqrt(np.einsum("ij,ij->i", inverse, inverse)) / safe, np.inf)
