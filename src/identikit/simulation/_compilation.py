"""Functions compiled for the shapes they are called with, or loaded where an earlier run has compiled them.

Tracing, lowering and compiling a kernel takes a second or two, loading it some hundredths. A kernel whose program is
known as text is not even traced before it is loaded; any other is traced first, and looked for by what came of it. With
IDENTIKIT_CACHE_CHECK=1 every kernel is traced, and one that was kept for another program is an error: this is how
continuous integration proves that names of kernels say enough.
"""

from __future__ import annotations

import hashlib
import inspect
import os
import pickle
import re
import threading
from collections.abc import Callable
from functools import cache, partial
from typing import Any

from identikit.progress import poll
from identikit.simulation._backend import jax
from identikit.simulation._background import Background
from identikit.simulation._kernel_identity import kernel_name
from identikit.simulation._kernel_store import KernelStore, kernel_store

# Halves the compilation of our kernels and leaves them as fast (measured with JAX 0.10: 1.1 s instead of 1.9
# s).
COMPILER_OPTIONS = {"xla_cpu_use_fusion_emitters": False}

LAPACK = "lapack_"  # the names of its functions in a program begin so

Executable = Callable[..., Any]


class StaleKernelError(AssertionError):
    """A kept kernel is not what its name says: the name leaves out something that the program depends on."""


def compiled(function: Callable[..., Any], program: str | None = None, one_shape: bool = False) -> Executable:
    """A function of arrays, compiled once for each set of shapes and types.

    Arguments:
        program: everything that `function` closes over, as text: the equations and all static arguments. None for
            what cannot be written down, such as a user's own function.
        one_shape: all calls have arguments of the same shapes: these are then not looked at, which takes as long as a
            small kernel.
    """
    return _Kernel(function, program, one_shape)


class _Kernel:
    def __init__(self, function: Callable[..., Any], program: str | None, one_shape: bool) -> None:
        self._function, self._program, self._one_shape = function, program, one_shape
        self._flatten = jax().tree.flatten
        self._ready: dict[Any, Executable] = {}  # by the shapes of the arguments
        self._pending: dict[Any, Background] = {}
        self._one_at_a_time = threading.Lock()
        self._only: Executable | None = None

    def __call__(self, *arguments: Any) -> Any:
        if self._only is not None:
            return self._only(*arguments)
        leaves, tree = self._flatten(arguments)
        shapes = (tree, tuple([(leaf.shape, leaf.dtype) if hasattr(leaf, "dtype") else type(leaf) for leaf in leaves]))
        run = self._ready.get(shapes)
        if run is None:
            run = self._prepared(shapes, arguments)
        return run(*arguments)

    def _prepared(self, shapes: Any, arguments: tuple[Any, ...]) -> Executable:
        # a compilation is one call of C++, up to half a minute long, that no signal interrupts; whoever waits for it
        # may leave, and the next one who needs it goes on waiting
        with self._one_at_a_time:
            if shapes in self._ready:
                return self._ready[shapes]
            task = self._pending.get(shapes)
            if task is None:
                task = self._pending[shapes] = Background(partial(self._build, str(shapes), arguments))
        task.wait(poll)
        with self._one_at_a_time:
            self._pending.pop(shapes, None)
            run: Executable = task.result()
            self._ready[shapes] = run
        if self._one_shape:
            self._only = run
        return run

    def _build(self, shapes: str, arguments: tuple[Any, ...]) -> Executable:
        store, lowered, digest = kernel_store(), None, ""
        if store is None:
            return _compile(self._lower(arguments))
        program = self._program
        if program is None or os.environ.get("IDENTIKIT_CACHE_CHECK") == "1":
            lowered = self._lower(arguments)
            digest = _digest(lowered.as_text())
        name = kernel_name(inspect.unwrap(self._function), program or digest, shapes, COMPILER_OPTIONS)
        run = _loaded(store, name, digest)
        if run is None:
            lowered = lowered or self._lower(arguments)
            run = _compile(lowered)
            _keep(store, name, lowered.as_text(), run)
        return run

    def _lower(self, arguments: tuple[Any, ...]) -> Any:
        return jax().jit(self._function).lower(*arguments)


def _compile(lowered: Any) -> Executable:
    try:
        run: Executable = lowered.compile(compiler_options=COMPILER_OPTIONS)
    except jax().errors.JaxRuntimeError as error:
        if "compile option" not in str(error):
            raise
        run = lowered.compile()  # a JAX that does not know the option
    return run


def _loaded(store: KernelStore, name: str, digest: str) -> Executable | None:
    """The kernel of that name, if it was kept and loads; `digest` of its program, empty if it was not traced."""
    from jax.experimental import serialize_executable

    body = store.load(name)
    if body is None:
        return None
    try:
        program, calls_lapack, content, incoming, outgoing = pickle.loads(body)
        if calls_lapack:
            _prepare_lapack()
        run: Executable = serialize_executable.deserialize_and_load(content, incoming, outgoing)
    except Exception:  # whatever a library of another make raises at what this one wrote: compiled anew
        store.discard(name)
        return None
    if digest and program != digest:
        raise StaleKernelError(f"kernel {name[:12]} was kept for another program")
    return run


def _keep(store: KernelStore, name: str, program: str, run: Any) -> None:
    """Keep a kernel, unless it calls what another process has elsewhere, such as a function of Python's."""
    from jax.experimental import serialize_executable

    called = set(re.findall(r"custom_call\s*@([\w.]+)", program))
    if not all(target.startswith(LAPACK) for target in called):
        return
    try:
        content, incoming, outgoing = serialize_executable.serialize(run)
    except (ValueError, NotImplementedError, jax().errors.JaxRuntimeError):
        return  # one that cannot be written down (it calls back into Python) is compiled by every process
    store.keep(name, pickle.dumps((_digest(program), bool(called), content, incoming, outgoing)))


def _digest(program: str) -> str:
    return hashlib.sha256(program.encode()).hexdigest()


@cache
def _prepare_lapack() -> None:
    """Let JAX find LAPACK, as it does when it lowers a call of it: a kernel that is only loaded would call nowhere."""
    module = jax()
    module.jit(module.numpy.linalg.qr).lower(module.numpy.ones((1, 1)))
