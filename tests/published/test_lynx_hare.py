"""The Hudson Bay pelts: the posterior that B. Carpenter published with Stan (case study, 2018)."""

from __future__ import annotations

from importlib.util import find_spec

import numpy as np
import pytest
from test_real_records import DATA

import identikit as ik

pytestmark = [
    pytest.mark.skipif(find_spec("nutpie") is None, reason="nutpie is not installed"),
    pytest.mark.skipif(not DATA.is_dir(), reason="the folder of real records is not here"),
]

PUBLISHED = {"alpha": 0.55, "beta": 0.028, "gamma": 0.80, "delta": 0.024}
PRIORS = {"alpha": (1.0, 0.5), "beta": (0.05, 0.05), "gamma": (1.0, 0.5), "delta": (0.05, 0.05)}


@pytest.mark.study
def test_the_posterior_means_are_those_published() -> None:
    record = ik.load(DATA / "lynx_hare" / "hudson-bay-lynx-hare.csv", time="Year")[0]
    counts = {name.lower(): channel.values for name, channel in record.channels.items()}
    pelts = ik.Record.from_arrays(record.time - record.time[0], counts, time_unit="year")
    asked = {"method": "shooting", "noise": "lognormal", "priors": PRIORS, "uncertainty": "bayes", "seed": 1}
    found = ik.fit(pelts, "lotka_volterra", uncertainty_options={"draws": 300}, **asked)
    told = found.diagnostics["uncertainty"]
    for name, mean in PUBLISHED.items():
        item = told["unknowns"][name]
        assert abs(item["mean"] - mean) < 0.5 * item["std"], name
    assert told["divergent"] == 0
    assert [told["noise"][name]["mean"] for name in ("hare", "lynx")] == pytest.approx([0.25, 0.25], abs=0.03)
    assert np.all([item["effective_draws"] > 400 for item in told["unknowns"].values()])
