"""`identikit simulate`: a synthetic record of a model, which `identikit fit` reads as it is."""

from __future__ import annotations

import argparse
import io
import math
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from identikit.atomic_write import atomic_write
from identikit.cli._arguments import add_pairs, number, numbers, positive_number, seed_number
from identikit.cli._data_options import HOLDS
from identikit.cli._output import check_ending, check_files, model_file
from identikit.errors import DataError, OptionError, UnitError

if TYPE_CHECKING:
    import numpy as np

    from identikit.measurement import Record
    from identikit.model import Model
    from identikit.simulate import Pieces

NAME = "simulate"
SUMMARY = "make a synthetic record of a model"
SNR_KINDS = ("raw", "ac", "unit")
ENDINGS = (".csv", ".tsv", ".txt", ".dat", ".parquet", "")
MOST_SAMPLES = 50_000_000
FEWEST_SAMPLES = 3

_EXAMPLES = """Without options the model's ready experiment is run, with its noise.

examples:
  identikit simulate pendulum -o swing.csv
  identikit simulate horizontal_pendulum --set zeta=0.05 mu_c=0.01 --duration 10 --dt 0.01 -o swing.csv
  identikit simulate horizontal_pendulum --input q_v='0.2*sin(3*t)' --snr 30 -o driven.csv"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    parser.add_argument("model", metavar="MODEL", help="a name from `identikit models`, or a model file (.toml)")
    add_pairs(parser, "--set", "NAME=VALUE", "parameters (default: the model's own)")
    add_pairs(parser, "--initial", "STATE=VALUE", "initial states (default: the ready experiment's, else zero)")
    parser.add_argument("--duration", type=positive_number, metavar="TIME", help="how long, in the model's time unit")
    parser.add_argument("--dt", type=positive_number, metavar="TIME", help="time between samples")
    add_pairs(parser, "--input", "NAME=EXPRESSION", "an input as an expression of t, such as q_v='0.2*sin(3*t)'")
    parser.add_argument("--inputs-from", metavar="FILE", help="sampled inputs: columns named like the model's inputs")
    parser.add_argument(
        "--hold", choices=HOLDS, help="how sampled inputs go on between samples (default: as the model says)"
    )
    add_pairs(parser, "--noise", "OUTPUT=STD", "standard deviation of white noise (default: the ready experiment's)")
    parser.add_argument("--snr", type=number, metavar="DB", help="noise by signal-to-noise ratio instead, in dB")
    parser.add_argument(
        "--snr-kind", choices=SNR_KINDS, help="signal power: mean square, variance (default: ac), or one"
    )
    parser.add_argument("--seed", type=seed_number, default=0, metavar="N", help="of the noise (default: 0)")
    parser.add_argument(
        "--smooth-friction", type=positive_number, metavar="WIDTH", help="replace sign(v) by tanh(v/WIDTH)"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help=".csv, .tsv, .txt, .dat or .parquet (default: print CSV)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Simulate, add noise, write."""
    _check_options(arguments)
    record = _record(arguments)
    header = [f"t[{record.time_unit}]" if record.time_unit else "t"]
    header += [f"{name}[{item.unit}]" if item.unit else name for name, item in record.channels.items()]
    columns = [record.time, *(item.values for item in record.channels.values())]
    ending = Path(arguments.output or "").suffix.lower()
    if ending == ".parquet":
        atomic_write(arguments.output, _parquet(header, columns))
        return 0
    text = _text(header, columns, "\t" if ending == ".tsv" else ",")
    if arguments.output is None:
        sys.stdout.write(text)
    else:
        atomic_write(arguments.output, text.encode())
    return 0


def _check_options(arguments: argparse.Namespace) -> None:
    if arguments.snr is not None and arguments.noise:
        raise OptionError("--noise and --snr both say how large the noise is: give one of them")
    if arguments.snr_kind is not None and arguments.snr is None:
        raise OptionError(f"--snr-kind {arguments.snr_kind} needs the ratio too: add --snr DB")
    if arguments.hold is not None and arguments.inputs_from is None:
        raise OptionError("--hold is about sampled inputs: add --inputs-from FILE, or leave it out")
    if arguments.output is not None:
        check_ending(arguments.output, "-o", ENDINGS)
        check_files([("-o", arguments.output)], [model_file(arguments.model), arguments.inputs_from])


def _record(arguments: argparse.Namespace) -> Record:
    """The noisy record: outputs, then inputs in the model's order."""
    values = numbers(arguments.set, "--set")
    initial = numbers(arguments.initial, "--initial")
    noise = numbers(arguments.noise, "--noise")
    from identikit._fit import find_model
    from identikit.measurement import Channel
    from identikit.simulate import simulate, stepped, synthesize

    model = find_model(arguments.model)
    if arguments.smooth_friction is not None:
        model = model.with_smooth_friction(arguments.smooth_friction)
    for name in noise:
        model.output(name)  # refuses an unknown one before the work
    expressions = dict(arguments.input)
    if model.ready is not None and arguments.inputs_from is None:
        expressions = {**model.ready.inputs, **expressions}
    reduced = model.with_input_expressions(expressions)
    sampled_inputs = _sampled_inputs(arguments, reduced)
    time = _times(arguments, model, sampled_inputs)
    steps = stepped(model, expressions) if sampled_inputs is None else None
    if steps is not None:
        reduced, formulas = model, {}
    else:
        formulas = _formulas(model, expressions, values, time)
    pieces = sampled_inputs.pieces if sampled_inputs else steps
    solution = simulate(reduced, time, values, initial, pieces)
    if not noise and arguments.snr is None and model.ready is not None:
        noise = dict(model.ready.noise)
    kind = arguments.snr_kind or "ac"
    record = synthesize(reduced, solution, noise, arguments.snr, kind, arguments.seed)
    channels = dict(record.channels)
    for item in model.inputs:
        channel = channels.pop(item.name, None) if item.name not in model.output_names else None
        if item.name in formulas:
            channel = Channel(formulas[item.name], item.unit)
        if channel is not None:
            channels[item.name] = channel
    return record.with_step("simulated", channels=channels)


