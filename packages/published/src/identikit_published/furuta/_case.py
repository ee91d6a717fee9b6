"""The paper's two runs: its simulation, and a simulated stand-in for its experiment, whose record does not exist."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from identikit.measurement import Record
from identikit_published._base import Scale
from identikit_published.furuta.printed import GUESS_3, GUESS_4, TABLE_3, TABLE_4
from identikit_published.furuta.rig import FREE, OUTPUTS, START, TRUE, furuta, stiff_furuta

Array = NDArray[np.float64]
DEGREE = np.pi / 180  # rad
COUNT = 2 * np.pi / 40_000  # rad: of the encoders


@dataclass(frozen=True)
class Case:
    """A run of the rig.

    Arguments:
        time: of the samples, s. start: q0, q1, w0, w1. friction: the truth.
        outputs: what is measured. noise: standard deviation of each, rad or rad/s; of rounding, step/sqrt(12).
        step: to which angles are rounded; 0 = not rounded, but with normal noise.
        guess, estimate: as the paper prints them.
        fitted: which samples the best method is given. quick: the same where there is little time.
    """

    name: str
    time: Array
    start: tuple[float, ...]
    friction: Mapping[str, float]
    outputs: tuple[str, ...]
    noise: float
    step: float
    guess: Mapping[str, float]
    estimate: Mapping[str, float]
    fitted: slice
    quick: slice
    settings: Mapping[str, object] = field(default_factory=dict)

    def at(self, scale: Scale) -> Case:
        """The run with as much of it fitted as there is time for."""
        return replace(self, fitted=self.quick) if scale.quick else self

    @cached_property
    def clean(self) -> Array:
        """States [4, times] without noise."""
        return furuta(self.time, self.friction, self.start)

    @property
    def draws(self) -> int:
        """How many noise draws one record takes."""
        return 0 if self.step else 1

    def measured(self, seed: int) -> Array:
        """[outputs, times]; rounding leaves nothing to draw."""
        values = self.clean[: len(self.outputs)]
        if self.step:
            return np.asarray(np.round(values / self.step) * self.step)
        return values + self.noise * np.random.default_rng(seed).standard_normal(values.shape)

    def record(self, seed: int, samples: slice = slice(None)) -> Record:
        """What a method is given."""
        values = self.measured(seed)[:, samples]
        return Record.from_arrays(self.time[samples], dict(zip(self.outputs, values, strict=True)))

    def free_motion(self, friction: Mapping[str, float], every: int = 1) -> Array:
        """States [4, times] from the true start with other friction, at all samples or one in so many."""
        return stiff_furuta(self.time[::every], friction, self.start)


def _named(values: Array) -> dict[str, float]:
    return dict(zip(FREE, values.tolist(), strict=True))


_RIG = {"tilt [deg]": 20, "normal forces [N]": "4.5908 and 1.25568", "rig": "table 1"}
_OTHER = {
    "mu_d0": 1.0e-3,
    "mu_s0": 1.3e-3,
    "mu_v0": 6e-4,
    "v_t0": 2e-2,
    "mu_d1": 1.4e-3,
    "mu_s1": 1.8e-3,
    "mu_v1": 6e-4,
    "v_t1": 2e-2,
}

SIMULATION = Case(
    name="simulation",
    time=np.linspace(0, 35, 35_001),
    start=START,
    friction=TRUE,
    outputs=OUTPUTS,
    noise=0.1,
    step=0.0,
    guess=_named(GUESS_3),
    estimate=_named(TABLE_3),
    fitted=slice(None),
    quick=slice(0, 15_000),
    settings={
        **_RIG,
        "start [deg]": "0, 120",
        "duration [s]": 35,
        "rate [Hz]": 1000,
        "noise": "0.1 on all four states",
        "start of the observer": "the smoothed record's (the paper: the true one with noise of 0.1)",
        "start of validating motions": "the true one",
        "fitted": "all (quick: the first 15 s)",
    },
)
EXPERIMENT = Case(
    name="experiment",
    time=np.linspace(0, 20.28, 20_281),
    start=(0.2 * DEGREE, 126 * DEGREE, 0.0, 0.0),
    friction=TRUE | _OTHER,
    outputs=OUTPUTS[:2],
    noise=COUNT / np.sqrt(12),
    step=COUNT,
    guess=_named(GUESS_4),
    estimate=_named(TABLE_4),
    fitted=slice(0, 10_000, 10),
    quick=slice(0, 5_000, 10),
    settings={
        **_RIG,
        "record": "simulated stand-in, friction chosen so that it comes to rest within the paper's 20.28 s",
        "friction": ", ".join(f"{name} {value:g}" for name, value in _OTHER.items()),
        "start [deg]": "0.2, 126",
        "duration [s]": 20.28,
        "rate [Hz]": 1000,
        "angles": "rounded to 40,000 counts per turn, velocities not measured",
        "start of the observer": "the smoothed record's",
        "start of validating motions": "the true one",
        "fitted": "the first 10 s (quick: 5 s) at 100 Hz: rounding is no noise where nothing moves",
    },
)
STAND_IN = (
    "The paper's record is not public. This is a simulated stand-in on the same rig with other friction, so its truth "
    "is ours and not the rig's; it was sampled at 1 kHz instead of 10 kHz."
)
ROUNDING_BOUND = (
    "The bound takes rounding for normal noise of its standard deviation, a count over sqrt(12), on the 1,000 samples "
    "that are fitted of 20,281 (quick: 500). Rounding has sharp edges and no Cramer-Rao bound of its own: one who "
    "counts the edges could go below. A record at rest adds nothing: its rounding errors are all the same."
)
