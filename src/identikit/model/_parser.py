"""Text to SymPy by a whitelist walk over Python's `ast`.

A model file from a stranger must not be able to run code, so nothing here calls `eval`, `exec` or SymPy's
own text parser: the text is parsed into a syntax tree and only the nodes listed below are translated.
`x'` is the time derivative of the state x in second-order shorthand and reads as the name `x_dot`.
`stribeck(v; f_c, f_s, v_s)`, a velocity and after the semicolon parameters, is a friction law.
"""

from __future__ import annotations

import ast
import keyword
import math
import re
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import sympy as sp

from identikit.errors import ModelError, did_you_mean
from identikit.model._extremum import Maximum, Minimum
from identikit.model._structure import depth, size
from identikit.model.friction import FRICTION_LAWS, FrictionLaw

if TYPE_CHECKING:
    from identikit.model._internal_states import InternalStates

# Guards against expressions that SymPy would expand for hours, such as 9**9**9 or a megabyte of parentheses.
MAX_CHARACTERS = 20_000
MAX_NODES = 8_000  # the longest of the library, written out, has 5501
MAX_ARGUMENT = 200  # parts of an argument of a friction law
MAX_EXPONENT = 64  # a higher power overflows soon, and SymPy multiplies it out
MAX_CALLS_DEEP = 24  # sin(sin(...)): SymPy's abs() needs seconds beyond some fifty
MAX_DEPTH = 80  # of parts within parts: SymPy takes derivatives by recursion, which ends near 110

TIME = sp.Symbol("t", real=True)


def symbol(name: str) -> sp.Symbol:
    """The one SymPy symbol of that name: real, as every quantity in a model is."""
    return sp.Symbol(name, real=True)


def _heaviside(x: sp.Expr) -> sp.Expr:
    # Written with sign() so that a step in time or state becomes a switch the integrator locates exactly.
    return (1 + sp.sign(x)) / 2


def _absolute(x: sp.Expr) -> sp.Expr:
    # SymPy differentiates |x**a| through real and imaginary parts unless it knows x**a to be real.
    return sp.Abs(x) if x.is_extended_real else Maximum(x, -x)


def _smooth_sign(x: sp.Expr, width: sp.Expr) -> sp.Expr:
    return sp.tanh(x / width)


FUNCTIONS: dict[str, tuple[int, Callable[..., Any]]] = {
    "sin": (1, sp.sin), "cos": (1, sp.cos), "tan": (1, sp.tan),
    "asin": (1, sp.asin), "acos": (1, sp.acos), "atan": (1, sp.atan), "atan2": (2, sp.atan2),
    "sinh": (1, sp.sinh), "cosh": (1, sp.cosh), "tanh": (1, sp.tanh),
    "exp": (1, sp.exp), "log": (1, sp.log), "sqrt": (1, sp.sqrt),
    "abs": (1, _absolute), "sign": (1, sp.sign), "min": (2, Minimum), "max": (2, Maximum),
    "heaviside": (1, _heaviside), "smooth_sign": (2, _smooth_sign),
}  # fmt: skip

CONSTANTS: dict[str, sp.Expr] = {"pi": sp.pi}

RESERVED = frozenset(FUNCTIONS) | frozenset(CONSTANTS) | {"t"}

_OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.Div: lambda a, b: a / b,
}

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_PRIME = re.compile(r"([A-Za-z_][A-Za-z_0-9]*)'(?!')")
# Python has no ';' inside a call. It has '|', which binds more weakly than all operators that are allowed here and is
# not allowed itself: the two change places before Python reads the text.
_EXCHANGED = str.maketrans(";|", "|;")


def check_name(name: str, where: str) -> str:
    """Return `name` if it may name a state, parameter, input or output; raise ModelError otherwise."""
    if not _NAME.fullmatch(name) or name.startswith("__"):
        raise ModelError(
            f"{where}: '{name}' is not a usable name: "
            "expected letters, digits and underscores, not starting with a digit"
        )
    if keyword.iskeyword(name):
        raise ModelError(f"{where}: '{name}' is a word of Python's own: choose another name, such as '{name}_'")
    if name in RESERVED:
        raise ModelError(f"{where}: '{name}' is reserved (time, a constant or a function): choose another name")
    return name


def derivative_name(state: str) -> str:
    """The name under which the derivative x' of the state x is known."""
    return f"{state}_dot"


