"""Equations as a list of operations on power series, with every function reduced to four that have exact recurrences.

Sums, products and reciprocals stay. Sines, hyperbolic functions and powers with a symbol as exponent become
exponentials (with a root of -1 among the numbers), e' = a' e. Roots obey a w' = r a' w. Logarithms and inverse
functions are primitives, z' = g(u) u'. The *value* at the beginning of an exponential or a primitive is a number that
no algebra knows; any can stand for it as long as algebraic relations are kept: exp(a + b) = exp(a) exp(b),
sin^2 + cos^2 = 1. So exponents are taken apart into terms, and equal terms share one exponential. By a theorem of Ax,
exponentials of terms that are independent over the rational numbers have no relation between them, so that nothing is
lost.

References: A. Sedoglavic, J. Symbolic Computation 33 (2002) 735; J. Ax, Annals of Mathematics 93 (1971) 252.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import reduce
from math import gcd, lcm

import sympy as sp

from identikit.structure._settings import STRUCTURE


class Operation(Enum):
    """What an instruction does with its arguments."""

    NUMBER = "number"
    IMAGINARY = "imaginary"
    TRANSCENDENTAL = "transcendental"
    LEAF = "leaf"
    SUM = "sum"
    PRODUCT = "product"
    RECIPROCAL = "reciprocal"
    ROOT = "root"
    EXPONENTIAL = "exponential"
    PRIMITIVE = "primitive"


@dataclass(frozen=True)
class Instruction:
    """`arguments` are numbers of earlier instructions; of a primitive pairs slope, variable, slope, variable, ...

    `number`: a constant; the exponent of a root; of a primitive, where it is zero. `leaf`: which symbol.
    """

    operation: Operation
    arguments: tuple[int, ...] = ()
    number: Fraction | None = None
    leaf: sp.Basic | None = None


class NotAnalysableError(Exception):
    """An expression holds something that has no power series by rule; the text says what."""


_EXPONENTIAL = (sp.exp, sp.sin, sp.cos, sp.tan, sp.sinh, sp.cosh, sp.tanh)
_TRIGONOMETRIC = (sp.sin, sp.cos, sp.tan)
MOST_EXPANDED = 200  # operations in an exponent that is taken apart


class Tape:
    """Instructions for some expressions; `places` says which instruction holds each of them.

    Arguments:
        expressions: without switches (sign, abs, max, min): these are resolved beforehand.
    """

    def __init__(self, expressions: Sequence[sp.Expr]) -> None:
        self.instructions: list[Instruction] = []
        self._known: dict[object, int] = {}
        self._units = _units(expressions)
        self.places = [self.place(expression) for expression in expressions]

    def place(self, expression: sp.Expr) -> int:
        """The instruction that holds the expression."""
        found = self._known.get(expression)
        if found is None:
            found = self._known[expression] = self._made(expression)
        return found

    # Construction

    def _add(self, instruction: Instruction) -> int:
        found = self._known.get(instruction)
        if found is None:
            if len(self.instructions) >= STRUCTURE.largest_tape:
                raise NotAnalysableError(f"they make more than {STRUCTURE.largest_tape} operations")
            found = self._known[instruction] = len(self.instructions)
            self.instructions.append(instruction)
        return found

    def _made(self, node: sp.Basic) -> int:
        if node.is_Symbol:
            return self._add(Instruction(Operation.LEAF, leaf=node))
        if node.is_Rational or node.is_Float:
            return self._number(_fraction(node))
        if node is sp.I:
            return self._add(Instruction(Operation.IMAGINARY))
        if node.is_NumberSymbol:  # pi and e: no rational number is related to them
            return self._add(Instruction(Operation.TRANSCENDENTAL, leaf=node))
        if node.is_Add:
            return self._sum([self.place(item) for item in node.args])
        if node.is_Mul:
            return self._product([self.place(item) for item in node.args])
        if node.is_Pow:
            return self._power(node.base, node.exp)
        if isinstance(node, _EXPONENTIAL):
            return self._exponential_family(node)
        return self._primitive(node)

    def _number(self, value: Fraction) -> int:
        return self._add(Instruction(Operation.NUMBER, number=value))

    def _sum(self, places: Iterable[int]) -> int:
        return self._add(Instruction(Operation.SUM, tuple(sorted(places))))

    def _product(self, places: Iterable[int]) -> int:
        def multiplied(a: int, b: int) -> int:
            return self._add(Instruction(Operation.PRODUCT, (a, b)))

        return reduce(multiplied, sorted(places))

    def _reciprocal(self, place: int) -> int:
        return self._add(Instruction(Operation.RECIPROCAL, (place,)))

    def _whole_power(self, place: int, exponent: int) -> int:
        if exponent < 0:
            return self._reciprocal(self._whole_power(place, -exponent))
        if exponent < 2:
            return place if exponent else self._number(Fraction(1))
        half = self._whole_power(place, exponent // 2)
        square = self._product([half, half])
        return self._product([square, place]) if exponent % 2 else square

    def _power(self, base: sp.Expr, exponent: sp.Expr) -> int:
        if exponent.is_Rational or exponent.is_Float:
            value = _fraction(exponent)
            if value.denominator == 1:
                return self._whole_power(self.place(base), value.numerator)
            return self._root(self.place(base), value)
        return self._exponential(exponent * sp.log(base))

    def _root(self, place: int, exponent: Fraction) -> int:
        """By whole powers of one root, so that sqrt(a)**2 is a."""
        unit = Fraction(1, exponent.denominator)
        root = self._add(Instruction(Operation.ROOT, (place,), unit))
        return self._whole_power(root, exponent.numerator)

    def _exponential_family(self, node: sp.Function) -> int:
        argument = node.args[0]
        turning = isinstance(node, _TRIGONOMETRIC)
        up = self._exponential(sp.I * argument if turning else argument)
        if isinstance(node, sp.exp):
            return up
        down, minus = self._reciprocal(up), self._number(Fraction(-1))
        even = self._sum([up, down])
        odd = self._sum([up, self._product([minus, down])])
        if turning:  # 1/i
            odd = self._product([odd, minus, self._add(Instruction(Operation.IMAGINARY))])
        if isinstance(node, sp.tan | sp.tanh):
            return self._product([odd, self._reciprocal(even)])
        half = self._number(Fraction(1, 2))
        return self._product([half, odd if isinstance(node, sp.sin | sp.sinh) else even])

    def _exponential(self, exponent: sp.Expr) -> int:
        """A product of whole powers of exponentials of the terms of the exponent."""
        factors = []
        for rest, coefficient in _terms(exponent):
            unit = self._units.get(rest, abs(coefficient)) or Fraction(1)
            times = coefficient / unit
            if times.denominator != 1:
                unit, times = coefficient, Fraction(1)
            inside = self._product([self._number(unit), self.place(rest)])
            base = self._add(Instruction(Operation.EXPONENTIAL, (inside,)))
            factors.append(self._whole_power(base, times.numerator))
        return self._product(factors) if factors else self._number(Fraction(1))

    def _primitive(self, node: sp.Basic) -> int:
        """log, asin, acos, atan, atan2 by their slopes."""
        if isinstance(node, sp.log):
            inside = node.args[0]
            pairs, zero = [(1 / inside, inside)], Fraction(1)
        elif isinstance(node, sp.asin | sp.acos):
            inside = node.args[0]
            slope = 1 / sp.sqrt(1 - inside**2)
            pairs, zero = [(slope if isinstance(node, sp.asin) else -slope, inside)], None
            zero = Fraction(0) if isinstance(node, sp.asin) else None
        elif isinstance(node, sp.atan):
            inside = node.args[0]
            pairs, zero = [(1 / (1 + inside**2), inside)], Fraction(0)
        elif isinstance(node, sp.atan2):
            y, x = node.args
            square = x**2 + y**2
            pairs, zero = [(x / square, y), (-y / square, x)], None
        else:
            raise NotAnalysableError(f"the function {type(node).__name__} is not among those that are known")
        places = tuple(self.place(item) for pair in pairs for item in pair)
        return self._add(Instruction(Operation.PRIMITIVE, places, zero))


def _fraction(number: sp.Expr) -> Fraction:
    """A number exactly as it is written: 0.1 is a tenth, not the nearest binary fraction."""
    if number.is_Float:
        return Fraction(repr(float(number)))
    return Fraction(int(number.p), int(number.q))


def _terms(exponent: sp.Expr) -> Iterator[tuple[sp.Expr, Fraction]]:
    """The exponent as a sum of terms, each with its rational coefficient."""
    expanded = sp.expand(exponent) if exponent.count_ops() <= MOST_EXPANDED else exponent
    for term in sp.Add.make_args(expanded):
        coefficient, rest = term.as_coeff_Mul()
        if coefficient.is_Rational or coefficient.is_Float:
            value = _fraction(coefficient)
            if value:
                yield rest, value
        else:
            yield term, Fraction(1)


def _units(expressions: Sequence[sp.Expr]) -> Mapping[sp.Expr, Fraction]:
    """For every term of an exponent the largest fraction of which all its coefficients are whole multiples."""
    found: dict[sp.Expr, Fraction] = {}
    nodes: set[sp.Basic] = set().union(*(expression.atoms(sp.Function, sp.Pow) for expression in expressions))
    for node in nodes:
        if isinstance(node, _EXPONENTIAL):
            exponent = node.args[0] * (sp.I if isinstance(node, _TRIGONOMETRIC) else 1)
        elif node.is_Pow and not node.exp.is_number:
            exponent = node.exp * sp.log(node.base)
        else:
            continue
        for rest, coefficient in _terms(exponent):
            found[rest] = _common_unit(found.get(rest, Fraction(0)), coefficient)
    return found


def _common_unit(first: Fraction, second: Fraction) -> Fraction:
    denominator = lcm(first.denominator, second.denominator)
    return Fraction(gcd(int(first * denominator), int(second * denominator)), denominator)
