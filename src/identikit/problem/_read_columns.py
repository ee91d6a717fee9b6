"""What is done to columns before they meet the equations: units in names believed or not, angles joined; and said."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from identikit.errors import ProblemError, did_you_mean
from identikit.measurement import Channel, Experiment, Record, full_turn, jumps, possible_unit, unit_remark, unwrap
from identikit.model import Model
from identikit.problem._columns import InputSources
from identikit.problem._computed_columns import ColumnExpression, column_expression, with_computed_columns
from identikit.result import Finding, finding
from identikit.units import convertible, is_angle

_OPERATORS = re.compile(r"[-+*/^(),`]")
_UNIT_FROM_NAME = "unit_from_name"


@dataclass(frozen=True)
class Use:
    """A column and what it is used as.

    Arguments:
        name: of the output or input.
        column: its column.
        unit: the unit it is wanted in.
    """

    name: str
    column: str
    unit: str


def uses(sources: InputSources, outputs: Mapping[str, str]) -> list[Use]:
    """Every column that is used, outputs first."""
    model = sources.model
    found = [Use(name, column, model.output(name).unit) for name, column in outputs.items()]
    return found + [
        Use(item.name, sources.columns[item.name], item.unit) for item in model.inputs if item.name in sources.columns
    ]


def expressions_of(
    model: Model, records: Experiment, outputs: Mapping[str, str], inputs: Mapping[str, str]
) -> list[ColumnExpression]:
    """The outputs and inputs that are mapped to expressions of columns; a name that is no column is refused."""
    record = records.records[0]
    units = {output.name: output.unit for output in model.outputs} | {item.name: item.unit for item in model.inputs}
    found = [
        _expression(f"output '{name}'", text, record, units[name])
        for name, text in outputs.items()
        if name in model.output_names
    ]
    for name, text in inputs.items():
        # An expression without columns is one of time, and a name that is no column is refused with the others.
        if name in model.input_names and not _is_column(text, record) and not text.isidentifier():
            if _names_a_column(text):
                record.require(text)
            columns = [*record.channels, *record.unreadable]
            found.append(column_expression(text, columns, model.parameter_names, units[name], f"input '{name}'"))
    return [expression for expression in found if expression is not None]


def _is_column(text: str, record: Record) -> bool:
    return text in record.channels or text in record.unreadable


def _names_a_column(text: str) -> bool:
    """Whether a text that is no column was meant as one: words without anything that an expression is made of."""
    return text.isidentifier() or (" " in text.strip() and not _OPERATORS.search(text))


def _expression(where: str, text: str, record: Record, unit: str) -> ColumnExpression | None:
    """What an output is mapped to, None if that is a column as it is."""
    if _is_column(text, record):
        return None
    if _names_a_column(text):
        record.require(text)  # says which columns there are
    columns = [*record.channels, *record.unreadable]
    found = column_expression(text, columns, (), unit, where)
    if found is None:
        raise ProblemError(f"{where}: no column occurs in '{text}'.{did_you_mean(text, columns)}")
    return found


def column_as_read(record: Record, column: str, unwrapped: bool) -> Channel:
    """A column, or an expression of columns, as it is without a model that says what is wanted."""
    expression = _expression("the column", column, record, "")
    if expression is not None:
        record = with_computed_columns(Experiment((record,)), [expression], record.time_unit, ())[0]
    channel = record.require(column)
    if unwrapped:
        record, _ = _joined(record, [Use("", column, channel.unit)])
    return record.channels[column]


def read_columns(
    records: Experiment, used: Sequence[Use], computed: Sequence[ColumnExpression], unwrapped: bool
) -> tuple[Experiment, tuple[Finding, ...]]:
    """The records as they are used, and what was decided about them.

    - The end of a column's name may be a unit where such a unit is wanted: `x_m` for a length. Where the whole name is
      that of an output or input, its end is no unit: `q_h` is not in hours.
    - An angle that jumps by a full turn is joined.
    """
    made: list[Record] = []
    said = _computations(records, used, computed)
    for record in records:
        changed = _with_units(record, used)
        joined: list[Finding] = []
        if unwrapped:
            changed, joined = _joined(changed, used)
        made.append(changed)
        said += [*_remarks(changed, used), *joined]
    return Experiment(tuple(made)), _once(said)


def _once(said: Sequence[Finding]) -> tuple[Finding, ...]:
    """Each kind of finding about the same names once, however many records it is true of."""
    groups: dict[tuple[str, tuple[str, ...]], dict[Finding, None]] = {}
    for item in said:
        groups.setdefault((item.code, item.about), {})[item] = None
    found = []
    for group in groups.values():
        first, others = next(iter(group)), len(group) - 1
        more = f"; likewise in {others} other record{'s' if others > 1 else ''}" if others else ""
        found.append(replace(first, text=first.text + more))
    return tuple(found)


def _computations(records: Experiment, used: Sequence[Use], computed: Sequence[ColumnExpression]) -> list[Finding]:
    found = []
    for use in used:
        if any(expression.text == use.column for expression in computed):
            unit = records.records[0].channels[use.column].unit
            text = f"{use.name} was computed as {use.column}" + (f", in {unit}" if unit else "")
            found.append(finding("column_computed", text, use.name))
    return found


def _with_units(record: Record, used: Sequence[Use]) -> Record:
    channels, remarks = dict(record.channels), list(record.remarks)
    for use in used:
        channel = channels.get(use.column)
        if channel is None:
            continue
        from_name = [remark for remark in remarks if remark.code == _UNIT_FROM_NAME and use.column in remark.about]
        if use.column == use.name:
            if from_name:
                channels[use.column] = Channel(channel.values)
                remarks = [remark for remark in remarks if remark not in from_name]
            continue
        possible = possible_unit(use.column)
        if not channel.unit and possible and convertible(possible, use.unit):
            channels[use.column] = Channel(channel.values, possible)
            remarks.append(unit_remark(use.column, possible))
    return replace(record, channels=channels, remarks=tuple(remarks))


def _joined(record: Record, used: Sequence[Use]) -> tuple[Record, list[Finding]]:
    found = []
    for use in used:
        channel = record.channels.get(use.column)
        if channel is None:
            continue
        unit = channel.unit or use.unit
        count = jumps(channel.values, full_turn(unit)) if is_angle(unit) else 0
        if count:
            record = unwrap(record, use.column, full_turn(unit))
            text = (
                f"{record.title}: '{use.column}' jumps by a full turn {count} time{'s' if count > 1 else ''} and was "
                "joined to a continuous angle"
            )
            found.append(finding("angle_unwrapped", text, use.name))
    return record, found


def _remarks(record: Record, used: Sequence[Use]) -> list[Finding]:
    """What was decided while the record was read and matters for the columns that are used."""
    columns = {use.column for use in used}
    matters = [
        remark
        for remark in record.remarks
        if not any(name in record.channels and name not in columns for name in remark.about)
    ]
    units = [remark for remark in matters if remark.code == _UNIT_FROM_NAME]
    found = [finding(remark.code, remark.text, *remark.about) for remark in matters if remark not in units]
    if units:
        text = f"units were read from the names of columns: {', '.join(remark.text for remark in units)}"
        found.append(finding(_UNIT_FROM_NAME, text, *(name for remark in units for name in remark.about)))
    return found
