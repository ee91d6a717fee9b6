"""identikit: physical parameters of dynamical systems from measured time series, with their uncertainty.

    import identikit as ik
    result = ik.fit("swing.csv", model="horizontal_pendulum", free=["zeta", "mu_c", "mu_q", "k"])
    print(result)

Names are loaded on first use, so that importing the package costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "fit": "identikit._fit",
    "damping": "identikit._damping",
    "Problem": "identikit.problem",
    "Result": "identikit.result",
    "DampingReport": "identikit.result",
    "Model": "identikit.model",
    "Parameter": "identikit.model",
    "Input": "identikit.model",
    "library_model": "identikit.model",
    "load_model": "identikit.model",
    "Record": "identikit.measurement",
    "Experiment": "identikit.measurement",
    "load": "identikit.measurement",
    "synthesize": "identikit.simulation",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'identikit' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)
