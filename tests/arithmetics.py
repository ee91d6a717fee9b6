"""The arithmetics that no outcome may hang on: this processor's own, three others', and one beside the starts.

    python tests/arithmetics.py                               # the table, and which of them this processor has
    python tests/arithmetics.py nehalem -- COMMAND ...        # run a command in one of them, with a store of its own
    python tests/arithmetics.py nehalem+beside -- COMMAND ... # in two at once
    python tests/arithmetics.py --used                        # what NumPy, BLAS, XLA and libm use in this environment

Each is a set of environment variables, which have to stand before NumPy is imported; so a command is run in a new
process. It begins with an empty kernel store, unless `--store DIR` names one.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

PERTURBATION = "IDENTIKIT_TEST_PERTURB"
STORE = "IDENTIKIT_CACHE"
NUMPY = "NPY_DISABLE_CPU_FEATURES"


@dataclass(frozen=True)
class Arithmetic:
    """One way to compute.

    Arguments:
        meaning: whose it is, in words.
        variables: of the environment.
        without: what NumPy has to do without, of the sets of instructions that it chooses among; "all" of them.
        needs: a flag of the processor, as Linux calls it, without which the arithmetic cannot be had.
    """

    meaning: str
    variables: Mapping[str, str] = field(default_factory=dict)
    without: tuple[str, ...] = ()
    needs: str = ""

    @property
    def missing(self) -> str:
        """The flag that this processor lacks; empty if it can compute so."""
        return self.needs if self.needs and self.needs not in processor_flags() else ""

    def environment(self) -> dict[str, str]:
        """The variables, with what NumPy calls the sets of instructions that it has here."""
        names = [name for name in numpy_dispatch() if "all" in self.without or name.startswith(self.without)]
        return {**self.variables, **({NUMPY: " ".join(names)} if self.without and names else {})}


ARITHMETICS: dict[str, Arithmetic] = {
    "native": Arithmetic("this processor's own"),
    "haswell": Arithmetic(
        "AVX2 and FMA, no AVX-512 anywhere",
        {"OPENBLAS_CORETYPE": "Haswell", "XLA_FLAGS": "--xla_cpu_max_isa=AVX2"},
        without=("X86_V4", "AVX512"),
        needs="avx2",
    ),
    "skylakex": Arithmetic(
        "AVX-512, in XLA too",
        {
            "OPENBLAS_CORETYPE": "SkylakeX",
            "XLA_FLAGS": "--xla_cpu_max_isa=AVX512 --xla_cpu_prefer_vector_width=512",
        },
        needs="avx512f",
    ),
    "nehalem": Arithmetic(
        "SSE 4.2, without FMA in BLAS, XLA, NumPy and libm",
        {
            "OPENBLAS_CORETYPE": "Nehalem",
            "XLA_FLAGS": "--xla_cpu_max_isa=SSE4_2",
            "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F",
        },
        without=("all",),
    ),
    "beside": Arithmetic("this processor's own, every motion started 1e-12 beside", {PERTURBATION: "1e-12"}),
}


def processor_flags() -> frozenset[str]:
    """What Linux says that the processor can do; nothing on another system."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return frozenset()
    lines = (line.split(":", 1)[1] for line in text.splitlines() if line.startswith("flags"))
    return frozenset(next(lines, "").split())


def numpy_dispatch() -> tuple[str, ...]:
    """The sets of instructions that NumPy has found here and would use, were nothing switched off."""
    code = "import sys; sys.path.insert(0, sys.argv[1]); import arithmetics; print(*arithmetics.numpy_in_use())"
    words = [sys.executable, "-c", code, str(Path(__file__).parent)]
    environment = {name: value for name, value in os.environ.items() if name != NUMPY}
    return tuple(subprocess.run(words, env=environment, check=True, capture_output=True, text=True).stdout.split())


def numpy_in_use() -> tuple[str, ...]:
    """The sets of instructions above its lowest that NumPy uses in this process."""
    import numpy as np

    core = importlib.import_module(f"numpy.{'_core' if np.__version__ >= '2' else 'core'}._multiarray_umath")
    return tuple(name for name in core.__cpu_dispatch__ if core.__cpu_features__[name])


def environment_of(names: str) -> dict[str, str]:
    """The whole environment for one arithmetic, or several joined by `+`; nothing of any other is left in it."""
    chosen = [find(name) for name in names.split("+")]
    every = {key for item in ARITHMETICS.values() for key in item.variables} | {NUMPY}
    kept = {key: value for key, value in os.environ.items() if key not in every}
    for item in chosen:
        kept |= item.environment()
    return kept


