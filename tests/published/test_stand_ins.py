"""The published figures of the real records, from motions by the independent integrator: these run without the records.

What the real files say of the same figures is in test_real_records.py and test_real_damping.py.
"""

from __future__ import annotations

import numpy as np
import pytest

import identikit as ik
import reference

# Hudson Bay pelts 1900-1920: posterior mean and standard deviation, B. Carpenter, Stan case study (2018)
RATES = {"alpha": (0.545, 0.064), "beta": (0.028, 0.004), "gamma": (0.803, 0.092), "delta": (0.024, 0.004)}
STIFFNESS, VISCOUS = 64.219, 0.0672  # of the real pendulum: 1/s^2 and 1/s


def pelts(seed: int) -> ik.Record:
    """One sample a year for 21 years with log-normal noise of 25 %, as in the real record."""
    alpha, beta, gamma, delta = (mean for mean, _ in RATES.values())

    def rate(t: float, x: np.ndarray) -> tuple[float, float]:
        return alpha * x[0] - beta * x[0] * x[1], -gamma * x[1] + delta * x[0] * x[1]

    time = np.arange(21.0)
    logarithms = np.log(reference.smooth(rate, [34.0, 5.9], time))
    logarithms += 0.25 * np.random.default_rng(seed).standard_normal(logarithms.shape)
    return ik.Record.from_arrays(time, log_hare=logarithms[0], log_lynx=logarithms[1])


def test_as_many_pelts_as_were_counted_give_rates_as_certain_as_published() -> None:
    """Mean standard error of five seeds against the published one, within a factor of 1.5; its priors tell little."""
    found = [ik.fit(pelts(seed), "lotka_volterra") for seed in range(5)]
    for name, (mean, published) in RATES.items():
        errors = np.array([result.parameters[name].std for result in found], float)
        values = np.array([result.value(name) for result in found])
        assert (np.abs(values - mean) < 4 * errors).all(), (name, values, errors)
        assert published / 1.5 < errors.mean() < 1.5 * published, (name, errors)


def swing(dry: float, drag: float) -> ik.Record:
    """20 s of the pendulum at 80 samples per oscillation; with neither, the published viscous law."""
    viscous = 0.0 if dry or drag else VISCOUS

    def pull(x: np.ndarray) -> float:
        return float(-STIFFNESS * np.sin(x[0]))

    def rate(t: float, x: np.ndarray, s: list[float]) -> tuple[float, float]:
        return x[1], pull(x) - viscous * x[1] - drag * x[1] * abs(x[1]) - (dry * s[0] if s else 0.0)

    friction = reference.Switch(lambda t, x: x[1], lambda t, x: pull(x) / dry, pinned=1)
    time = np.arange(2000) * 0.01
    angle = reference.event_driven(rate, [friction] if dry else [], [1.2, 0.0], time)[0][0]
    return ik.Record.from_arrays(time, theta=angle + 0.003 * np.random.default_rng(0).standard_normal(len(time)))


@pytest.mark.study
@pytest.mark.parametrize("law", ["viscous", "dry + drag"])
def test_the_law_and_the_stiffness_of_the_real_pendulum_are_told(law: str) -> None:
    """Published as viscous alone; each law is the other's negative control."""
    report = ik.damping(swing(*((0.0, 0.0) if law == "viscous" else (0.15, 0.01))), "pendulum")
    assert report.ok and report.best == law
    other = "dry + drag" if law == "viscous" else "viscous"
    assert report.law(other).weight < 0.001 < report.law(law).weight
    found = report.law(law).parameters
    assert found["w0"]["value"] ** 2 == pytest.approx(STIFFNESS, rel=1e-3)
    if law == "viscous":
        assert 2 * found["mu"]["value"] * found["w0"]["value"] == pytest.approx(VISCOUS, rel=0.03)
