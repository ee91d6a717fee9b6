"""The one place where JAX is imported and set up: 64-bit, CPU, kernels kept on disk, compilations that can be left."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

from identikit.progress import poll
from identikit.simulation._background import Background


@cache
def jax() -> Any:
    """Import JAX with double precision switched on before anything else of it is used."""
    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    from importlib import import_module

    module: Any = import_module("jax")

    module.config.update("jax_enable_x64", True)
    folder = _cache_folder()
    if folder is not None:
        module.config.update("jax_compilation_cache_dir", str(folder))
        module.config.update("jax_persistent_cache_min_compile_time_secs", 0.1)
        module.config.update("jax_persistent_cache_min_entry_size_bytes", 0)
    return module


# Halves the compilation of our kernels and leaves them as fast (measured with JAX 0.10: 1.1 s instead of 1.9
# s).
_COMPILER_OPTIONS = {"xla_cpu_use_fusion_emitters": False}


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """`jax.jit` with the options above, or without them on a JAX that does not know them."""
    module = jax()
    quick = module.jit(function, compiler_options=_COMPILER_OPTIONS)
    plain = module.jit(function)
    known = True
    ready: set[tuple[Any, ...]] = set()  # shapes of arguments that were compiled for
    pending: dict[tuple[Any, ...], Background] = {}

    def run(*arguments: Any) -> Any:
        nonlocal known
        if known:
            try:
                return quick(*arguments)
            except module.errors.JaxRuntimeError as error:
                if "compile option" not in str(error):
                    raise
                known = False
        return plain(*arguments)

    def call(*arguments: Any) -> Any:
        shapes = tuple([leaf.shape for leaf in module.tree.leaves(arguments)])
        if shapes in ready:
            return run(*arguments)
        # a compilation is one call of C++, up to half a minute long, that no signal interrupts; whoever waits for it
        # may leave, and the next one who needs it goes on waiting
        earlier = pending.get(shapes)
        task = pending[shapes] = earlier or Background(partial(run, *arguments))
        task.wait(poll)
        ready.add(shapes)
        pending.pop(shapes, None)
        return task.result() if earlier is None else run(*arguments)

    return call


def _cache_folder() -> Path | None:
    """Where compiled kernels are kept between runs; IDENTIKIT_CACHE names another folder or, empty, none."""
    named = os.environ.get("IDENTIKIT_CACHE")
    if named == "":
        return None
    base = Path(named) if named else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "identikit"
    try:
        base.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None  # a read-only home: compile anew in every process
    return base if os.access(base, os.W_OK) else None
