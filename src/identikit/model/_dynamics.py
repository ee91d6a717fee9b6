"""What integrators and estimators need of a model: f, its derivatives, and its switches.

Every sign(g) whose argument moves with state or time is a *switch*: it is replaced by a variable s that is +1
or -1 while g is positive or negative, and anything between while g is held at zero (dry friction that sticks,
a sliding mode in Filippov's sense). With f affine in s, holding g at zero asks for

    g' = dg/dx f(s) + dg/dt = 0,        solved for s;    it holds while |s| <= 1.

A *kink* is where f is continuous but its slope jumps: |x - c| with c of parameters alone. There |x - c| is written
k (x - c) with the side k = +1 or -1, so that each side by itself is smooth, and integrators can step from kink to kink.

Reference: A. F. Filippov, Differential Equations with Discontinuous Righthand Sides, Kluwer 1988.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import sympy as sp

from identikit.errors import ModelError
from identikit.model._guarded_power import guarded
from identikit.model._model import Model
from identikit.model._parser import TIME, symbol
from identikit.model._program import Program
from identikit.model._structure import derivative

Sparse = dict[tuple[int, int], Any]


@dataclass(frozen=True)
class Linearisation:
    """f and its derivatives at one point; a missing key is a structural zero.

    state[i, j] = df_i/dx_j, parameter[i, k] = df_i/dp_k (free ones), switch[i, l] = df_i/ds_l;
    guard_rate holds g', and the three tables after it its derivatives.
    """

    rate: list[Any]
    state: Sparse
    parameter: Sparse
    switch: Sparse
    guard_rate: list[Any]
    guard_rate_state: Sparse
    guard_rate_parameter: Sparse
    guard_rate_switch: Sparse


class Dynamics:
    """The right-hand side of a symbolic model with derivatives with respect to `free` parameters.

    Point functions take (xp, t, x, u, u', p, s), each a list over names; entries may be arrays of any one
    shape.
    """

    def __init__(self, model: Model, free: Sequence[str] = ()) -> None:
        self.model = model
        self.free = tuple(free)
        self.x = [symbol(name) for name in model.state_names]
        self.u = [symbol(name) for name in model.input_names]
        # a prime or a space cannot stand in a user's name, so these never clash with one
        self.du = [symbol(f"{name}'") for name in model.input_names]
        self.p = [symbol(name) for name in model.parameter_names]
        switching, self.guards = _take_out_switches(model)
        self.s = [_switch_symbol(index) for index in range(len(self.guards))]
        self.equations, self.kinks = _take_out_kinks(switching, self.x, self.p)
        sides = [_side_symbol(index) for index in range(len(self.kinks))]
        self._symbols = [TIME, *self.x, *self.u, *self.du, *self.p, *self.s, *sides]

    @cached_property
    def key(self) -> str:
        """Equal keys mean equal programs: compiled kernels are shared by it."""
        return repr((self.model.state_names, self.model.input_names, self.model.parameter_names, self.free,
                     [sp.srepr(e) for e in self.equations], [sp.srepr(g) for g in self.guards],
                     [(state, sp.srepr(level)) for state, level in self.kinks]))  # fmt: skip

    def work(self, free: Sequence[str]) -> int:
        """Operations that one evaluation costs with the derivatives by some of the free parameters alone."""
        columns = [self.free.index(name) for name in free]
        return self._linear.work(lambda name, place: "parameter" not in name or place is None or place[1] in columns)

    @property
    def switch_states(self) -> list[int | None]:
        """For each switch the state it is the sign of, if it is that plain (a reversal then sets it to 0)."""
        return [self.x.index(guard) if guard in self.x else None for guard in self.guards]

    @property
    def guard_inputs(self) -> list[list[int]]:
        """For each switch the inputs in its argument: when one of them jumps, so does the switch."""
        return [[i for i, u in enumerate(self.u) if u in guard.free_symbols] for guard in self.guards]

    def _rate_of(self, guard: sp.Expr) -> sp.Expr:
        terms = [sp.diff(guard, x) * f for x, f in zip(self.x, self.equations, strict=True)]
        terms += [sp.diff(guard, u) * du for u, du in zip(self.u, self.du, strict=True)]
        return sp.Add(*terms, sp.diff(guard, TIME))

    @cached_property
    def _linear(self) -> _Tables:
        free = [symbol(name) for name in self.free]
        rates = [self._rate_of(guard) for guard in self.guards]
        return _Tables(
            {
                "rate": (self.equations, None),
                "state": (self.equations, self.x),
                "parameter": (self.equations, free),
                "switch": (self.equations, self.s),
                "guard_rate": (rates, None),
                "guard_rate_state": (rates, self.x),
                "guard_rate_parameter": (rates, free),
                "guard_rate_switch": (rates, self.s),
            },
            self._symbols,
            self.equations,
            self.x,
        )

    @cached_property
    def _rates(self) -> _Tables:
        rates = [self._rate_of(guard) for guard in self.guards]
        return _Tables(
            {
                "rate": (self.equations, None),
                "guard_rate": (rates, None),
                "guard_rate_switch": (rates, self.s),
            },
            self._symbols,
            self.equations,
            self.x,
        )

    @cached_property
    def _guards(self) -> _Tables:
        return _Tables(
            {
                "guard": (self.guards, None),
                "state": (self.guards, self.x),
                "parameter": (self.guards, [symbol(name) for name in self.free]),
            },
            self._symbols,
            self.equations,
            self.x,
        )

    def _flat(self, xp: Any, t: Any, x: Any, u: Any, du: Any, p: Any, s: Any, k: Any) -> list[Any]:
        if k is None:
            levels = self.levels(xp, p)
            k = [xp.sign(x[state] - level) for (state, _), level in zip(self.kinks, levels, strict=True)]
        return [t, *x, *u, *du, *p, *s, *k]

    def levels(self, xp: Any, p: Any) -> list[Any]:
        """Where each kink is: the values c in |x - c|."""
        return self._levels(xp, list(p))

    @cached_property
    def _levels(self) -> Program:
        return Program([level for _, level in self.kinks], self.p)

    def rate(self, xp: Any, t: Any, x: Any, u: Any, du: Any, p: Any, s: Any, k: Any = None) -> list[Any]:
        """dx/dt for given switch values, and given sides of the kinks (by default where x is)."""
        return self._rates(xp, self._flat(xp, t, x, u, du, p, s, k))["rate"]

    def guard_rate(
        self, xp: Any, t: Any, x: Any, u: Any, du: Any, p: Any, s: Any, k: Any = None
    ) -> tuple[list[Any], Sparse]:
        """g' and its derivative with respect to the switches."""
        found = self._rates(xp, self._flat(xp, t, x, u, du, p, s, k))
        return found["guard_rate"], found["guard_rate_switch"]

    def linearise(self, xp: Any, t: Any, x: Any, u: Any, du: Any, p: Any, s: Any, k: Any = None) -> Linearisation:
        """dx/dt with its exact derivatives."""
        return Linearisation(**self._linear(xp, self._flat(xp, t, x, u, du, p, s, k)))

    def guard(self, xp: Any, t: Any, x: Any, u: Any, p: Any) -> list[Any]:
        """The switch arguments g."""
        return self._guards(xp, self._without_rates(t, x, u, p))["guard"]

    def guard_gradient(self, xp: Any, t: Any, x: Any, u: Any, p: Any) -> tuple[Sparse, Sparse]:
        """dg/dx and dg/dp."""
        found = self._guards(xp, self._without_rates(t, x, u, p))
        return found["state"], found["parameter"]

    def _without_rates(self, t: Any, x: Any, u: Any, p: Any) -> list[Any]:
        """Guards hold neither rates of inputs nor switches nor sides."""
        return [t, *x, *u, *[0.0] * len(self.du), *p, *[0.0] * (len(self.s) + len(self.kinks))]


class FunctionDynamics(Dynamics):
    """The same questions answered for a model whose right-hand side is a JAX function."""

    def __init__(self, model: Model, free: Sequence[str] = ()) -> None:
        self.model = model
        self.free = tuple(free)
        self.x = [symbol(name) for name in model.state_names]
        self.u = [symbol(name) for name in model.input_names]
        self.guards, self.equations, self.s, self.kinks = [], [], [], []

    @property
    def key(self) -> str:
        return repr((id(self.model.right_hand_side), self.model.state_names, self.model.parameter_names, self.free))

    def _call(self, t: Any, x: Any, u: Any, p: Any) -> list[Any]:
        assert self.model.right_hand_side is not None
        found = self.model.right_hand_side(
            t,
            dict(zip(self.model.state_names, x, strict=True)),
            dict(zip(self.model.input_names, u, strict=True)),
            dict(zip(self.model.parameter_names, p, strict=True)),
        )
        if len(found) != len(self.x):
            raise ModelError(
                f"model '{self.model.name}': the function returned {len(found)} derivatives for {len(self.x)} states"
            )
        return list(found)

    def rate(self, xp: Any, t: Any, x: Any, u: Any, du: Any, p: Any, s: Any, k: Any = None) -> list[Any]:
        return self._call(t, x, u, p)

    def linearise(self, xp: Any, t: Any, x: Any, u: Any, du: Any, p: Any, s: Any, k: Any = None) -> Linearisation:
        import jax

        p = list(p)
        where = [self.model.parameter_names.index(name) for name in self.free]

        def moved(x_: Any, q_: Any) -> list[Any]:
            full = list(p)
            for index, value in zip(where, q_, strict=True):
                full[index] = value
            return self._call(t, x_, u, full)

        point = (list(x), [p[index] for index in where])
        # The function acts elementwise, so one forward derivative per column gives every lane its Jacobian.
        state: Sparse = {}
        parameter: Sparse = {}
        for group, table in ((0, state), (1, parameter)):
            for column in range(len(point[group])):
                tangent = tuple(
                    [xp.ones_like(v) if (g, c) == (group, column) else xp.zeros_like(v) for c, v in enumerate(vs)]
                    for g, vs in enumerate(point)
                )
                derivative = jax.jvp(moved, point, tangent)[1]
                table.update({(row, column): value for row, value in enumerate(derivative)})
        return Linearisation(self._call(t, x, u, p), state, parameter, {}, [], {}, {}, {})


def dynamics_of(model: Model, free: Sequence[str] = ()) -> Dynamics:
    """The dynamics of a model, symbolic or a function."""
    return _symbolic(model, tuple(free)) if model.symbolic else FunctionDynamics(model, free)


@lru_cache(maxsize=64)
def _symbolic(model: Model, free: tuple[str, ...]) -> Dynamics:
    """Deriving takes longer than a simulation, so equal models share it."""
    return Dynamics(model, free)


class _Tables:
    """Several vectors and Jacobians evaluated by one program, so that they share subexpressions."""

    def __init__(
        self,
        parts: dict[str, tuple[Sequence[sp.Expr], Sequence[sp.Symbol] | None]],
        symbols: Sequence[sp.Symbol],
        equations: Sequence[sp.Expr],
        states: Sequence[sp.Symbol],
    ):
        expressions: list[sp.Expr] = []
        self._layout: list[tuple[str, tuple[int, int] | None]] = []
        self._names = {name: variables is None for name, (_, variables) in parts.items()}
        for name, (rows, variables) in parts.items():
            for i, row in enumerate(rows):
                if variables is None:
                    expressions.append(row)
                    self._layout.append((name, None))
                    continue
                for j, variable in enumerate(variables):
                    slope = derivative(row, variable)
                    if slope != 0:
                        expressions.append(slope)
                        self._layout.append((name, (i, j)))
        self._program = Program(guarded(expressions, equations, states), symbols)

    def work(self, wanted: Callable[[str, tuple[int, int] | None], bool]) -> int:
        """Operations for the wanted entries, each by the name of its table and its place there."""
        return self._program.work([wanted(name, place) for name, place in self._layout])

    def __call__(self, xp: Any, values: Sequence[Any]) -> dict[str, Any]:
        found: dict[str, Any] = {name: [] if vector else {} for name, vector in self._names.items()}
        for (name, place), value in zip(self._layout, self._program(xp, values), strict=True):
            if place is None:
                found[name].append(value)
            else:
                found[name][place] = value
        return found


def _switch_symbol(index: int) -> sp.Symbol:
    return symbol(f"switch {index}")


def _side_symbol(index: int) -> sp.Symbol:
    return symbol(f"side {index}")


def _take_out_kinks(
    equations: Sequence[sp.Expr], states: Sequence[sp.Symbol], parameters: Sequence[sp.Symbol]
) -> tuple[list[sp.Expr], list[tuple[int, sp.Expr]]]:
    """Equations with |x - c| as side times (x - c), and the kinks: (index of the state, c).

    Left as they are: |x - c| whose factor vanishes there too, as in x |x|, which is smooth enough for steps of any
    length; and those that enter otherwise than linearly.
    """
    found = list(equations)
    kinks: list[tuple[int, sp.Expr]] = []
    for atom in sorted(set().union(*(equation.atoms(sp.Abs) for equation in equations)), key=str):
        argument = atom.args[0]
        index = next((i for i, state in enumerate(states) if state in argument.free_symbols), None)
        if index is None:
            continue
        slope = sp.diff(argument, states[index])
        level = sp.expand(states[index] - argument / slope) if slope.is_number and slope != 0 else argument
        if not level.free_symbols <= set(parameters):
            continue
        place = (index, level)
        side = _side_symbol(kinks.index(place) if place in kinks else len(kinks))
        smooth = {atom: side * sp.sign(slope) * argument}
        replaced = [equation.xreplace(smooth) if equation.has(atom) else equation for equation in found]
        jumps = [sp.diff(new, side) for new, old in zip(replaced, found, strict=True) if new is not old]
        if any(side in jump.free_symbols for jump in jumps):
            continue
        if all(sp.diff(jump, states[index]).subs(states[index], level).is_zero for jump in jumps):
            continue
        found = replaced
        kinks += [] if place in kinks else [place]
    return found, kinks


def _take_out_switches(model: Model) -> tuple[list[sp.Expr], list[sp.Expr]]:
    moving = {symbol(name) for name in (*model.state_names, *model.input_names)} | {TIME}
    atoms: set[sp.Expr] = set().union(*(equation.atoms(sp.sign) for equation in model.equations))
    signs = sorted((atom for atom in atoms if atom.args[0].free_symbols & moving), key=str)
    if any(atom.args[0].atoms(sp.sign) for atom in signs):
        raise ModelError(f"model '{model.name}': sign() of an expression that itself holds sign() is not supported")
    replacement = {atom: _switch_symbol(index) for index, atom in enumerate(signs)}
    equations = [_with_switches(equation, replacement) for equation in model.equations]
    states = {symbol(name) for name in model.state_names}
    holdable = [variable for atom, variable in replacement.items() if atom.free_symbols & states]
    for state, equation in zip(model.state_names, equations, strict=True):
        for variable in replacement.values():
            # only a switch that can be held, at a value between -1 and 1, has to enter linearly; a product of two
            # switches is linear in each, as long as only one of them can be held
            if variable not in holdable:
                continue
            if any(sp.diff(equation, variable, other) != 0 for other in holdable):
                raise ModelError(
                    f"model '{model.name}', equation of '{state}': sign() must enter linearly "
                    "for its switching to be exact"
                )
    return equations, [atom.args[0] for atom in signs]


def _with_switches(equation: sp.Expr, replacement: dict[sp.Expr, sp.Symbol]) -> sp.Expr:
    """sign(g) becomes s, and |g| becomes s g where that adds no product of switches.

    Each side of a reversal is then smooth, and no step fails for a kink that is located anyway.
    """
    plain = equation.xreplace(replacement)
    smooth = plain.xreplace({sp.Abs(atom.args[0]): s * atom.args[0] for atom, s in replacement.items()})
    linear = all(sp.diff(smooth, a, b) == 0 for a in replacement.values() for b in replacement.values())
    return smooth if linear else plain
