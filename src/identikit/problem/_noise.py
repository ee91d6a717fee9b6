"""What is known of the noise on each output, and its shape once that has been chosen.

    white       e_i independent and normal
    ar          e_i = phi_1 e_(i-1) + ... + phi_n e_(i-n) + w_i, w_i white: each sample remembers those before it
    student     e_i (or the w_i of an ar noise) from Student's t distribution: now and then an outlier
    lognormal   log y_i = log h_i + e_i: the error is a share of the value
    rounded     white, then rounded to levels a step apart (never asked for: the record shows its levels)
    auto        white at first; what the residuals show decides

The memory of an ar noise is kept as partial autocorrelations, each between -1 and 1: any such numbers are a stationary
noise, which cannot be said of the coefficients phi.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from identikit.errors import ProblemError, did_you_mean

EVERY = "*"  # stands for every output that is not named


class NoiseKind(StrEnum):
    """The shapes that a user can ask for."""

    AUTO = "auto"
    WHITE = "white"
    AR = "ar"
    STUDENT = "student"
    LOGNORMAL = "lognormal"


NOISE_KINDS = tuple(kind.value for kind in NoiseKind)
NoiseGiven = str | float | Mapping[str, Any]


@dataclass(frozen=True)
class Noise:
    """The noise of one output.

    Arguments:
        kind: what was asked for.
        level: standard deviation if it is known beforehand, in the output's unit (of log y if lognormal).
        column: where the standard deviation of every single sample stands; it is then known.
        memory: partial autocorrelations, if the shape has been chosen; none for independent samples.
        freedom: degrees of freedom of Student's t; infinite for normal noise.
        step: distance of the levels that samples were rounded to, if it is coarse against the noise; else zero.
    """

    kind: NoiseKind = NoiseKind.AUTO
    level: float | None = None
    column: str | None = None
    memory: tuple[float, ...] = ()
    freedom: float = math.inf
    step: float = 0.0

    @property
    def known_level(self) -> float | None:
        """The level that need not be estimated; samples with standard deviations of their own are in units of these."""
        return 1.0 if self.column is not None else self.level

    @property
    def absolute(self) -> bool:
        """Whether the level is a standard deviation in the output's unit: not of log y, nor in units of a column."""
        return self.kind is not NoiseKind.LOGNORMAL and self.column is None

    @property
    def plain(self) -> bool:
        """Whether weighted squares of the residuals are all there is to it."""
        shaped = self.memory or math.isfinite(self.freedom) or self.step
        return not shaped and self.kind is not NoiseKind.LOGNORMAL

    @property
    def title(self) -> str:
        """In words."""
        parts = [f"autoregressive of order {len(self.memory)}"] if self.memory else []
        if math.isfinite(self.freedom):
            parts.append(f"Student t with {self.freedom:.3g} degrees of freedom")
        if self.kind is NoiseKind.LOGNORMAL:
            parts.append("log-normal")
        if self.step:
            parts.append(f"white, rounded to steps of {self.step:.3g}")
        return ", ".join(parts) or "white"

    def shaped(self, memory: Sequence[float] = (), freedom: float = math.inf) -> Noise:
        """The same noise with a shape that was chosen."""
        return replace(self, memory=tuple(float(item) for item in memory), freedom=float(freedom), step=0.0)

    def rounded(self, step: float) -> Noise:
        """The same noise, whose samples were rounded to levels a step apart."""
        return replace(self, step=step)


def noise_of_outputs(
    outputs: Sequence[str], columns: Sequence[str] | None, given: Mapping[str, NoiseGiven] | str | None
) -> dict[str, Noise]:
    """The noise of every measured output, checked; `columns` are those of the record, None = not asked for."""
    told = {EVERY: given} if isinstance(given, str) else dict(given or {})
    for name in told:
        if name != EVERY and name not in outputs:
            raise ProblemError(f"noise is given for '{name}', which is not measured.{did_you_mean(name, outputs)}")
    return {name: _noise(name, told.get(name, told.get(EVERY, NoiseKind.AUTO)), columns) for name in outputs}


def _noise(name: str, given: NoiseGiven, columns: Sequence[str] | None) -> Noise:
    if isinstance(given, Mapping):
        unknown = [key for key in given if key not in ("kind", "level", "column")]
        if unknown:
            raise ProblemError(f"noise of '{name}' has no entry '{unknown[0]}': expected kind, level or column")
        kind, level, column = given.get("kind", NoiseKind.AUTO), given.get("level"), given.get("column")
    elif isinstance(given, str):
        kind, level, column = (given, None, None) if given in NOISE_KINDS else (NoiseKind.AUTO, None, given)
    else:
        kind, level, column = NoiseKind.AUTO, given, None
    if kind not in NOISE_KINDS:
        raise ProblemError(f"noise of '{name}' is '{kind}': expected one of {', '.join(NOISE_KINDS)}")
    if column is not None and columns is not None and column not in columns:
        raise ProblemError(
            f"noise of '{name}' is '{column}', which is neither a kind of noise ({', '.join(NOISE_KINDS)}) nor a "
            f"column.{did_you_mean(column, [*NOISE_KINDS, *columns])} Columns: {', '.join(columns)}."
        )
    if level is not None and not (math.isfinite(level) and level > 0):
        raise ProblemError(f"noise of '{name}' is {level:g}: expected a standard deviation above zero")
    return Noise(NoiseKind(kind), None if level is None else float(level), column)
