"""The known systems, one file each. A new one is a file with a function `model()` and a row here."""

from __future__ import annotations

import re
from importlib import import_module

from identikit.errors import ModelError, did_you_mean
from identikit.model._model import Model

LIBRARY_NAMES: tuple[str, ...] = (
    "horizontal_pendulum",
    "pendulum",
    "duffing",
    "furuta",
    "double_pendulum",
    "driven_double_pendulum",
    "magnetic_pendulum",
    "tank_reactor",
    "miura_origami",
    "coupled_chua",
    "linear",
    "coupled_pendulums",
    "lotka_volterra",
    "van_der_pol",
    "lorenz",
    "fitzhugh_nagumo",
    "friction_drive",
    "bouc_wen",
)


def library_model(name: str) -> Model:
    """The known system of that name; `linear3`, `linear4` and so on are `linear` with that many states."""
    if sized := re.fullmatch(r"linear([1-9]\d*)", name):
        from identikit.model.library import linear

        return linear.model(int(sized[1]))
    if name not in LIBRARY_NAMES:
        raise ModelError(
            f"unknown model '{name}'.{did_you_mean(name, LIBRARY_NAMES)} "
            "A model of your own is a file that ends in .toml."
        )
    model: Model = import_module(f"identikit.model.library.{name}").model()
    return model
