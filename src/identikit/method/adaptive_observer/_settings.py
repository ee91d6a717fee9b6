"""Numbers that were chosen, each with a word; results echo them in their provenance."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ObserverSettings:
    """Of the adaptive observer and of what is said of its estimate."""

    chunk: int = 4096  # Runge-Kutta steps per call of the kernel, which is compiled for this many
    stable: float = 0.25  # step times gain, or times rate of adaptation: RK4 is accurate to a part in a thousand
    most_steps: int = 64  # Runge-Kutta steps between two samples
    beginning: int = 2000  # samples that are smoothed for the beginning alone: many oscillations of the noise
    coincides: float = 1e-6  # relative distance from the fixed point below which an estimate is that point
    burst: float = 1e6  # error norm, in spreads of the measured velocities: the observer has lost the record
    adrift: float = 0.01  # of the way to the fixed point: what the integration may miss of the law's closed form
    validation: float = 1e-6  # tolerance of the motion that estimates are validated with
    kept: int = 2000  # points of every path that are kept for plots
    quadrature: int = 97  # points of the double exponential rule; 65 leave 1e-12 in a Mittag-Leffler function
    reach: float = 3.2  # of that rule, to either side, where its weights are below 1e-15


OBSERVER = ObserverSettings()