def parse(
    text: str, known: Mapping[str, sp.Expr], where: str = "expression", internal: InternalStates | None = None
) -> sp.Expr:
    """Parse an arithmetic expression over the known names, time `t`, `pi`, the functions above and friction laws.

    Laws with a state of their own put it into `internal`, and are refused without it.

    >>> parse("-2*mu*omega", {"mu": symbol("mu"), "omega": symbol("omega")})
    -2*mu*omega

    Raises ModelError naming `where`, the offending piece and what was expected.
    """
    if not isinstance(text, str):
        raise ModelError(f"{where}: expected an expression as text, got {type(text).__name__}")
    if len(text) > MAX_CHARACTERS:
        raise ModelError(f"{where}: the expression has {len(text)} characters, at most {MAX_CHARACTERS} are read")
    plain = _PRIME.sub(lambda match: derivative_name(match.group(1)), text.strip()).translate(_EXCHANGED)
    try:
        with warnings.catch_warnings():  # such as "invalid decimal literal": refused below anyway
            warnings.simplefilter("ignore")
            tree = ast.parse(plain, mode="eval")
        count = sum(1 for _ in ast.walk(tree))
    except SyntaxError as error:
        place = f" near position {error.offset}" if error.offset else ""
        raise ModelError(
            f"{where}: cannot read '{_shorten(text)}'{place}: expected an expression such as -k*x - c*v"
        ) from None
    except ValueError:
        raise ModelError(f"{where}: the expression holds a character that no expression has (NUL)") from None
    except (RecursionError, MemoryError):
        raise ModelError(
            f"{where}: the expression has too many terms or is nested too deeply: at most {MAX_NODES} parts are read"
        ) from None
    if count > MAX_NODES:
        raise ModelError(f"{where}: the expression has {count} parts, at most {MAX_NODES} are read")
    try:
        expression = _Walker(known, text, where, internal).visit(tree.body)
    except RecursionError:
        raise ModelError(f"{where}: the expression is nested too deeply") from None
    if expression.has(sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I) or not all(map(_finite, expression.atoms(sp.Number))):
        raise _not_finite(text, where)
    levels = depth(expression)
    if levels > MAX_DEPTH:
        raise ModelError(
            f"{where}: the expression is nested {levels} deep, at most {MAX_DEPTH} can be differentiated: "
            "multiply it out, or compute the inner part as a state or parameter of its own"
        )
    return expression


def _finite(value: sp.Expr) -> bool:
    """Whether an expression without symbols is a real number that fits a float."""
    try:
        number = complex(value.evalf(17))
    except (TypeError, OverflowError, ValueError):
        return False
    return number.imag == 0 and math.isfinite(number.real)


def _not_finite(text: str, where: str) -> ModelError:
    return ModelError(
        f"{where}: '{_shorten(text)}' holds something that is not a finite real number "
        "(a division by zero, an even root of a negative, a number beyond 1e308?)"
    )


