"""`identikit completion`: a script that lets a shell complete commands, options, models and methods."""

from __future__ import annotations

import argparse
import sys

SHELLS = ("bash", "zsh", "fish")

_EXAMPLES = """where it goes, once for each shell (then open a new one):
  identikit completion bash > ~/.local/share/bash-completion/completions/identikit
  identikit completion zsh > ~/.zsh/completions/_identikit     (a folder in $fpath)
  identikit completion fish > ~/.config/fish/completions/identikit.fish

The script holds all names as they are now, so that a key press runs nothing: make it again after an update."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options."""
    parser.epilog = _EXAMPLES
    parser.add_argument("shell", choices=SHELLS, help="whose script is printed")


def run(arguments: argparse.Namespace) -> int:
    """Print the script."""
    from identikit.cli._arguments import CommandParser
    from identikit.cli._shell_scripts import SCRIPTS
    from identikit.cli._shell_words import described
    from identikit.cli.main import COMMANDS

    modules, faults = COMMANDS.loaded()
    commands = []
    for name, module in modules.items():
        parser = CommandParser(prog=name)
        module.configure(parser)
        commands.append(described(name, COMMANDS.summary(name), parser))
    print(SCRIPTS[arguments.shell](commands), end="")
    for fault in faults:
        print(f"identikit: {fault}", file=sys.stderr)
    return 0