def find(name: str) -> Arithmetic:
    """The arithmetic of that name; ends the program where there is none, or this processor does not have it."""
    if name not in ARITHMETICS:
        raise SystemExit(f"there is no arithmetic '{name}': expected one of {', '.join(ARITHMETICS)}, or two with a +")
    if ARITHMETICS[name].missing:
        raise SystemExit(f"this processor has no {ARITHMETICS[name].missing}, which the arithmetic '{name}' needs")
    return ARITHMETICS[name]


def used() -> str:
    """What this process computes with: as the libraries say, and as shown by the last bits of what they compute."""
    import numpy as np
    import scipy.linalg  # noqa: F401 - brings a BLAS of its own
    from threadpoolctl import threadpool_info

    os.environ.setdefault("JAX_PLATFORMS", "cpu")
    jax: Any = importlib.import_module("jax")
    jax.config.update("jax_enable_x64", True)
    grid = np.linspace(0.1, 9.0, 4099)
    square = np.sin(np.outer(grid[:256], grid[:256]))

    def program(x: Any) -> Any:
        curve = jax.numpy.sin(x) * jax.numpy.exp(-x) + x * x * x / 3.0 - x**1.7
        return jax.numpy.append(jax.numpy.cumsum(curve), jax.numpy.stack([jax.numpy.sum(curve), curve @ x]))

    plain = [f(x) for x in map(float, grid) for f in (math.sin, math.exp, lambda x: x**1.7)]
    bits = {
        "libm": _bits(np.array(plain)),
        "NumPy": _bits(np.concatenate([np.sin(grid), np.exp(grid), np.log(grid), grid**1.7, np.cumsum(grid)])),
        "BLAS": _bits(square @ square),
        "LAPACK": _bits(np.linalg.solve(square + 300 * np.eye(256), grid[:256])),
        "XLA": _bits(np.asarray(jax.jit(program)(grid))),
    }
    pools = {f"{item['internal_api']} {item.get('architecture', '')}".strip() for item in threadpool_info()}
    lines = [
        f"NumPy {np.__version__} beyond its lowest: {' '.join(numpy_in_use()) or 'nothing'}",
        f"threadpool_info: {', '.join(sorted(pools))}",
        f"XLA_FLAGS: {os.environ.get('XLA_FLAGS', 'none')}",
        f"GLIBC_TUNABLES: {os.environ.get('GLIBC_TUNABLES', 'none')}",
        f"starts beside by {os.environ.get(PERTURBATION, '0')}",
        f"kernels kept in {os.environ.get(STORE, 'the usual place')}",
        f"last bits: {', '.join(f'{name} {value}' for name, value in bits.items())}",
    ]
    return "\n".join(lines)


def _bits(values: Any) -> str:
    return hashlib.sha256(values.tobytes()).hexdigest()[:8]


def run(names: str, command: list[str], store: Path | None = None) -> int:
    """Run a command in an arithmetic, after saying what is used; returns its exit code."""
    with tempfile.TemporaryDirectory(prefix="kernels-") as empty:
        environment = {**environment_of(names), STORE: str(store or empty)}
        print(f"arithmetic {names}: {'; '.join(find(name).meaning for name in names.split('+'))}", flush=True)
        subprocess.run([sys.executable, __file__, "--used"], env=environment, check=True)
        return subprocess.run(command, env=environment, check=False).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", nargs="?", metavar="NAME", help=f"{', '.join(ARITHMETICS)}, or two joined by a +")
    parser.add_argument("--used", action="store_true", help="what this environment computes with")
    parser.add_argument("--store", type=Path, metavar="DIR", help="where kernels are kept; else an empty folder")
    words = sys.argv[1:]
    own, command = (words[: words.index("--")], words[words.index("--") + 1 :]) if "--" in words else (words, [])
    asked = parser.parse_args(own)
    if asked.used:
        print(used())
        return 0
    if asked.name is None:
        for name, item in ARITHMETICS.items():
            print(f"{name:10} {item.meaning}{f' (not here: no {item.missing})' if item.missing else ''}")
        return 0
    return run(asked.name, command or [sys.executable, "-c", ""], asked.store)


if __name__ == "__main__":
    sys.exit(main())
