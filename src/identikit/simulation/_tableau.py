"""Coefficients of explicit Runge-Kutta pairs with dense output.

    k_i = f(t + c_i h, x + h sum_j a_ij k_j),   x1 = x + h sum_i b_i k_i,   error = h sum_i e_i k_i,
    x(t + theta h) = x + h sum_i sum_d P_id theta^(d+1) k_i

With two rows of error weights, Hairer's combination e5^2 / sqrt(e5^2 + 0.01 e3^2) of the two estimates is
meant.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import numpy as np

from identikit.simulation import _dop853


@dataclass(frozen=True)
class Tableau:
    """One embedded pair; `order` is that of the error estimate plus one, used by the step controller."""

    name: str
    a: np.ndarray
    b: np.ndarray
    c: np.ndarray
    error: np.ndarray
    dense: np.ndarray
    order: int

    @property
    def stages(self) -> int:
        return len(self.c)


@cache
def dormand_prince() -> Tableau:
    """Dormand-Prince 5(4) with Shampine's fourth-order dense output.

    References: J. R. Dormand, P. J. Prince, J. Comput. Appl. Math. 6 (1980) 19-26;
    L. F. Shampine, Math. Comput. 46 (1986) 135-150.
    """
    a = np.zeros((7, 7))
    a[1, :1] = [1 / 5]
    a[2, :2] = [3 / 40, 9 / 40]
    a[3, :3] = [44 / 45, -56 / 15, 32 / 9]
    a[4, :4] = [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729]
    a[5, :5] = [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656]
    a[6, :6] = [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84]
    error = np.array([-71 / 57600, 0, 71 / 16695, -71 / 1920, 17253 / 339200, -22 / 525, 1 / 40])
    dense = np.array(
        [
            [1, -8048581381 / 2820520608, 8663915743 / 2820520608, -12715105075 / 11282082432],
            [0, 0, 0, 0],
            [0, 131558114200 / 32700410799, -68118460800 / 10900136933, 87487479700 / 32700410799],
            [0, -1754552775 / 470086768, 14199869525 / 1410260304, -10690763975 / 1880347072],
            [0, 127303824393 / 49829197408, -318862633887 / 49829197408, 701980252875 / 199316789632],
            [0, -282668133 / 205662961, 2019193451 / 616988883, -1453857185 / 822651844],
            [0, 40617522 / 29380423, -110615467 / 29380423, 69997945 / 29380423],
        ]
    )
    return Tableau(
        "dormand_prince",
        a,
        a[6].copy(),
        np.array([0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1, 1]),
        error[None],
        dense,
        5,
    )


@cache
def dop853() -> Tableau:
    """Dormand-Prince 8(5,3) with its seventh-order dense output.

    Reference: E. Hairer, S. P. Norsett, G. Wanner, Solving Ordinary Differential Equations I, 2nd ed., II.5
    and II.6.
    """
    stages = len(_dop853.NODES)
    a = np.array([_row(_dop853.STAGES.get(i, {}), stages) for i in range(stages)])
    b = _row(_dop853.WEIGHTS, stages)
    error = np.array([_row(_dop853.ERROR_5, stages), _row(_dop853.ERROR_3, stages)])
    first, last = np.eye(stages)[0], np.eye(stages)[12]
    cubic = [b, first - b, 2 * b - (first + last)]
    terms = cubic + [_row(weights, stages) for weights in _dop853.DENSE.values()]
    dense = np.zeros((stages, 7))
    theta, rest = np.polynomial.Polynomial([0.0, 1.0]), np.polynomial.Polynomial([1.0, -1.0])
    basis = theta
    for index, term in enumerate(terms):  # theta, theta(1-theta), theta^2(1-theta), ...
        dense[:, : basis.degree()] += np.outer(term, basis.coef[1:])
        basis = basis * (rest if index % 2 == 0 else theta)
    return Tableau("dop853", a, b, np.array(_dop853.NODES), error, dense, 8)


def _row(weights: Mapping[int, float], length: int) -> np.ndarray:
    row = np.zeros(length)
    row[list(weights)] = list(weights.values())
    return row


TABLEAUS = {"dormand_prince": dormand_prince, "dop853": dop853}
