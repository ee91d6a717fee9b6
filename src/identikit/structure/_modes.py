"""Models with switches, mode by mode: what sign, abs, max and min are on either side.

Between switches a model with dry friction is smooth, mu_c sign(v) is mu_c or -mu_c. A *mode* says on which side every
switch is. Which modes there are is seen at states that occur: those of the planned motion, or random ones.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import sympy as sp

from identikit.model import EXTREMA, Program
from identikit.structure._settings import STRUCTURE
from identikit.structure._tape import NotAnalysableError

_SWITCHES = (sp.sign, sp.Abs, sp.Heaviside, *EXTREMA)
_LARGER = ("Maximum", "Max")


@dataclass(frozen=True)
class Mode:
    """Side of every switch: +1 where its argument (of max and min, first minus second) is positive, else -1."""

    sides: tuple[int, ...]


@dataclass(frozen=True)
class Switches:
    """The switches of some expressions, inner ones first."""

    nodes: tuple[sp.Expr, ...]

    @classmethod
    def of(cls, expressions: Sequence[sp.Expr]) -> Switches:
        found: set[sp.Expr] = set().union(*(expression.atoms(*_SWITCHES) for expression in expressions))
        return cls(tuple(sorted(found, key=lambda node: (node.count_ops(), str(node)))))

    def __len__(self) -> int:
        return len(self.nodes)

    def modes(self, symbols: Sequence[sp.Symbol], values: Sequence[np.ndarray]) -> tuple[Mode, ...]:
        """Modes that occur at points (one array of numbers per symbol): those that show both sides of every switch,
        then the most frequent others, up to a limit.
        """
        if not self.nodes:
            return (Mode(()),)
        program = Program([_argument(node) for node in self.nodes], list(symbols))
        shape = np.broadcast_shapes(*(np.shape(item) for item in values))
        with np.errstate(all="ignore"):  # outside the equations' domain there are no sides
            found = [np.broadcast_to(np.asarray(item, float), shape) for item in program(np, values)]
        sides = np.stack([np.where(item > 0, 1, -1) for item in found], axis=-1)
        sides = sides[np.isfinite(np.stack(found, axis=-1)).all(axis=-1)]
        if not len(sides):
            return (Mode((1,) * len(self.nodes)),)
        patterns, counts = np.unique(sides, axis=0, return_counts=True)
        patterns = patterns[np.argsort(-counts, kind="stable")]
        occurring = [Mode(tuple(map(int, pattern))) for pattern in patterns]
        telling: list[Mode] = []
        seen: set[tuple[int, int]] = set()
        for mode in occurring:
            new = set(enumerate(mode.sides)) - seen
            if new:
                telling.append(mode)
                seen |= new
        others = [mode for mode in occurring if mode not in telling]
        return tuple([*telling, *others][: STRUCTURE.most_modes])

    def resolved(self, expression: sp.Expr, mode: Mode) -> sp.Expr:
        """The expression as it is in a mode."""
        known: dict[sp.Basic, sp.Basic] = {}
        for node, side in zip(self.nodes, mode.sides, strict=True):
            known[node] = _on_side(node, side, known)
        return expression.xreplace(known) if known else expression


def _argument(node: sp.Expr) -> sp.Expr:
    return node.args[0] - node.args[1] if isinstance(node, EXTREMA) else node.args[0]


def _on_side(node: sp.Expr, side: int, known: Mapping[sp.Basic, sp.Basic]) -> sp.Expr:
    arguments = [item.xreplace(dict(known)) for item in node.args]
    if isinstance(node, EXTREMA) and len(arguments) > 2:
        raise NotAnalysableError("a max or min of more than two is not taken apart")
    if isinstance(node, sp.sign):
        return sp.Integer(side)
    if isinstance(node, sp.Abs):
        return side * arguments[0]
    if isinstance(node, sp.Heaviside):
        return sp.Integer((1 + side) // 2)
    first = (side > 0) == (type(node).__name__ in _LARGER)
    return arguments[0] if first else arguments[1]
