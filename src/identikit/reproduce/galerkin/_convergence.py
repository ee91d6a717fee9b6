"""A descent as the paper draws it: every parameter over the steps, and the length of the steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from identikit.reproduce.galerkin._as_printed import Descent
from identikit.result import Panel, Series


def parameter_panel(
    title: str, label: str, descent: Descent, names: Sequence[str], truth: Mapping[str, float], relative: bool = False
) -> Panel:
    """Parameters over the steps with their true values dotted; or over their true values, so that all go to one."""
    steps = tuple(float(k) for k in range(descent.steps + 1))
    series = []
    for name in names:
        values = descent.path[:, descent.names.index(name)]
        series.append(Series(name, steps, tuple(values / truth[name] if relative else values)))
    for level in [1.0] if relative else [truth[name] for name in names]:
        told = "truth" if level == ([1.0] if relative else [truth[name] for name in names])[0] else ""
        series.append(Series(told, (0.0, steps[-1]), (level, level), emphasis="bound"))
    return Panel(title, "step", label, tuple(series))


def step_panel(title: str, descent: Descent, cutoff: float) -> Panel:
    """|delta theta| over the steps, on a logarithmic axis."""
    steps = tuple(float(k) for k in range(1, descent.steps + 1))
    lengths = tuple(np.maximum(descent.lengths, 1e-16))
    limit = Series("cutoff", (1.0, steps[-1]), (cutoff, cutoff), emphasis="bound")
    return Panel(title, "step", "length of the step [mixed units]", (Series("", steps, lengths), limit), y_scale="log")
