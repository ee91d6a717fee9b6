"""`identikit simulate`: a synthetic record of a model, which `identikit fit` reads as it is."""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from identikit.atomic_write import atomic_write
from identikit.cli._arguments import add_pairs, number, numbers, positive_number, seed_number
from identikit.cli._data_options import HOLDS
from identikit.cli._output import check_ending, check_files, model_file
from identikit.errors import OptionError, need

if TYPE_CHECKING:
    from identikit.measurement import Record

SNR_KINDS = ("raw", "ac", "unit")
ENDINGS = (".csv", ".tsv", ".txt", ".dat", ".parquet", "")

_EXAMPLES = """Without options the model's example experiment is run, with its noise.

examples:
  identikit simulate pendulum -o swing.csv
  identikit simulate horizontal_pendulum --set zeta=0.05 mu_c=0.01 --duration 10 --dt 0.01 -o swing.csv
  identikit simulate horizontal_pendulum --input q_v='0.2*sin(3*t)' --snr 30 -o driven.csv"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    parser.add_argument("model", metavar="MODEL", help="a name from `identikit models`, or a model file (.toml)")
    add_pairs(parser, "--set", "NAME=VALUE", "parameters (default: the model's own)")
    add_pairs(parser, "--initial", "STATE=VALUE", "initial states (default: the example experiment's, else zero)")
    parser.add_argument("--duration", type=positive_number, metavar="TIME", help="how long, in the model's time unit")
    parser.add_argument("--dt", type=positive_number, metavar="TIME", help="time between samples")
    add_pairs(parser, "--input", "NAME=EXPRESSION", "an input as an expression of t, such as q_v='0.2*sin(3*t)'")
    parser.add_argument("--inputs-from", metavar="FILE", help="sampled inputs: columns named like the model's inputs")
    parser.add_argument(
        "--hold", choices=HOLDS, help="how sampled inputs go on between samples (default: as the model says)"
    )
    add_pairs(parser, "--noise", "OUTPUT=STD", "standard deviation of white noise (default: the example experiment's)")
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
    ending = Path(arguments.output or "").suffix.lower()
    if ending == ".parquet":
        atomic_write(arguments.output, _parquet(record))
        return 0
    text = record_text(record, "\t" if ending == ".tsv" else ",")
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
    values = numbers(arguments.set, "--set")
    initial = numbers(arguments.initial, "--initial")
    noise = numbers(arguments.noise, "--noise")
    from identikit._simulate import simulate

    return simulate(
        arguments.model,
        duration=arguments.duration,
        dt=arguments.dt,
        parameters=values,
        initial=initial,
        inputs=arguments.input,
        inputs_from=arguments.inputs_from,
        hold=arguments.hold,
        noise=noise or None,
        snr=arguments.snr,
        snr_kind=arguments.snr_kind or "ac",
        seed=arguments.seed,
        smooth_friction=arguments.smooth_friction,
    )


def record_text(record: Record, separator: str = ",") -> str:
    """A table in text with every digit, so that a fit of the file equals a fit of the simulation."""
    header, columns = _table(record)
    lines = [separator.join(header)]
    lines += [separator.join(map(repr, row)) for row in zip(*(column.tolist() for column in columns), strict=True)]
    return "\n".join(lines) + "\n"


def _table(record: Record) -> tuple[list[str], list[Any]]:
    """Headers with units, and columns."""
    header = [f"t[{record.time_unit}]" if record.time_unit else "t"]
    header += [f"{name}[{item.unit}]" if item.unit else name for name, item in record.channels.items()]
    return header, [record.time, *(item.values for item in record.channels.values())]


def _parquet(record: Record) -> bytes:
    pyarrow, parquet = need("pyarrow", extra="parquet"), need("pyarrow.parquet", extra="parquet")
    buffer = io.BytesIO()
    parquet.write_table(pyarrow.table(dict(zip(*_table(record), strict=True))), buffer)
    return buffer.getvalue()
