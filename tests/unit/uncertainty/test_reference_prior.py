"""The prior where nothing is known, which does not depend on how the unknowns are written."""

from __future__ import annotations

import pytest

import identikit as ik
import quality_factor
from identikit.result import Result

RECORD = quality_factor.record(5, sigma=0.2)
SHORT = {"chains": 2, "draws": 200, "warmup": 60}


def posterior(model: ik.Model, **options: object) -> Result:
    found = ik.fit(
        RECORD, model, method="shooting", uncertainty="bayes", uncertainty_options={**SHORT, **options}, seed=1
    )
    assert found.artifacts["posterior"]["parameters"]
    return found


@pytest.mark.study
def test_it_hardly_matters_how_a_damping_is_written() -> None:
    """Over half a period, as a quality factor between 0.5 and 10 000 and as the damping ratio that belongs to it. With
    a prior that is flat in Q, as negative control, most of the posterior lies at thousands."""
    pytest.importorskip("nutpie")
    factor = posterior(quality_factor.model()).parameters["Q"].ci95
    ratio = posterior(quality_factor.model("2*D*w0", "D", 0.1, (5e-5, 1.0))).parameters["D"].ci95
    # ends of some 200 draws' worth are known to a sixth of the interval's length
    assert [1 / end for end in factor[::-1]] == pytest.approx([2 * end for end in ratio], abs=0.06)
    profile = ik.fit(RECORD, quality_factor.model(), method="shooting", uncertainty="profile").parameters["Q"].ci95
    assert [1 / end for end in factor] == pytest.approx([1 / end for end in profile], abs=0.06)
    assert posterior(quality_factor.model(), prior="flat").parameters["Q"].ci95[1] > 1000
