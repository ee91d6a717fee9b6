"""What to do next with a record, from its columns and its kind of motion."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from identikit.result import ColumnLook, ColumnRole, Motion, MotionKind, Suggestion
from identikit.survey._settings import SURVEY

DEGREES = ("deg", "\N{DEGREE SIGN}")
ANGLES = ("rad", "mrad", *DEGREES)
_RATE = re.compile(r"/\s*(s|ms|min|h)\b")  # units of velocities
_INPUT_NAME = re.compile(
    r"^(u|f|force|tau|torque|voltage|volt|current|input|cmd|command|drive|pwm|ref|setpoint)(?![a-z])"
)
_ANGLE_NAME = re.compile(r"^(theta|phi|psi|angle|pos|q)(?![a-z])")
_VELOCITY_NAME = re.compile(r"^(omega|vel|velocity|speed|w|v|dq|dtheta|thetad|qd)(?![a-z])")
_TORQUE_NAME = re.compile(r"^(tau|torque)(?![a-z])")
_MADE_OF_IT = re.compile(r"filt|smooth|_con|_des|_ref|_fric|_cmd")  # computed from a measurement, not measured
_PREY, _PREDATOR = re.compile(r"hare|prey|rabbit"), re.compile(r"lynx|predator|fox")


def suggestions(
    columns: Sequence[ColumnLook], motion: Motion, rest: Mapping[str, float] = MappingProxyType({})
) -> tuple[Suggestion, ...]:
    """The likeliest next steps, most helpful first; none for a record at rest.

    `rest` is where columns end, {name: value}, as far as it is known: an angle that ends near half a turn is counted
    from upright, and a pendulum's is counted from below.
    """
    measured = [column for column in columns if column.role is ColumnRole.MEASURED]
    if motion.kind is MotionKind.REST or not measured:
        return ()
    apart = [column.name for column in columns if column.role is ColumnRole.RUNS and not column.contiguous]
    runs = apart[0] if apart else None
    inputs = [column for column in columns if is_input(column)]
    outputs = [column for column in measured if not is_input(column)] or measured
    positions = [
        column for column in outputs if not is_velocity(column) and not _MADE_OF_IT.search(column.name.lower())
    ]
    positions = positions or outputs
    if motion.period is not None:  # a column that drifts beside an oscillation is not what oscillates
        positions = [column for column in positions if column.lines] or positions
    trim = None if motion.free_from is None else (motion.free_from, None)
    if motion.kind in (MotionKind.FREE_DECAY, MotionKind.DRIVEN_THEN_FREE):
        return _of_a_decay(positions, motion, runs, trim, rest)
    populations = _populations(measured)
    if populations:
        return (populations,)
    return _of_a_driven_motion(positions, inputs, motion, runs)


def is_velocity(column: ColumnLook) -> bool:
    """By its unit, or without one by its name."""
    return bool(_RATE.search(column.unit) if column.unit else _VELOCITY_NAME.match(column.name.lower()))


def is_angle(column: ColumnLook) -> bool:
    """By its unit, or without one by its name."""
    return column.unit in ANGLES if column.unit else bool(_ANGLE_NAME.match(column.name.lower()))


def is_input(column: ColumnLook) -> bool:
    """Made of steps, or named like a force, a torque, a voltage or a command."""
    named = bool(_INPUT_NAME.match(column.name.lower())) and column.role is ColumnRole.MEASURED
    return column.role is ColumnRole.COMMAND or named


def _from_below(column: ColumnLook, rest: Mapping[str, float]) -> str:
    """The column, or an expression of it, that is an angle of zero where the pendulum hangs."""
    half, written = (180.0, "180") if column.unit in DEGREES else (math.pi, "pi")
    at = rest.get(column.name, 0.0)
    if column.unit == "mrad" or abs(abs(at) - half) > SURVEY.upright * half / math.pi:
        return column.name
    name = column.name if column.name.isidentifier() else f"`{column.name}`"
    return f"{name} {'-' if at > 0 else '+'} {written}"


def _of_a_decay(
    positions: Sequence[ColumnLook],
    motion: Motion,
    runs: str | None,
    trim: tuple[float | None, float | None] | None,
    rest: Mapping[str, float],
) -> tuple[Suggestion, ...]:
    first = positions[0]
    angles = [column for column in positions if is_angle(column)]
    if not motion.single:
        if len(angles) >= 2:
            pair = {f"theta{k}": _from_below(column, rest) for k, column in enumerate(angles[:2], 1)}
            return (Suggestion("fit", "if it is a double pendulum", "double_pendulum", pair, {}, runs, trim),)
        text = "with your equations of several degrees of freedom"
        return (Suggestion("fit", text, None, {first.name: first.name}, {}, runs, trim),)
    found = [Suggestion("damping", "which damping makes it decay", None, {"x": first.name}, {}, runs, trim)]
    if angles:
        text = "if it is a pendulum"
        hanging = {"theta": _from_below(angles[0], rest)}
        found.append(Suggestion("fit", text, "pendulum", hanging, {}, runs, trim))
    else:
        found.append(Suggestion("fit", "if it is a mass on a spring", "duffing", {"x": first.name}, {}, runs, trim))
    return tuple(found)


def _of_a_driven_motion(
    positions: Sequence[ColumnLook], inputs: Sequence[ColumnLook], motion: Motion, runs: str | None
) -> tuple[Suggestion, ...]:
    angles = [column for column in positions if is_angle(column)]
    torques = [column for column in inputs if _TORQUE_NAME.match(column.name.lower())]
    measured = [column for column in torques if "meas" in column.name.lower()] or torques
    if len(angles) >= 2 and len(measured) >= 2:
        given = {"tau_1": measured[0].name, "tau_2": measured[1].name}
        pair = {"q1": angles[0].name, "q2": angles[1].name}
        text = "if it is a double pendulum driven in its joints"
        return (Suggestion("fit", text, "driven_double_pendulum", pair, given, runs),)
    outputs = {column.name: column.name for column in positions[:2]}
    given = {column.name: column.name for column in inputs[:2]}
    if given:
        return (Suggestion("fit", "with your equations and their input", None, outputs, given, runs),)
    if motion.kind in (MotionKind.STEADY, MotionKind.GROWING):
        first = positions[0].name
        text = "if it keeps itself going; with a drive of known frequency, duffing or a model of your own"
        return (Suggestion("fit", text, "van_der_pol", {"x": first}, {}, runs),)
    return (Suggestion("fit", "with your equations", None, outputs, {}, runs),)


def _populations(measured: Sequence[ColumnLook]) -> Suggestion | None:
    """Prey and predators are known by their names only."""
    prey = next((column.name for column in measured if _PREY.search(column.name.lower())), None)
    predator = next((column.name for column in measured if _PREDATOR.search(column.name.lower())), None)
    if prey is None or predator is None:
        return None
    return Suggestion("fit", "if one lives on the other", "lotka_volterra", {"hare": prey, "lynx": predator})
