"""What tells one compiled kernel from another: what its dynamics say, and all else that its machine code depends on.

Equal names must mean equal programs, on this processor, by this compiler. A version of the package says too little of
its source where it is installed for editing, so the digest is of the source files themselves.
"""

from __future__ import annotations

import hashlib
import os
import platform
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import sympy as sp

from identikit.model import Dynamics, Model, dynamics_of

TRACED_ROOMS = ("model", "simulation")  # rooms of this package that every kernel is traced through


def kernel_name(function: Callable[..., Any], program: str, shapes: str, options: Mapping[str, Any]) -> str:
    """The name of a kernel: a digest of program, shapes, options, source and machine.

    Arguments:
        function: what is traced; the files beside the one that defines it belong to its source.
        program: what the function closes over: equations and every static argument, or the traced program itself.
    """
    folder = Path(function.__code__.co_filename).parent
    parts = [f"{function.__module__}.{function.__qualname__}", program, shapes, repr(sorted(options.items()))]
    return hashlib.sha256("\0".join([*parts, source_digest(folder), machine()]).encode()).hexdigest()


@cache
def source_digest(folder: Path) -> str:
    """Digest of the source files that trace a kernel: those of a folder and of the rooms that all kernels use."""
    package = Path(__file__).parents[1]
    files = {file for room in (folder, *(package / name for name in TRACED_ROOMS)) for file in room.rglob("*.py")}
    digest = hashlib.sha256()
    for file in sorted(files):
        content = file.read_bytes()
        digest.update(f"{file.name}\0{len(content)}\0".encode() + content)
    return digest.hexdigest()


@cache
def machine() -> str:
    """Compiler, the libraries that write the program down, the flags they heed, and the processor."""
    libraries = [f"{name} {import_module(name).__version__}" for name in ("jax", "jaxlib", "sympy", "numpy")]
    flags = [f"{name}={os.environ.get(name, '')}" for name in ("XLA_FLAGS", "JAX_ENABLE_X64", "JAX_PLATFORMS")]
    return "\n".join([sys.version, platform.machine(), *libraries, *flags, _processor()])


def _processor() -> str:
    """Its model and features as the system lists them for the first core; else its name."""
    wanted = ("vendor_id", "cpu family", "model", "stepping", "flags", "Features")
    try:
        with Path("/proc/cpuinfo").open() as listed:
            lines = []
            for line in listed:
                if not line.strip():
                    break
                if line.split("\t")[0].split(":")[0].strip() in wanted:
                    lines.append(" ".join(line.split()))
            return "\n".join(lines)
    except OSError:
        return platform.processor()


class KeyedDynamics:
    """Dynamics hashed by what they say, so that equal models share compiled kernels."""

    def __init__(self, dynamics: Dynamics) -> None:
        self.dynamics = dynamics
        self.key = dynamics.key

    @property
    def program(self) -> str | None:
        """The right-hand side as text; None where it is a function, which only tracing can tell from another."""
        return self.key if self.dynamics.model.symbolic else None

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KeyedDynamics) and other.key == self.key


def program_text(
    model: Model, outputs: Sequence[str] = (), free: Sequence[str] = (), static: Sequence[object] = ()
) -> str | None:
    """What a kernel of a model closes over, as text for `compiled`; None where the right-hand side is a function.

    Arguments:
        outputs: those that the kernel evaluates. free: parameters that it derives for.
        static: whatever else decides the program, of types whose `repr` says all of them.
    """
    if not model.symbolic:
        return None
    expressions = [sp.srepr(model.output(name).expression) for name in outputs]
    return repr((dynamics_of(model, free).key, tuple(free), tuple(outputs), expressions, tuple(static)))
