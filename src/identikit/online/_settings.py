"""Numbers that were chosen, each with a word."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class OnlineSettings:
    """Of the filter that estimates sample by sample."""

    factor: float = 1.0  # standard deviation of the logarithm of a positive parameter about its start
    share: float = 0.25  # of the range between finite bounds: standard deviation of any other parameter
    state_spread: float = 3.0  # of the initial value's size, or of one: standard deviation of a state at first
    reach: float = 0.25  # of a step, over the quickest rate of the equations: longer intervals are cut into steps
    most_steps: int = 4096  # in one interval: more means that the filter is lost, or the interval absurd
    first_rate: float = 100.0  # of the equations, per unit of time, before anything is known of them
    memory: int = 400  # samples over which the mean squared innovation is looked at
    alarm: float = 6.0  # standard deviations of that mean by which it may be off one
    diverging: float = 2.0  # and at least this: smaller excesses do no harm


ONLINE = OnlineSettings()
