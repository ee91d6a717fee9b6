"""The noise of a fit as a plan takes it: normal, independent from sample to sample, of one standard deviation."""

from __future__ import annotations

import numpy as np

from identikit.planning._plan import Plan
from identikit.result import Finding, NoiseFound, Result, finding, listed


def fitted_noise(result: Result) -> dict[str, float]:
    """The noise of a fit's outputs, each as one standard deviation in the output's unit: the level that the fit found,
    or the rms of its residuals where that is of another scale.

    Outliers tell little: a sample with Student's t of scale s and f degrees of freedom holds the Fisher information
    (f + 1)/(f + 3)/s^2, and the standard deviation of normal noise that holds as much is taken.
    """
    found = {}
    for name, item in result.noise.items():
        alike = 1.0 if item.freedom is None else np.sqrt((item.freedom + 3) / (item.freedom + 1))
        found[name] = float(alike * item.sigma) if item.absolute else result.fit[name].rmse
    return found


def noise_taken(plan: Plan, result: Result) -> list[Finding]:
    """Which noise of a fit is planned with as if it were normal, white and of one level, though it is not."""
    varying = [name for name, item in result.noise.items() if not item.absolute]
    heavy = [name for name, item in result.noise.items() if item.absolute and item.freedom is not None]
    lasting = {name: _redundancy(item) for name, item in result.noise.items() if item.memory}
    said = []
    if varying:
        text = (
            f"the noise of {_each(plan, varying)} is not the same at every sample of the fit: the rms of its residuals "
            "was planned with"
        )
        said.append(finding("noise_planned_constant", text, *varying))
    if heavy:
        text = (
            f"the noise of {_each(plan, heavy)} has outliers in the fit: normal noise was planned with, of a level at "
            "which samples tell as much"
        )
        said.append(finding("noise_planned_constant", text, *heavy))
    if lasting:
        factor = float(np.sqrt(max(lasting.values())))
        larger = f": standard errors will be up to {factor:.2g} times as large as expected" if factor > 1 else ""
        text = f"the noise of {_each(plan, list(lasting))} has a memory in the fit, and white noise was planned with"
        said.append(finding("noise_planned_constant", f"{text}{larger}", *lasting))
    return said


def _each(plan: Plan, names: list[str]) -> str:
    units = {name: plan.model.output(name).unit for name in names}
    return listed([f"{name} ({plan.noise[name]:.3g}{' ' + units[name] if units[name] else ''})" for name in names])


def _redundancy(noise: NoiseFound) -> float:
    """How many samples tell as much of a slow motion as an independent one: the spectral density of the noise at zero
    over that of white noise of the same level, for partial autocorrelations r the product of (1 + r)/(1 - r)."""
    return float(np.prod([(1 + r) / (1 - r) for r in noise.memory]))
