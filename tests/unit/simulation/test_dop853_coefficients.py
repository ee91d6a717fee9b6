"""Our copy of the coefficients is SciPy's."""

from __future__ import annotations

import numpy as np
from scipy.integrate import DOP853

from identikit.simulation._tableau import dop853


def test_the_coefficients_equal_those_of_scipy() -> None:
    tableau = dop853()
    assert np.array_equal(tableau.a[:12, :12], DOP853.A[:12, :12])
    assert np.array_equal(tableau.a[13:, :16], DOP853.A_EXTRA)
    assert np.array_equal(tableau.b[:12], DOP853.B)
    assert np.array_equal(tableau.c[:12], DOP853.C[:12])
    assert np.array_equal(tableau.c[13:], DOP853.C_EXTRA)
    assert np.array_equal(tableau.error[0, :13], DOP853.E5)
    assert np.array_equal(tableau.error[1, :13], DOP853.E3)
