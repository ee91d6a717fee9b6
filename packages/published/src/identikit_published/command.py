"""`identikit reproduce`: published tables and figures, done again beside what is printed."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from identikit.cli import toolkit
from identikit.cli.toolkit import INTERRUPTED, one_line
from identikit.errors import OptionError

ALL = "all"

_EXAMPLES = """examples:
  identikit reproduce --list
  identikit reproduce pendulum-table-4
  identikit reproduce pendulum-table-4 pendulum-table-6 --report tables.html
  identikit reproduce all --quick --folder published"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    toolkit.offer_names("reproduce", "keys", "identikit_published:ITEMS", ALL)
    parser.add_argument("keys", nargs="*", metavar="KEY", help="names from --list, or all")
    parser.add_argument("--list", action="store_true", help="list every table and figure")
    parser.add_argument("--quick", action="store_true", help="fewer noise draws, shorter records")
    parser.add_argument("--again", action="store_true", help="also what the folder has already")
    parser.add_argument(
        "--folder", default="reproduction", metavar="DIR", help="where results are kept (default: reproduction)"
    )
    parser.add_argument("--report", metavar="OUT.html", help="save one page to read, print or send (.html, .md, .tex)")
    parser.add_argument("--json", action="store_true", help="print JSON: the list, or the results")
    parser.add_argument("--quiet", action="store_true", help="print nothing but errors")


def run(arguments: argparse.Namespace) -> int:
    """List, or do again, save and print."""
    from identikit_published import ITEMS, reproduce

    if arguments.list:
        rows = [(key, ITEMS.summary(key)) for key in ITEMS]
        if arguments.json:
            print(json.dumps([{"key": key, "title": title} for key, title in rows], indent=1))
        else:
            from identikit.result import align

            print(align(("key", "what it shows"), rows))
            print("\nOne of them: identikit reproduce KEY. All: identikit reproduce all.")
        return 0
    if not arguments.keys:
        raise OptionError("nothing is named: expected keys from `identikit reproduce --list`, or all")
    if arguments.report is not None:
        toolkit.check_ending(arguments.report, "--report", toolkit.REPORT_ENDINGS)
        toolkit.check_files([("--report", arguments.report)], [])
    keys = None if ALL in arguments.keys else arguments.keys
    with toolkit.ProgressLine(sys.stderr, arguments.quiet) as progress:
        found = reproduce(keys, arguments.folder, quick=arguments.quick, again=arguments.again, progress=progress)
    if arguments.report is not None and not progress.interrupted:
        import identikit

        identikit.report(found, arguments.report, command=arguments.typed)
    if arguments.json:
        print(json.dumps([json.loads(item.to_json()) for item in found], indent=1))
    elif not arguments.quiet:
        for item in found:
            print(f"{item}\n")
        page = f" and {one_line(arguments.report)}" if arguments.report and not progress.interrupted else ""
        print(f"Saved: {one_line(str(Path(arguments.folder) / 'index.html'))}, what it shows{page}")
    if progress.interrupted:
        asked = len(ITEMS) if keys is None else len(set(keys))
        print(
            f"identikit: interrupted: {len(found)} of {asked} are done; the same command does the rest", file=sys.stderr
        )
        return INTERRUPTED
    return 0
