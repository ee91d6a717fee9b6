"""`identikit models`: the known systems, one of them in full, or a picture of what it does."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from identikit.cli._arguments import add_pairs, numbers, open_range, positive_number
from identikit.cli._output import check_ending, check_files, model_file
from identikit.cli._terminal import one_line
from identikit.errors import OptionError

if TYPE_CHECKING:
    from identikit.model import Model

WIDTH = 110  # characters of a line of help
VIEWS = ("wells", "basins", "poincare", "portrait", "lyapunov", "energy")  # spelt out: importing them costs seconds
PLOT_ENDINGS = (".png", ".pdf", ".svg")

_EXAMPLES = """what --show draws:
  wells      the potential: wells with depth and frequency, hills between them
  basins     in which state of rest a motion ends, over one state at its start
  poincare   a motion once per period of its forcing, or where a state rises through its mean
  portrait   motions in the plane of two states, states of rest and their stability
  lyapunov   the largest exponent, as the estimate converges
  energy     kinetic and potential energy, work of damping and of driving

examples:
  identikit models magnetic_pendulum --show basins
  identikit models duffing --show poincare --set c=0.2 k3=1 F=27 -o section.png
  identikit models my_model.toml --show portrait --initial x=0.5 --range x=-2:2 v=-3:3"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    parser.add_argument("name", nargs="?", metavar="NAME|FILE.toml", help="a name from the list, or a model file")
    parser.add_argument("--json", action="store_true", help="print a list of objects")
    shown = parser.add_argument_group("what the model does")
    shown.add_argument("--show", choices=VIEWS, metavar="VIEW", help=f"draw one of {', '.join(VIEWS)}")
    add_pairs(shown, "--set", "NAME=VALUE", "parameters (default: the model's own)")
    add_pairs(shown, "--initial", "STATE=VALUE", "initial states (default: the example experiment's, else zero)")
    add_pairs(shown, "--range", "STATE=LOW:HIGH", "what is drawn, in wells, basins (one state) and portrait (two)")
    shown.add_argument("--duration", type=positive_number, metavar="TIME", help="in basins, lyapunov and energy")
    shown.add_argument("-o", "--output", metavar="FILE", help=".png, .pdf or .svg (default: NAME-VIEW.png here)")


def run(arguments: argparse.Namespace) -> int:
    """Print the list or the description, or draw."""
    if arguments.show is not None:
        return _show(arguments)
    given = [option for option in ("set", "initial", "range", "duration", "output") if getattr(arguments, option)]
    if given:
        option = "-o" if given[0] == "output" else f"--{given[0]}"
        raise OptionError(f"{option} is about a picture: say which with --show, one of {', '.join(VIEWS)}")
    from identikit.model import LIBRARY
    from identikit.question import find_model

    if not arguments.name:
        LIBRARY.discover()
    chosen = [find_model(name) for name in ([arguments.name] if arguments.name else LIBRARY)]
    if arguments.json:
        print(json.dumps([model.as_dict() for model in chosen], indent=1))
    elif arguments.name:
        print(describe(chosen[0], arguments.name))
    else:
        from identikit.result import align

        print(align(("model", "title"), [(model.name, model.title) for model in chosen]))
        print("\nMore on one: identikit models NAME. A model of your own is a .toml file.")
    return 0


def _show(arguments: argparse.Namespace) -> int:
    """Examine a model, print what was found, draw it."""
    if arguments.name is None:
        raise OptionError(f"--show {arguments.show} needs a model: identikit models NAME --show {arguments.show}")
    if arguments.json:
        raise OptionError("--json is for descriptions and --show for pictures: give one of them")
    called = Path(arguments.name).stem if arguments.name.endswith(".toml") else arguments.name
    target = arguments.output or f"{called}-{arguments.show}.png"
    check_ending(target, "-o", PLOT_ENDINGS)
    check_files([("-o", target)], [model_file(arguments.name)])
    values, initial = numbers(arguments.set, "--set"), numbers(arguments.initial, "--initial")
    ranges = {name: _closed(name, text) for name, text in arguments.range.items()}
    from identikit.explore import examine
    from identikit.plotting import plot_finding
    from identikit.question import find_model

    model = find_model(arguments.name)
    found = examine(model, arguments.show, values, initial=initial, ranges=ranges, duration=arguments.duration)
    plot_finding(found, target)
    print(found)
    print(f"Saved: {one_line(target)}")
    return 0


def _closed(name: str, text: str) -> tuple[float, float]:
    low, high = open_range(text, f"--range {name}={text}")
    if low is None or high is None:
        raise OptionError(f"--range {name}={text}: expected both ends, such as {name}=-1:1")
    return low, high


def describe(model: Model, called: str) -> str:
    """A model in full, as plain text; `called` is how the user names it: a library name or a file."""
    about = model.as_dict()
    parts = [" ".join(f"{model.name}: {model.title}".split()).removesuffix(":")]
    equations = [f"d {name}/dt = {text}" for name, text in about["equations"].items()]
    parts.append(_section("Equations", equations or ["a Python function"]))
    parts.append(_section("Outputs", [_output(name, item) for name, item in about["outputs"].items()]))
    rows = [
        (name, _value(item["value"]), item["unit"], _bounds(item["bounds"]), _role(item), item["meaning"])
        for name, item in about["parameters"].items()
    ]
    headers = ("name", "value", "unit", "bounds", "in a fit", "meaning")
    parts.append(_table("Parameters", headers, rows))
    inputs = [(name, _value(item["value"]), item["unit"], item["meaning"]) for name, item in about["inputs"].items()]
    parts.append(_table("Inputs", ("name", "default", "unit", "meaning"), inputs))
    if about["ready"]:
        parts.append(_section("Ready experiment", [_ready(about["ready"], model, called)]))
    parts.append(_section("Source", [model.source] if model.source else []))
    parts.append(_section("Notes", list(model.notes)))
    return "\n\n".join(part for part in parts if part)


def _section(title: str, lines: list[str]) -> str:
    """A titled list of sentences or equations, wrapped."""
    wrapped = [textwrap.fill(line, WIDTH, initial_indent="  ", subsequent_indent="      ") for line in lines]
    return "\n".join([f"{title}:", *wrapped]) if lines else ""


def _table(title: str, headers: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    """A titled table, whose blanks must stay as they are."""
    from identikit.result import align

    return f"{title}:\n{textwrap.indent(align(headers, rows), '  ')}" if rows else ""


def _output(name: str, item: dict[str, Any]) -> str:
    unit = f" [{item['unit']}]" if item["unit"] else ""
    return f"{name}{unit}" if item["expression"] == name else f"{name}{unit} = {item['expression']}"


def _value(value: float | None) -> str:
    return "none" if value is None else f"{value:g}"


def _bounds(bounds: list[float | None]) -> str:
    low, high = bounds
    if low is None and high is None:
        return ""
    return f"{'-inf' if low is None else f'{low:g}'} to {'inf' if high is None else f'{high:g}'}"


def _role(item: dict[str, Any]) -> str:
    return "fixed" if item["fixed"] else "free"


def _ready(ready: dict[str, Any], model: Model, called: str) -> str:
    initial = ", ".join(f"{name} = {value:.6g}" for name, value in ready["initial"].items())
    noise = ", ".join(f"{name} {value:g}" for name, value in ready["noise"].items())
    text = f"{ready['duration']:g} {model.time_unit}, a sample every {ready['dt']:.6g} {model.time_unit}"
    text += f", from {initial}" if initial else ""
    text += f", noise {noise}" if noise else ""
    return f"{text}: identikit simulate {called}"
