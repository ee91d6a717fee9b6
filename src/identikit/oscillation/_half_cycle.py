"""From one turning point to the next: amplitude lost and time taken, exactly, for any oscillator.

In polar coordinates about the rest position x_e, x - x_e = r cos f, v = -w r sin f, every turning point lies at a
multiple of pi, whatever the forces. With a(x, v) the acceleration,

    dr/dt = -w sin f (x - x_e + a/w^2),      df/dt = w sin^2 f - a cos f / (w r),

and dr/df = (dr/dt)/(df/dt) is integrated from f to f + pi. Within a half cycle v keeps its sign, so the equation is
smooth also with dry friction and drag. Averaged over f to first order in the damping it becomes the amplitude equation

    dA/dt = -zeta A - 2 mu_c/(pi w) - (4 w/(3 pi)) mu_q A^2

of a linear spring with a = -w^2 x - 2 zeta v - mu_c sign v - mu_q v|v|. Nothing is averaged here: for that spring
with drag alone the map is the exact recursion (1 + 2 mu_q A) exp(-2 mu_q A) = (1 - 2 mu_q B) exp(2 mu_q B).

Reference: A. H. Nayfeh, D. T. Mook, Nonlinear Oscillations, Wiley 1979, sections 2.3 and 3.3 (the averaged equation).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from identikit.oscillation._oscillator import Oscillator
from identikit.oscillation._settings import OSCILLATION
from identikit.oscillation._turning_points import LocalPolynomial


@dataclass(frozen=True)
class HalfCycles:
    """The map over a range of amplitudes, for several parameter sets at once, as Chebyshev series in their logarithm.

    `loss`, of the amplitude's own size, and `time` [2, degree + 1, sets]: first from peak to valley, then from valley
    to peak. `low` and `high` [2] are the range of the amplitude each begins at.
    """

    low: np.ndarray
    high: np.ndarray
    loss: np.ndarray
    time: np.ndarray

    @classmethod
    def of(
        cls, oscillator: Oscillator, p: np.ndarray, centre: float, low: float, high: tuple[float, float]
    ) -> HalfCycles:
        """For parameter sets p [sets, free] and distances from the rest position `centre`: from `low` to `high`, of
        peaks and of valleys."""
        least, most = np.full(2, low * (1 - OSCILLATION.margin)), np.array(high) * (1 + OSCILLATION.margin)
        cosines = np.cos(np.pi * (np.arange(OSCILLATION.nodes) + 0.5) / OSCILLATION.nodes)
        w = np.sqrt(max(oscillator.stiffness(p[0], centre), 1e-300))
        basis = np.linalg.inv(np.polynomial.chebyshev.chebvander(cosines, OSCILLATION.nodes - 1))
        loss, time = [], []
        for half in (0, 1):
            # Chebyshev points of the first kind on a logarithmic scale from `least` to `most`
            amplitudes = np.sqrt(least[half] * most[half]) * (most[half] / least[half]) ** (cosines / 2)
            lost, taken = _integrate(oscillator, p, centre, w, amplitudes, half)
            loss.append(basis @ (lost / amplitudes[:, None]))
            time.append(basis @ taken)
        return cls(least, most, np.array(loss), np.array(time))

    def chain(self, first: np.ndarray, peak: bool, count: int) -> tuple[np.ndarray, np.ndarray]:
        """Amplitudes and times [count, sets] of successive turning points from the first one's amplitude [sets]."""
        amplitude, t = np.array(first, float), np.zeros(len(first))
        amplitudes, times = [amplitude], [t]
        half = 0 if peak else 1
        for _ in range(count - 1):
            with np.errstate(divide="ignore"):
                low, high = self.low[half], self.high[half]
                scaled = np.log(amplitude**2 / (low * high)) / np.log(high / low)
            inside = np.clip(scaled, -1.0, 1.0)
            chebval = np.polynomial.chebyshev.chebval
            amplitude = np.maximum(amplitude * (1 - chebval(inside, self.loss[half], tensor=False)), 0.0)
            t = t + chebval(inside, self.time[half], tensor=False)
            amplitudes.append(amplitude)
            times.append(t)
            half = 1 - half
        return np.array(amplitudes), np.array(times)


