"""The known systems, one file each. A new one is a file with a function `model()` and a row here."""

from __future__ import annotations

from importlib import import_module

from identikit.errors import ModelError, did_you_mean
from identikit.model._model import Model

NAMES: tuple[str, ...] = ("horizontal_pendulum", "pendulum", "duffing")


def library_model(name: str) -> Model:
    """The known system of that name."""
    if name not in NAMES:
        raise ModelError(f"unknown model '{name}'.{did_you_mean(name, NAMES)} A file of your own must end in .toml.")
    model: Model = import_module(f"identikit.model.library.{name}").model()
    return model
