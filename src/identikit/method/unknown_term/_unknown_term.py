"""Which term of a model is unknown: read from a phrase, found in the equations.

    friction            all of a velocity's rate that depends on that velocity alone and vanishes, or jumps, at zero
    term(mu_c)          the terms that hold a parameter
    force(x, v)         one more term, a function of the named states

each in the equation of a velocity, or `... in STATE`. A friction is odd and may jump at zero, so that it sticks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import sympy as sp

from identikit.errors import OptionError, did_you_mean
from identikit.likelihood import reconstruct
from identikit.method._base import ObjectionError, not_measured
from identikit.method.unknown_term._settings import NEURAL_ODE
from identikit.model import TIME, Model, kinematic_pairs, sum_terms, symbol
from identikit.problem import Problem
from identikit.result import Finding, finding

NOTHING = "nothing"
PATTERN = (
    rf"{NOTHING}|(?:friction|term\(\s*[A-Za-z]\w*\s*\)|force\(\s*[A-Za-z]\w*(?:\s*,\s*[A-Za-z]\w*)*\s*\))"
    r"(?:\s+in\s+[A-Za-z]\w*)?"
)
GRAMMAR = "nothing, friction, term(PARAMETER) or force(STATE, ...), each may be followed by ' in STATE'"
_PARTS = re.compile(r"(?P<kind>\w+)\s*(?:\((?P<names>[^)]*)\))?(?:\s+in\s+(?P<place>\w+))?")


@dataclass(frozen=True)
class UnknownTerm:
    """A function of some states that stands in one equation.

    Arguments:
        phrase: as it was asked for.
        equation: index of the state in whose rate it stands.
        variables: the states that it depends on.
        kept: that rate without it.
        removed: what the model has in its place; zero for an additional force.
        friction: a loss, odd in its one variable, which may jump at zero.
    """

    phrase: str
    equation: int
    variables: tuple[str, ...]
    kept: sp.Expr
    removed: sp.Expr
    friction: bool

    @property
    def sign(self) -> int:
        """-1 where it is told as a loss."""
        return -1 if self.friction else 1

    @property
    def name(self) -> str:
        """For people and artifacts."""
        return "friction" if self.friction else "force"

    def without(self, model: Model) -> tuple[str, ...]:
        """Parameters that are in what is removed and nowhere else: they have no meaning while it is unknown."""
        others = [e for i, e in enumerate(model.equations) if i != self.equation]
        others += [output.expression for output in model.outputs]
        others += [state.initial for state in model.states if state.initial is not None]
        used = self.kept.free_symbols.union(*(other.free_symbols for other in others))
        return tuple(n for n in model.parameter_names if symbol(n) in self.removed.free_symbols - used)


def unknown_term(model: Model, phrase: str) -> UnknownTerm:
    """The term that a phrase of the grammar means.

    Raises OptionError for names that the model does not have, ObjectionError where the model has no place for it.
    """
    parts = _PARTS.fullmatch(phrase)
    assert parts is not None  # the option was checked
    names = [name.strip() for name in (parts["names"] or "").split(",") if name.strip()]
    if parts["place"] is not None:
        _check_state(model, parts["place"])
    if parts["kind"] == "friction":
        return _friction(model, phrase, parts["place"])
    if parts["kind"] == "term":
        return _term_of(model, phrase, names[0], parts["place"])
    return _force(model, phrase, names, parts["place"])


def variables_objections(problem: Problem, term: UnknownTerm) -> list[Finding]:
    """The objection to a term of states that cannot be had from the record: nobody could say what was visited."""
    missing = reconstruct(problem.model, problem.outputs).missing
    unseen = [name for name in term.variables if name in missing]
    return [not_measured(unseen, "the unknown term depends on it, and must be seen over it")] if unseen else []


def _friction(model: Model, phrase: str, place: str | None) -> UnknownTerm:
    velocities = [model.state_names[j] for _, j in kinematic_pairs(model)]
    if not velocities:
        text = (
            f"model '{model.name}' has no equation of a velocity (a state v with x' = v for another one): friction has "
            "no place in it; name a force of the states, and the equation it stands in"
        )
        raise ObjectionError(finding("no_velocity_equation", text))
    if place is not None and place not in velocities:
        raise OptionError(f"'{place}' is not a velocity: friction acts on {' or '.join(velocities)}")
    if place is None and len(velocities) > 1:
        rubbed = [v for v in velocities if _rubbing(model, v)]
        if len(rubbed) != 1:
            raise OptionError(
                f"model '{model.name}' has several velocities: say which, such as 'friction in {velocities[0]}'"
            )
        velocities = rubbed
    velocity = place or velocities[0]
    return _taken_out(model, phrase, velocity, _rubbing(model, velocity), (velocity,), True)


def _rubbing(model: Model, velocity: str) -> list[sp.Expr]:
    """Terms of a velocity's rate that depend on it alone and vanish at zero, sign() included."""
    v = symbol(velocity)
    return [
        term
        for term in sum_terms(model.equations[model.state_names.index(velocity)])
        if _moving(model, term) == {v} and term.subs(v, 0) == 0
    ]


