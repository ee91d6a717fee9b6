"""Likelihood: the one pure object between a problem and everything that estimates.

    l(p) = max over initial states x_0 and noise levels sigma of
           -1/2 sum over measured values of (y - h(x(t; x_0, p)))^2 / sigma^2 + log(2 pi sigma^2)

With x_0 and sigma at their best, dl/dp is the partial derivative alone (the envelope theorem), and the information is
the Schur complement that is left when x_0 is eliminated. Initial states or noise levels that the problem knows are not
maximised over; what it knows roughly of initial states counts as measured. Priors on parameters are not part of it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from identikit.errors import OptionError
from identikit.likelihood._band import Curve
from identikit.likelihood._compression import compress
from identikit.likelihood._heights import with_priors
from identikit.likelihood._preparation import Preparation
from identikit.likelihood._profile import Anchor, Profile, Profiler
from identikit.likelihood._replicates import refitted
from identikit.likelihood._scores import Scores, segment_scores
from identikit.likelihood._settings import LIKELIHOOD
from identikit.measurement import Experiment, Record
from identikit.model import Model
from identikit.numerics import Heights, Summits
from identikit.problem import Problem
from identikit.progress import Progress, silent


class Likelihood:
    """The log-likelihood of a problem as a function of its free parameters alone, in the problem's order.

    The same call gives the same bits, whatever was called before; instances can be pickled, and shared by threads.
    Every method takes one vector [free], or many [n, free] in one compiled call, which is much faster than n calls.
    Where the model cannot be integrated the value is -inf, and the rest NaN.

    Arguments:
        problem: data and equations (`Problem.pose`), or planned times (`Likelihood.planned`).
        near: parameters near those that will be asked for, such as an estimate: evaluations start from the initial
            states that belong to it, which saves most of their time.
        tolerance: integration error per step, relative to the size of each state.

    Not for chaotic motion over many Lyapunov times: there the likelihood is a forest of maxima.
    """

    def __init__(self, problem: Problem, near: Any = None, tolerance: float = LIKELIHOOD.value_tolerance) -> None:
        self.problem = problem
        self.tolerance = tolerance
        self._near = None if near is None else self._checked(near)
        if self._near is not None and self._near.ndim != 1:
            raise OptionError("near: expected one vector of free parameters")

    @classmethod
    def planned(
        cls,
        model: Model,
        times: Any,
        noise: Mapping[str, float],
        parameters: Mapping[str, float] | None = None,
        initial: Mapping[str, float] | Sequence[Mapping[str, float]] | None = None,
        inputs: Mapping[str, str] | None = None,
        **posed: Any,
    ) -> Likelihood:
        """The likelihood of an experiment not yet made: `information` there says what it would tell.

        Arguments:
            times: when measurements would be taken; a list of several such series plans as many records.
            noise: {output: standard deviation}: what would be measured, and how well.
            parameters, initial: what is expected; others are the model's own. A list gives one beginning per record.
            inputs: {input: expression of time}.
            known: {state: value} of states that will be known at the beginning, not only expected; a list likewise.
            posed: further arguments of `Problem.pose`, such as `free`.
        """
        series = [np.asarray(item, float) for item in (times if np.ndim(times[0]) else [times])]
        begun = _one_each(initial, len(series), "initial")
        parameters = {**(parameters or {}), **posed.get("fix", {})}
        records = [
            _planned_record(model, number, *planned, noise, parameters, inputs or {})
            for number, planned in enumerate(zip(series, begun, strict=True), 1)
        ]
        fixed = set(model.parameter_names) - set(posed.get("free") or model.default_free)
        fix = {name: value for name, value in parameters.items() if name in fixed}
        always = {state.name for state in model.states if state.initial is not None}
        known = [
            {**{name: float(value) for name, value in begin.items() if name in always}, **more}
            for begin, more in zip(begun, _one_each(posed.pop("known", None), len(series), "known"), strict=True)
        ]
        problem = Problem.pose(
            model,
            Experiment(tuple(records)),
            noise=noise,
            initial=known,
            inputs=inputs or {},
            fix={**fix, **posed.pop("fix", {})},
            **posed,
        )
        centre = [parameters.get(name, model.parameter(name).value) for name in problem.free]
        return cls(problem, near=None if None in centre else centre)

    def near(self, p: Any) -> Likelihood:
        """The same likelihood, quicker around p."""
        return Likelihood(self.problem, p, self.tolerance)

    # Evaluation

    def value(self, p: Any) -> Any:
        """log L, a number or [n]."""
        return self._values(p, self._at(p, values_only=True))

    def gradient(self, p: Any) -> np.ndarray:
        """d log L/dp [free] or [n, free]."""
        return self._given(p, self._at(p).gradient)

    def value_and_gradient(self, p: Any) -> tuple[Any, np.ndarray]:
        """Both from one evaluation, as optimisers and samplers want them."""
        found = self._at(p)
        return self._values(p, found), self._given(p, found.gradient)

    def expansion(self, p: Any) -> Heights:
        """Value, gradient and information of n vectors [n, free] from one evaluation, priors on parameters counted in:
        what a step uphill is made of."""
        vector = self._checked(p)
        found = self._at(vector)
        information = np.einsum("nij,nik->njk", found.information_rows, found.information_rows)
        return with_priors(self.problem, vector, Heights(self._values(vector, found), found.gradient, information))

    def refitted(self, p: Any, measured: np.ndarray, progress: Progress = silent) -> Summits:
        """The likeliest parameters, priors counted in, of many other data sets, each sought from p [free].

        Arguments:
            measured: [n, samples of all records, outputs] at the record's times, NaN where the record has it too.
        """
        return refitted(self._profiler, self._checked(p), measured, progress)

    def scores(self, p: Any) -> Scores | None:
        """How every segment of the records pulls at the parameters and the initial states at p [free]; None where that
        cannot be told (chaos over many Lyapunov times)."""
        motion = self._profiler.motion(self._checked(p))
        if motion is None:
            return None
        segments = motion.segments
        compressed = compress(motion.evaluation, segments.layout, segments.noise, motion.sigma)
        return segment_scores(compressed, motion.evaluation.transition, segments.layout)

    def residuals(self, p: Any) -> np.ndarray:
        """Measured minus modelled [samples of all records, outputs], in the outputs' units; NaN = not measured."""
        return self._given(p, self._at(p).residual)

    def noise(self, p: Any) -> np.ndarray:
        """Standard deviation [outputs] of the noise: known, or at its best."""
        return self._given(p, self._at(p).sigma)

    def information(self, p: Any) -> np.ndarray:
        """Fisher information [free, free] of the parameters, initial states unknown where the problem says so."""
        rows = self._at(p).information_rows
        return self._given(p, np.einsum("nij,nik->njk", rows, rows))

    def information_rows(self, p: Any) -> np.ndarray:
        """Rows [free, free] whose Gram matrix is the information: they keep the digits that squaring loses."""
        return self._given(p, self._at(p).information_rows)

    def initial_states(self, p: Any) -> np.ndarray:
        """States [records, states] at the beginning of every record, at their best."""
        return self._given(p, self._at(p).nodes[:, self._profiler.layout.first_of_record])

    def curve(self, p: Any, times: Any = None, record: int = 0, covariance: np.ndarray | None = None) -> Curve:
        """What the model says between samples too, with its standard error.

        Arguments:
            times: increasing, within the record; None = evenly over it.
            record: which one.
            covariance: of the free parameters; None = the inverse of the information.
        """
        vector = self._checked(p)
        if not 0 <= record < len(self.problem.records):
            raise OptionError(f"record {record} is asked for: there are {len(self.problem.records)}, counted from 0")
        if vector.ndim != 1:
            raise OptionError("a curve is drawn for one vector of parameters at a time")
        span = self.problem.records[record].time
        grid = np.linspace(span[0], span[-1], LIKELIHOOD.curve_points) if times is None else np.asarray(times, float)
        motion = self._profiler.motion(vector)
        if motion is None:
            blank = np.full((len(grid), len(self.problem.outputs)), np.nan)
            return Curve(
                grid, self.problem.outputs, blank, blank, blank[0], np.full(len(self.problem.model.states), np.nan)
            )
        return motion.curve(record, grid, covariance)

    # Parts

    @cached_property
    def _profiler(self) -> Profiler:
        preparation = Preparation.of(self.problem, None, LIKELIHOOD.segment_length, self.tolerance)
        profiler = Profiler(preparation)
        return profiler if self._near is None else profiler.anchored(Anchor.at(profiler, self._near))

    def _at(self, p: Any, values_only: bool = False) -> Profile:
        vector = self._checked(p)
        return self._profiler.at(vector if vector.ndim > 1 else vector[None], values_only)

    def _values(self, p: Any, found: Profile) -> Any:
        known = self._profiler.segments.noise.log_likelihood(found.residual, found.sigma)
        value = np.where(found.ok, known + found.gain, -np.inf)
        return value if np.ndim(p) > 1 else float(value[0])

    def _checked(self, p: Any) -> np.ndarray:
        vector = np.asarray(p, float)
        empty = vector.ndim == 2 and not len(vector)
        if vector.ndim not in (1, 2) or vector.shape[-1] != len(self.problem.free) or empty:
            raise OptionError(
                f"parameters of shape {vector.shape} are given: expected {len(self.problem.free)} values "
                f"({', '.join(self.problem.free)}), or rows of them"
            )
        return vector

    def _given(self, p: Any, found: np.ndarray) -> np.ndarray:
        return found if np.ndim(p) > 1 else found[0]

    def __getstate__(self) -> dict[str, Any]:
        """What is derived is derived again where it is needed: compiled kernels cannot travel."""
        return {"problem": self.problem, "tolerance": self.tolerance, "_near": self._near}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self.__dict__.update(state)

    def __repr__(self) -> str:
        return (
            f"<Likelihood of {self.problem.model.name}: {', '.join(self.problem.free)}; {self.problem.samples} values>"
        )


def _one_each(
    given: Mapping[str, float] | Sequence[Mapping[str, float]] | None, count: int, what: str
) -> list[Mapping[str, float]]:
    """One mapping per record, from one for all of them or a list."""
    if given is None or isinstance(given, Mapping):
        return [given or {}] * count
    if len(given) != count:
        raise OptionError(f"{what}: {len(given)} are given for {count} planned records: expected one for each")
    return list(given)


def _planned_record(
    model: Model,
    number: int,
    times: np.ndarray,
    initial: Mapping[str, float],
    noise: Mapping[str, float],
    parameters: Mapping[str, float],
    inputs: Mapping[str, str],
) -> Record:
    """What would be measured, without noise."""
    from identikit.simulation import simulate, stepped

    steps = stepped(model, inputs) if inputs else None
    driven = model if steps is not None else model.with_input_expressions(inputs)
    motion = simulate(driven, times, parameters, initial, steps)
    unknown = [name for name in noise if name not in motion.outputs]
    if unknown:
        raise OptionError(f"noise is given for '{unknown[0]}', which is not an output of '{model.name}'")
    return Record.from_arrays(motion.time, {name: motion.outputs[name] for name in noise}, name=f"planned {number}")
