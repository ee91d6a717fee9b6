"""What results share as documents: versioned JSON that is written whole and read back."""

from __future__ import annotations

import json
import math
from abc import abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from identikit.atomic_write import atomic_write
from identikit.errors import DataError


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
    try:
        return json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DataError(f"{path}: no such {what} file") from None
    except (ValueError, OSError) as error:
        raise DataError(f"{path}: not a saved {what} ({error})") from None


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