@dataclass(frozen=True)
class _SampledInputs:
    """Inputs read from a file, and which stretch of time it covers how finely, in the model's time unit."""

    pieces: Pieces
    begin: float
    end: float
    spacing: float
    source: str


def _sampled_inputs(arguments: argparse.Namespace, model: Model) -> _SampledInputs | None:
    if arguments.inputs_from is None:
        return None
    import numpy as np

    from identikit.measurement import load
    from identikit.simulate import sampled
    from identikit.units import convert

    record = load(arguments.inputs_from)[0]
    found = [name for name in model.input_names if name in record.channels or name in record.unreadable]
    if not found:
        wanted = ", ".join(model.input_names) or "none"
        raise DataError(
            f"{record.title}: no column is named like an input of model '{model.name}' ({wanted}). "
            f"Columns: {', '.join(record.channels)}."
        )
    columns = {}
    column = "time"
    try:
        time = np.asarray(convert(record.time, record.time_unit, model.time_unit))
        for item in model.inputs:
            column = item.name
            if item.name in found:
                channel = record.require(item.name, allow_constant=True)
                columns[item.name] = np.asarray(convert(channel.values, channel.unit, item.unit))
            else:
                columns[item.name] = np.full(len(time), item.value)
    except UnitError as error:
        raise UnitError(f"{record.title}, column '{column}': {error}") from None
    pieces = sampled(time, columns, {item.name: arguments.hold or item.hold for item in model.inputs})
    return _SampledInputs(pieces, float(time[0]), float(time[-1]), float(np.median(np.diff(time))), record.title)


def _times(arguments: argparse.Namespace, model: Model, inputs: _SampledInputs | None) -> np.ndarray[Any, Any]:
    """Sample times: from the options, else from the file of inputs, else from the ready experiment."""
    import numpy as np

    begin = inputs.begin if inputs else 0.0
    duration, spacing = arguments.duration, arguments.dt
    if inputs:
        duration, spacing = duration or inputs.end - inputs.begin, spacing or inputs.spacing
        if begin + duration > inputs.end + 1e-9 * duration:
            raise OptionError(
                f"--duration {duration:g} goes beyond the inputs in {inputs.source}, which last "
                f"{inputs.end - inputs.begin:g}: shorten it, or leave it out"
            )
    elif model.ready:
        duration, spacing = duration or model.ready.duration, spacing or model.ready.spacing
    if duration is None or spacing is None:
        missing = " and ".join(
            option for option, value in (("--duration", duration), ("--dt", spacing)) if value is None
        )
        raise OptionError(f"model '{model.name}' has no ready experiment: give {missing}")
    intervals = duration / spacing * (1 + 1e-12)
    if not intervals < MOST_SAMPLES:
        raise OptionError(
            f"duration {duration:g} with dt {spacing:g} makes {intervals:.3g} samples: "
            f"at most {MOST_SAMPLES:,} are made; lengthen --dt or shorten --duration"
        )
    count = math.floor(intervals) + 1
    if count < FEWEST_SAMPLES:
        raise OptionError(
            f"duration {duration:g} with dt {spacing:g} makes {count} sample(s): "
            f"at least {FEWEST_SAMPLES} are needed; shorten --dt or lengthen --duration"
        )
    # Rounded far below the spacing, so that 3*0.1 is written as 0.3.
    decimals = 12 - math.ceil(math.log10(max(abs(begin) + duration, 1e-300)))
    return np.asarray(np.round(begin + np.arange(count) * spacing, decimals), dtype=np.float64)


def _formulas(
    model: Model, expressions: Mapping[str, str], values: Mapping[str, float], time: np.ndarray[Any, Any]
) -> dict[str, np.ndarray[Any, Any]]:
    """Inputs given by expressions, at the sample times."""
    import numpy as np

    from identikit.model import TIME, Program, parse, symbol
    from identikit.simulate import parameter_vector

    if not expressions:
        return {}
    known = {name: symbol(name) for name in model.parameter_names}
    parsed = [parse(text, known, f"input '{name}'") for name, text in expressions.items()]
    program = Program(parsed, [TIME, *known.values()])
    with np.errstate(all="ignore"):
        results = program(np, [time, *parameter_vector(model, values)])
    made = {}
    for name, result in zip(expressions, results, strict=True):
        made[name] = np.broadcast_to(np.asarray(result, dtype=float), time.shape)
        wrong = ~np.isfinite(made[name])
        if wrong.any():
            at = time[int(wrong.argmax())]
            raise OptionError(f"--input {name}={expressions[name]}: is not finite at t = {at:g}")
    return made


def _text(header: list[str], columns: list[Any], separator: str) -> str:
    """A table in text with every digit, so that a fit of the file equals a fit of the simulation."""
    lines = [separator.join(header)]
    lines += [separator.join(map(repr, row)) for row in zip(*(column.tolist() for column in columns), strict=True)]
    return "\n".join(lines) + "\n"


def _parquet(header: list[str], columns: list[Any]) -> bytes:
    import pyarrow
    from pyarrow import parquet

    buffer = io.BytesIO()
    parquet.write_table(pyarrow.table(dict(zip(header, columns, strict=True))), buffer)
    return buffer.getvalue()
