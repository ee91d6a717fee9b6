"""`identikit plot`: what was saved, drawn; nothing is computed again."""

from __future__ import annotations

import argparse

from identikit.cli._output import check_ending, check_files

_EXAMPLES = """examples:
  identikit plot fit.json -o fit.png
  identikit plot fit.json --kind response -o response.pdf"""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    parser.add_argument("saved", metavar="SAVED.json", help="as the option --json of another command wrote it")
    parser.add_argument("-o", "--output", metavar="OUT.png", required=True, help="the picture: .png, .pdf or .svg")
    parser.add_argument(
        "--kind",
        metavar="KIND",
        default="usual",
        help="usual; response: orbits and spectra of what was measured and of the model; uncertainty: intervals, "
        "profiles and replicates; posterior: pairs of parameters, chains and prediction (default: usual)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Read, draw, say where."""
    from identikit._plot import plot
    from identikit.plotting import FORMATS
    from identikit.result import load_saved

    check_ending(arguments.output, "--output", FORMATS)
    check_files([("--output", arguments.output)], [arguments.saved])
    plot(load_saved(arguments.saved), arguments.output, arguments.kind)
    print(f"Saved: {arguments.output}")
    return 0
