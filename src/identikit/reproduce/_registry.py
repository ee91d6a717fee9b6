"""All published items, document by document. A new one is a file with an `Item`, and a row here.

A row is the key, where the item lives, and the line that the list shows: it can be listed without importing anything.
"""

from __future__ import annotations

from identikit.registry import Registry
from identikit.reproduce._base import Item

_ROWS = {
    # the pendulum report
    "pendulum-figure-1": ("pendulum.figure_1", "Figure 1: time response under viscous, dry and quadratic damping"),
    # the Galerkin paper
    # the Furuta paper
    # the reference-point paper
    # the energy paper
}

ITEMS: Registry[Item] = Registry(
    "published item",
    {key: (f"identikit.reproduce.{module}:ITEM", title) for key, (module, title) in _ROWS.items()},
)
