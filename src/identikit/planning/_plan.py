"""Plan: one experiment that could be made, with everything that has to be known to make and to judge it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from identikit.errors import OptionError, did_you_mean
from identikit.likelihood import Likelihood
from identikit.measurement import Experiment
from identikit.model import Model, Output, symbol
from identikit.problem import Problem
from identikit.simulation import Pieces, simulate, stepped, synthesize


@dataclass(frozen=True)
class Run:
    """One record: where it begins, and when it is sampled (from zero on, increasing)."""

    initial: Mapping[str, float]
    times: np.ndarray

    @property
    def duration(self) -> float:
        return float(self.times[-1])


@dataclass(frozen=True)
class Plan:
    """Runs with the same sensors, inputs and settings.

    Arguments:
        parameters: expected values of all parameters of the model, what the experimenter sets among them.
        free: parameters that are to be estimated.
        noise: {output: standard deviation} of all that is measured.
        inputs: {input: expression of time}.
        known: states that will be known when a run begins.
    """

    model: Model
    free: tuple[str, ...]
    parameters: Mapping[str, float]
    noise: Mapping[str, float]
    runs: tuple[Run, ...]
    inputs: Mapping[str, str]
    known: tuple[str, ...] = ()

    @property
    def samples(self) -> int:
        return sum(len(run.times) for run in self.runs)

    def thinned(self, samples: int) -> Plan:
        """The same experiment with no more than so many samples, spread evenly over the same time."""
        if self.samples <= samples:
            return self
        # a run needs more samples than it has unknown states: of many runs only some can be kept
        kept = self.runs[: max(samples // (len(self.model.states) + 1), 1)]
        share = samples // len(kept)
        runs = [replace(run, times=np.linspace(0.0, run.duration, min(share, len(run.times)))) for run in kept]
        return replace(self, runs=tuple(runs))

    @property
    def fewest_samples(self) -> int:
        """As many as are needed for so many unknowns: two for each."""
        return 2 * (len(self.free) + len(self.model.states))

    @property
    def bounds(self) -> dict[str, tuple[float, float]]:
        """Of the free parameters."""
        return {name: self.model.parameter(name).bounds for name in self.free}

    @property
    def centre(self) -> np.ndarray:
        """Expected values of the free parameters."""
        return np.array([self.parameters[name] for name in self.free])

    @property
    def driven(self) -> tuple[Model, Pieces | None]:
        """What is simulated: inputs that step as pieces, others written into the equations."""
        steps = stepped(self.model, self.inputs) if self.inputs else None
        return (self.model, steps) if steps is not None else (self.model.with_input_expressions(self.inputs), None)

    def likelihood(self) -> Likelihood:
        """What the experiment would tell."""
        return Likelihood.planned(
            self.model,
            [run.times for run in self.runs],
            self.noise,
            self.parameters,
            [run.initial for run in self.runs],
            self.inputs,
            free=self.free,
            known=self._known(),
        )

    def simulated(self, seed: int) -> Problem:
        """The problem that the experiment would pose: neither the noise level nor where to start is told."""
        driven, steps = self.driven
        random = np.random.SeedSequence(seed).generate_state(len(self.runs))
        records = []
        for number, (run, own) in enumerate(zip(self.runs, random, strict=True), 1):
            motion = simulate(driven, run.times, self.parameters, run.initial, steps)
            motion = replace(motion, outputs={name: motion.outputs[name] for name in self.noise}, inputs={})
            made = synthesize(driven, motion, self.noise, seed=int(own))
            records.append(replace(made, name=f"run {number}"))
        return Problem.pose(
            self.model,
            Experiment(tuple(records)),
            free=self.free,
            fix={name: value for name, value in self.parameters.items() if name not in self.free},
            noise=dict.fromkeys(self.noise, "white"),
            inputs=self.inputs,
            initial=self._known(),
        )

    def _known(self) -> list[dict[str, float]]:
        return [{name: float(run.initial[name]) for name in self.known} for run in self.runs]


def with_sensors(model: Model, names: Mapping[str, float]) -> Model:
    """The model with states among its outputs that are not yet measured."""
    added = []
    for name in names:
        if name in model.output_names:
            continue
        if name not in model.state_names:
            known = dict.fromkeys((*model.output_names, *model.state_names))
            raise OptionError(f"model '{model.name}' has no output or state '{name}'.{did_you_mean(name, known)}")
        added.append(Output(name, symbol(name), next(s.unit for s in model.states if s.name == name)))
    return replace(model, outputs=(*model.outputs, *added)) if added else model
