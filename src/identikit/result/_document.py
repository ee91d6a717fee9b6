"""What results share as documents: versioned JSON that is written whole and read back."""

from __future__ import annotations

import json
import math
from abc import abstractmethod
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from identikit.atomic_write import atomic_write
from identikit.errors import DataError, did_you_mean_file

MOST_NESTED = 60  # a result is nested some six deep; deeper ones exhaust the stack of whoever walks through them


class Document:
    """Something that is saved as one JSON object."""

    @abstractmethod
    def as_dict(self) -> dict[str, Any]:
        """The object, with its schema."""

    def to_json(self) -> str:
        return json.dumps(_plain(self.as_dict()), indent=1, allow_nan=False)

    def save(self, path: str | Path) -> None:
        """Write the JSON document; the file appears whole or not at all."""
        atomic_write(path, (self.to_json() + "\n").encode())


def read_document(path: str | Path, what: str) -> Any:
    """The JSON in a file; `what` it should be is said if it cannot be had."""
    text = ""
    try:
        text = Path(path).read_text(encoding="utf-8")
        document = json.loads(text, object_pairs_hook=_without_repeats, parse_constant=_no_number)
    except FileNotFoundError:
        raise DataError(f"{path}: no such {what} file.{did_you_mean_file(Path(path))}") from None
    except UnicodeDecodeError:
        raise DataError(f"{path}: not a saved {what} (it is not text in UTF-8)", remedy="save_first") from None
    except RecursionError:
        raise DataError(f"{path}: not a saved {what} (it is nested too deeply)") from None
    except (ValueError, OSError) as error:
        if text and not text.lstrip().startswith("{"):  # another file: where it ceases to be JSON is of no interest
            saying = f"{path} is not a saved {what}: expected the JSON document of one"
            raise DataError(saying, remedy="save_first") from None
        raise DataError(f"{path}: not a saved {what} ({error})") from None
    if _is_deeper(document, MOST_NESTED):
        raise DataError(f"{path}: not a saved {what} (it is nested more than {MOST_NESTED} deep)")
    return document


def _without_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """JSON leaves open which of two equal keys counts; here neither does."""
    table = dict(pairs)
    if len(table) < len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(n for n in names if names.count(n) > 1)!r} stands twice in one object")
    return table


def _no_number(constant: str) -> Any:
    raise ValueError(f"{constant} is not a number of JSON; what has no value is null")


def _is_deeper(document: Any, limit: int) -> bool:
    level = [document]
    for _ in range(limit):
        level = [item for outer in level for item in _members(outer) if isinstance(item, dict | list)]
    return bool(level)


def _members(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def check_schema(document: Any, where: str, schema: str, command: str) -> None:
    """Refuse a document of another kind or version."""
    found = document.get("schema") if isinstance(document, Mapping) else None
    if found != schema:
        raise DataError(f"{where}: schema is {found!r}: expected '{schema}', as identikit {command} saves it")


def _plain(value: Any) -> Any:
    """NumPy numbers and arrays to plain ones; not-a-number and infinity to null, which JSON has no word for."""
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value
