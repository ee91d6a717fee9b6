"""The one place where JAX is imported and set up: 64-bit, on the processor, with no cache of its own."""

from __future__ import annotations

import os
from functools import cache
from typing import Any


@cache
def jax() -> Any:
    """JAX, with double precision switched on before anything else of it is used.

    Its own cache on disk is off: it believes whatever lies there. Ours is `KernelStore`.
    """
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    from importlib import import_module

    module: Any = import_module("jax")

    module.config.update("jax_enable_x64", True)
    module.config.update("jax_enable_compilation_cache", False)
    return module
