"""The one place where JAX is imported and set up: 64-bit, CPU, kernels kept on disk, compilations that can be left."""

from __future__ import annotations

import os
import tempfile
import threading
import warnings
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

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
        # A disk that fills up, or a kept kernel that is damaged: JAX compiles anew, and nobody has to be told.
        warnings.filterwarnings("ignore", message=".*persistent compilation cache")
    return module


_ROOM_NEEDED = 1 << 20  # bytes: a kernel is some hundred kilobytes

# Halves the compilation of our kernels and leaves them as fast (measured with JAX 0.10: 1.1 s instead of 1.9
# s).
_COMPILER_OPTIONS = {"xla_cpu_use_fusion_emitters": False}


def compiled(function: Callable[..., Any], one_shape: bool = False) -> Callable[..., Any]:
    """`jax.jit` with the options above, or without them on a JAX that does not know them.

    With `one_shape` all calls have arguments of the same shapes: these are then not looked at, which takes as long as a
    small kernel.
    """
    module = jax()
    quick = module.jit(function, compiler_options=_COMPILER_OPTIONS)
    plain = module.jit(function)
    known = True
    ready: set[tuple[Any, ...]] = set()  # shapes of arguments that were compiled for
    pending: dict[tuple[Any, ...], Background] = {}
    one_at_a_time = threading.Lock()

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
        if one_shape and ready:
            return run(*arguments)
        shapes = tuple([np.shape(leaf) for leaf in module.tree.leaves(arguments)])
        if shapes in ready:
            return run(*arguments)
        # a compilation is one call of C++, up to half a minute long, that no signal interrupts; whoever waits for it
        # may leave, and the next one who needs it goes on waiting
        with one_at_a_time:
            earlier = pending.get(shapes)
            task = pending[shapes] = earlier or Background(partial(run, *arguments))
        task.wait(poll)
        ready.add(shapes)
        pending.pop(shapes, None)
        return task.result() if earlier is None else run(*arguments)

    return call


def _cache_folder() -> Path | None:
    """Where compiled kernels are kept between runs; IDENTIKIT_CACHE names another folder or, empty, none.

    None where nothing can be kept (no home, a folder that cannot be made or written to): then every process compiles
    anew, which takes seconds longer and is otherwise the same.
    """
    named = os.environ.get("IDENTIKIT_CACHE")
    if named == "":
        return None
    try:
        base = Path(named) if named else _usual_caches() / "identikit"
        base.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=base) as trial:  # the permissions of a folder do not tell that its disk is full
            trial.write(bytes(_ROOM_NEEDED))
    except (OSError, RuntimeError, ValueError):  # RuntimeError: Path.home() of a user without one
        return None
    return base


def _usual_caches() -> Path:
    """XDG_CACHE_HOME if it is a full path, as its specification asks, else ~/.cache."""
    named = Path(os.environ.get("XDG_CACHE_HOME", ""))
    return named if named.is_absolute() else Path.home() / ".cache"
