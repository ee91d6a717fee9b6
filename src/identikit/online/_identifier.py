"""KalmanIdentifier: states and parameters of a model, estimated sample by sample."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np

from identikit.errors import InputError, ModelError, OptionError, did_you_mean
from identikit.model import Model, library_model
from identikit.online._course import Course
from identikit.online._estimate import Estimate
from identikit.online._saved import read_saved, write_saved
from identikit.online._settings import ONLINE
from identikit.online._setup import Setup
from identikit.online._step import Belief, Constants, filter_step
from identikit.simulation import jax

HOLDS = ("zero_order", "linear")


class KalmanIdentifier:
    """An extended Kalman filter of states and parameters, in square-root form.

    Every `update` takes one sample and gives what is known after it. Intervals may differ from sample to sample,
    outputs may be missing in any of them. A refused sample raises InputError and changes nothing.

    Arguments:
        model: a Model, or the name of one of the library.
        noise: {output: standard deviation}; the outputs that are measured.
        free: parameters to estimate; None = the model's default ones.
        start: {parameter: value} to begin with; None = the model's own values.
        spread: {parameter: standard deviation of its start}; of a positive parameter as a factor, e^spread.
        fix: values of parameters that are not estimated.
        bounds: {parameter: (low, high)} that replace the model's own.
        initial: {state: value, or (value, standard deviation)}; None = the model's example, hardly trusted.
        process: {state: intensity of noise on its rate, in its unit per square root of time}.
        drift: {parameter: how far it drifts in a unit of time's square root}; of a positive parameter as a factor.
        hold: inputs keep their last value until the next sample ("zero_order"), or go straight to it ("linear").

    Not for a last word: it linearises once per sample, and an early mistake is carried along. `identikit.fit` with
    method kalman smooths the same record with all it says at once.
    """

    def __init__(
        self,
        model: Model | str,
        *,
        noise: Mapping[str, float],
        free: Sequence[str] | None = None,
        start: Mapping[str, float] | None = None,
        spread: Mapping[str, float] | None = None,
        fix: Mapping[str, float] | None = None,
        bounds: Mapping[str, tuple[float, float]] | None = None,
        initial: Mapping[str, float | tuple[float, float]] | None = None,
        process: Mapping[str, float] | None = None,
        drift: Mapping[str, float] | None = None,
        hold: str = "zero_order",
    ) -> None:
        found = library_model(model) if isinstance(model, str) else model
        if hold not in HOLDS:
            raise OptionError(f"the hold of inputs must be one of {', '.join(HOLDS)}. Got '{hold}' instead.")
        self._setup = Setup.of(found, noise, free, start, spread, fix, bounds, initial, process, drift, hold)
        self._prepare()
        self._belief = self._setup.belief()
        self._course = Course(inputs=np.array([item.value for item in found.inputs], float))
        self._closed = False

    def _prepare(self) -> None:
        setup = self._setup
        self._constants = Constants(*map(jax().numpy.asarray, setup.constants()))
        self._step = filter_step(setup.model, setup.free, setup.outputs, any(setup.drift))
        self._nothing, self._level = np.full(len(setup.outputs), np.nan), np.zeros(len(setup.model.inputs))

    @property
    def outputs(self) -> tuple[str, ...]:
        """The outputs that are measured, in the order in which values may be given."""
        return self._setup.outputs

    def update(
        self,
        t: float,
        y: Mapping[str, float] | Sequence[float] | np.ndarray | float,
        u: Mapping[str, float] | Sequence[float] | np.ndarray | float | None = None,
    ) -> Estimate:
        """What is known after the sample y, taken at time t.

        Arguments:
            t: later than the sample before.
            y: the measured outputs, by name or in the order of `outputs`; NaN or left out = not measured.
            u: the inputs at t, by name or in the model's order; None = as before.
        """
        if self._closed:
            raise InputError("this identifier was closed and takes no more samples: load it, or make another one")
        time, last = _number(t, "the time of a sample"), self._course
        if last.samples and not time > last.time:
            raise InputError(
                f"the sample at t = {time:g} does not come after the one before it, at t = {last.time:g}: give "
                f"samples in "
                "their order, each once"
            )
        values = _row(y, self.outputs, "outputs", self._nothing, missing=True)
        inputs = (
            last.inputs if u is None else _row(u, self._setup.model.input_names, "inputs", last.inputs, missing=False)
        )
        length = time - last.time if last.samples else 0.0
        held, slope = (last.inputs, self._level) if last.samples else (inputs, self._level)
        if self._setup.hold == "linear" and length > 0:
            slope = (inputs - held) / length
        before = self._belief if last.samples else self._belief._replace(t=np.float64(time))
        steps = min(max(math.ceil(length * last.rate / ONLINE.reach), 1), ONLINE.most_steps)
        belief, told = self._step(before, self._constants, time, steps, values, held, slope)
        numbers = np.asarray(told)
        count, outputs = len(self._setup.names), len(values)
        innovations, expected = numbers[2 * count : 2 * count + outputs], numbers[2 * count + outputs : -1]
        ratios = (innovations / expected)[np.isfinite(values)]
        square = float(ratios @ ratios) / len(ratios) if len(ratios) else math.nan
        if not math.isfinite(float(numbers[: 2 * count].sum())) or (len(ratios) and not math.isfinite(square)):
            raise InputError(
                f"the filter cannot follow the model to t = {time:g}: its states leave all bounds; the sample was not "
                "taken. Give samples more often, a better start, or more noise"
            )
        course = last.after(time, inputs, float(numbers[-1]), square)
        estimate = Estimate(
            time,
            self._setup.names,
            numbers[:count],
            numbers[count : 2 * count],
            self.outputs,
            innovations,
            expected,
            course.nis,
            course.consistent,
            course.samples,
        )
        self._belief, self._course = belief, course
        return estimate

    def close(self) -> None:
        """Take no more samples."""
        self._closed = True

    def save(self, path: str | Path) -> None:
        """Write all that is known to a file, from which `load` goes on as if nothing had happened."""
        if not self._setup.model.symbolic:
            raise ModelError("a model that is a Python function cannot be saved: give its equations as text")
        numbers = {name: np.asarray(value) for name, value in self._belief._asdict().items()}
        write_saved(path, self._setup, numbers | self._course.as_arrays())

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Go on from a file that `save` wrote, to the last bit."""
        setup, numbers = read_saved(path)
        made = cls.__new__(cls)
        made._setup = setup
        made._prepare()
        made._belief = Belief(*(numbers[name] for name in Belief._fields))
        made._course, made._closed = Course.from_arrays(numbers), False
        return made


def _number(value: Any, what: str) -> float:
    try:
        found = float(value)
    except (TypeError, ValueError):
        raise InputError(f"{what} is {value!r}: expected a number") from None
    if not math.isfinite(found):
        raise InputError(f"{what} is {found}: expected a finite number")
    return found


def _row(given: Any, names: Sequence[str], what: str, usual: np.ndarray, missing: bool) -> np.ndarray:
    """Values in the order of `names`; those left out are `usual`, and may be NaN only if they may be `missing`."""
    if isinstance(given, Mapping):
        for name in given:
            if name not in names:
                raise InputError(f"'{name}' is not among the {what}.{did_you_mean(str(name), names)}")
        found = np.array(
            [_value(given[name], name) if name in given else usual[i] for i, name in enumerate(names)], float
        )
    else:
        try:
            found = np.atleast_1d(np.asarray(given, float))
        except (TypeError, ValueError):
            raise InputError(f"the {what} are {given!r}: expected numbers for {', '.join(names)}") from None
        if found.shape != (len(names),):
            raise InputError(
                f"{found.size} values are given for {len(names)} {what} ({', '.join(names) or 'none'}): expected one "
                f"each"
            )
    if np.isinf(found).any() or (not missing and np.isnan(found).any()):
        raise InputError(f"the {what} are {found.tolist()}: expected finite numbers{', or NaN' if missing else ''}")
    return found


def _value(value: Any, name: str) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        raise InputError(f"'{name}' is {value!r}: expected a number") from None
