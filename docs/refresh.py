"""Run the commands and the Python blocks of documentation pages, and put in, or compare, what they print.

    python docs/refresh.py docs/tutorial.md            put in what is printed now
    python docs/refresh.py --check                     say where a page shows something else; of all pages

Pages are run side by side, one on each core of the processor.

In blocks marked `console`, lines that begin with `$ ` are run by bash; blocks marked `python` are run in one
namespace, and a block marked `text` that follows one receives its output. A comment `<!-- file: NAME -->` before a
block writes that block to a file. All of it happens in an empty temporary folder. Long sentences are wrapped as on
a terminal.

A page shows what is printed if words and whole numbers are equal and all other numbers differ by at most two units of
their last digit (or one millionth of themselves, if so many digits stand there). Values are printed with two digits of
their standard error, so that two units are at most a fifth of it; a value whose standard error is shown as `-` is
arbitrary and not compared. White space does not count. A comment `<!-- within: 0.5 -->` before a block of a chaotic
motion, or of random draws, allows its numbers to differ by half of themselves.
"""

from __future__ import annotations

import contextlib
import difflib
import io
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import traceback
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

WIDTH = 110
LAST_DIGIT = 2  # units in which numbers may differ
RELATIVE = 1e-6  # of a number with more digits than processors agree on
CODE = re.compile(r"^```(?:console|python)$", re.MULTILINE)
FILE = re.compile(r"<!-- file: (\S+) -->")
SHOWN = re.compile(r"^(?:<!-- within: (\S+) -->\n)?```(?:console|text)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ARBITRARY = re.compile(r"\s+-\s")  # what follows a value without a standard error
NUMBER = re.compile(r"[-+]?\d+(\.\d+)?([eE][-+]?\d+)?")
RULE = re.compile(r"-{3,}")  # under the head of a table
TOKEN = re.compile(rf"{NUMBER.pattern}|[^\s\d]+|\S")


def wrapped(text: str) -> list[str]:
    lines = []
    for line in text.rstrip("\n").split("\n"):
        sentence = line.startswith(("The method", "identikit: "))
        lines += textwrap.wrap(line, WIDTH) if sentence and len(line) > WIDTH else [line.rstrip()]
    return lines


def commands(body: list[str]) -> Iterator[list[str]]:
    """The lines of each command; one that ends with a backslash goes on in the next."""
    lines = iter(body)
    for line in lines:
        if line.startswith("$ "):
            command = [line]
            while command[-1].endswith("\\"):
                command.append(next(lines))
            yield command


def run_console(body: list[str]) -> list[str]:
    """The commands of a block, each followed by its output."""
    made: list[str] = []
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    code = 0
    for command in commands(body):
        made += command
        if command == ["$ echo $?"]:
            made.append(str(code))
            continue
        script = "\n".join(command)[2:]
        done = subprocess.run(["bash", "-c", script], env=environment, capture_output=True, text=True, check=False)
        code = done.returncode
        if (done.stdout + done.stderr).strip():
            made += wrapped(done.stdout + done.stderr)
    return made


def refreshed(text: str, name: str, console: bool = True) -> str:
    """The page with its outputs made anew, in the present folder; without `console`, commands are left as they are."""
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
        elif kind == "console" and console:
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


def differences(shown: str, printed: str) -> str:
    """Where a page shows something else than its refreshed copy, as a diff of the blocks; empty if it does not."""
    found = []
    for old, new in zip(SHOWN.finditer(shown), SHOWN.finditer(printed), strict=True):
        if not agree(old[2], new[2], float(old[1] or 0)):
            found += difflib.unified_diff(old[2].split("\n"), new[2].split("\n"), "shown", "printed", n=0, lineterm="")
    return "\n".join(found)


def agree(shown: str, printed: str, within: float = 0.0) -> bool:
    """Whether two texts say the same; their numbers may differ by the part `within` of themselves."""
    tokens = [[part for part in TOKEN.finditer(text) if not RULE.fullmatch(part[0])] for text in (shown, printed)]
    return len(tokens[0]) == len(tokens[1]) and all(_same(old, new, within) for old, new in zip(*tokens, strict=True))


def _same(shown: re.Match[str], printed: re.Match[str], within: float) -> bool:
    if shown[0] == printed[0]:
        return True
    old, new = (NUMBER.fullmatch(part[0]) for part in (shown, printed))
    if old is None or new is None:
        return False
    rest = shown.string[shown.end() :]
    if ARBITRARY.match(rest):
        return True
    if not (rest.lstrip().startswith("%") or within or old[1] or old[2] or new[1] or new[2]):
        return False  # whole numbers count something
    first, second = float(old[0]), float(new[0])
    last = max(10.0 ** (int((part[2] or "e0")[1:]) - len((part[1] or ".")[1:])) for part in (old, new))
    allowed = max(LAST_DIGIT * last, max(RELATIVE, within) * max(abs(first), abs(second)))
    return abs(first - second) <= 1.000001 * allowed


def pages_with_code() -> list[Path]:
    """The README and the pages of docs/ that have commands or Python blocks."""
    docs = Path(__file__).resolve().parent
    return [page for page in (docs.parent / "README.md", *sorted(docs.rglob("*.md"))) if CODE.search(_text(page))]


def checked(page: Path) -> str:
    """Where a page shows something else than is printed, or what went wrong; empty if nothing did."""
    try:
        return differences(_text(page), _run(page))
    except Exception:
        return traceback.format_exc()


def put_in(page: Path) -> str:
    """Put in what is printed now; what went wrong, or nothing."""
    try:
        page.write_text(_run(page), encoding="utf-8")
    except Exception:
        return traceback.format_exc()
    return ""


def _text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def _run(page: Path) -> str:
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        return refreshed(_text(page), str(page))


def main() -> int:
    arguments = sys.argv[1:]
    check = "--check" in arguments
    pages = [Path(argument).resolve() for argument in arguments if argument != "--check"]
    if check and not pages:
        pages = pages_with_code()
    wrong = 0
    # a process of its own for each page: what one registers or leaves in memory is not there for the next
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn"), max_tasks_per_child=1) as processes:
        for page, found in zip(pages, processes.map(checked if check else put_in, pages), strict=True):
            print(f"{page.name}: {found or 'done'}", flush=True)
            wrong += bool(found)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
