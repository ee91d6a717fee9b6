"""A formula for a learned term: sought by `symbolic`, put into the equations, refined by whole trajectories.

The curve is known up to a few effective degrees of freedom, its errors strongly correlated: its points are handed over
with standard errors so much wider that together they tell as much as the network's determined weights do. What comes
back is judged where it matters, by the likelihood of the record with the formula in the equation.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import sympy as sp

from identikit.errors import ModelError
from identikit.method.expression._curve_formulas import Formula, curve_formulas
from identikit.method.sparse._coefficient_unit import coefficient_unit, rate_exponents
from identikit.method.unknown_term._settings import NEURAL_ODE
from identikit.method.unknown_term._term_training import TrainedTerm
from identikit.model import Model, Parameter, as_numbers, five_digits, is_affine, symbol
from identikit.problem import Problem
from identikit.progress import Cancelled, Progress


@dataclass(frozen=True)
class TermFormula:
    """A formula in the place of the term, after its constants were refined.

    Arguments:
        model: the equations with it, constants among the parameters at their refined values.
        expression: the term, constants as symbols; values: of them.
        complexity: parts of the expression; misfit: -2 log likelihood on the record the network was trained on.
        criterion: Schwarz's, misfit + ln(samples) times the number of constants.
    """

    model: Model
    expression: sp.Expr
    values: dict[str, float]
    complexity: int
    misfit: float
    criterion: float

    @property
    def with_numbers(self) -> sp.Expr:
        """To five digits, for people."""
        return five_digits(self.expression.subs(as_numbers(self.values)))


def term_formulas(problem: Problem, trained: TrainedTerm, seed: int, progress: Progress) -> tuple[TermFormula, ...]:
    """Formulas for the learned term, best first: the simplest among those that fit as well as the best.

    Cancelled, those that have been tried so far.
    """
    network = trained.network
    columns = network.grid(NEURAL_ODE.formula_points)
    value, std = trained.values(columns)
    wider = math.sqrt(len(value) / max(trained.determined, 1.0))
    found: list[TermFormula] = []
    try:
        sought = progress.stage("formula", 0.0, 0.6, "seeking a formula for the learned term")
        listed = curve_formulas(columns, value, wider * np.maximum(std, 1e-300), seed, sought)
        for formula, part in zip(listed, progress.part(0.6, 1.0, "formula").attempts(), strict=False):
            refined = _refined(problem, trained, formula, part)
            if refined is not None:
                found.append(refined)
            if len(found) == NEURAL_ODE.most_formulas:
                break
    except Cancelled:
        pass
    if not found:
        return ()
    best = min(item.criterion for item in found)
    return tuple(
        sorted(found, key=lambda item: (item.criterion > best + NEURAL_ODE.as_good, item.complexity, item.criterion))
    )


def fits_as_well(trained: TrainedTerm, formula: TermFormula) -> bool:
    """Whether a formula's trajectory misses no more than the network's, but for as much as its freedom explains."""
    freedom = trained.determined + 1
    missed = (formula.misfit - _network_misfit(trained)) / trained.inflation
    return missed < freedom + NEURAL_ODE.worse * math.sqrt(2 * freedom)


def _network_misfit(trained: TrainedTerm) -> float:
    """-2 log likelihood without the prior."""
    outcome = trained.outcome
    return outcome.misfit - outcome.point.prior_cost


def _refined(problem: Problem, trained: TrainedTerm, formula: Formula, progress: Progress) -> TermFormula | None:
    """The formula's constants and the model's own parameters by shooting, from where the network ended."""
    network, term = trained.network, trained.network.term
    expression, names = _renamed(problem, formula)
    units = {state.name: state.unit for state in problem.model.states}
    state = problem.model.states[term.equation]
    rate = rate_exponents(state.unit, problem.model.time_unit)
    parameters = tuple(
        Parameter(new, float(formula.constants[old]), _unit(expression, new, rate, units), _bounds(formula, old))
        for old, new in names.items()
    )
    model = network.inside(problem.model, expression, parameters, f"{problem.model.name}_learned")
    posed = law_problem(replace(trained.problem, priors={}), trained, model)
    own = dict(zip(trained.problem.free[: trained.own], trained.outcome.p, strict=False))
    p = np.array([own[name] if name in own else model.parameter(name).value for name in posed.free], float)
    p = np.clip(p, *posed.limits)
    preparation = replace(trained.preparation, problem=posed)
    nodes = trained.outcome.nodes
    try:
        solver = preparation.solver(nodes)
    except ModelError:  # sign() within a function: no such law can be integrated exactly
        return None
    outcome = solver.run(
        p, nodes, trained.outcome.sigma, progress.of(posed.free), grows=False, most_rounds=NEURAL_ODE.attempt_rounds
    )
    if outcome is None or not outcome.converged:
        return None
    refined = dict(zip(posed.free, map(float, outcome.p), strict=True))
    settled = tuple(replace(item, value=refined.get(item.name, item.value)) for item in model.parameters)
    price = math.log(max(posed.samples, 2)) * len(parameters)
    return TermFormula(
        replace(model, parameters=settled),
        expression,
        {name: refined[name] for name in names.values()},
        formula.complexity,
        outcome.misfit,
        outcome.misfit + price,
    )


def law_problem(problem: Problem, trained: TrainedTerm, model: Model) -> Problem:
    """The same question with a formula in the network's place; `problem` is one that the network stands in, or the
    model's own."""
    gone = [n for n in problem.free if n not in model.parameter_names]
    known = problem.fixed_at(dict.fromkeys(gone, 0.0))
    new = [item for item in model.parameters if item.name not in (*known.free, *known.fixed)]
    return known.extended(model, {item.name: item.bounds for item in new})


def _renamed(problem: Problem, formula: Formula) -> tuple[sp.Expr, dict[str, str]]:
    """The formula with {its constant: a name that nothing else in the model has, and not a long one}."""
    model = problem.model
    taken = {*model.state_names, *model.parameter_names, *model.input_names, *model.output_names}
    names = {}
    for place, old in enumerate(formula.constants, 1):
        new = old if len(old) <= NEURAL_ODE.longest_name else f"c_{place}"
        while new in taken:
            new += "_"
        taken.add(new)
        names[old] = new
    return formula.expression.xreplace({symbol(old): symbol(new) for old, new in names.items()}), names


def _unit(expression: sp.Expr, name: str, rate: object, units: dict[str, str]) -> str:
    """Of a constant that is a factor of one term; "" where that cannot be said."""
    holding = [term for term in sp.Add.make_args(expression) if symbol(name) in term.free_symbols]
    if len(holding) != 1:
        return ""
    function = holding[0] / symbol(name)
    if symbol(name) in function.free_symbols or not function.free_symbols <= {symbol(unit) for unit in units}:
        return ""
    return coefficient_unit(rate, function, units)  # type: ignore[arg-type]


def _bounds(formula: Formula, name: str) -> tuple[float, float]:
    """An inner constant, such as a Stribeck speed, keeps its sign; a factor may have any."""
    own = symbol(name)
    if is_affine([formula.expression], [own]):
        return -np.inf, np.inf
    value = formula.constants[name]
    return (1e-3 * value, 1e3 * value) if value > 0 else (1e3 * value, 1e-3 * value)
