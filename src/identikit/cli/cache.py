"""`identikit cache`: where compiled kernels are kept, how much that is; delete them, or compile some beforehand."""

from __future__ import annotations

import argparse
import json

from identikit.cli._arguments import Names
from identikit.errors import OptionError

ACTIONS = ("show", "clear", "warm")

_EXAMPLES = """examples:
  identikit cache                        where it is and how much is in it
  identikit cache warm duffing           compile beforehand what fits of this model need
  identikit cache warm mine.toml --free k,c
  identikit cache clear                  delete all of it

The variable IDENTIKIT_CACHE names another folder, or, empty, none."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    parser.add_argument("action", nargs="?", choices=ACTIONS, default="show", metavar="|".join(ACTIONS))
    parser.add_argument("model", nargs="?", metavar="MODEL", help="with warm: a name from the list, or a model file")
    parser.add_argument("--free", action=Names, metavar="A,B", help="with warm: the parameters to be estimated")
    parser.add_argument("--json", action="store_true", help="print an object")


def run(arguments: argparse.Namespace) -> int:
    """Do it, and print what the store holds then."""
    warming = arguments.action == "warm"
    if arguments.model and not warming:
        raise OptionError(f"'{arguments.model}': only warm is about a model: identikit cache warm {arguments.model}")
    if arguments.free and not warming:
        raise OptionError("--free is about a model: identikit cache warm MODEL --free A,B")
    if warming and not arguments.model:
        raise OptionError("cache warm needs a model: a name from identikit models, or a model file")
    from identikit.simulation import kernel_store

    store = kernel_store()
    if store is None:
        print(json.dumps({"folder": None}) if arguments.json else _NOTHING_KEPT)
        return 0
    if warming:
        _warm(arguments.model, arguments.free)
    removed = store.clear() if arguments.action == "clear" else None
    size = store.size()
    if arguments.json:
        print(json.dumps({"folder": str(store.path), "kernels": size.kernels, "bytes": size.size}))
        return 0
    if removed is not None:
        print(f"Deleted {_amount(removed.kernels, removed.size)}.")
    print(f"{store.path} holds {_amount(size.kernels, size.size)}.")
    return 0


_NOTHING_KEPT = (
    "Nothing is kept: IDENTIKIT_CACHE is empty, there is no folder of yours to write to, or one that others can write "
    "to. Every run compiles anew, some seconds longer."
)


def _warm(name: str, free: list[str] | None) -> None:
    from identikit.question import find_model
    from identikit.simulation import warm_kernels

    model = find_model(name)
    for one in free or ():
        model.parameter(one)
    warm_kernels(model, free or model.default_free)


def _amount(kernels: int, size: int) -> str:
    return f"{kernels} compiled kernel{'s' * (kernels != 1)}, {size / 1e6:.1f} MB"
