"""Completion scripts of three shells, each a function from what can follow what to a text.

The scripts hold every word themselves: a key press runs nothing but the shell, and so takes a few milliseconds. Words
and summaries may come from packages of others, and are quoted.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence

from identikit.cli._shell_words import CommandWords, Option, Value

PROGRAM = "identikit"
GLOBAL = (Option(("-h", "--help"), None, "show what there is"), Option(("--version",), None, "show the version"))


def bash_script(commands: Sequence[CommandWords]) -> str:
    """For bash 3.2 and newer."""
    cases = "\n".join(_bash_cases(commands))
    first = _quoted_words([*(command.name for command in commands), *_spellings(GLOBAL)])
    return f"""# Completion of identikit for bash; made by: identikit completion bash
_{PROGRAM}() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" words='' files='' IFS=$'\\n'
    if [[ $word == '=' ]]; then  # bash takes the sign in --option=value for a word
        word=''
    elif [[ $before == '=' ]]; then
        before="${{COMP_WORDS[COMP_CWORD-2]}}"
    fi
    if ((COMP_CWORD == 1)); then
        words={first}
    else
        case "${{COMP_WORDS[1]}} $before" in
{cases}
        esac
    fi
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    if [[ $files ]]; then
        compopt -o filenames 2>/dev/null
        COMPREPLY+=($(compgen -f -- "$word"))
    fi
}}
complete -F _{PROGRAM} {PROGRAM}
"""


def _bash_cases(commands: Sequence[CommandWords]) -> Iterator[str]:
    yield from _cases_of_values(commands, _bash_offer)
    for command in commands:
        options = _bash_offer(Value(tuple(_spellings(command.options))))
        yield f"        {shlex.quote(command.name)}' '*) if [[ $word == -* ]]; then {options}; else"
        yield f"            {_bash_offer(command.arguments)}; fi ;;"


def _bash_offer(value: Value) -> str:
    return f"words={_quoted_words(value.words)}" + (" files=yes" if value.files else "")


def zsh_script(commands: Sequence[CommandWords]) -> str:
    """For zsh, with a line about every command and option."""
    cases = "\n".join(_zsh_cases(commands))
    first = _zsh_described([(command.name, command.summary) for command in commands])
    return f"""#compdef {PROGRAM}
# Completion of identikit for zsh; made by: identikit completion zsh
_{PROGRAM}() {{
    local -a offered
    if (( CURRENT == 2 )); then
        offered=({first})
        _describe command offered
        return
    fi
    case "${{words[2]}} ${{words[CURRENT-1]}}" in
{cases}
    esac
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _{PROGRAM} "$@"
else
    compdef _{PROGRAM} {PROGRAM}
fi
"""


def _zsh_cases(commands: Sequence[CommandWords]) -> Iterator[str]:
    yield from _cases_of_values(commands, _zsh_offer)
    for command in commands:
        described = _zsh_described([(name, option.summary) for option in command.options for name in option.names])
        yield f"        {shlex.quote(command.name)}' '*)"
        yield '            if [[ "${words[CURRENT]}" == -* ]]; then'
        yield f"                offered=({described})"
        yield "                _describe option offered"
        yield f"            else {_zsh_offer(command.arguments)}; fi ;;"


def _zsh_offer(value: Value) -> str:
    parts = [f"compadd -- {' '.join(map(shlex.quote, value.words))}"] if value.words else []
    return "; ".join([*parts, *(["_files"] if value.files else [])]) or ":"


def _zsh_described(pairs: Sequence[tuple[str, str]]) -> str:
    return " ".join(shlex.quote(name.replace(":", "\\:") + ":" + summary) for name, summary in pairs)


def fish_script(commands: Sequence[CommandWords]) -> str:
    """For fish, with a line about every command and option."""
    lines = ["# Completion of identikit for fish; made by: identikit completion fish", f"complete -c {PROGRAM} -f"]
    for command in commands:
        name = _fish_quoted(command.name)
        lines.append(f"complete -c {PROGRAM} -n __fish_use_subcommand -a {name} -d {_fish_quoted(command.summary)}")
    for option in GLOBAL:
        lines.append(f"complete -c {PROGRAM} -n __fish_use_subcommand{_fish_option(option)}")
    for command in commands:
        inside = f"complete -c {PROGRAM} -n {_fish_quoted(f'__fish_seen_subcommand_from {_fish_quoted(command.name)}')}"
        lines += [f"{inside}{_fish_option(option)}" for option in command.options]
        if command.arguments.words or command.arguments.files:
            lines.append(f"{inside}{_fish_value(command.arguments)}")
    return "\n".join(lines) + "\n"


def _fish_option(option: Option) -> str:
    spelt = "".join(f" -l {name[2:]}" if name.startswith("--") else f" -s {name[1:]}" for name in option.names)
    if option.value is None:
        takes = ""
    else:
        takes = (" -r" if option.value.files else " -x") + _fish_value(option.value)
    return f"{spelt}{takes} -d {_fish_quoted(option.summary)}"


def _fish_value(value: Value) -> str:
    words = f" -a {_fish_quoted(' '.join(map(_fish_quoted, value.words)))}" if value.words else ""
    return words + (" -F" if value.files else "")


def _fish_quoted(text: str) -> str:
    if text and all(letter.isalnum() or letter in "-_./" for letter in text):
        return text
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _cases_of_values(commands: Sequence[CommandWords], offer: Callable[[Value], str]) -> Iterator[str]:
    """A case of bash or zsh for every option that takes a value, by the command and the option before the cursor."""
    for command in commands:
        for option in command.options:
            if option.value is not None:
                pattern = "|".join(shlex.quote(f"{command.name} {name}") for name in option.names)
                yield f"        {pattern}) {offer(option.value)} ;;"


def _spellings(options: Sequence[Option]) -> list[str]:
    return [name for option in options for name in option.names]


def _quoted_words(words: Sequence[str]) -> str:
    """Several words for compgen, which expands each once more: that is what the inner quotes are for."""
    return shlex.quote("\n".join(map(shlex.quote, words)))


SCRIPTS = {"bash": bash_script, "zsh": zsh_script, "fish": fish_script}