class _Walker:
    """Translates the allowed nodes; anything else is refused by name."""

    def __init__(
        self, known: Mapping[str, sp.Expr], text: str, where: str, internal: InternalStates | None = None
    ) -> None:
        self.known = known
        self.text = text
        self.where = where
        self.internal = internal
        self.calls = 0  # how many function calls enclose the node being visited

    def refuse(self, what: str) -> ModelError:
        return ModelError(
            f"{self.where}: {what} is not allowed in '{_shorten(self.text)}': "
            f"expected numbers, names, + - * / **, and {', '.join(FUNCTIONS)}"
        )

    def quoted(self, node: ast.AST) -> str:
        return _shorten(ast.unparse(node).replace(" | ", "; "))

    def visit(self, node: ast.AST) -> sp.Expr:
        return self.checked(self.translate(node))

    def checked(self, value: sp.Expr) -> sp.Expr:
        # Checked from the inside out, so that a tower of powers is refused before SymPy computes its digits.
        if value.is_number and not _finite(value):
            raise _not_finite(self.text, self.where)
        return value

    def translate(self, node: ast.AST) -> sp.Expr:
        if isinstance(node, ast.BinOp):
            return self.binary(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
            value = self.visit(node.operand)
            return -value if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.Constant):
            return self.number(node)
        if isinstance(node, ast.Name):
            return self.name(node)
        if isinstance(node, ast.Call):
            return self.call(node)
        raise self.refuse(f"'{self.quoted(node)}'")

    def number(self, node: ast.Constant) -> sp.Expr:
        value = node.value
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.refuse(f"'{_shorten(repr(value))}'")
        if isinstance(value, float) and (value != value or abs(value) == float("inf")):
            raise self.refuse(f"the number {value}")
        if isinstance(value, int) and abs(value) > 10**15:
            value = float(min(value, 10**300))
        return sp.Integer(value) if isinstance(value, int) else sp.Float(value)

    def name(self, node: ast.Name) -> sp.Expr:
        if node.id in self.known:
            return self.known[node.id]
        if node.id == "t":
            return TIME
        if node.id in CONSTANTS:
            return CONSTANTS[node.id]
        if node.id in FUNCTIONS:
            raise ModelError(f"{self.where}: the function '{node.id}' needs its argument in parentheses")
        if node.id in FRICTION_LAWS:
            raise ModelError(f"{self.where}: write the friction law '{node.id}' as {FRICTION_LAWS[node.id].call}")
        raise ModelError(
            f"{self.where}: undefined symbol '{node.id}' in '{_shorten(self.text)}'.{did_you_mean(node.id, self.known)}"
        )

    def binary(self, node: ast.BinOp) -> sp.Expr:
        if isinstance(node.op, ast.Pow):
            return self.power(node)
        if isinstance(node.op, ast.BitXor):
            raise ModelError(f"{self.where}: '^' in '{_shorten(self.text)}': write powers with **")
        if isinstance(node.op, ast.BitOr):
            raise ModelError(
                f"{self.where}: ';' in '{self.quoted(node)}': expected it once and only in a friction law, "
                "between the velocity and the parameters, as in coulomb(v; f_c)"
            )
        if type(node.op) not in _OPERATORS:
            raise self.refuse(f"the operator in '{self.quoted(node)}'")
        # a + b + c is (a + b) + c: gone through from the left without recursion, so that sums may be long
        chain: list[tuple[ast.operator, ast.expr]] = []
        first: ast.expr = node
        while isinstance(first, ast.BinOp) and type(first.op) in _OPERATORS:
            chain.append((first.op, first.right))
            first = first.left
        terms = [self.visit(first)]
        for operator, right in reversed(chain):
            value = self.visit(right)
            if isinstance(operator, ast.Add | ast.Sub):
                terms.append(value if isinstance(operator, ast.Add) else -value)
            else:
                terms = [self.checked(_OPERATORS[type(operator)](sp.Add(*terms), value))]
        return sp.Add(*terms)

    def power(self, node: ast.BinOp) -> sp.Expr:
        base, exponent = self.visit(node.left), self.visit(node.right)
        if exponent.is_number and not abs(float(exponent)) <= MAX_EXPONENT:
            raise self.refuse(f"the exponent {_shorten(str(exponent))} (beyond {MAX_EXPONENT})")
        return base**exponent

    def call(self, node: ast.Call) -> sp.Expr:
        if not isinstance(node.func, ast.Name):
            raise self.refuse(f"'{self.quoted(node)}'")
        name = node.func.id
        if name in FRICTION_LAWS:
            return self.friction(node, FRICTION_LAWS[name])
        if node.args and _is_semicolon(node.args[0]) and name not in FUNCTIONS:
            raise ModelError(f"{self.where}: unknown friction law '{name}'.{did_you_mean(name, FRICTION_LAWS)}")
        if name not in FUNCTIONS:
            known = [*FUNCTIONS, *FRICTION_LAWS]
            raise ModelError(f"{self.where}: unknown function '{name}'.{did_you_mean(name, known)}")
        count, function = FUNCTIONS[name]
        if _is_unusual(node) or len(node.args) != count:
            raise ModelError(f"{self.where}: {name}() takes {count} argument{'s' if count > 1 else ''}")
        return function(*self.inside(node.args))

    def inside(self, arguments: Sequence[ast.expr]) -> list[sp.Expr]:
        """The arguments of a call, unless it is the last of too many, one within the other."""
        self.calls += 1
        if self.calls > MAX_CALLS_DEEP:
            raise ModelError(f"{self.where}: functions are nested too deeply, at most {MAX_CALLS_DEEP} are read")
        found = [self.visit(argument) for argument in arguments]
        self.calls -= 1
        return found

    def friction(self, node: ast.Call, law: FrictionLaw) -> sp.Expr:
        """`law(velocity; parameters)`, whose first argument reads as `velocity | first parameter`."""
        expected = f"expected {law.call}: the velocity, a semicolon, then the parameters"
        if _is_unusual(node) or not node.args or not _is_semicolon(node.args[0]):
            raise ModelError(f"{self.where}: '{self.quoted(node)}' has no ';' after its velocity: {expected}")
        first = node.args[0]
        assert isinstance(first, ast.BinOp)
        given = [first.right, *node.args[1:]]
        if len(given) != len(law.parameters):
            raise ModelError(
                f"{self.where}: '{self.quoted(node)}' has {len(given)} of {len(law.parameters)} parameters: {expected}"
            )
        velocity, *parameters = self.inside([first.left, *given])
        longest = max(map(size, (velocity, *parameters)))
        if longest > MAX_ARGUMENT:  # a law repeats its arguments, so laws within laws would grow without end
            raise ModelError(
                f"{self.where}: an argument of {law.name}() has {longest} parts, at most {MAX_ARGUMENT} are read"
            )
        if law.deflection_rate is None:
            return law.force(velocity, *parameters)
        if self.internal is None:
            raise ModelError(
                f"{self.where}: the friction law '{law.name}' has a state of its own: it can stand in the equations "
                "and outputs of a model, and nowhere else"
            )
        return law.force(velocity, self.internal.deflection(law, (velocity, *parameters)), *parameters)


def _is_semicolon(node: ast.expr) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)


def _is_unusual(call: ast.Call) -> bool:
    """Whether a call has arguments by name or unpacked ones."""
    return bool(call.keywords) or any(isinstance(argument, ast.Starred) for argument in call.args)


def _shorten(text: str, limit: int = 60) -> str:
    return text if len(text) <= limit else text[: limit - 3] + "..."
