"""The cells: every method, and the choice among them, on the record of every system.

A cell that takes too long is a row of `EXCLUDED`, with the reason; it is not run. LIMIT ends one that has become slow,
so that `make golden` ends; such a cell is reported as an error, and cannot be frozen.
"""

from __future__ import annotations

import identikit as ik
from golden.records import record_of
from identikit.method import AUTO, method_names
from identikit.model import LIBRARY

LIMIT = 240  # seconds of processor time for one cell or answer

EXCLUDED: dict[str, str] = {
    "driven_double_pendulum/pinn": "more than 280 s of processor time: networks for four motions of 2001 samples each",
    "driven_furuta/pinn": "more than 270 s of processor time: networks for four motions of 3001 samples each",
    "coupled_chua/pinn": "more than 250 s of processor time: networks for twelve motions of 501 samples each",
}

# those whose JSON, report and pictures are frozen too: every method where it applies, and every way that a fit can end
WHOLE: tuple[str, ...] = (
    *(f"duffing/{method}" for method in (AUTO, *method_names())),
    "linear/reference_points",
    "pendulum/averaging",
    "pendulum/uas",  # not identifiable
    "friction_drive/sindy",  # a misfit, driven
    "bouc_wen/galerkin",  # not converged
    "furuta/uas",
)


def systems() -> tuple[str, ...]:
    return tuple(LIBRARY)


def cells_of(system: str) -> tuple[str, ...]:
    """The names of a system's cells, `system/method`."""
    return tuple(key for method in (AUTO, *method_names()) if (key := f"{system}/{method}") not in EXCLUDED)


def is_cell(name: str) -> bool:
    """Whether a name is that of a cell, and not of another front door's answer."""
    return name.split("/")[1] in (AUTO, *method_names())


def answer(cell: str, perturbation: float = 0.0) -> ik.Result:
    """One fit."""
    system, method = cell.split("/")
    model = ik.library_model(system)
    assert model.ready is not None
    return ik.fit(record_of(system, perturbation=perturbation), model, method=method, inputs=model.ready.inputs)
