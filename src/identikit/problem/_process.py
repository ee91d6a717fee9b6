"""Process noise: what moves the system and is not among its inputs.

    dx_i = f_i dt + q_i dW_i

with W a Wiener process: wind, shocks, an unmodelled drive. A state's rate is named as a physicist writes it, omega'.
The intensity q_i is in the unit of the state per square root of the time unit: left alone, the state would spread by
q_i sqrt(t).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from identikit.errors import ProblemError, did_you_mean

PRIME = "'"  # behind a state's name: its rate
AUTO = "auto"


@dataclass(frozen=True)
class ProcessNoise:
    """Of one state's rate; `level` is its intensity, None = to be found."""

    level: float | None = None


def process_of_states(
    states: Sequence[str], given: Mapping[str, Any]
) -> tuple[dict[str, ProcessNoise], dict[str, Any]]:
    """The process noise among what is said of noise, checked, and the rest, which is about outputs."""
    found, rest = {}, {}
    for name, value in given.items():
        if not name.endswith(PRIME):
            rest[name] = value
            continue
        state = name.removesuffix(PRIME)
        if state not in states:
            rates = [known + PRIME for known in states]
            raise ProblemError(
                f'process noise is given for "{name}", but no state has that rate.{did_you_mean(name, rates)}'
            )
        known = isinstance(value, int | float) and not isinstance(value, bool)
        if not known and value != AUTO:
            raise ProblemError(f'process noise of "{name}" is {value!r}: expected an intensity, or {AUTO}')
        if known and not (math.isfinite(value) and value >= 0):
            raise ProblemError(f'process noise of "{name}" is {value:g}: expected an intensity of zero or more')
        found[state] = ProcessNoise(float(value) if known else None)
    return found, rest
