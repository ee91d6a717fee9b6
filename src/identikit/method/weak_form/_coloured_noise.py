"""Standard errors of a linear estimate whose samples' noise remembers: p = p0 + sum_k g_k e_k."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from identikit.method.weak_form._weak_curves import FittedCurves
from identikit.numerics import Autoregression, column_sizes
from identikit.problem import Problem


def coloured_deviation(problem: Problem, curves: Sequence[FittedCurves], influence: Sequence[np.ndarray]) -> np.ndarray:
    """Standard errors of the free parameters, the noise of every output being the process that its residuals show.

    Arguments:
        curves: of the states cleared of noise, per record; samples less these are the residuals.
        influence: how the estimate follows each sample, per record [outputs, samples, free].
    """
    residuals = [record.values.T - curve(record.time) for record, curve in zip(problem.records, curves, strict=True)]
    variance = np.zeros(influence[0].shape[2])
    for j in range(len(problem.outputs)):
        taken = [_orthonormal(weights[j]) for weights in influence]
        process = Autoregression.of([residual[j] for residual in residuals], taken)
        for weights in influence:
            variance += process.variance(weights[j])
    return np.sqrt(variance)


def _orthonormal(weights: np.ndarray) -> np.ndarray:
    """Columns [samples, free] that span the same directions."""
    scaled = weights / column_sizes(weights)
    return np.asarray(np.linalg.qr(scaled)[0])
