"""Model: states, parameters, inputs, equations and outputs as symbolic mathematics.

    dx/dt = f(t, x, u, p),      y = h(t, x, u, p)

Everything else (simulation, sensitivities, regressions, LaTeX) is derived from this one definition.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import sympy as sp

from identikit.errors import ModelError, did_you_mean
from identikit.model._internal_states import InternalStates
from identikit.model._parameter import Input, Parameter, ReadyExperiment, State
from identikit.model._parser import TIME, check_name, derivative_name, parse, symbol


@dataclass(frozen=True)
class Output:
    """A measurable quantity: an expression of states, parameters, inputs and time."""

    name: str
    expression: sp.Expr
    unit: str = ""


@dataclass(frozen=True)
class Model:
    """A dynamical system written as mathematics; see `Model.from_text` for the usual way to make one.

    `right_hand_side` replaces `equations` when the model is a Python function of JAX arrays,
    f(t, x, u, p) -> sequence of derivatives; methods that need symbolic structure then object.
    """

    name: str
    states: tuple[State, ...]
    parameters: tuple[Parameter, ...]
    equations: tuple[sp.Expr, ...]
    outputs: tuple[Output, ...]
    inputs: tuple[Input, ...] = ()
    title: str = ""
    source: str = ""
    notes: tuple[str, ...] = ()
    time_unit: str = "s"
    ready: ReadyExperiment | None = field(default=None, compare=False)
    right_hand_side: Callable[..., Sequence[Any]] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        names = [*self.state_names, *self.parameter_names, *self.input_names]
        for name in [*names, *self.output_names]:
            check_name(name, f"model '{self.name}'")
        repeated = sorted({name for name in names if names.count(name) > 1})
        if repeated:
            raise ModelError(f"model '{self.name}': the name '{repeated[0]}' is used twice: each name means one thing")
        if not self.states:
            raise ModelError(f"model '{self.name}' has no states: expected at least one")
        if not self.outputs:
            raise ModelError(f"model '{self.name}' has no outputs: expected at least one measurable quantity")
        if self.right_hand_side is None and len(self.equations) != len(self.states):
            raise ModelError(
                f"model '{self.name}' has {len(self.states)} states but {len(self.equations)} equations: "
                "expected one each"
            )
        self._check_ready()
        parameters = {symbol(name) for name in self.parameter_names}
        for state in self.states:
            strange = sorted(map(str, state.initial.free_symbols - parameters)) if state.initial is not None else []
            if strange:
                raise ModelError(
                    f"model '{self.name}', initial value of '{state.name}': '{strange[0]}' is not a parameter: "
                    "expected a number or an expression of parameters"
                )
        known = {symbol(name) for name in names} | {TIME}
        for label, expression in self._expressions():
            unknown = sorted(str(item) for item in expression.free_symbols - known)
            if unknown:
                raise ModelError(
                    f"model '{self.name}', {label}: undefined symbol '{unknown[0]}'.{did_you_mean(unknown[0], names)}"
                )

    def _check_ready(self) -> None:
        if self.ready is None:
            return
        where = f"model '{self.name}', ready"
        for part, values, names in (
            ("initial", self.ready.initial, self.state_names),
            ("noise", self.ready.noise, self.output_names),
        ):
            for name, value in values.items():
                if name not in names:
                    raise ModelError(f"{where}: {part} names '{name}'.{did_you_mean(name, names)}")
                if not math.isfinite(value) or (part == "noise" and value < 0):
                    raise ModelError(f"{where}: {part} of '{name}' is {value:g}: expected a usable number")
        for part, value in (("duration", self.ready.duration), ("dt", self.ready.spacing)):
            if not (math.isfinite(value) and value > 0):
                raise ModelError(f"{where}: {part} is {value:g}: expected a positive number")

    def _expressions(self) -> Iterable[tuple[str, sp.Expr]]:
        for state, expression in zip(self.state_names, self.equations, strict=False):
            yield f"equation of '{state}'", expression
        for output in self.outputs:
            yield f"output '{output.name}'", output.expression

    @classmethod
    def from_text(
        cls,
        name: str,
        *,
        equations: Mapping[str, str],
        parameters: Mapping[str, Parameter | float | None] | Sequence[Parameter],
        states: Mapping[str, str | State] | None = None,
        outputs: Mapping[str, str] | Sequence[str] | None = None,
        output_units: Mapping[str, str] | None = None,
        inputs: Sequence[Input | str] = (),
        **other: Any,
    ) -> Model:
        """Make a model from equations as text.

        `equations` maps a state to its derivative, or in second-order shorthand `"x''"` to its
        acceleration (then x' may be used in expressions and is itself the state `x_dot`). A friction law with a
        memory, `lugre(v; ...)`, adds its deflection as a state `z_v` that is zero at the beginning, unless `states`
        describes it otherwise.
        `states` gives units, `{"theta": "rad"}`, or a `State` with bounds and a known beginning; `outputs` maps names
        to expressions, a list names states, and the default is every state that has an equation of its own in
        second-order shorthand, or all.

        >>> swing = Model.from_text("swing", equations={"x''": "-k*x - c*x'"}, parameters={"k": 4, "c": 0.1})
        >>> swing.state_names
        ('x', 'x_dot')
        """
        described = {key: item if isinstance(item, State) else State(key, item) for key, item in (states or {}).items()}
        units = {key: item.unit for key, item in described.items()}
        first_order = _expand_shorthand(name, equations)
        parameter_list = _as_parameters(parameters)
        input_list = tuple(item if isinstance(item, Input) else Input(item) for item in inputs)
        known = {key: symbol(key) for key in first_order}
        known |= {parameter.name: symbol(parameter.name) for parameter in parameter_list}
        known |= {item.name: symbol(item.name) for item in input_list}
        internal = InternalStates(known)
        parsed = {
            state: parse(text, known, f"model '{name}', equation of '{state}'", internal)
            for state, text in first_order.items()
        }
        known |= {key: symbol(key) for key in internal.equations}
        if outputs is None:
            positions = [state for state in first_order if f"{state}''" in _squeezed(equations)]
            outputs = positions or list(first_order)
        if not isinstance(outputs, Mapping):
            outputs = {item: item for item in outputs}
        shown = {key: parse(text, known, f"model '{name}', output '{key}'", internal) for key, text in outputs.items()}
        described = _relaxed(internal, parsed, units) | described
        units = {key: item.unit for key, item in described.items()}
        parsed |= internal.equations
        for state in described:
            if state not in parsed:
                raise ModelError(f"model '{name}': state '{state}' has no equation.{did_you_mean(state, parsed)}")
        return cls(
            name=name,
            states=tuple(_known_beginning(name, described.get(s, State(s)), parameter_list) for s in parsed),
            parameters=parameter_list,
            equations=tuple(parsed.values()),
            outputs=tuple(
                Output(key, shown[key], (output_units or {}).get(key, units.get(str(text).strip(), units.get(key, ""))))
                for key, text in outputs.items()
            ),
            inputs=input_list,
            **other,
        )

    @classmethod
    def from_function(
        cls,
        name: str,
        function: Callable[..., Sequence[Any]],
        *,
        states: Sequence[str],
        parameters: Mapping[str, Parameter | float | None] | Sequence[Parameter],
        outputs: Mapping[str, str] | Sequence[str] | None = None,
        inputs: Sequence[Input | str] = (),
        **other: Any,
    ) -> Model:
        """Make a model from a JAX function f(t, x, u, p) -> derivatives.

        x, u and p are dictionaries by name. The function must work elementwise (no reductions over
        the values), since many segments are integrated at once. Dry friction and every method that needs
        the equations as mathematics are not available for such a model.
        """
        chosen = outputs if outputs is not None else list(states)
        shell = cls.from_text(
            name,
            equations=dict.fromkeys(states, "0"),
            parameters=parameters,
            outputs=chosen,
            inputs=inputs,
            **other,
        )
        if len(shell.states) > len(states):
            raise ModelError(
                f"model '{name}': a friction law with a state of its own stands in its outputs: expected that the "
                "function computes this state"
            )
        return replace(shell, equations=(), right_hand_side=function)

    @property
    def state_names(self) -> tuple[str, ...]:
        return tuple(state.name for state in self.states)

    @property
    def parameter_names(self) -> tuple[str, ...]:
        return tuple(parameter.name for parameter in self.parameters)

    @property
    def input_names(self) -> tuple[str, ...]:
        return tuple(item.name for item in self.inputs)

    @property
    def output_names(self) -> tuple[str, ...]:
        return tuple(output.name for output in self.outputs)

    @property
    def default_free(self) -> tuple[str, ...]:
        """The parameters a fit estimates when nobody says which."""
        return tuple(parameter.name for parameter in self.parameters if not parameter.fixed)

    @property
    def symbolic(self) -> bool:
        """Whether the right-hand side is known as mathematics."""
        return self.right_hand_side is None

    def parameter(self, name: str) -> Parameter:
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        raise ModelError(f"model '{self.name}' has no parameter '{name}'.{did_you_mean(name, self.parameter_names)}")

    def output(self, name: str) -> Output:
        for output in self.outputs:
            if output.name == name:
                return output
        raise ModelError(f"model '{self.name}' has no output '{name}'.{did_you_mean(name, self.output_names)}")

    def with_input_expressions(self, expressions: Mapping[str, str]) -> Model:
        """Replace inputs by expressions of time, such as `q_v = 0.2*sin(3*t)`."""
        substitution = {}
        for name, text in expressions.items():
            if name not in self.input_names:
                raise ModelError(f"model '{self.name}' has no input '{name}'.{did_you_mean(name, self.input_names)}")
            known = {parameter: symbol(parameter) for parameter in self.parameter_names}
            substitution[symbol(name)] = parse(text, known, f"input '{name}'")
        if substitution and not self.symbolic:
            raise ModelError(f"model '{self.name}' is a function: give its inputs as sampled columns")
        return replace(
            self,
            inputs=tuple(item for item in self.inputs if item.name not in expressions),
            equations=tuple(expression.subs(substitution) for expression in self.equations),
            outputs=tuple(replace(item, expression=item.expression.subs(substitution)) for item in self.outputs),
        )

    def with_smooth_friction(self, width: float) -> Model:
        """Replace every sign(v) by tanh(v/width): never sticks, creeps to rest.

        Use it to compare with work that smoothed friction; near rest it is wrong for any width.
        """
        if not width > 0:
            raise ModelError(f"the width of smooth friction is {width:g}: expected a positive number")
        scale = sp.Float(width)
        smooth = tuple(e.replace(sp.sign, lambda argument: sp.tanh(argument / scale)) for e in self.equations)
        return replace(self, equations=smooth)

    def __str__(self) -> str:
        from identikit.model._write import describe_model

        return describe_model(self)

    def __repr__(self) -> str:
        return f"<Model {self.name!r}: {', '.join(self.state_names)}; {', '.join(self.parameter_names)}>"

    def to_toml(self) -> str:
        """The model as a TOML file that `load_model` reads back; raises ModelError if it is a Python function."""
        from identikit.model._write import to_toml

        return to_toml(self)

    def as_dict(self) -> dict[str, Any]:
        """JSON-able description, as `identikit models --json` prints it."""
        return {
            "name": self.name,
            "title": self.title,
            "states": {state.name: state.as_dict() for state in self.states},
            "outputs": {item.name: {"expression": str(item.expression), "unit": item.unit} for item in self.outputs},
            "inputs": {
                item.name: {"unit": item.unit, "value": item.value, "meaning": item.meaning, "hold": item.hold}
                for item in self.inputs
            },
            "parameters": {parameter.name: parameter.as_dict() for parameter in self.parameters},
            "equations": {name: str(e) for name, e in zip(self.state_names, self.equations, strict=False)},
            "time_unit": self.time_unit,
            "ready": self.ready.as_dict() if self.ready else None,
            "source": self.source,
            "notes": list(self.notes),
        }


def _relaxed(internal: InternalStates, equations: Mapping[str, sp.Expr], units: Mapping[str, str]) -> dict[str, State]:
    """Deflections in friction laws: without strain when a record begins, in the unit of the path of their velocity."""
    paths = {velocity: units.get(position, "") for position, velocity in equations.items()}
    return {
        name: State(name, paths.get(velocity, ""), "deflection in a friction law", initial="0")
        for name, velocity in internal.velocities.items()
    }


def _known_beginning(model: str, state: State, parameters: Sequence[Parameter]) -> State:
    """The state with its initial value as an expression, checked against its bounds where it is a number."""
    if state.initial is None:
        return state
    known = {parameter.name: symbol(parameter.name) for parameter in parameters}
    value = parse(str(state.initial), known, f"model '{model}', initial value of '{state.name}'")
    low, high = state.bounds
    if value.is_number and not low <= float(value) <= high:
        raise ModelError(
            f"model '{model}': initial value of '{state.name}' is {float(value):g}, outside its bounds "
            f"[{low:g}, {high:g}]: change one of them"
        )
    return replace(state, initial=value)


def _squeezed(equations: Mapping[str, str]) -> dict[str, str]:
    squeezed = {key.replace(" ", ""): text for key, text in equations.items()}
    if len(squeezed) < len(equations):
        raise ModelError(f"two equations are given for one state, apart from spaces: {', '.join(equations)}")
    return squeezed


def _expand_shorthand(name: str, equations: Mapping[str, str]) -> dict[str, str]:
    """Turn `x'' = a` into x = x_dot, x_dot = a; `x' = f` and `x = f` both mean dx/dt = f."""
    expanded: dict[str, str] = {}
    for key, text in _squeezed(equations).items():
        order = len(key) - len(key.rstrip("'"))
        state = key.rstrip("'")
        check_name(state, f"model '{name}', equations")
        if order > 2:
            raise ModelError(
                f"model '{name}', equation of '{key}': expected at most two primes; add a state for the rest"
            )
        made = {state: text} if order < 2 else {state: derivative_name(state), derivative_name(state): text}
        for each in made:
            if each in expanded:
                raise ModelError(f"model '{name}': the state '{each}' has two equations")
        expanded |= made
    return expanded


def _as_parameters(
    parameters: Mapping[str, Parameter | float | None] | Sequence[Parameter],
) -> tuple[Parameter, ...]:
    if isinstance(parameters, Mapping):
        return tuple(
            item if isinstance(item, Parameter) else Parameter(key, None if item is None else float(item))
            for key, item in parameters.items()
        )
    return tuple(parameters)
