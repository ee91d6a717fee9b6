"""`identikit models`: the known systems, or one of them in full."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from identikit.model import Model

NAME = "models"
SUMMARY = "list the known models, or describe one"
WIDTH = 110


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="a name from the list, or a model file (.toml)")
    parser.add_argument("--json", action="store_true", help="print a list of objects")


def run(arguments: argparse.Namespace) -> int:
    """Print the list or the description."""
    from identikit._fit import find_model
    from identikit.model import LIBRARY_NAMES

    chosen = [find_model(name) for name in ([arguments.name] if arguments.name else LIBRARY_NAMES)]
    if arguments.json:
        print(json.dumps([model.as_dict() for model in chosen], indent=1))
    elif arguments.name:
        print(describe(chosen[0], arguments.name))
    else:
        from identikit.result import align

        print(align(("model", "title"), [(model.name, model.title) for model in chosen]))
        print("\nMore on one: identikit models NAME. A model of your own is a .toml file.")
    return 0


def describe(model: Model, called: str) -> str:
    """A model in full, as plain text; `called` is how the user names it: a library name or a file."""
    about = model.as_dict()
    parts = [f"{model.name}: {model.title}" if model.title else model.name]
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
