"""Which modules are changed: those that decide what a user is told, by concern.

Settings (thresholds that were tuned) and code that is traced into kernels are not among them: the former are numbers
that could as well be others, the latter would leave kernels of changed code in the store.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

CONCERNS: dict[str, tuple[str, ...]] = {
    "status": (
        "method._status",
        "method._conclusion",
        "method._misfit",
        "method._residual_check",
        "method._early_end",
        "method._judgement",
        "diagnose._residuals",
    ),
    "noise choice": (
        "likelihood._noise_choice",
        "likelihood._noise_model",
        "likelihood._rounded",
        "method._noise_refit",
        "method._rounding",
        "problem._noise",
    ),
    "bounds": (
        "diagnose._interval",
        "diagnose._degenerate",
        "likelihood._parameter_step",
        "method._estimates",
        "model._parameter",
        "numerics._bounded_least_squares",
        "numerics._inside_bounds",
        "uncertainty._profile_curves",
        "uncertainty._profile_path",
        "uncertainty.profile",
    ),
    "identifiability": (
        "diagnose._combinations",
        "diagnose._identifiability",
        "method._bend",
        "method._canonical",
        "method._flat_directions",
        "numerics._information",
        "structure._analysis",
        "structure._combinations",
    ),
    "parts": (
        "decay._parts",
        "likelihood._parts",
        "likelihood._scores",
        "method._parts_report",
        "method._robustness",
    ),
}

# Functions that say where to look next: on another path the same end is found.
SEARCHES = {
    ("identikit.uncertainty._profile_path", f"ProfilePath.{name}") for name in ("_next_distance", "_outward", "_guess")
}

MODULES = tuple(f"identikit.{name}" for names in CONCERNS.values() for name in names)


def concern_of(module: str) -> str:
    """The concern that a module belongs to."""
    return next(concern for concern, names in CONCERNS.items() if module.removeprefix("identikit.") in names)


@cache
def package_folder() -> Path:
    """Where identikit lies, found without importing it."""
    from importlib.machinery import PathFinder

    spec = PathFinder.find_spec("identikit")
    if spec is None or spec.origin is None:
        raise SystemExit("identikit is not installed: run make setup")
    return Path(spec.origin).parent


def source_path(module: str) -> Path:
    """The file of a module, which need not exist: code moves."""
    return package_folder().joinpath(*module.split(".")[1:]).with_suffix(".py")


def source_of(module: str) -> str:
    return source_path(module).read_text(encoding="utf-8")


def modules() -> tuple[str, ...]:
    """Those that exist."""
    return tuple(module for module in MODULES if source_path(module).exists())
