"""Where the motions of a model can come to rest, and in which of these places each of them does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from identikit.errors import ModelError
from identikit.explore._box import Box, usual_box
from identikit.explore._equilibria import Equilibrium, describe, equilibria, periodic_angles, wrapped
from identikit.explore._flow import Flow, has_dry_friction
from identikit.explore._second_order import degree_of_freedom
from identikit.explore._settling import UNDECIDED, EllipsoidCatch, EnergyCatch
from identikit.explore._wells import PotentialWells, potential_wells
from identikit.model import Model
from identikit.simulation import Integrator, Pieces

ESCAPED = -2  # in place of an attractor's number
FAR = 1e3  # widths of the box: what is that far out does not come back
MOST_SETTLING_PASSES = 20_000  # steps of the integrator: the cap on work
MOST_SWINGS = 5_000.0  # while settling, in a model whose energy is not known: more would take minutes
FIRST = 60.0  # the first look, in radians of the fastest motion; each later one after twice as long
LANES = 256  # one width for all runs, so that one compiled kernel serves
SETTLING_TIMES = 60.0  # default duration, in time constants of the slowest decay
SETTLING_SWINGS = 500.0  # or in periods, where only friction without a linear part damps


@dataclass(frozen=True)
class RestingPlaces:
    """The attractors of a model, all its states of rest, and `catch`, which tells who has caught a motion.

    `sticks` says that dry friction acts. `oscillator` are the indices of position and velocity in a model of one degree
    of freedom, which has a `potential`.
    """

    flow: Flow
    box: Box
    periodic: np.ndarray
    attractors: tuple[Equilibrium, ...]
    resting: tuple[Equilibrium, ...]
    catch: Callable[[np.ndarray], np.ndarray]
    sticks: bool
    oscillator: tuple[int, int] | None = None
    potential: PotentialWells | None = None

    def range_of(self, index: int) -> tuple[float, float]:
        """The usual range of starts of a state."""
        if self.oscillator and index == self.oscillator[0] and self.potential is not None:
            return float(self.potential.position[0]), float(self.potential.position[-1])
        return float(self.box.low[index]), float(self.box.high[index])

    def settling_time(self) -> float:
        """Long enough for the slowest decay; refused where that takes too many swings to follow."""
        durations, swings = [], 0.0
        for item in self.attractors:
            decay, fastest = float(-item.eigenvalues.real.max()), float(np.abs(item.eigenvalues).max())
            durations.append(
                SETTLING_TIMES / decay if item.attracting else SETTLING_SWINGS * 2 * np.pi / max(fastest, 1e-300)
            )
            swings = max(swings, durations[-1] * float(item.eigenvalues.imag.max()) / (2 * np.pi))
        if swings > MOST_SWINGS and self.potential is None and not self.sticks:
            raise ModelError(
                f"model '{self.flow.model.name}' is damped so weakly that its motions settle only after about "
                f"{max(durations):.2g} {self.flow.model.time_unit}, some {swings:.2g} swings: "
                "give it more damping, or say for how long to follow it (duration)"
            )
        return max(durations)

    def ends(self, starts: np.ndarray, duration: float, tolerance: float) -> np.ndarray:
        """The attractor of each start [lanes, states], else UNDECIDED or ESCAPED; gives up after MOST_PASSES."""
        integrator = Integrator(self.flow.dynamics, (0,), sensitivities=False, tolerance=tolerance)
        pieces = Pieces.constant(self.flow.u)
        states = np.array(starts, float)
        found = self.catch(states)
        fastest = max(float(np.abs(item.eigenvalues).max()) for item in self.attractors)
        time, span, passes = 0.0, FIRST / max(fastest, 1e-300), 0
        while time < duration and passes < MOST_SETTLING_PASSES:
            waiting = np.nonzero(found == UNDECIDED)[0]
            if not len(waiting):
                break
            span = min(span, duration - time)
            begin, first = np.zeros(len(waiting)), np.zeros(len(waiting), int)
            run = integrator.run(
                begin,
                begin + span,
                states[waiting],
                np.array(self.flow.p),
                pieces,
                first,
                scale=1e-3 * self.box.width,
                width=LANES,
            )
            passes += run.passes
            now = run.final[:, :, 0]
            held = (now == states[waiting]).all(axis=1)
            caught = np.where(held, self._nearest(now), self.catch(now))
            with np.errstate(all="ignore"):
                out = ~(np.abs(wrapped(now, self.periodic) / self.box.width).max(axis=1) < FAR)
            found[waiting] = np.where(run.failed | out, ESCAPED, caught)
            states[waiting] = now
            time, span = time + span, 2 * span
        return found

    def _nearest(self, states: np.ndarray) -> np.ndarray:
        """For motions held by dry friction: the attractor, if that is the nearest of all states of rest."""
        places = np.array([list(item.state.values()) for item in self.resting])
        gaps = wrapped(states[:, None] - places, self.periodic) / self.box.width
        nearest = np.argmin(np.linalg.norm(gaps, axis=2), axis=1)
        owners = [self.attractors.index(item) if item in self.attractors else UNDECIDED for item in self.resting]
        return np.array(owners)[nearest]


def resting_places(
    model: Model,
    parameters: Mapping[str, float] | None,
    inputs: Mapping[str, float] | None,
    initial: Mapping[str, float] | None,
) -> RestingPlaces:
    """The places where motions end; refused, in words, where there are none."""
    flow = Flow(model, parameters, inputs)
    try:
        position, velocity = degree_of_freedom(model)
    except ModelError:
        return _general(flow, parameters, inputs, initial)
    table = potential_wells(model, parameters, inputs=inputs, initial=initial)
    power = _power_of_damping(flow, table, position, velocity)
    if not power.any():
        raise ModelError(
            f"nothing damps model '{model.name}' with these parameters, so no motion comes to rest: "
            "there are no basins of attraction; give it some damping"
        )
    if not table.wells or power.max() > 1e-9 * np.abs(power).max():  # damping that also feeds
        return _general(flow, parameters, inputs, initial)
    box = usual_box(flow, None, initial)
    periodic = periodic_angles(flow, box)
    wide = table
    if periodic[position]:
        middle = (table.position[0] + table.position[-1]) / 2
        wide = potential_wells(model, parameters, between=(middle - 3.2 * np.pi, middle + 3.2 * np.pi), inputs=inputs)
    found = np.zeros((len(table.wells), len(model.states)))
    found[:, position] = [well.position for well in table.wells]
    rests = np.unique(wrapped(found, periodic).round(12), axis=0)
    attractors = tuple(describe(flow, rest) for rest in rests)
    catch = EnergyCatch(model, rests[:, position].tolist(), wide, bool(periodic[position]))
    return RestingPlaces(
        flow,
        box,
        periodic,
        attractors,
        attractors,
        catch,
        has_dry_friction(model, parameters),
        (position, velocity),
        table,
    )


def _general(
    flow: Flow,
    parameters: Mapping[str, float] | None,
    inputs: Mapping[str, float] | None,
    initial: Mapping[str, float] | None,
) -> RestingPlaces:
    model = flow.model
    resting = tuple(equilibria(model, parameters, inputs=inputs, initial=initial))
    sticks = has_dry_friction(model, parameters)
    attractors = tuple(item for item in resting if item.attracting or (sticks and item.stable and item.isolated))
    if not attractors:
        why = "it has no state of rest near its start"
        if any(item.stable for item in resting):
            why = "its states of rest draw no motions to them (no damping, or a whole line of such states)"
        elif resting:
            one = len(resting) == 1
            why = "its state of rest is unstable" if one else f"its {len(resting)} states of rest are unstable"
        raise ModelError(
            f"model '{model.name}' has no basins of attraction with these parameters: {why}. "
            "Change its parameters, or look at its portrait instead"
        )
    box = usual_box(flow, None, initial)
    catch = EllipsoidCatch(flow, box, attractors, resting)
    return RestingPlaces(flow, box, catch.periodic, attractors, resting, catch, sticks)


def _power_of_damping(flow: Flow, table: PotentialWells, position: int, velocity: int) -> np.ndarray:
    """[a(x, v) - a(x, 0)] v over the range of the potential and up to the speed its highest place gives."""
    fastest = float(np.sqrt(2 * np.ptp(table.energy)))
    x, v = np.meshgrid(np.linspace(table.position[0], table.position[-1], 41), fastest * np.linspace(-1, 1, 40))
    states = np.zeros((2, *x.shape))
    states[position], states[velocity] = x, v
    resting = states.copy()
    resting[velocity] = 0.0
    with np.errstate(all="ignore"):
        power = (flow.rate(0.0, states)[velocity] - flow.rate(0.0, resting)[velocity]) * v
    return np.nan_to_num(power)
