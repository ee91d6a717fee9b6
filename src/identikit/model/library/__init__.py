"""The known systems, one file each. A new one is a file with a function `model()` and a row here.

From outside: `identikit.model.LIBRARY.register("name", "package.module:model")`.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from identikit.errors import ModelError
from identikit.model._model import Model
from identikit.registry import Registry

LIBRARY: Registry[Callable[[], Model]] = Registry(
    "model",
    {
        name: f"identikit.model.library.{name}:model"
        for name in (
            "horizontal_pendulum",
            "pendulum",
            "duffing",
            "furuta",
            "driven_furuta",
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
    },
    group="identikit.models",
    error=ModelError,
    advice="A model of your own is a file that ends in .toml.",
)


def library_model(name: str) -> Model:
    """The known system of that name; `linear3`, `linear4` and so on are `linear` with that many states."""
    if sized := re.fullmatch(r"linear([1-9]\d*)", name):
        from identikit.model.library import linear

        return linear.model(int(sized[1]))
    return LIBRARY.find(name)()
