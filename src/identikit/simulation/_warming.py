"""Kernels compiled before they are needed, so that the first fit of a model does not wait for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from identikit.model import Model, dynamics_of, observe
from identikit.simulation._background import Background
from identikit.simulation._inputs import Pieces
from identikit.simulation._lanes import WIDTHS, Integrator
from identikit.simulation._simulate import simulate

PIECES = (1, 4096)  # of an input table: none or a constant, and a record of some thousand samples


def warm_kernels(model: Model, free: Sequence[str]) -> int:
    """Compile what simulations and fits of a model with these free parameters use; returns how many kernels that is.

    The motion integrated for it has no length, so that only the compilation takes time. Inputs of another length are
    compiled for when they come.
    """
    outputs = tuple(output.name for output in model.outputs)
    states = tuple(range(len(model.states)))
    wanted = observe(model, outputs).wanted
    uses = [(states, dynamics_of(model), WIDTHS[0], False)]
    uses += [(wanted, dynamics_of(model, free), width, True) for width in WIDTHS]
    sizes = PIECES if model.inputs else PIECES[:1]
    for read, dynamics, width, sensitive in uses:
        integrator = Integrator(dynamics, read, sensitive)
        for size in sizes:
            _run_nothing(integrator, model, width, size)
    return len(uses) * len(sizes)


def begin_warming(model: Model, parameters: Mapping[str, float], inputs: Pieces, begin: float) -> None:
    """Load or compile, in a thread beside the work that goes on, what a simulation with these inputs will use.

    Which parameters are zero decides which switches are integrated; their other values do not matter.
    """
    Background(partial(simulate, model, np.array([begin]), parameters, None, inputs))


def _run_nothing(integrator: Integrator, model: Model, width: int, size: int) -> None:
    begins = np.arange(float(size))
    pieces = Pieces(begins, np.append(begins[1:], np.inf), np.zeros((size, len(model.inputs), 4)))
    values = np.array([1.0 if parameter.value is None else parameter.value for parameter in model.parameters])
    still = np.zeros(width)
    integrator.run(still, still, np.zeros((width, len(model.states))), values, pieces, still.astype(int), width=width)
