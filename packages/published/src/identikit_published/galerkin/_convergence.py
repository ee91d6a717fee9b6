"""A descent as the paper draws it: every parameter over the steps, and the length of the steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from identikit_published.galerkin._as_printed import Descent
from identikit.result import Panel, Series


def parameter_panel(
    title: str, label: str, descent: Descent, names: Sequence[str], truth: Mapping[str, float]
) -> Panel:
    """Parameters over the steps, their true values dotted."""
    steps = tuple(float(k) for k in range(descent.steps + 1))
    paths = [Series(name, steps, tuple(descent.path[:, descent.names.index(name)])) for name in names]
    levels = [
        Series("" if place else "truth", (0.0, steps[-1]), (truth[name],) * 2, emphasis="bound")
        for place, name in enumerate(names)
    ]
    return Panel(title, "step", label, (*paths, *levels))


def step_panel(title: str, descent: Descent, cutoff: float) -> Panel:
    """|delta theta| over the steps, on a logarithmic axis."""
    steps = tuple(float(k) for k in range(1, descent.steps + 1))
    lengths = tuple(np.maximum(descent.lengths, 1e-16))
    limit = Series("cutoff", (1.0, steps[-1]), (cutoff, cutoff), emphasis="bound")
    return Panel(title, "step", "length of the step [mixed units]", (Series("", steps, lengths), limit), y_scale="log")
