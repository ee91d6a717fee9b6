"""Equations as sums of products: what depends on the parameters apart from what depends on the record.

    e_i(x, p) = sum_j theta_j(p) phi_ij(x)

With x taken from smooth curves every linear operation on e_i (a filter, an integral against a test function) falls on
the phi alone and is done once; after that a trial of other parameters costs the theta(p) and a small product. The
theta need not be the parameters themselves: 1/(R C), w0^2 cos(offset), k/m. What cannot be taken apart, such as
exp(a x) with a free, or 1/(m + n x), is reported as such.

Reference: G. H. Golub, V. Pereyra, SIAM J. Numer. Anal. 10 (1973) 413-432 (separable nonlinear least squares).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

import sympy as sp

from identikit.model._structure import size
from identikit.progress import poll

MOST_SEPARATED = 400  # of one equation, multiplied out; beyond, taking it apart would cost more than it saves

Terms = dict[tuple[sp.Expr, sp.Expr], sp.Expr]  # (theta, phi) -> number


@dataclass(frozen=True)
class Separation:
    """expressions[i] = sum of coefficients[j] * basis[k] over the pairs (j, k) in terms[i].

    `coefficients` are distinct functions of the free parameters (and of fixed ones where these cannot be told
    apart), `basis` distinct functions of everything else. Within one expression no coefficient appears twice, nor
    does any basis function.
    """

    coefficients: tuple[sp.Expr, ...]
    basis: tuple[sp.Expr, ...]
    terms: tuple[tuple[tuple[int, int], ...], ...]

    def powers(self, free: Sequence[sp.Symbol]) -> list[list[sp.Expr]] | None:
        """Exponents [coefficient][parameter] if every coefficient is a product of powers of `free`, else None."""
        found = []
        for coefficient in self.coefficients:
            row = coefficient.as_powers_dict()
            if any(base not in free or not power.is_Rational for base, power in row.items() if base != 1):
                return None
            found.append([row.get(parameter, sp.Integer(0)) for parameter in free])
        return found


def separate(
    expressions: Sequence[sp.Expr], moving: Collection[sp.Symbol], free: Collection[sp.Symbol]
) -> Separation | None:
    """Take `expressions` apart; None if one of them does not come apart, or only into too many terms.

    `moving` are the symbols that vary along a record (time, states, inputs, curves), `free` the parameters that are
    looked for. Any other symbol counts as a known number.
    """
    splitter = _Splitter(frozenset(moving), frozenset(free))
    try:
        split = [splitter.terms(expression) for expression in expressions]
    except _InseparableError:
        return None
    coefficients: dict[sp.Expr, int] = {}
    basis: dict[sp.Expr, int] = {}
    terms = []
    for part in split:
        pairs = []
        for theta, phi in _fewest(part):
            pairs.append((coefficients.setdefault(theta, len(coefficients)), basis.setdefault(phi, len(basis))))
        terms.append(tuple(pairs))
    return Separation(tuple(coefficients), tuple(basis), tuple(terms))


class _InseparableError(Exception):
    pass


@dataclass(frozen=True)
class _Splitter:
    moving: frozenset[sp.Symbol]
    free: frozenset[sp.Symbol]

    def terms(self, expression: sp.Expr) -> Terms:
        """The expression multiplied out as far as its two kinds of symbols are entangled."""
        poll()
        if not expression.free_symbols & self.free:
            return _known(expression)
        if not expression.free_symbols & self.moving:
            return _total(
                _numbered(part, sp.S.One) if part.free_symbols & self.free else _known(part)
                for part in sp.Add.make_args(self._expanded(expression))
            )
        if expression.is_Add:
            return _total(self.terms(argument) for argument in expression.args)
        if expression.is_Mul:
            return self._product([self.terms(argument) for argument in expression.args])
        if expression.is_Pow:
            return self._power(*expression.args)
        rule = _RULES.get(expression.func)
        if rule is None:
            raise _InseparableError
        return rule(self, expression.args[0])

    def _expanded(self, theta: sp.Expr) -> sp.Expr:
        """Multiplied out where that is cheap: sums shared by several terms then show as common ones."""
        return sp.expand(theta) if size(theta) <= MOST_SEPARATED else theta

    def _product(self, factors: Iterable[Terms]) -> Terms:
        total: Terms = {(sp.S.One, sp.S.One): sp.S.One}
        for factor in factors:
            if len(total) * len(factor) > MOST_SEPARATED:
                raise _InseparableError
            total = _total(
                _numbered(theta * other_theta, phi * other_phi, number * other_number)
                for (theta, phi), number in total.items()
                for (other_theta, other_phi), other_number in factor.items()
            )
        return total

    def _power(self, base: sp.Expr, exponent: sp.Expr) -> Terms:
        if not exponent.is_Integer:
            raise _InseparableError
        if exponent > 0:
            return self._product([self.terms(base)] * int(exponent))
        theta, phi = self._single(base)
        return _numbered(theta**exponent, phi**exponent)

    def _single(self, expression: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
        """The expression as one product, in whatever form shows it to be one."""
        for form in self._forms(expression):
            parts = [self.terms(factor) for factor in sp.Mul.make_args(form)]
            if all(len(_fewest(part)) == 1 for part in parts):
                pairs = [_fewest(part)[0] for part in parts]
                return sp.Mul(*(theta for theta, _ in pairs)), sp.Mul(*(phi for _, phi in pairs))
        raise _InseparableError

    def _forms(self, expression: sp.Expr) -> Iterator[sp.Expr]:
        yield expression
        if size(expression) <= MOST_SEPARATED:
            yield sp.factor(expression)

    def of_product(self, function: Callable[[sp.Expr], sp.Expr], argument: sp.Expr) -> Terms:
        """|theta phi| = |theta| |phi|, and so for sign."""
        theta, phi = self._single(argument)
        return _numbered(function(theta), function(phi))

    def of_sum(self, argument: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
        """argument = a(x) + b(p)."""
        parts = [(theta * number, phi) for (theta, phi), number in self.terms(argument).items()]
        if any(phi != 1 and theta.free_symbols & self.free for theta, phi in parts):
            raise _InseparableError
        known = sp.Add(*(theta * phi for theta, phi in parts if not theta.free_symbols & self.free))
        return known, sp.Add(*(theta for theta, phi in parts if theta.free_symbols & self.free))


def _exponential(splitter: _Splitter, argument: sp.Expr) -> Terms:
    a, b = splitter.of_sum(argument)
    return _numbered(sp.exp(b), sp.exp(a))


def _odd(even: Callable[[sp.Expr], sp.Expr], odd: Callable[[sp.Expr], sp.Expr]) -> Callable[..., Terms]:
    """sin(a + b) = cos b sin a + sin b cos a, and so for sinh."""

    def rule(splitter: _Splitter, argument: sp.Expr) -> Terms:
        a, b = splitter.of_sum(argument)
        return _total([_numbered(even(b), odd(a)), _numbered(odd(b), even(a))])

    return rule


def _even(even: Callable[[sp.Expr], sp.Expr], odd: Callable[[sp.Expr], sp.Expr], sign: int) -> Callable[..., Terms]:
    """cos(a + b) = cos b cos a - sin b sin a, and so, with a plus, for cosh."""

    def rule(splitter: _Splitter, argument: sp.Expr) -> Terms:
        a, b = splitter.of_sum(argument)
        return _total([_numbered(even(b), even(a)), _numbered(odd(b), odd(a), sp.Integer(sign))])

    return rule


_RULES: dict[sp.FunctionClass, Callable[[_Splitter, sp.Expr], Terms]] = {
    sp.exp: _exponential,
    sp.sin: _odd(sp.cos, sp.sin),
    sp.cos: _even(sp.cos, sp.sin, -1),
    sp.sinh: _odd(sp.cosh, sp.sinh),
    sp.cosh: _even(sp.cosh, sp.sinh, 1),
    sp.Abs: lambda splitter, argument: splitter.of_product(sp.Abs, argument),
    sp.sign: lambda splitter, argument: splitter.of_product(sp.sign, argument),
}


def _known(phi: sp.Expr) -> Terms:
    return _total(_numbered(sp.S.One, part) for part in sp.Add.make_args(phi))


def _numbered(theta: sp.Expr, phi: sp.Expr, number: sp.Expr = sp.S.One) -> Terms:
    """One term with the numbers of both its factors taken out."""
    (first, theta), (second, phi) = theta.as_coeff_Mul(), phi.as_coeff_Mul()
    return {(theta, phi): number * first * second}


def _total(parts: Iterable[Terms]) -> Terms:
    total: Terms = {}
    for part in parts:
        for pair, number in part.items():
            total[pair] = total.get(pair, sp.S.Zero) + number
    return {pair: number for pair, number in total.items() if number != 0}


def _fewest(terms: Terms) -> list[tuple[sp.Expr, sp.Expr]]:
    """Gathered: first the phi of each theta, then the theta that turned out to have the same phi."""
    gathered: dict[sp.Expr, list[sp.Expr]] = {}
    for (theta, phi), number in terms.items():
        gathered.setdefault(theta, []).append(number * phi)
    alike: dict[sp.Expr, list[sp.Expr]] = {}
    for theta, parts in gathered.items():
        number, phi = sp.Add(*parts).as_coeff_Mul() if len(parts) == 1 else (sp.S.One, sp.Add(*parts))
        alike.setdefault(phi, []).append(number * theta)
    found = []
    for phi, thetas in alike.items():
        number, theta = sp.Add(*thetas).as_coeff_Mul()
        found.append((theta, number * phi))
    return found
