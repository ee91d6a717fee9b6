"""Inputs that excite: multisines of low crest factor, sweeps and steps, each an expression of time within limits.

A multisine is a sum of sines at multiples of 1/duration, in equal amounts. How large it may be depends on its phases:
its crest factor, peak over rms, says how much of the range is used. From Schroeder's phases on the L_p norm is
minimised, for larger and larger p.

References: M. R. Schroeder, IEEE Trans. Information Theory 16 (1970) 85; P. Guillaume, J. Schoukens, R. Pintelon,
I. Kollar, IEEE Trans. Instrumentation and Measurement 40 (1991) 982.

Not for a drive whose own dynamics matter: what is planned is what must arrive at the system.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
import sympy as sp

from identikit.model import TIME, Program, parse
from identikit.planning._settings import DESIGN
from identikit.simulation import Pieces, sampled

EXPRESSION_DIGITS = 6  # of numbers in an expression: enough for any generator, and it can still be typed


@dataclass(frozen=True)
class Signal:
    """An input over one run.

    Arguments:
        words: what it is, for people.
        expression: what it is, as a model's inputs are written.
        fastest: its highest frequency, in cycles per unit of time; zero if it is constant between steps.
        steps: when it changes its level, if it does.
    """

    words: str
    expression: str
    fastest: float = 0.0
    steps: tuple[float, ...] = ()

    @classmethod
    def of(cls, expression: str, words: str = "") -> Signal:
        """A signal from its expression alone, for its values."""
        formula = parse(expression, {}, "input")
        edges = {
            float(-arg.subs(TIME, 0) / arg.diff(TIME)) for arg in (step.args[0] for step in formula.atoms(sp.sign))
        }
        return cls(words, expression, steps=tuple(sorted(edges)))

    @cached_property
    def _program(self) -> Program:
        return Program([parse(self.expression, {}, "input")], [TIME])

    def values(self, t: np.ndarray) -> np.ndarray:
        """Its values; at a step the one after it."""
        if self.steps:
            edges = np.array(self.steps)
            middles = np.concatenate([[edges[0] - 1.0], (edges[1:] + edges[:-1]) / 2, [edges[-1] + 1.0]])
            return np.asarray(self._at(middles)[np.searchsorted(edges, t, side="right")])
        return self._at(t)

    def _at(self, t: np.ndarray) -> np.ndarray:
        return np.asarray(np.broadcast_to(np.asarray(self._program(np, [t])[0], float), np.shape(t)))

    def pieces(self, duration: float) -> Pieces:
        """As polynomials, which integrators read without compiling anything anew."""
        if self.steps:
            inner = [edge for edge in self.steps if 0 < edge < duration]
            begins = np.array([0.0, *inner])
            coefficients = np.zeros((len(begins), 1, 4))
            coefficients[:, 0, 0] = self.values(begins)
            return Pieces(begins, np.append(begins[1:], np.inf), coefficients)
        if not self.fastest:
            return Pieces.constant([float(self._at(np.zeros(1))[0])])
        count = math.ceil(duration * self.fastest * DESIGN.drive_points) + 1
        t = np.linspace(0.0, duration, max(count, DESIGN.drive_points))
        return sampled(t, {"u": self.values(t)}, "cubic")


def multisine(low: float, high: float, duration: float, limits: tuple[float, float]) -> Signal:
    """Sines between two frequencies, in equal amounts, their phases such that the sum just stays within limits."""
    first, last = max(1, round(low * duration)), max(1, round(high * duration))
    count = min(DESIGN.lines, last - first + 1)
    harmonics = np.unique(np.round(np.linspace(first, last, count)).astype(int))
    phases = _low_crest(harmonics)
    t = np.linspace(0.0, 1.0, DESIGN.crest_points * int(harmonics[-1]), endpoint=False)
    wave = np.sin(2 * np.pi * np.outer(t, harmonics) + phases).sum(axis=1)
    middle, half = (limits[0] + limits[1]) / 2, (limits[1] - limits[0]) / 2
    # rounded down: rounding must not take the peak beyond the limits
    amplitude = _rounded(0.999 * half / np.abs(wave).max())
    lines = [
        f"sin({_text(2 * np.pi * k / duration)}*t + {_text(phase)})" for k, phase in zip(harmonics, phases, strict=True)
    ]
    crest = float(np.abs(wave).max() / np.sqrt(np.mean(wave**2)))
    words = (
        f"a multisine of {len(harmonics)} lines from {_text(harmonics[0] / duration, 3)} to "
        f"{_text(harmonics[-1] / duration, 3)} cycles per unit of time, crest factor {crest:.2f}"
    )
    expression = f"{_text(middle)} + {_text(amplitude)}*({' + '.join(lines)})"
    return Signal(words, expression, float(harmonics[-1] / duration))


def sweep(low: float, high: float, duration: float, limits: tuple[float, float]) -> Signal:
    """A sine whose frequency rises evenly from the lower to the higher one over the run."""
    middle, half = (limits[0] + limits[1]) / 2, (limits[1] - limits[0]) / 2
    rate = np.pi * (high - low) / duration
    expression = f"{_text(middle)} + {_text(half)}*sin({_text(2 * np.pi * low)}*t + {_text(rate)}*t**2)"
    words = f"a sweep from {_text(low, 3)} to {_text(high, 3)} cycles per unit of time"
    return Signal(words, expression, high)


def steps(hold: float, duration: float, limits: tuple[float, float]) -> Signal:
    """Steps between both limits, held for multiples of `hold`: a binary sequence of maximum length."""
    from scipy.signal import max_len_seq

    hold = _rounded(hold)
    levels = max_len_seq(5)[0][: min(math.ceil(duration / hold), DESIGN.most_steps)].astype(int)
    changes = [(k, int(b - a)) for k, (a, b) in enumerate(pairwise(levels), 1) if a != b]
    low, high = limits
    height = _text(high - low)
    parts = [f"{'+' if up > 0 else '-'} {height}*heaviside(t - {_text(k * hold)})" for k, up in changes]
    begin = high if levels[0] else low
    words = f"a sequence of steps between {_text(low, 3)} and {_text(high, 3)}, held for multiples of {_text(hold, 3)}"
    edges = tuple(float(_text(k * hold)) for k, _ in changes)
    return Signal(words, " ".join([_text(begin), *parts]), steps=edges)


def signals(frequencies: Sequence[float], duration: float, limits: tuple[float, float]) -> list[Signal]:
    """Candidates of all kinds in the bands between some frequencies, in cycles per unit of time."""
    made: dict[str, Signal] = {}
    for i, low in enumerate(frequencies):
        for high in frequencies[i + 1 :]:
            for signal in (multisine(low, high, duration, limits), sweep(low, high, duration, limits)):
                made[signal.expression] = signal
        signal = steps(0.5 / low, duration, limits)
        if signal.steps:
            made[signal.expression] = signal
    return list(made.values())


def _low_crest(harmonics: np.ndarray) -> np.ndarray:
    """Phases of sines in equal amounts whose sum has a low peak: Schroeder's, then the L_p norm minimised."""
    from scipy.optimize import minimize

    count = len(harmonics)
    start = -np.pi * np.arange(count) * np.arange(1, count + 1) / count
    # the crest factor depends on the harmonics alone, counted from the lowest if that makes the grid coarser
    points = min(DESIGN.crest_points * int(harmonics[-1]), 4096)
    angles = 2 * np.pi * np.outer(np.linspace(0.0, 1.0, points, endpoint=False), harmonics)

    def norm(phases: np.ndarray, power: int) -> tuple[float, np.ndarray]:
        wave = np.sin(angles + phases).sum(axis=1)
        value = float(np.mean(wave**power) ** (1 / power))
        slope = np.cos(angles + phases).T @ wave ** (power - 1) / points * value ** (1 - power)
        return value, slope

    phases, power = start, 4
    while power <= DESIGN.crest_power:  # from a smooth norm to one that is nearly the peak
        found = minimize(norm, phases, args=(power,), jac=True, method="L-BFGS-B", options={"maxiter": 100})
        phases, power = found.x, 2 * power
    return np.asarray(np.round(np.mod(phases, 2 * np.pi), 4))


def _rounded(value: float) -> float:
    return float(f"{value:.{EXPRESSION_DIGITS}g}")


def _text(value: float, digits: int = EXPRESSION_DIGITS) -> str:
    return f"{value:.{digits}g}"
