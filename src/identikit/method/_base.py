"""The contract every method keeps. Adding one: docs/adding-a-method.md."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, ClassVar, Protocol

from identikit.likelihood import LIKELIHOOD
from identikit.method._early_end import marked_stopped, not_applicable, without_process_noise, without_values
from identikit.method._hold_choice import with_hold
from identikit.method._option import Option, resolved
from identikit.method._settings import BEND, JUDGEMENT, TWIN
from identikit.method._variant import Variant
from identikit.numerics import single_threaded
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress, silent
from identikit.result import Finding, Result, finding

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


class ObjectionError(Exception):
    """Raised where a form of the equations cannot be made; `finding` says why, and what would help."""

    def __init__(self, found: Finding) -> None:
        super().__init__(found.text)
        self.finding = found


def needs_equations(problem: Problem) -> list[Finding]:
    """The objection of methods that work on the equations to a model that is a function."""
    if problem.model.symbolic:
        return []
    text = "the model is a function, not equations: give it as text or SymPy, or use shooting with starting values"
    return [finding("needs_symbolic_equations", text)]


def not_measured(states: Sequence[str], advice: str) -> Finding:
    """The objection that states are missing; `advice` says what to measure."""
    text = (
        f"the state{'s' if len(states) > 1 else ''} {', '.join(states)} can neither be measured nor derived from what "
        f"is measured: {advice}, or use shooting"
    )
    return finding("state_not_measured", text, *states)


def not_used(parameters: Sequence[str], where: str) -> Finding:
    """The objection that free parameters do not occur `where` they would have to."""
    text = f"{', '.join(parameters)} does not appear in {where}: fix it, or use shooting"
    return finding("parameter_unused", text, *parameters)


def no_motion() -> Finding:
    """The objection to a record that holds nothing but noise."""
    return finding("no_motion", "the record shows no motion above its noise: nothing can be learnt from it")


def fewest_samples(problem: Problem) -> int:
    """Measured values that the free parameters and initial states of a problem ask for."""
    return len(problem.free) + len(problem.model.states) * len(problem.records) + JUDGEMENT.fewest_spare


def too_few_samples(problem: Problem) -> list[Finding]:
    """The objection every method has to a record that is shorter than its unknowns are many."""
    fewest = fewest_samples(problem)
    if problem.samples >= fewest:
        return []
    text = (
        f"{problem.samples} measured values for {fewest - JUDGEMENT.fewest_spare} unknowns (parameters and initial "
        f"states): at least {fewest} are needed; measure more, or fix parameters"
    )
    return [finding("too_few_samples", text, *problem.outputs)]


class Need(StrEnum):
    """What a method asks of a problem beyond enough samples: to choose by, before anything is computed.

    `objections` has the last word about a problem; a need says in advance what they will be about.
    """

    EQUATIONS = "symbolic equations"  # text or SymPy, not a function
    ALL_STATES = "all states measured or derivable"  # derivable: from the outputs and their derivatives
    MEASURED_STATES = "all states measured"
    SECOND_ORDER = "second order"  # states in pairs x' = v, v' = a
    ONE_DEGREE = "one degree of freedom"  # one such pair
    FREE_DECAY = "free decay"  # one oscillation that dies out
    LINEAR = "linear system"  # x' = A x with constant A


class Cost(StrEnum):
    """How long a fit of some thousand samples of two or three states takes on one core, compilation included."""

    INSTANT = "instant"  # a second or less
    SECONDS = "seconds"
    MINUTES = "minutes"


class Method(ABC):
    """Turns a problem into a result, or says why it does not apply.

    `extra` names the optional dependencies that it is installed with: pip install 'identikit[extra]'; empty = none.
    `settings` are frozen records of chosen numbers, its own and those of what it builds on; results echo them. Those
    that every result is judged with are given: settings = (OWN, *Method.settings).
    `identifies` is False for a published method whose estimates do not rest on the record: it is there to be compared
    with, says so in every result, and never ends `ok`.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    reference: ClassVar[str]
    options: ClassVar[tuple[Option, ...]] = ()
    needs: ClassVar[tuple[Need, ...]] = ()
    costs: ClassVar[Cost] = Cost.SECONDS
    extra: ClassVar[str] = ""
    process_noise: ClassVar[bool] = False  # whether it counts with noise on the rates of states
    identifies: ClassVar[bool] = True
    likeliest: ClassVar[bool] = False  # whether its estimate is where the likelihood is largest
    settings: ClassVar[tuple[DataclassInstance, ...]] = (LIKELIHOOD, JUDGEMENT, TWIN, BEND)

    @abstractmethod
    def objections(self, problem: Problem) -> list[Finding]:
        """Empty if the method applies; otherwise what is missing and what would help, one refusal each."""

    @abstractmethod
    def estimate(
        self, problem: Problem, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        """Estimate the free parameters. `options` have been through `resolve_options`.

        `progress` is told often where the work is; where it answers False, or `poll` raises `Cancelled` inside, the
        best so far is returned if there is one.
        """

    def run(
        self, problem: Problem, *, options: Mapping[str, Any], seed: int = 0, progress: Progress = silent
    ) -> Result:
        """`objections`, then `estimate`: a result also if the method does not apply or was stopped."""
        progress = progress.of(problem.free)
        progress(0.0, "looking whether the method applies")
        try:
            objections = self.objections(problem)
            if objections:
                return not_applicable(problem, self.name, objections, options, seed)

            def estimate(posed: Problem, part: Progress) -> Result:
                with single_threaded():
                    return self.estimate(posed, options=options, seed=seed, progress=part)

            result = with_hold(problem, estimate, progress) if problem.holds else estimate(problem, progress)
            if not self.process_noise:
                result = without_process_noise(problem, result)
        except Cancelled:
            return without_values(problem, self.name, options, seed)
        if progress.stopped:
            return marked_stopped(result)
        progress.stage("done", 1.0, 1.0, "done")
        return result

    @classmethod
    def resolve_options(cls, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """All options with the given ones checked and put in."""
        return resolved(cls.options, given, f"Method {cls.name}", cls.name)

    @classmethod
    def variant(cls, name: str, options: Mapping[str, Any]) -> Variant | None:
        """What another package brings for the value of the option `name`; None where it is the method's own."""
        return next(option.variant(options[name], cls.name) for option in cls.options if option.name == name)

    @classmethod
    def as_dict(cls) -> dict[str, Any]:
        """JSON-able description, as `identikit methods --json` prints it."""
        return {
            "name": cls.name,
            "title": cls.title,
            "reference": cls.reference,
            "needs": [need.value for need in cls.needs],
            "costs": cls.costs.value,
            "extra": cls.extra,
            "identifies": cls.identifies,
            "options": {one.name: one.as_dict() for option in cls.options for one in option.listed(cls.name)},
        }


class Discoverer(Protocol):
    """Finds equations for a problem; a row of `DISCOVERERS` makes it an engine of the front door `discover`."""

    name: str

    def resolve_options(self, given: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """All options with the given ones checked and put in."""

    def discover(
        self, problem: Problem, *, known: bool, options: Mapping[str, Any], seed: int, progress: Progress
    ) -> Result:
        """The law: parameters are its constants, `discovered` is it as a model file.

        Arguments:
            problem: states, inputs and records. Of equations that are not known every right-hand side is one free
                constant, which stands for whatever is to be found.
            known: the problem's equations are known, and only what they lack is sought.
        """
