"""`identikit friction`: the friction laws that models can call, one of them in full, or their curves."""

from __future__ import annotations

import argparse
import json
import textwrap
from typing import TYPE_CHECKING

from identikit.cli._arguments import add_pairs, numbers, positive_number
from identikit.cli._output import check_ending, check_files
from identikit.cli._terminal import one_line
from identikit.errors import OptionError, did_you_mean

if TYPE_CHECKING:
    from identikit.model import FrictionLaw

PLOT_ENDINGS = (".png", ".pdf", ".svg")

_EXAMPLES = """examples:
  identikit friction
  identikit friction stribeck
  identikit friction stribeck --set f_c=0.4 f_s=0.5 v_s=0.02 --plot stribeck.png
  identikit friction --plot laws.png

In a model file a law is called by name: v = "(u - stribeck(v; f_c, f_s, v_s) - viscous(v; c))/m\""""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    parser.add_argument("name", nargs="?", metavar="NAME", help="a name from the list")
    parser.add_argument("--json", action="store_true", help="print a list of objects")
    parser.add_argument("--plot", metavar="FILE", help="draw force over velocity (.png, .pdf or .svg)")
    add_pairs(parser, "--set", "NAME=VALUE", "parameters of the law that is drawn (default: those of an example)")
    parser.add_argument("--fastest", type=positive_number, metavar="SPEED", help="draw up to this speed")


def run(arguments: argparse.Namespace) -> int:
    """Print the list or the description, and draw."""
    if arguments.name is None and (arguments.set or arguments.fastest):
        option = "--set" if arguments.set else "--fastest"
        raise OptionError(f"{option} is about one law: identikit friction NAME {option} ...")
    if arguments.plot is None and (arguments.set or arguments.fastest):
        raise OptionError(f"{'--set' if arguments.set else '--fastest'} is about a picture: add --plot FILE")
    if arguments.plot is not None:
        check_ending(arguments.plot, "--plot", PLOT_ENDINGS)
        check_files([("--plot", arguments.plot)], [])
    values = numbers(arguments.set, "--set")
    from identikit.model import FRICTION_LAWS

    if arguments.name is not None and arguments.name not in FRICTION_LAWS:
        raise OptionError(f"unknown friction law '{arguments.name}'.{did_you_mean(arguments.name, FRICTION_LAWS)}")
    chosen = [FRICTION_LAWS[arguments.name]] if arguments.name else list(FRICTION_LAWS.values())
    if arguments.plot is not None:
        from identikit.explore import friction_curve
        from identikit.plotting import plot_friction

        plot_friction([friction_curve(law, values, arguments.fastest or 0.0) for law in chosen], arguments.plot)
    if arguments.json:
        print(json.dumps([law.as_dict() for law in chosen], indent=1))
        return 0
    print(describe(chosen[0]) if arguments.name else _listed(chosen))
    if arguments.plot is not None:
        print(f"Saved: {one_line(arguments.plot)}")
    return 0


def _listed(laws: list[FrictionLaw]) -> str:
    from identikit.result import align

    rows = [(law.call, law.title, _kind(law)) for law in laws]
    return f"{align(('in an equation', 'what it is', 'at rest'), rows)}\n\nMore on one: identikit friction NAME."


def _kind(law: FrictionLaw) -> str:
    if law.sticks:
        return "sticks exactly"
    return "elastic; adds a state" if law.deflection_rate is not None else "no force"


def describe(law: FrictionLaw) -> str:
    """A law in full, as plain text."""
    from identikit.result import align

    rows = [(item.name, item.unit, item.meaning) for item in law.parameters]
    parts = [f"{law.call}: {law.title}", law.description]
    parts.append(
        f"Parameters (units for a force and m/s):\n{textwrap.indent(align(('name', 'unit', 'meaning'), rows), '  ')}"
    )
    if law.deflection_rate is not None:
        parts.append(
            "Adds a state to the model, named z_ and the velocity (z_v), zero at the beginning unless it is described "
            "among the states."
        )
    parts.append(f"Reference: {law.reference}")
    return "\n\n".join(parts)
