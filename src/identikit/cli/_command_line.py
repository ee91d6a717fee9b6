"""What to type to ask a saved question again: the options for its fields."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from identikit.cli.compare import ALL

if TYPE_CHECKING:
    from identikit.result import Saved

_DOORS = {"Result": "fit", "DampingReport": "damping", "ComparisonReport": "compare"}  # whose questions are whole

_BESIDES = {"methods", "truth", "method_options", "held_out", "time_limit"}  # what a comparison is told besides


def command_of(answer: Saved, saved: str) -> str:
    """The line that asks the same; for a fit whose question options cannot say, one that reads it from `saved`.

    Empty where the document does not hold all that was asked.
    """
    door, question = _DOORS.get(type(answer).__name__), getattr(answer, "question", None)
    if door is None or not question or getattr(answer, "is_discovery", False):
        return ""
    words = _options(question)
    besides = _compared(answer.provenance.get("asked")) if door == "compare" else []
    if words is not None and besides is not None:
        return shlex.join(["identikit", door, *words, *besides])
    return shlex.join(["identikit", "fit", "--again", saved]) if door == "fit" else ""


def _compared(asked: Any) -> list[str] | None:
    """What a comparison was told besides its question; None where it was not saved."""
    if not isinstance(asked, Mapping) or not set(asked) >= _BESIDES:
        return None
    methods = [asked["methods"]] if isinstance(asked["methods"], str) else asked["methods"]
    options = {
        f"{method}.{name}": value for method, own in asked["method_options"].items() for name, value in own.items()
    }
    return [
        *([] if methods == [ALL] else ["--methods", ",".join(methods)]),
        *_pairs("--truth", asked["truth"]),
        *_pairs("--option", options),
        *([] if asked["held_out"] else ["--no-held-out"]),
        *("--time-limit", str(asked["time_limit"])),
    ]


def _options(question: Mapping[str, Any]) -> list[str] | None:
    """Files and options; None where something has no option."""
    data, model = question.get("data"), question.get("model")
    files = [data] if isinstance(data, str) else data
    if not isinstance(files, Sequence) or not files:
        return None
    words = [str(path) for path in files]
    if isinstance(model, str) and "\n" not in model:
        words += ["--model", model]
    elif model is not None:
        return None
    for name, value in question.items():
        if name in ("data", "model"):
            continue
        if name not in _WRITERS:
            return None
        said = _WRITERS[name](value)
        if said is None:
            return None
        words += said
    return words


def _pairs(option: str, values: Mapping[str, Any]) -> list[str]:
    return [option, *(f"{name}={value}" for name, value in values.items())] if values else []


def _plain(option: str) -> Callable[[Any], list[str]]:
    return lambda value: [option, str(value)]


def _named(option: str) -> Callable[[Any], list[str]]:
    return lambda value: _pairs(option, value)


def _listed(option: str) -> Callable[[Any], list[str]]:
    return lambda value: [option, ",".join(map(str, value))]


def _range(ends: Sequence[float | None]) -> str:
    return ":".join("" if end is None else str(end) for end in ends)


def _initial(value: Any) -> list[str] | None:
    if value == "example":
        return ["--known-initial"]
    if not isinstance(value, Mapping):
        return None  # one for each record
    known = {name: item for name, item in value.items() if isinstance(item, int | float | str)}
    bounds = {name: _range(item) for name, item in value.items() if isinstance(item, list | tuple)}
    rough = {
        name: _range([item["value"], item["std"]])
        for name, item in value.items()
        if isinstance(item, Mapping) and item.keys() == {"value", "std"}
    }
    if len(known) + len(bounds) + len(rough) < len(value):
        return None
    return _pairs("--initial", known) + _pairs("--initial-bounds", bounds) + _pairs("--initial-prior", rough)


def _noise(value: Any) -> list[str] | None:
    if not isinstance(value, Mapping) or any(isinstance(item, Mapping) for item in value.values()):
        return None
    return ["--noise", *(str(item) if name == "*" else f"{name}={item}" for name, item in value.items())]


_WRITERS: dict[str, Callable[[Any], list[str] | None]] = {
    "time": _plain("--time"),
    "segments": _plain("--segments"),
    "units": _named("--unit"),
    "columns": _listed("--columns"),
    "rate": _plain("--rate"),
    "dt": _plain("--dt"),
    "sheet": lambda value: [word for name in value for word in ("--sheet", str(name))],
    "decimal": _plain("--decimal"),
    "long": _listed("--long"),
    "trim": lambda value: ["--trim", _range(value)],
    "outputs": _named("--map"),
    "inputs": _named("--input"),
    "hold": _plain("--hold"),
    "unwrap": lambda value: [] if value else ["--no-unwrap"],
    "before": _named("--before"),
    "gaps": _plain("--gaps"),
    "free": _listed("--free"),
    "fix": _named("--fix"),
    "start": _named("--start"),
    "bounds": lambda value: _pairs("--bounds", {name: _range(ends) for name, ends in value.items()}),
    "priors": lambda value: _pairs("--prior", {name: _range(normal) for name, normal in value.items()}),
    "initial": _initial,
    "noise": _noise,
    "method": _plain("--method"),
    "options": _named("--option"),
    "uncertainty": _plain("--uncertainty"),
    "uncertainty_options": _named("--uncertainty-option"),
    "seed": _plain("--seed"),
    "smooth_friction": _plain("--smooth-friction"),
}
