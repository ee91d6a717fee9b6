"""What a command of another package may use, from one place; docs/adding-from-outside.md says how one is added.

What is typed: `check_ending` (with `REPORT_ENDINGS`) and `check_files` refuse a file before work begins; `offer_names`
lets shells complete an argument.
What is shown: `ProgressLine`, with `INTERRUPTED`, the exit code after Ctrl-C; `one_line`, text made harmless.
"""

from identikit.cli._data_options import REPORT_ENDINGS
from identikit.cli._output import check_ending, check_files
from identikit.cli._progress import INTERRUPTED, ProgressLine
from identikit.cli._shell_words import offer_names
from identikit.cli._terminal import one_line

__all__ = [
    "INTERRUPTED",
    "REPORT_ENDINGS",
    "ProgressLine",
    "check_ending",
    "check_files",
    "offer_names",
    "one_line",
]
