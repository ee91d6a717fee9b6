"""`identikit design`: which experiment to make next?"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from identikit.atomic_write import atomic_write
from identikit.cli._answer import filled, tell_distrust
from identikit.cli._arguments import Names, add_pairs, finite_number, numbers, positive_number, seed_number
from identikit.cli._data_options import add_written, check_outputs, save
from identikit.cli._output import STDOUT, check_ending, check_files
from identikit.cli._progress import INTERRUPTED, ProgressLine
from identikit.cli._terminal import one_line
from identikit.errors import OptionError

if TYPE_CHECKING:
    from identikit.model import Model
    from identikit.result import DesignReport

NOT_TRUSTED = 3  # exit code
_QUANTITY = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([^\d\s].*)?\s*")

_EXAMPLES = """The present experiment is the model's example experiment, or that of a saved fit; options change it.
Limits may carry units: theta=-60deg:60deg. Wanted errors are absolute, zeta=0.001, or relative, zeta=1%.

examples:
  identikit design --model horizontal_pendulum --limit theta=-60deg:60deg --plot plan.png
  identikit design --model horizontal_pendulum --set mu_c=0.015 mu_q=0.025 --reach zeta=0.2% --runs 4
  identikit design --from fit.json --samples 3000 --longest 60
  identikit design --model duffing --free m,c,k,k3 --limit F=0:2 Omega=0.5:3
  identikit design --model tank_reactor --input-limit q=90:110 -o plan.csv"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    parser.add_argument("data", nargs="*", help=argparse.SUPPRESS)  # to say what to give instead
    now = parser.add_argument_group("what is there")
    now.add_argument("--model", metavar="NAME|FILE.toml", help="a name from `identikit models`, or a model file")
    now.add_argument("--from", dest="fit", metavar="FIT.json", help="a saved fit: its values, uncertainty and record")
    add_pairs(now, "--set", "NAME=VALUE", "expected parameters (default: the fit's, else the model's own)")
    now.add_argument("--free", action=Names, metavar="A,B", help="parameters to estimate (default: the fit's)")
    now.add_argument("--known", action=Names, metavar="STATE", help="states that are known when a run begins")
    add_pairs(now, "--initial", "STATE=VALUE", "initial states at present")
    now.add_argument("--duration", type=positive_number, metavar="TIME", help="of the present run")
    now.add_argument("--dt", type=positive_number, metavar="TIME", help="between samples, also the shortest allowed")
    add_pairs(now, "--noise", "OUTPUT=STD", "what is measured, and its noise (states too)")
    add_pairs(now, "--input", "NAME=EXPRESSION", "an input at present, as an expression of t")
    may = parser.add_argument_group("what may be chosen")
    add_pairs(may, "--limit", "NAME=LOW:HIGH", "initial states, or fixed parameters that can be set")
    add_pairs(may, "--input-limit", "NAME=LOW:HIGH", "inputs that can be driven")
    add_pairs(may, "--sensor", "NAME=STD", "outputs or states that could be measured besides")
    may.add_argument("--samples", type=_whole, metavar="N", help="most samples in all (default: as at present)")
    may.add_argument("--longest", type=positive_number, metavar="TIME", help="longest run (default: as at present)")
    may.add_argument("--runs", type=_whole, default=3, metavar="N", help="most runs (default: 3)")
    want = parser.add_argument_group("what is wanted")
    add_pairs(want, "--reach", "NAME=STD|PERCENT", "standard errors, such as zeta=0.001 or zeta=1%%")
    want.add_argument(
        "--criterion",
        metavar="NAME",
        help="determinant (D), average (A), largest (relative error), goal, or a parameter (default: goal with "
        "--reach, else largest)",
    )
    want.add_argument("--spread", metavar="PERCENT", help="how uncertain the expected values are, such as 20%%")
    want.add_argument("--worst", action="store_true", help="be good for the worst of uncertain values, not on average")
    want.add_argument("--fits", type=_whole, metavar="N", help="simulated records to check with (default: 30)")
    want.add_argument("--seed", type=seed_number, default=0, metavar="N", help="of search and noise (default: 0)")
    add_written(parser, "expected errors and the planned motion")
    parser.add_argument("-o", "--output", metavar="PLAN.csv", help="write the inputs over time, or the sample times")


