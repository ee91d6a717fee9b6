"""What was answered, kept in a working folder by arithmetic, so that a run goes on where an earlier one ended.

An outcome is one compressed JSON file. It holds the digest of what answered (source, records, questions, versions of
the packages that compute), and is taken up again only by the same.
"""

from __future__ import annotations

import gzip
import hashlib
import json
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import identikit

QUESTIONS = ("cells.py", "front_doors.py", "panels.py", "records.py", "shown.py")
TOO_SLOW = "TooSlow"  # how the error of what was ended by its limit begins
COMPUTING = ("numpy", "scipy", "sympy", "jax", "jaxlib", "matplotlib")


@dataclass(frozen=True)
class Outcome:
    """What one cell or front door answered.

    Arguments:
        document: as it would be saved; None where there was an error, or nothing that is saved.
        texts: what it prints, by what that is; panels: what is drawn, likewise, as plain data.
        error: what was raised, in a line; empty if nothing was.
        seconds: of processor time.
    """

    name: str
    document: Any = None
    texts: dict[str, str] | None = None
    panels: Any = None
    error: str = ""
    seconds: float = 0.0


@cache
def source_digest() -> str:
    """Of whatever an answer follows from, its arithmetic aside."""
    digest = hashlib.sha256()
    package, here = Path(identikit.__file__).parent, Path(__file__).parent
    questions = [here / name for name in QUESTIONS]
    for file in (*sorted(package.rglob("*.py")), *questions, *sorted((here / "records").glob("*.csv"))):
        digest.update(file.name.encode() + file.read_bytes())
    digest.update(" ".join(f"{name} {version(name)}" for name in COMPUTING).encode())
    return digest.hexdigest()[:16]


def _file(folder: Path, name: str) -> Path:
    return folder / f"{name.replace('/', '.')}.json.gz"


def keep(folder: Path, outcome: Outcome) -> None:
    """Write one; the file appears whole."""
    folder.mkdir(parents=True, exist_ok=True)
    target = _file(folder, outcome.name)
    part = target.with_suffix(".part")
    content = json.dumps({"source": source_digest(), **asdict(outcome)})
    part.write_bytes(gzip.compress(content.encode(), compresslevel=4, mtime=0))
    part.replace(target)


def kept(folder: Path, name: str) -> Outcome | None:
    """What the present source answered before; None if it has not."""
    file = _file(folder, name)
    if not file.exists():
        return None
    content = json.loads(gzip.decompress(file.read_bytes()))
    return Outcome(**content) if content.pop("source") == source_digest() else None
