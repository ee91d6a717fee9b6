"""Columns computed from columns: "pos1 - pi" or "35.15*u_V", read by the parser of model equations.

A computed column is a channel like any other, under the text of its expression. It is computed with the numbers as they
stand in the file, so that 180 means degrees where the column is in degrees. The result

- is in the unit of its columns where they share one that converts to what is wanted (`pos_deg - 180` for an angle in
  rad), unless the expression multiplies them by the very factor between the two units (`pos_deg*pi/180`);
- is otherwise in the unit that is wanted (`35.15*u_V` for a force in N).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import sympy as sp

from identikit.errors import DataError, ModelError, ProblemError, did_you_mean
from identikit.measurement import Channel, Experiment, Record
from identikit.model import TIME, Program, parse, symbol
from identikit.units import convert, convertible, is_angle

_QUOTED = re.compile(r"`([^`]*)`")
_SAME_FACTOR = 1e-4  # relative: 3.1416/180 is the factor from degrees to radians


@dataclass(frozen=True)
class ColumnExpression:
    """An expression of columns for an output or an input.

    Arguments:
        text: as the user wrote it; the name of the computed column.
        value: as mathematics; the columns are symbols of their names.
        columns: those that occur.
        wanted: the unit of the output or input; empty = not stated.
    """

    text: str
    value: sp.Expr
    columns: tuple[str, ...]
    wanted: str

    def unit(self, units: Mapping[str, str]) -> str:
        """The unit of the result, given those of the columns."""
        stated = sorted({units[name] for name in self.columns if units[name]})
        own = [unit for unit in stated if convertible(unit, self.wanted)] if self.wanted else stated
        if len(own) > 1:
            raise ProblemError(
                f"'{self.text}' adds up columns in {' and '.join(own)}: the numbers are taken as they stand in the "
                "file, so give them in one unit"
            )
        if len(stated) != 1 or not own:
            return self.wanted
        return self.wanted if self._converts(own[0]) else own[0]

    def _converts(self, unit: str) -> bool:
        """Whether the expression itself multiplies by the factor from this unit to the one wanted."""
        if not self.wanted or unit == self.wanted:
            return False
        factor = convert(1.0, unit, self.wanted) - convert(0.0, unit, self.wanted)
        slopes = [sp.diff(self.value, symbol(name)) for name in self.columns]
        return all(slope.is_number and abs(abs(float(slope)) / factor - 1) < _SAME_FACTOR for slope in slopes)

    def computed(self, record: Record, time_unit: str) -> Channel:
        """The column in a record; t is its time in `time_unit`."""
        channels = {name: record.require(name, allow_constant=True) for name in self.columns}
        units = {name: channel.unit for name, channel in channels.items()}
        self._check_angles(record, units)
        program = Program([self.value], [TIME, *(symbol(name) for name in self.columns)])
        time = np.asarray(convert(record.time, record.time_unit, time_unit))
        with np.errstate(all="ignore"):
            (result,) = program(np, [time, *(channel.values for channel in channels.values())])
        values = np.broadcast_to(np.asarray(result, dtype=np.float64), time.shape)
        known = np.all([np.isfinite(channel.values) for channel in channels.values()], axis=0)
        wrong = known & ~np.isfinite(values)
        if wrong.any():
            place = int(wrong.argmax())
            given = ", ".join(f"{name} = {channel.values[place]:g}" for name, channel in channels.items())
            raise DataError(f"{record.title}: '{self.text}' is not a finite number at sample {place}, where {given}.")
        return Channel(np.where(known, values, np.nan), self.unit(units))

    def _check_angles(self, record: Record, units: Mapping[str, str]) -> None:
        for function in self.value.atoms(sp.sin, sp.cos, sp.tan):
            name = str(function.args[0])
            if is_angle(units.get(name, "")) and units[name] not in ("rad", "radian", "radians"):
                raise ProblemError(
                    f"{record.title}: '{self.text}' takes the {function.func.__name__} of '{name}', which is in "
                    f"{units[name]}: write the factor, such as {function.func.__name__}({name}*pi/180)"
                )


def column_expression(
    text: str, columns: Sequence[str], parameters: Sequence[str], wanted: str, where: str
) -> ColumnExpression | None:
    """The expression of columns in a text, or None if no column occurs in it.

    Arguments:
        text: what an output or input is mapped to; column names that are no identifiers stand in backquotes.
        columns: those of the record.
        parameters: of the model: such a name means the parameter, not a column.
        wanted: the unit of the output or input.
        where: for messages.
    """
    quoted: dict[str, sp.Symbol] = {}

    def placeholder(match: re.Match[str]) -> str:
        name = match[1].strip()
        if name not in columns:
            raise ProblemError(f"{where}: there is no column '{name}'.{did_you_mean(name, columns)}")
        quoted[f"quoted_column_{len(quoted)}"] = symbol(name)
        return f" quoted_column_{len(quoted) - 1} "

    plain = _QUOTED.sub(placeholder, text)
    known = {**{name: symbol(name) for name in columns if name not in parameters}, **quoted}
    try:
        value = parse(plain, {**known, **{name: symbol(name) for name in parameters}}, where)
    except ModelError as error:
        raise ProblemError(str(error)) from None
    symbols = value.free_symbols
    used = tuple(name for name in columns if symbol(name) in symbols and symbol(name) in known.values())
    mixed = [name for name in parameters if symbol(name) in symbols and name not in used]
    if used and mixed:
        raise ProblemError(
            f"{where}: '{text}' mixes the column '{used[0]}' with the parameter '{mixed[0]}': a computed column is "
            "made before anything is estimated. Write the parameter into the model's equations."
        )
    return ColumnExpression(text, value, used, wanted) if used else None


def with_computed_columns(
    records: Experiment, expressions: Sequence[ColumnExpression], time_unit: str, kept: Sequence[str]
) -> Experiment:
    """The records with the computed columns added.

    What a computed column was made of is left out unless it is among those `kept`, so that it does not count as unused.
    """
    if not expressions:
        return records
    sources = {name for expression in expressions for name in expression.columns} - set(kept)
    made = []
    for record in records:
        added = {expression.text: expression.computed(record, time_unit) for expression in expressions}
        rest = {name: channel for name, channel in record.channels.items() if name not in sources}
        words = "computed " + ", ".join(f"'{expression.text}'" for expression in expressions)
        made.append(record.with_step(words, channels={**rest, **added}))
    return Experiment(tuple(made))