def run(arguments: argparse.Namespace) -> int:
    """Plan, save, print; 3 if what is wanted cannot be reached."""
    if arguments.data:
        raise OptionError(
            f"{arguments.data[0]}: a plan is made from a model (--model) or a saved fit (--from FIT.json), not from "
            "data. `identikit fit DATA --model MODEL --json FIT.json` saves a fit"
        )
    if arguments.model is None and arguments.fit is None:
        raise OptionError("neither --model nor --from is given: name a model or a saved fit")
    check_outputs(arguments)
    if arguments.output is not None:
        check_ending(arguments.output, "-o", (".csv", ""))
        check_files([("-o", arguments.output)], [arguments.model, arguments.fit])
    given = _given(arguments)
    from identikit._design import design

    with ProgressLine(sys.stderr, arguments.quiet) as progress:
        report = design(arguments.model, **given, progress=progress)
    saved = save(report, arguments)
    if arguments.output is not None and report.experiments:
        atomic_write(arguments.output, _csv(report).encode())
        saved.append(arguments.output)
    _show(report, saved, arguments)
    if progress.interrupted:
        return INTERRUPTED
    return 0 if report.ok else NOT_TRUSTED


def _given(arguments: argparse.Namespace) -> dict[str, Any]:
    """The keywords of the front door."""
    from identikit.question import find_model
    from identikit.result import Result

    fit = None if arguments.fit is None else Result.load(arguments.fit)
    model = find_model(arguments.model if arguments.model is not None else fit)
    return {
        "fit": fit,
        "parameters": numbers(arguments.set, "--set"),
        "free": arguments.free,
        "known": arguments.known or (),
        "initial": _quantities(arguments.initial, "--initial", model),
        "duration": arguments.duration,
        "dt": arguments.dt,
        "noise": _quantities(arguments.noise, "--noise", model),
        "inputs": arguments.input,
        "limits": _limits(arguments.limit, "--limit", model) or None,
        "input_limits": _limits(arguments.input_limit, "--input-limit", model),
        "sensors": _quantities(arguments.sensor, "--sensor", model),
        "samples": arguments.samples,
        "longest": arguments.longest,
        "runs": arguments.runs,
        "reach": {
            name: text if text.endswith("%") else finite_number(text, f"--reach {name}")
            for name, text in arguments.reach.items()
        },
        "criterion": arguments.criterion,
        "spread": _share(arguments.spread),
        "worst": arguments.worst,
        "seed": arguments.seed,
        **({} if arguments.fits is None else {"fits": arguments.fits}),
    }


def _limits(pairs: Mapping[str, str], option: str, model: Model) -> dict[str, tuple[float, float]]:
    """The values of name=low:high pairs, in the model's units."""
    found = {}
    for name, text in pairs.items():
        low, colon, high = text.partition(":")
        if not colon:
            raise OptionError(f"{option} {name}={text}: expected two values with a colon, such as -1:1 or -60deg:60deg")
        found[name] = tuple(_quantity(end, f"{option} {name}={text}", model, name) for end in (low, high))
    return {name: (low, high) for name, (low, high) in found.items()}


def _quantities(pairs: Mapping[str, str], option: str, model: Model) -> dict[str, float]:
    return {name: _quantity(text, f"{option} {name}", model, name) for name, text in pairs.items()}


def _quantity(text: str, what: str, model: Model, name: str) -> float:
    """A number, with or without a unit, in the unit that the model gives that name."""
    match = _QUANTITY.fullmatch(text)
    if match is None:
        raise OptionError(f"{what}: '{text}' is not a number: expected one such as 0.5, or with a unit, 30deg")
    value, unit = float(match[1]), (match[2] or "").strip()
    if not unit:
        return finite_number(match[1], what)
    from identikit.units import convert

    named: tuple[Any, ...] = (*model.states, *model.outputs, *model.inputs, *model.parameters)
    target = {item.name: item.unit for item in named}.get(name, "")
    return float(convert(value, unit, target))


def _share(text: str | None) -> float:
    """A relative spread: 20% or 0.2."""
    if text is None:
        return 0.0
    value = finite_number(text.strip().removesuffix("%"), "--spread") / (100 if text.strip().endswith("%") else 1)
    if not 0 <= value < 1:
        raise OptionError(f"--spread {text}: expected a share below one, such as 20% or 0.2")
    return value


def _whole(text: str) -> int:
    return seed_number(text)


def _csv(report: DesignReport) -> str:
    from identikit.planning import plan_table

    header, columns = plan_table(report)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return "\n".join([",".join(header), *(",".join(map(repr, row)) for row in rows)]) + "\n"


def _show(report: DesignReport, saved: list[str], arguments: argparse.Namespace) -> None:
    if arguments.json == STDOUT:
        print(report.to_json())
    elif not arguments.quiet and report.experiments:
        print("\n".join(filled(line) if line.endswith(".") else line for line in str(report).splitlines()))
        if saved:
            print(f"\nSaved: {one_line(', '.join(saved))}")
    if not report.ok:
        tell_distrust(report, "nothing within the limits does what is wanted" if report.experiments else "no plan")
