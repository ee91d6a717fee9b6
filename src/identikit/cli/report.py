"""`identikit report`: what was saved, as one page; nothing is computed again."""

from __future__ import annotations

import argparse
from pathlib import Path

from identikit.cli._data_options import REPORT_ENDINGS
from identikit.cli._output import check_ending, check_files
from identikit.cli._terminal import one_line

_FORMATS = ("html", "md", "tex")

_EXAMPLES = """The page needs no network: it can be sent, read on a phone, and printed to PDF by the browser.

examples:
  identikit report fit.json
  identikit report damping.json -o damping.html --static
  identikit report fit.json --format tex -o appendix.tex"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    parser.add_argument("saved", metavar="SAVED.json", help="as the option --json of another command wrote it")
    parser.add_argument(
        "-o", "--output", metavar="OUT.html", help="the report: .html, .md or .tex (default: beside the document)"
    )
    parser.add_argument(
        "--format",
        choices=_FORMATS,
        help="html: a page with pictures; md, tex: words, tables and equations (default: by the ending)",
    )
    parser.add_argument("--static", action="store_true", help="still pictures only: the page is 2 MB smaller")


def run(arguments: argparse.Namespace) -> int:
    """Read, write, say where."""
    ending = f".{arguments.format or 'html'}"
    output = arguments.output or str(Path(arguments.saved).with_suffix(ending))
    if arguments.format is None:
        check_ending(output, "--output", REPORT_ENDINGS)
    check_files([("--output", output)], [arguments.saved])
    from identikit._report import report
    from identikit.cli._command_line import command_of
    from identikit.result import load_saved

    answer = load_saved(arguments.saved)
    command = command_of(answer, arguments.saved)
    report(answer, output, format=arguments.format, interactive=not arguments.static, command=command)
    print(f"Saved: {one_line(output)}")
    return 0
