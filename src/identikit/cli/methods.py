"""`identikit methods`: the methods, or one of them with its options."""

from __future__ import annotations

import argparse
import json
import sys
import textwrap
from typing import Any


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="a name from the list")
    parser.add_argument("--json", action="store_true", help="print a list of objects")


def run(arguments: argparse.Namespace) -> int:
    """Print the list or the description."""
    from identikit.method import METHODS, method_named
    from identikit.result import align

    chosen, faults = [type(method_named(arguments.name))] if arguments.name else [], list[str]()
    if not chosen:
        methods, faults = METHODS.loaded()
        chosen = list(methods.values())
    for fault in faults:
        print(f"identikit: {fault}", file=sys.stderr)
    described = [method.as_dict() for method in chosen]
    if arguments.json:
        print(json.dumps(described, indent=1))
    elif arguments.name:
        print(describe(described[0], (chosen[0].__doc__ or "").strip()))
    else:
        print(align(("method", "title"), [(item["name"], item["title"]) for item in described]))
        default = method_named("auto")
        print(f"\n--method auto: {default.title}. More on one: identikit methods NAME.")
    return 0


def describe(method: dict[str, Any], documentation: str) -> str:
    """A method in full, as plain text; `documentation` says when to use it and when not."""
    from identikit.result import align

    paragraphs = [" ".join(paragraph.split()) for paragraph in documentation.split("\n\n")]
    parts = [f"{method['name']}: {method['title']}", *(paragraph for paragraph in paragraphs if paragraph)]
    if method["options"]:
        rows = [(name, str(item["default"]), item["rule"], item["meaning"]) for name, item in method["options"].items()]
        options = align(("name", "default", "rule", "meaning"), rows)
        parts.append(f"Options (--option NAME=VALUE):\n{textwrap.indent(options, '  ')}")
    parts.append(f"Needs: {', '.join(method['needs']) or 'nothing in particular'}. Takes: {method['costs']}.")
    if method["extra"]:
        parts.append(f"Install: pip install 'identikit[{method['extra']}]'")
    parts.append(f"Reference: {method['reference']}")
    return "\n\n".join(parts)
