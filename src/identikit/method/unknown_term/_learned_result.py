"""The result of a learned term: the model's own parameters and the curve, or the law with a formula in its place."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from identikit.likelihood import Layout, Preparation
from identikit.method._early_end import provenance
from identikit.method._judgement import judge
from identikit.method._report import MethodReport, law_artifact
from identikit.method._status import STOPPED
from identikit.method.network._training import training_artifacts
from identikit.method.shooting import Shooting
from identikit.method.sparse._held_out import held_out
from identikit.method.sparse._law_report import TERM_COLUMNS, rivals_table
from identikit.method.sparse._settings import SPARSE
from identikit.method.unknown_term._learned_curve import curve_artifacts, network_artifact
from identikit.method.unknown_term._settings import NEURAL_ODE
from identikit.method.unknown_term._term_formula import TermFormula, fits_as_well, law_problem
from identikit.method.unknown_term._term_training import TrainedTerm
from identikit.model import Model, symbol, to_text
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress
from identikit.result import Ending, Finding, ParameterEstimate, Result, Verdict, finding, ranked

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

NOT_SETTLED = Verdict(
    Ending.FAILED,
    (
        finding(
            "not_settled",
            "the training did not settle: the rest of the equations may not describe the record; look at the plot, "
            "give starting values, or fix parameters you know",
        ),
    ),
)


@dataclass(frozen=True)
class LearnedTerm:
    """A trained network, the formulas for it, best first, and what was asked."""

    problem: Problem
    preparation: Preparation
    trained: TrainedTerm
    formulas: tuple[TermFormula, ...]
    method: str
    options: Mapping[str, Any]
    seed: int
    settings: tuple[DataclassInstance, ...]
    begun: float  # on the performance counter
    started: float

    @property
    def formula(self) -> TermFormula | None:
        """The best one, if its trajectory is as good as the network's."""
        if not self.formulas or not fits_as_well(self.trained, self.formulas[0]):
            return None
        return self.formulas[0]

    @property
    def law(self) -> Model:
        """The equations with the formula, or with the network if there is none, and all values put in."""
        if self.formula is not None:
            return self.formula.model
        trained = self.trained
        model = trained.network.model(self.problem.model, trained.weights)
        own = dict(zip(trained.problem.free[: trained.own], map(float, trained.outcome.p), strict=False))
        return replace(model, parameters=tuple(replace(p, value=own.get(p.name, p.value)) for p in model.parameters))

    @property
    def artifacts(self) -> dict[str, dict[str, Any]]:
        trained = self.trained
        known = trained.problem.fixed_at(dict(zip(trained.network.weights, trained.weights, strict=True)))
        return {
            **curve_artifacts(trained, None if self.formula is None else self.formula.with_numbers),
            **network_artifact(trained),
            **training_artifacts(known, trained.history, physics="gaps"),
        }

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What is to say of the formula."""
        name = self.trained.network.term.name
        if self.formula is not None:
            text = f"the learned {name} is {to_text(self.formula.with_numbers)}, which fits as well as the network"
            return (finding("formula_found", text),)
        if self.formulas:
            text = (
                f"the best formula for the learned {name}, {to_text(self.formulas[0].with_numbers)}, fits the record "
                "worse than the network: the law has the network in it"
            )
            return (finding("formula_fits_worse", text),)
        return (finding("no_formula", f"no formula for the learned {name}: the law has the network in it"),)

    @property
    def told(self) -> dict[str, Any]:
        """For the diagnostics."""
        trained = self.trained
        return {
            "unknown": {
                "phrase": trained.network.term.phrase,
                "weights": len(trained.network.weights),
                "determined": trained.determined,
                "prior": trained.spread,
                "inflation": trained.inflation,
                "visited": {name: list(ends) for name, ends in trained.network.visited.items()},
                "formulas": [to_text(item.with_numbers) for item in self.formulas],
            }
        }

    def seconds(self) -> dict[str, float]:
        now = time.perf_counter()
        return {"total": now - self.begun, "start": self.started - self.begun, "solve": now - self.started}


def network_result(learned: LearnedTerm, progress: Progress) -> Result:
    """The model's own parameters with the network in the term's place, judged by their trajectory; the parameters of
    the term itself have no values."""
    trained, problem = learned.trained, learned.problem
    known = trained.problem.fixed_at(dict(zip(trained.network.weights, trained.weights, strict=True)))
    # once it has settled, its trajectory is what is judged, as that of any fit
    verdict = STOPPED if trained.outcome.stopped else None if trained.settled else NOT_SETTLED
    deviation = np.sqrt(np.diag(trained.covariance))[: trained.own]
    given = MethodReport(
        learned.method,
        learned.seconds(),
        learned.options,
        learned.seed,
        deviation=deviation,
        diagnostics=learned.told,
        artifacts=learned.artifacts,
        verdict=verdict,
        findings=(*learned.findings, *_rest_left_out(learned)),
        history=False,
    )

    def states(layout: Layout, guessed: np.ndarray) -> np.ndarray:
        return trained.outcome.nodes if trained.outcome.nodes.shape == guessed.shape else guessed

    result = judge(known, None, trained.outcome.p[: trained.own], given, progress, states=states)
    note = f"part of the unknown {trained.network.term.name}, which was learnt as a curve"
    parameters = {}
    for item in problem.model.parameters:
        if item.name in result.parameters:
            parameters[item.name] = result.parameters[item.name]
        elif item.name in problem.free:
            parameters[item.name] = ParameterEstimate(None, item.unit, note=note)
        else:
            parameters[item.name] = ParameterEstimate(
                problem.fixed[item.name], item.unit, role="fixed", note="not used"
            )
    return replace(
        result,
        model=problem.model.name,
        parameters=parameters,
        discovered=learned.law.to_toml() if trained.settled else None,
        findings=ranked((*result.findings, *_standing_in(result, parameters))),
    )


def law_result(learned: LearnedTerm, progress: Progress) -> Result:
    """The law with its formula: constants refined by `shooting` on all that moves; as `network_result` where no
    formula is as good as the network."""
    formula = learned.formula
    if formula is None:
        result = network_result(learned, progress)
        return result if result.discovered is None else _with(result, law_artifact(learned.law))
    # where it came to rest, many sets of constants fit as well, and lead a fit astray: the motion tells the law
    moving = learned.problem.with_records(learned.trained.problem.records)
    posed = law_problem(moving, learned.trained, formula.model)
    values = {item.name: item.value for item in formula.model.parameters}
    start = {name: value for name in posed.free if (value := values[name]) is not None}
    method = Shooting()
    shot = method.estimate(
        replace(posed, start=start),
        options=method.resolve_options(),
        seed=learned.seed,
        progress=progress.part(0.0, 0.8, "refining").of(posed.free),
    )
    found = [shot.parameters[name].value for name in posed.free]
    prediction: dict[str, dict[str, float]] = {}
    if all(value is not None for value in found) and not progress.stopped:
        judging = progress.stage("judging", 0.8, 1.0, "predicting the end of the record from its beginning")
        try:
            prediction = held_out(posed, np.array(found, float), judging, NEURAL_ODE.predicted_rounds)
        except Cancelled:
            prediction = {}
    settled = tuple(
        replace(p, value=p.value if (value := shot.parameters[p.name].value) is None else value)
        for p in formula.model.parameters
    )
    law = replace(formula.model, parameters=settled)
    result = replace(
        shot,
        method=learned.method,
        diagnostics={**shot.diagnostics, **learned.told, "held_out": prediction, "held_out_after": SPARSE.held_out},
        seconds=learned.seconds(),
        provenance=provenance(learned.problem, learned.options, learned.seed, learned.settings),
        findings=ranked((*shot.findings, *learned.findings, *_rest_left_out(learned))),
        discovered=law.to_toml(),
    )
    return _with(result, learned.artifacts | law_artifact(law) | _terms(learned, formula, shot) | _rivals(learned))


def _with(result: Result, artifacts: Mapping[str, dict[str, Any]]) -> Result:
    return replace(result, artifacts={**result.artifacts, **artifacts})


def _terms(learned: LearnedTerm, formula: TermFormula, shot: Result) -> dict[str, dict[str, Any]]:
    """The constants of the formula, each with the function that it is a factor of, or by itself."""
    state = learned.problem.model.state_names[learned.trained.network.term.equation]
    rows = []
    for name, unrefined in formula.values.items():
        holding = [term for term in sp.Add.make_args(formula.expression) if symbol(name) in term.free_symbols]
        function = holding[0] / symbol(name) if len(holding) == 1 else symbol(name)
        shown = symbol(name) if symbol(name) in function.free_symbols else function
        found = shot.parameters[name]
        rows.append(
            [state, to_text(shown), name, found.unit, True, found.value, found.std, unrefined, None, None, None]
        )
    return {"terms": {"kind": "table", "columns": list(TERM_COLUMNS), "rows": rows}}


def _rivals(learned: LearnedTerm) -> dict[str, dict[str, Any]]:
    """The other formulas, by how much their criterion is above."""
    best, *others = learned.formulas
    words = [(to_text(item.with_numbers), item.criterion - best.criterion) for item in others]
    rivals = [(text, f"with {text} instead", above) for text, above in words]
    return {"rivals": rivals_table(rivals, NEURAL_ODE.as_good)}


def _rest_left_out(learned: LearnedTerm) -> tuple[Finding, ...]:
    used = sum(float(record.time[-1] - record.time[0]) for record in learned.trained.problem.records)
    span = sum(float(record.time[-1] - record.time[0]) for record in learned.problem.records)
    if used > (1 - NEURAL_ODE.rest_worth_a_word) * span:
        return ()
    text = f"{100 * (1 - used / span):.0f} % of the record shows no motion above its noise: only what moves was used"
    return (finding("rest_left_out", text),)


def _standing_in(result: Result, parameters: Mapping[str, ParameterEstimate]) -> tuple[Finding, ...]:
    """Parameters that are much less certain than they would be if the network were known."""
    found = [
        name
        for name, item in parameters.items()
        if item.std is not None and item.crlb is not None and item.std > NEURAL_ODE.worth_a_word * item.crlb
    ]
    if not found:
        return ()
    text = (
        f"the network can stand in for {', '.join(found)}: what is theirs and what is the network's rests on the prior "
        "of the network; fix them if you know them"
    )
    return (finding("network_stands_in", text, *found),)
