"""An identifier on disk: JSON, whose numbers come back to the last bit."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from identikit.atomic_write import atomic_write
from identikit.errors import DataError, InputError
from identikit.model import model_from_toml
from identikit.online._setup import Setup

SCHEMA = "identikit/online/1"


def write_saved(path: str | Path, setup: Setup, numbers: Mapping[str, np.ndarray]) -> None:
    """Whole or not at all."""
    told = {item.name: getattr(setup, item.name) for item in fields(setup)} | {"model": setup.model.to_toml()}
    told["bounds"] = [[None if math.isinf(end) else end for end in pair] for pair in setup.bounds]
    tables = {name: np.where(np.isfinite(value), value, np.nan).tolist() for name, value in numbers.items()}
    document = {"schema": SCHEMA, "setup": told, "numbers": tables}
    atomic_write(path, json.dumps(document).encode())


def read_saved(path: str | Path) -> tuple[Setup, dict[str, np.ndarray]]:
    """What `write_saved` wrote; DataError if it is something else."""
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"))
        if document["schema"] != SCHEMA:
            raise ValueError(f"its schema is {document['schema']}")
        told: dict[str, Any] = dict(document["setup"])
        told["model"] = model_from_toml(told["model"], str(path))
        told["bounds"] = [(_end(low, -math.inf), _end(high, math.inf)) for low, high in told["bounds"]]
        told["initial"] = [tuple(pair) for pair in told["initial"]]
        fixed: dict[str, Any] = {key: tuple(item) if isinstance(item, list) else item for key, item in told.items()}
        setup = Setup(**fixed)
        numbers = {name: np.array(value, float) for name, value in document["numbers"].items()}
    except FileNotFoundError:
        raise DataError(f"{path}: no such file") from None
    except InputError:
        raise
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise DataError(f"{path}: not a saved identifier ({error})") from None
    return setup, numbers


def _end(value: float | None, otherwise: float) -> float:
    return otherwise if value is None else float(value)
