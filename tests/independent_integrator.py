"""An integrator that shares nothing with identikit's: SciPy's DOP853 at 1e-12, restarted at every event.

Data made by a model's own integrator hide its errors: published items are done again on data from this one, and tests
compare with it or with closed forms. Slow; for anything else there is `identikit.simulation`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp

Vector = np.ndarray


@dataclass(frozen=True)
class Switch:
    """sign(guard). `hold` is the value between -1 and 1 that keeps the guard at zero, None if nothing can.

    `pinned` is the index of the state that the guard is, if it is one: set to `level` at an event.
    """

    guard: Callable[[float, Vector], float]
    hold: Callable[[float, Vector], float] | None = None
    pinned: int | None = None
    level: float = 0.0


def smooth(rate: Callable[[float, Vector], Sequence[float]], x0: Sequence[float], times: Vector) -> Vector:
    """States [states, times] of a smooth system."""
    start = np.array(x0, float)
    found = solve_ivp(rate, (times[0], times[-1]), start, "DOP853", times, rtol=1e-12, atol=1e-14)
    return found.y


def event_driven(
    rate: Callable[[float, Vector, list[float]], Sequence[float]],
    switches: Sequence[Switch],
    x0: Sequence[float],
    times: Vector,
    breaks: Sequence[float] = (),
) -> tuple[Vector, list[tuple[float, int, float]]]:
    """States [states, times] and the events (time, switch, new mode); `breaks` are known jumps in time."""
    t, end = float(times[0]), float(times[-1])
    x = np.array(x0, float)
    values = np.empty((len(x), len(times)))
    values[:, 0] = x
    events: list[tuple[float, int, float]] = []
    mode = [0.0 if abs(s.guard(t, x)) < 1e-12 else float(np.sign(s.guard(t, x))) for s in switches]
    stops = sorted(b for b in breaks if t < b <= end)
    for k, switch in enumerate(switches):
        if mode[k] == 0:
            mode[k] = _decide(switch, t, x, 1.0)
    while t < end:
        stop = min([b for b in stops if b > t + 1e-12], default=end)
        current = list(mode)

        last = stop - 1e-11 if stop in stops else end  # a jump at `stop` belongs to the next stretch, if there is one

        def slope(t: float, x: Vector, current: list[float] = current, last: float = last) -> Sequence[float]:
            t = min(t, last)
            return rate(t, x, _values(switches, current, t, x))

        watch = [_watch(switch, m, last) for switch, m in zip(switches, current, strict=True)]
        # At rest the solver sees no error and would step over a force that swells and fades.
        longest = 0.01 if 0 in mode else 0.5
        found = solve_ivp(slope, (t, stop), x, "DOP853", None, True, watch, rtol=1e-12, atol=1e-14, max_step=longest)
        inside = (times > t) & (times <= found.t[-1])
        if inside.any():
            values[:, inside] = found.sol(times[inside])
        t, x = float(found.t[-1]), found.y[:, -1].copy()
        fired = [k for k, hits in enumerate(found.t_events) if len(hits)] if found.status == 1 else []
        for k in fired:
            if switches[k].pinned is not None and mode[k] != 0:
                x[switches[k].pinned] = switches[k].level
            if mode[k] == 0:
                hold = switches[k].hold
                assert hold is not None
                mode[k] = float(np.sign(hold(t, x)))
            else:
                mode[k] = _decide(switches[k], t, x, -mode[k])
            events.append((t, k, mode[k]))
        for k, switch in enumerate(switches):  # the jump of one force may release what another holds
            if mode[k] == 0 and k not in fired:
                mode[k] = _decide(switch, t, x, 1.0)
    return values, events


def _values(switches: Sequence[Switch], mode: list[float], t: float, x: Vector) -> list[float]:
    return [s.hold(t, x) if m == 0 and s.hold else m for s, m in zip(switches, mode, strict=True)]


def _decide(switch: Switch, t: float, x: Vector, otherwise: float) -> float:
    if switch.hold is None:
        return otherwise
    value = switch.hold(t, x)
    return 0.0 if abs(value) <= 1 else float(np.sign(value))


def _watch(switch: Switch, mode: float, last: float) -> Callable[[float, Vector], float]:
    def margin(t: float, x: Vector) -> float:
        t = min(t, last)
        if mode == 0:
            assert switch.hold is not None
            return 1 - switch.hold(t, x) ** 2
        return mode * switch.guard(t, x)

    margin.terminal = True  # type: ignore[attr-defined]
    margin.direction = -1  # type: ignore[attr-defined]
    return margin


def horizontal_pendulum(
    times: Vector,
    x0: Sequence[float] = (np.pi / 6, 0.0),
    zeta: float = 0.0,
    mu_c: float = 0.0,
    mu_q: float = 0.0,
    k: float = 20.0,
    q_h: Callable[[float], float] = lambda t: 0.0,
    q_v: Callable[[float], float] = lambda t: 0.0,
    breaks: Sequence[float] = (),
) -> tuple[Vector, list[tuple[float, int, float]]]:
    """The pendulum on a spring with dry friction, by the stick rule of docs/integration.md."""

    def force(t: float, x: Vector) -> float:
        return float((1 + q_v(t)) * np.cos(x[0]) + q_h(t) * np.sin(x[0]) - k * x[0])

    def rate(t: float, x: Vector, s: list[float]) -> tuple[float, float]:
        drag = 2 * zeta * x[1] + mu_q * x[1] * abs(x[1])
        return x[1], force(t, x) - drag - (mu_c * s[0] if s else 0.0)

    friction = Switch(lambda t, x: x[1], lambda t, x: force(t, x) / mu_c, pinned=1)
    return event_driven(rate, [friction] if mu_c else [], x0, times, breaks)
