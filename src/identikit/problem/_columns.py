"""Which column is which output or input, and what was assumed about them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from identikit.errors import ProblemError, did_you_mean
from identikit.measurement import Experiment
from identikit.model import Model, outside_domain
from identikit.problem._observed import Observed
from identikit.problem._settings import PROBLEM
from identikit.result import Finding, finding
from identikit.simulation import stepped


@dataclass(frozen=True)
class InputSources:
    """Where inputs come from: `columns` {input: column}, `steps` {input: expression that is exact pieces}.

    Other expressions have become part of the equations of `model`.
    """

    model: Model
    columns: Mapping[str, str]
    steps: Mapping[str, str]


def match_inputs(model: Model, records: Experiment, given: Mapping[str, str]) -> InputSources:
    """Every input as a column, as steps of time, as an expression, or left at its default."""
    columns = list(records.records[0].channels)
    expressions = {n: c for n, c in given.items() if c not in columns and not _names_a_channel(c)}
    for name, channel in given.items():
        if name not in model.input_names:
            raise ProblemError(f"model '{model.name}' has no input '{name}'.{did_you_mean(name, model.input_names)}")
        if name not in expressions and channel not in columns:
            raise ProblemError(
                f"input '{name}' is mapped to '{channel}', which is neither a column nor "
                f"an expression of t.{did_you_mean(channel, columns)}"
            )
    steps = {n: e for n, e in expressions.items() if stepped(model, {n: e}) is not None}
    reduced = model.with_input_expressions({n: e for n, e in expressions.items() if n not in steps})
    return InputSources(reduced, {n: given.get(n, n) for n in reduced.input_names if n not in steps}, steps)


def match_outputs(
    model: Model, records: Experiment, mapping: Mapping[str, str]
) -> tuple[dict[str, str], tuple[str, ...]]:
    """{output: column}, and the outputs among them whose column was guessed.

    Where no column is named like an output, one that continues an output's name, as theta_rad does, is taken
    if it is the only one.
    """
    columns = list(records.records[0].channels) + list(records.records[0].unreadable)
    for name in mapping:
        if name not in model.output_names:
            raise ProblemError(f"model '{model.name}' has no output '{name}'.{did_you_mean(name, model.output_names)}")
    chosen = {name: mapping.get(name, name) for name in model.output_names if name in mapping or name in columns}
    if chosen:
        return chosen, ()
    for name in model.output_names:
        like = [column for column in columns if column.lower().startswith(f"{name.lower()}_")]
        if len(like) == 1:
            chosen[name] = like[0]
    if not chosen:
        raise ProblemError(
            f"{records.records[0].title}: no column is named like an output of model '{model.name}' "
            f"({', '.join(model.output_names)}): say which column it is. Columns: {', '.join(columns)}.",
            remedy="name_column",
            about=model.output_names[0],
        )
    return chosen, tuple(chosen)


def assumptions(
    sources: InputSources,
    records: Experiment,
    observed: Sequence[Observed],
    outputs: Mapping[str, str],
    guessed: tuple[str, ...],
) -> tuple[Finding, ...]:
    """What was assumed: columns guessed, inputs at their defaults, a time without a unit, gaps, samples left out."""
    found = [
        finding("column_guessed", f"{name} was read from column '{outputs[name]}'", name, outputs[name])
        for name in guessed
    ]
    first = records.records[0]
    used = {*outputs.values(), *sources.columns.values()}
    unused = [name for name in first.channels if name not in used]
    silent = [n for n, column in sources.columns.items() if column not in first.channels]
    if silent and unused:
        values = ", ".join(f"{item.name} = {item.value:g}" for item in sources.model.inputs if item.name in silent)
        found.append(
            finding(
                "input_at_default",
                f"no column was given for {', '.join(silent)}: {values} throughout, while the column"
                f"{'s' if len(unused) > 1 else ''} {', '.join(unused)} stand{'' if len(unused) > 1 else 's'} unused",
                *silent,
            )
        )
    if not first.time_unit and first.source and sources.model.time_unit:
        found.append(
            finding("time_without_unit", f"the time column has no unit and was taken as {sources.model.time_unit}")
        )
    unit = f" {sources.model.time_unit}" if sources.model.time_unit else ""
    for part in observed:
        steps = np.diff(part.time)
        longest = int(np.argmax(steps))
        if steps[longest] > PROBLEM.long_gap * float(np.median(steps)) and len(steps) > PROBLEM.long_gap:
            text = (
                f"{part.name or 'the record'}: nothing was recorded between {part.time[longest]:.6g} and "
                f"{part.time[longest + 1]:.6g}{unit}; the model bridges it"
            )
            found.append(finding("gap", text, *outputs))
    for part in observed:
        for condition, count in outside_domain(sources.model, tuple(outputs), part.values).items():
            text = (
                f"{part.name or 'the record'}: {count} of {len(part.time)} samples break {condition}, which the "
                "equations need; methods that evaluate the equations at measured values leave them out"
            )
            found.append(finding("outside_domain", text, *outputs))
    return tuple(found)


def _names_a_channel(text: str) -> bool:
    """A plain word other than the time is meant as a column, anything else as an expression."""
    try:
        float(text)
    except ValueError:
        return text.isidentifier() and text not in ("t", "pi")
    return False
