"""What an identifier is told when it is made, checked, and the belief that it begins with."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from identikit.errors import OptionError, did_you_mean
from identikit.model import Model
from identikit.online._settings import ONLINE
from identikit.online._step import Belief, Constants


@dataclass(frozen=True)
class Setup:
    """All that does not change; tuples are in the order of `outputs`, of the states, or of `free`."""

    model: Model
    outputs: tuple[str, ...]
    sigma: tuple[float, ...]
    free: tuple[str, ...]
    start: tuple[float, ...]
    spread: tuple[float, ...]
    bounds: tuple[tuple[float, float], ...]
    fixed: Mapping[str, float]
    initial: tuple[tuple[float, float], ...]
    process: tuple[float, ...]
    drift: tuple[float, ...]
    hold: str

    @classmethod
    def of(
        cls,
        model: Model,
        noise: Mapping[str, float],
        free: Sequence[str] | None,
        start: Mapping[str, float] | None,
        spread: Mapping[str, float] | None,
        fix: Mapping[str, float] | None,
        bounds: Mapping[str, tuple[float, float]] | None,
        initial: Mapping[str, float | tuple[float, float]] | None,
        process: Mapping[str, float] | None,
        drift: Mapping[str, float] | None,
        hold: str,
    ) -> Setup:
        fixed = dict(fix or {})
        names = tuple(free) if free is not None else tuple(name for name in model.default_free if name not in fixed)
        _known("a parameter", model.parameter_names, [*names, *fixed])
        for what, given in (("start", start), ("spread", spread), ("bounds", bounds), ("drift", drift)):
            _known(f"a free parameter ({what})", names, given or {})
        _known("an output", model.output_names, noise)
        _known("a state", model.state_names, [*(initial or {}), *(process or {})])
        if not noise:
            raise OptionError(
                "no output has a noise level: give the standard deviation of what is measured, {output: std}"
            )
        for what, table, least in (
            ("noise", noise, 1e-300),
            ("process", process or {}, 0.0),
            ("drift", drift or {}, 0.0),
        ):
            for name, value in table.items():
                if not (math.isfinite(value) and value >= least):
                    raise OptionError(
                        f"{what} of '{name}' is {value:g}: expected a number {'above' if least else 'of at least'} zero"
                    )
        limits = tuple((bounds or {}).get(name, model.parameter(name).bounds) for name in names)
        begun = tuple(_start(model, name, start or {}, limit) for name, limit in zip(names, limits, strict=True))
        values = {p.name: fixed.get(p.name, p.value) for p in model.parameters if p.name not in names}
        for name in values:
            if values[name] is None:
                raise OptionError(
                    f"parameter '{name}' is neither free nor fixed and the model gives no value: give it one"
                )
        return cls(
            model,
            tuple(noise),
            tuple(float(value) for value in noise.values()),
            names,
            begun,
            tuple(
                (spread or {}).get(n, _usual_spread(b, limit)) for n, b, limit in zip(names, begun, limits, strict=True)
            ),
            limits,
            {name: float(value) for name, value in values.items() if value is not None},
            tuple(_initial(model, name, initial or {}) for name in model.state_names),
            tuple((process or {}).get(name, 0.0) for name in model.state_names),
            tuple((drift or {}).get(name, 0.0) for name in names),
            hold,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Of what is estimated: states, then parameters."""
        return (*self.model.state_names, *self.free)

    @property
    def logarithmic(self) -> np.ndarray:
        """Which free parameters are positive, and known by their logarithms."""
        return np.array([_positive(value, limits) for value, limits in zip(self.start, self.bounds, strict=True)], bool)

    def constants(self) -> Constants:
        p = np.array([self.fixed.get(name, 1.0) for name in self.model.parameter_names], float)
        limits = np.array(self.bounds, float).reshape(len(self.free), 2)
        levels = (np.array(part, float) for part in (self.process, self.drift, self.sigma))
        return Constants(p, self.logarithmic, limits[:, 0], limits[:, 1], *levels)

    def belief(self) -> Belief:
        """Before the first sample."""
        start = np.array(self.start, float)
        with np.errstate(divide="ignore", invalid="ignore"):
            theta = np.where(self.logarithmic, np.log(start), start)
        x, spread = np.array(self.initial, float).T
        return Belief(np.float64(0.0), x.copy(), theta, np.diag(np.concatenate([spread, self.spread])))


def _known(what: str, names: Sequence[str], given: Mapping[str, object] | Sequence[str]) -> None:
    for name in given:
        if name not in names:
            raise OptionError(f"'{name}' is not {what}.{did_you_mean(name, names)}")


def _start(model: Model, name: str, start: Mapping[str, float], limits: tuple[float, float]) -> float:
    value = start.get(name, model.parameter(name).value)
    if value is None:
        raise OptionError(f"parameter '{name}' has no value to begin with: give a start")
    if not limits[0] <= value <= limits[1]:
        raise OptionError(f"the start of '{name}' is {value:g}, outside its bounds [{limits[0]:g}, {limits[1]:g}]")
    return float(value)


def _positive(value: float, limits: tuple[float, float]) -> bool:
    return limits[0] >= 0 and value > 0


def _usual_spread(value: float, limits: tuple[float, float]) -> float:
    if _positive(value, limits):
        return ONLINE.factor
    width = limits[1] - limits[0]
    return ONLINE.share * width if math.isfinite(width) else max(abs(value), 1.0)


def _initial(model: Model, name: str, given: Mapping[str, float | tuple[float, float]]) -> tuple[float, float]:
    example = model.ready.initial if model.ready else {}
    value = given.get(name, example.get(name, 0.0))
    wrong = OptionError(f"the initial state '{name}' is {value!r}: expected a value, or (value, standard deviation)")
    try:
        mean, std = map(float, value) if isinstance(value, tuple | list) else (float(value), math.nan)
    except (TypeError, ValueError):
        raise wrong from None
    if not isinstance(value, tuple | list):
        std = ONLINE.state_spread * max(abs(mean), 1.0)
    if not (math.isfinite(mean) and math.isfinite(std) and std >= 0):
        raise wrong
    return mean, std
