"""Run the commands and the Python blocks of a documentation page and put in what they print.

    python docs/refresh.py docs/tutorial.md

In blocks marked `console`, lines that begin with `$ ` are run by bash; blocks marked `python` are run in one
namespace, and a block marked `text` that follows one receives its output. A comment `<!-- file: NAME -->` before a
block writes that block to a file. All of it happens in an empty temporary folder. Long sentences are wrapped as on
a terminal.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
import textwrap
from pathlib import Path

WIDTH = 110
FILE = re.compile(r"<!-- file: (\S+) -->")


def wrapped(text: str) -> list[str]:
    lines = []
    for line in text.rstrip("\n").split("\n"):
        sentence = line.startswith(("The method", "identikit: "))
        lines += textwrap.wrap(line, WIDTH) if sentence and len(line) > WIDTH else [line.rstrip()]
    return lines


def run_console(body: list[str]) -> list[str]:
    """The commands of a block, each followed by its output."""
    made: list[str] = []
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    code = 0
    for line in body:
        if not line.startswith("$ "):
            continue
        made.append(line)
        if line == "$ echo $?":
            made.append(str(code))
            continue
        done = subprocess.run(["bash", "-c", line[2:]], env=environment, capture_output=True, text=True, check=False)
        code = done.returncode
        if (done.stdout + done.stderr).strip():
            made += wrapped(done.stdout + done.stderr)
    return made


def refreshed(text: str, name: str) -> str:
    """The page with its outputs made anew."""
    made: list[str] = []
    space: dict[str, object] = {"__name__": "docs"}
    printed: str | None = None
    target: str | None = None
    lines = iter(text.split("\n"))
    for line in lines:
        made.append(line)
        if found := FILE.match(line):
            target = found[1]
        if not line.startswith("```"):
            continue
        kind, body = line[3:].strip(), []
        for inner in lines:
            if inner == "```":
                break
            body.append(inner)
        if target is not None:
            Path(target).write_text("\n".join(body) + "\n", encoding="utf-8")
            target = None
        elif kind == "console":
            body = run_console(body)
        elif kind == "python":
            buffer = io.StringIO()
            with contextlib.redirect_stdout(buffer):
                exec(compile("\n".join(body), name, "exec"), space)
            printed = buffer.getvalue()
        elif kind == "text" and printed is not None:
            body, printed = wrapped(printed), None
        made += [*body, "```"]
    return "\n".join(made)


def main() -> None:
    for argument in sys.argv[1:]:
        page = Path(argument).resolve()
        before = Path.cwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                page.write_text(refreshed(page.read_text(encoding="utf-8"), str(page)), encoding="utf-8")
            finally:
                os.chdir(before)


if __name__ == "__main__":
    main()