def smoothing_bias(
    oscillator: Oscillator, p: np.ndarray, centre: float, amplitudes: np.ndarray, peak: np.ndarray, half: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """By how much a quartic fitted to the motion within `half` of a turning point misses its value and its time.

    The motion is integrated from the turning point in both directions, with friction acting as it does before and
    after. Positive where the quartic's extremum lies too high or too late. [points] each, for turning points at
    `amplitudes` from the rest position, above it where `peak`.
    """
    local = LocalPolynomial(2 * OSCILLATION.fine_steps + 1)
    sign = np.where(peak, 1.0, -1.0)
    x = centre + sign * amplitudes
    step = half / (
        OSCILLATION.fine_steps + 0.5
    )  # evenly spaced samples stand for half a spacing on either side of them
    values = np.repeat(x[None], 2 * OSCILLATION.fine_steps + 1, axis=0)
    parameters = [np.broadcast_to(value, x.shape) for value in p]
    for way in (1, -1):
        # after a peak and before a valley the motion falls
        falling = peak if way > 0 else ~peak

        def rate(x: np.ndarray, v: np.ndarray, falling: np.ndarray = falling) -> np.ndarray:
            down, up = (program(np, [x, v, *parameters])[0] for program in oscillator.moving)
            return np.where(falling, down, up)

        # Runge and Kutta's fourth order for x'' = a(x, x'), its stages for x written out (Nystrom's form)
        place, speed, h = x.copy(), np.zeros_like(x), way * step
        for index in range(1, OSCILLATION.fine_steps + 1):
            a = rate(place, speed)
            b = rate(place + h / 2 * speed, speed + h / 2 * a)
            c = rate(place + h / 2 * (speed + h / 2 * a), speed + h / 2 * b)
            d = rate(place + h * (speed + h / 2 * b), speed + h * c)
            place, speed = place + h * speed + h**2 / 6 * (a + b + c), speed + h / 6 * (a + 2 * b + 2 * c + d)
            values[OSCILLATION.fine_steps + way * index] = place
    # the quartic's extremum: one Newton step of its slope from the centre, where it lies nearly
    powers = local.powers(values)
    with np.errstate(all="ignore"):
        late = np.clip(-powers[1] / (2 * powers[2]), -0.5, 0.5)
    height = np.polynomial.polynomial.polyval(late, powers, tensor=False)
    return np.asarray(height - x), np.asarray(late * OSCILLATION.fine_steps * step)


def _integrate(
    oscillator: Oscillator, p: np.ndarray, centre: float, w: float, amplitudes: np.ndarray, half: int
) -> tuple[np.ndarray, np.ndarray]:
    """Amplitude lost and time taken [amplitudes, sets] over one half cycle."""
    program = oscillator.moving[half]
    shape = (len(amplitudes), len(p))
    parameters = [np.broadcast_to(column, shape) for column in p.T]
    r = np.repeat(amplitudes[:, None], len(p), axis=1)
    t = np.zeros(shape)
    step = np.pi / OSCILLATION.steps

    def rates(angle: float, r: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        cosine, sine = np.cos(angle), np.sin(angle)
        offset = r * cosine
        a = np.broadcast_to(np.asarray(program(np, [centre + offset, -w * r * sine, *parameters])[0], float), shape)
        # a turning point from which friction lets nothing go on has no next one; the amplitude is held there
        turn = w * sine**2 - a * cosine / (w * r)
        slow = np.maximum(turn, 1e-3 * w)
        return np.where(turn > 1e-3 * w, -w * sine * (offset + a / w**2) / slow, 0.0), 1 / slow

    with np.errstate(all="ignore"):
        for index in range(OSCILLATION.steps):
            angle = half * np.pi + index * step
            one, first = rates(angle, r)
            two, second = rates(angle + step / 2, r + step / 2 * one)
            three, third = rates(angle + step / 2, r + step / 2 * two)
            four, fourth = rates(angle + step, r + step * three)
            r = np.maximum(r + step / 6 * (one + 2 * two + 2 * three + four), 1e-300)
            t = t + step / 6 * (first + 2 * second + 2 * third + fourth)
    return amplitudes[:, None] - r, t