def _term_of(model: Model, phrase: str, name: str, place: str | None) -> UnknownTerm:
    if name not in model.parameter_names:
        raise OptionError(
            f"unknown term: model '{model.name}' has no parameter '{name}'.{did_you_mean(name, model.parameter_names)}"
        )
    holding = [s for s, e in zip(model.state_names, model.equations, strict=True) if symbol(name) in e.free_symbols]
    if place is None and len(holding) != 1:
        where = f"the equations of {', '.join(holding)}: say in which" if holding else "no equation"
        raise OptionError(f"unknown term: '{name}' stands in {where}")
    state = place or holding[0]
    equation = model.equations[model.state_names.index(state)]
    terms = [term for term in sum_terms(equation) if symbol(name) in term.free_symbols]
    moving = set().union(*(_moving(model, term) for term in terms))
    states = [s for s in model.state_names if symbol(s) in moving]
    foreign = sorted(map(str, moving - set(map(symbol, states))))
    if foreign or not states:
        why = f"depends on {', '.join(foreign)}" if foreign else "is a constant there"
        raise OptionError(f"unknown term: '{name}' {why}: a network is a function of states; name one with force()")
    velocities = [model.state_names[j] for _, j in kinematic_pairs(model)]
    rubs = states == [state] and state in velocities and all(term.subs(symbol(state), 0) == 0 for term in terms)
    return _taken_out(model, phrase, state, terms, states, rubs)


def _force(model: Model, phrase: str, names: list[str], place: str | None) -> UnknownTerm:
    for name in names:
        _check_state(model, name)
    if len(set(names)) < len(names):
        raise OptionError(f"{phrase}: a state is named twice: name each once")
    if place is None:
        pairs = [(model.state_names[i], model.state_names[j]) for i, j in kinematic_pairs(model)]
        own = [v for x, v in pairs if x in names or v in names] if len(pairs) > 1 else [v for _, v in pairs]
        if not pairs:
            text = (
                f"model '{model.name}' has no equation of a velocity (a state v with x' = v for another one): say in "
                "which state's equation the term stands"
            )
            raise ObjectionError(finding("no_velocity_equation", text))
        if len(own) != 1:
            raise OptionError(f"{phrase}: say on which velocity it acts, such as '{phrase} in {pairs[0][1]}'")
        place = own[0]
    return _taken_out(model, phrase, place, [], names, False)


def _taken_out(
    model: Model, phrase: str, state: str, terms: list[sp.Expr], variables: Iterable[str], friction: bool
) -> UnknownTerm:
    chosen = tuple(variables)
    if len(chosen) > NEURAL_ODE.most_variables:
        raise OptionError(
            f"{phrase} depends on {len(chosen)} states: at most {NEURAL_ODE.most_variables}, since one record does not "
            "visit enough of more"
        )
    equation = model.state_names.index(state)
    rest = [term for term in sum_terms(model.equations[equation]) if term not in terms]
    return UnknownTerm(phrase, equation, chosen, sp.Add(*rest), sp.Add(*terms), friction)


def _moving(model: Model, term: sp.Expr) -> set[sp.Symbol]:
    """States, inputs and time in a term."""
    return term.free_symbols & {*map(symbol, (*model.state_names, *model.input_names)), TIME}


def _check_state(model: Model, name: str) -> None:
    if name not in model.state_names:
        raise OptionError(
            f"unknown term: model '{model.name}' has no state '{name}'.{did_you_mean(name, model.state_names)}"
        )
