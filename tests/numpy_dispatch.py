"""Print the processor features that NumPy has found here and uses, for NPY_DISABLE_CPU_FEATURES."""

from __future__ import annotations

import importlib

import numpy as np

if __name__ == "__main__":
    core = importlib.import_module(f"numpy.{'_core' if np.__version__ >= '2' else 'core'}._multiarray_umath")
    print(*(name for name in core.__cpu_dispatch__ if core.__cpu_features__[name]))
