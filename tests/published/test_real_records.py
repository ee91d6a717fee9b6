"""Real measurements, where the folder of public records lies beside the project; the product ships none of
them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import identikit as ik

DATA = Path(__file__).resolve().parents[2].parent / "shared" / "data"

pytestmark = pytest.mark.skipif(not DATA.is_dir(), reason="the folder of real records is not here")


def test_a_real_pendulum_counted_from_upright_is_fitted_without_a_start() -> None:
    """Published: m g a/(m a^2 + I) = 64.219 1/s^2; dry friction and drag halve what a viscous law leaves
    over."""
    file = DATA / "multiarm_single_pendulum" / "single_pendulum_free_swing.csv"
    whole = ik.fit(file, "pendulum", free=["w0", "mu", "mu_c", "mu_q", "offset"], segments="segment")
    viscous = ik.fit(file, "pendulum", free=["w0", "mu", "offset"], segments="segment")
    assert whole.ok and viscous.ok
    assert whole.value("w0") ** 2 == pytest.approx(64.219, rel=0.01)
    assert whole.noise["theta"].sigma < 0.5 * viscous.noise["theta"].sigma
    assert len(whole.initial_states) == 6


@pytest.mark.parametrize(
    "name, arguments, records",
    [
        ("multiarm_double_pendulum/double_pendulum_free_swing.csv", {"segments": "segment"}, 30),
        ("dfki_double_pendulum/trajectory_00.csv", {}, 1),
        ("lynx_hare/hudson-bay-lynx-hare.csv", {"time": "Year"}, 1),
    ],
)
def test_real_files_are_read_as_they_are(name: str, arguments: dict, records: int) -> None:
    assert len(ik.load(DATA / name, **arguments)) == records


def test_the_pelts_of_hudson_bay_give_the_published_rates() -> None:
    """Log-normal errors, so logarithms are fitted; the published figures are posterior means."""
    record = ik.load(DATA / "lynx_hare" / "hudson-bay-lynx-hare.csv", time="Year")[0]
    logarithms = {f"log_{name.lower()}": np.log(record.channels[name].values) for name in ("Hare", "Lynx")}
    result = ik.fit(ik.Record.from_arrays(record.time - 1900, logarithms), "lotka_volterra")
    assert result.ok, result.status.message
    for name, published in {"alpha": 0.55, "beta": 0.028, "gamma": 0.80, "delta": 0.024}.items():
        found = result.parameters[name]
        assert found.std is not None
        assert abs(result.value(name) - published) < 0.5 * found.std, (name, found)
