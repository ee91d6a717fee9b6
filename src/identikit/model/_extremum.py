"""max(a, b) and min(a, b) as they are written.

SymPy's own Max and Min compare all their arguments whenever they are built, and again for every derivative: two dozen
nested ones take minutes. These two stand as they are; only two numbers are compared.
"""

from __future__ import annotations

from typing import Any

import sympy as sp


class _Extremum(sp.Function):  # type: ignore[misc]  # SymPy has no types
    """The larger or the smaller of two real quantities; its slope is that of the one that counts, at a tie the mean."""

    nargs = 2
    is_real = True
    word: str
    direct: Any  # SymPy's own, for numbers

    @classmethod
    def eval(cls, a: sp.Expr, b: sp.Expr) -> sp.Expr | None:
        if a == b:
            return a
        return cls.direct(a, b) if a.is_number and b.is_number else None

    def _sympystr(self, printer: Any) -> str:
        """As the parser reads it."""
        return f"{self.word}({', '.join(printer._print(argument) for argument in self.args)})"

    def _latex(self, printer: Any) -> str:
        return rf"\{self.word}\left({', '.join(printer._print(argument) for argument in self.args)}\right)"


class Maximum(_Extremum):
    """max(a, b)"""

    word, direct = "max", sp.Max

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        a, b = self.args if argindex == 1 else reversed(self.args)
        return sp.Heaviside(a - b)


class Minimum(_Extremum):
    """min(a, b)"""

    word, direct = "min", sp.Min

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        a, b = self.args if argindex == 1 else reversed(self.args)
        return sp.Heaviside(b - a)


EXTREMA = (Maximum, Minimum, sp.Max, sp.Min)
