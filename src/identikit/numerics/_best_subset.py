"""Best subset of columns by an information criterion, without enumerating: branch and bound on one triangular factor.

For the rows [A | b], white, and a price per column, minimise over subsets S

    criterion(S) = min_x |b - A_S x|^2 + price |S|.

All subsets' sums of squares follow from the triangular factor of [A | b], so each costs as much as there are columns,
however many rows there were. A branch has columns that are in, and some that are open: no subset in it can be better
than all of them together at the price of those that are in. What lies further than `margin` above the best so far is
cut off; what is left at the end is every subset within the margin.

The first good subset comes from a local search (add, drop, exchange), from nothing and from everything.

References: G. M. Furnival, R. W. Wilson, Regressions by leaps and bounds, Technometrics 16 (1974) 499-511;
M. A. Efroymson, Multiple regression analysis, in: Mathematical Methods for Digital Computers, Wiley 1960.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from identikit.numerics._information import FLOOR, column_sizes


@dataclass(frozen=True)
class Subset:
    """Chosen columns in ascending order, their sum of squares, and the criterion."""

    chosen: tuple[int, ...]
    squares: float
    criterion: float


@dataclass(frozen=True)
class BestSubsets:
    """All subsets within the margin, the best first; `proven` unless the search was cut off before its end."""

    subsets: tuple[Subset, ...]
    proven: bool

    @property
    def best(self) -> Subset:
        return self.subsets[0]

    def weights(self) -> np.ndarray:
        """Their probabilities if all were equally likely beforehand: exp(-criterion / 2), of sum one."""
        above = np.array([item.criterion for item in self.subsets]) - self.best.criterion
        found = np.exp(-0.5 * above)
        return np.asarray(found / found.sum())


def best_subsets(
    rows: np.ndarray, price: float, margin: float = 0.0, kept: tuple[int, ...] = (), most_nodes: int = 20_000
) -> BestSubsets:
    """The subsets of the columns of A within `margin` of the best criterion.

    Arguments:
        rows: [rows, 1 + columns], b first and A after it, in units of the noise.
        price: of each column.
        kept: columns that are in every subset.
        most_nodes: after so many branches the best so far is returned.
    """
    search = _Search(rows, price, margin, kept)
    search.improve(kept)
    search.improve(tuple(range(search.count)))
    return search.branch(most_nodes)


def subset_near(rows: np.ndarray, price: float, start: tuple[int, ...], kept: tuple[int, ...] = ()) -> Subset:
    """The subset that adding, dropping and exchanging single columns leads to from `start`: quick, and not proven to be
    the best."""
    search = _Search(rows, price, 0.0, kept)
    search.improve(start)
    return search.branch(0).best


class _Search:
    """State of one search: subsets seen, the best of them."""

    def __init__(self, rows: np.ndarray, price: float, margin: float, kept: tuple[int, ...]) -> None:
        padding = max(rows.shape[1] - len(rows), 0)  # rows of zeros say nothing more
        factor = np.asarray(np.linalg.qr(np.pad(rows, ((0, padding), (0, 0))), mode="r"))
        self.right, columns = factor[:, 0], factor[:, 1:]
        self.columns = columns / column_sizes(columns)
        self.count, self.price, self.margin, self.kept = columns.shape[1], price, margin, frozenset(kept)
        self.seen: dict[tuple[int, ...], Subset] = {}
        self.least = math.inf

    def note(self, chosen: tuple[int, ...], squares: float) -> float:
        criterion = squares + self.price * len(chosen)
        if criterion <= self.least + self.margin:
            self.seen[chosen] = Subset(chosen, squares, criterion)
        self.least = min(self.least, criterion)
        return criterion

    def improve(self, start: tuple[int, ...]) -> None:
        """Add, drop or exchange one column at a time while the criterion falls."""
        chosen = start
        present = self.note(chosen, self._left(chosen)[1])
        while True:
            moves = [self._extended(chosen)]
            for column in chosen:
                if column in self.kept:
                    continue
                without = tuple(item for item in chosen if item != column)
                moves += [(self._left(without)[1], without), self._extended(without, column)]
            squares, found = min(moves, key=lambda move: move[0] + self.price * len(move[1]))
            criterion = self.note(found, squares)
            if criterion >= present - FLOOR * (1 + abs(present)):
                return
            chosen, present = found, criterion

    def _left(self, chosen: tuple[int, ...]) -> tuple[np.ndarray, float]:
        """A basis of the chosen columns, and the sum of squares that they leave."""
        basis, _ = _independent(self.columns[:, list(chosen)])
        left = self.right - basis @ (basis.T @ self.right)
        return basis, float(left @ left)

    def _extended(self, chosen: tuple[int, ...], besides: int = -1) -> tuple[float, tuple[int, ...]]:
        """The best subset with one column more, and its sum of squares."""
        basis, squares = self._left(chosen)
        left = self.right - basis @ (basis.T @ self.right)
        beyond = self.columns - basis @ (basis.T @ self.columns)
        sizes = np.einsum("ij,ij->j", beyond, beyond)
        gain = np.where(sizes > FLOOR, (left @ beyond) ** 2 / np.maximum(sizes, FLOOR), -1.0)
        gain[[*chosen, *([besides] if besides >= 0 else [])]] = -math.inf
        best = int(np.argmax(gain))
        if not gain[best] > 0:
            return squares, chosen
        return squares - float(gain[best]), tuple(sorted((*chosen, best)))

    def branch(self, most_nodes: int) -> BestSubsets:
        everything = frozenset(range(self.count)) - self.kept
        stack: list[tuple[frozenset[int], frozenset[int]]] = [(self.kept, everything)]  # in, open
        nodes = 0
        while stack and nodes < most_nodes:
            inside, open_ = stack.pop()
            nodes += 1
            chosen = tuple(sorted(inside | open_))
            squares, losses = self._losses(chosen)
            self.note(chosen, squares)
            cut = self.least + self.margin
            if squares + self.price * len(inside) > cut:
                continue
            # a column that costs more to leave out than the branch can afford is in
            needed = {c for c, loss in zip(chosen, losses, strict=True)
                      if c in open_ and squares + loss + self.price * len(inside) > cut}  # fmt: skip
            inside, open_ = inside | needed, open_ - needed
            if not open_ or squares + self.price * len(inside) > cut:
                continue
            weakest = min(open_, key=lambda c: losses[chosen.index(c)])
            stack.append((inside | {weakest}, open_ - {weakest}))
            stack.append((inside, open_ - {weakest}))
        found = [item for item in self.seen.values() if item.criterion <= self.least + self.margin]
        ordered = sorted(found, key=lambda item: (item.criterion, item.chosen))
        return BestSubsets(tuple(ordered), not stack)

    def _losses(self, chosen: tuple[int, ...]) -> tuple[float, np.ndarray]:
        """Sum of squares that the columns leave, and by how much it would grow without each of them."""
        columns = self.columns[:, list(chosen)]
        basis, kept = _independent(columns)
        projected = basis.T @ self.right
        left = self.right - basis @ projected
        inverse = np.linalg.inv(basis.T @ columns[:, kept])
        losses = np.zeros(len(chosen))  # a column that the others make up can go
        losses[kept] = (inverse @ projected) ** 2 / np.einsum("ij,ij->i", inverse, inverse)
        if len(kept) < len(chosen):
            losses[:] = 0.0  # and so, perhaps, can each of the others, if it stays
        return float(left @ left), losses


def _independent(columns: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """An orthonormal basis of the columns, of length one, and which of them it is made of: without those that others
    make up, whose direction would be rounding."""
    basis, triangle = np.linalg.qr(columns)
    if (np.abs(np.diag(triangle)) > FLOOR).all():
        return basis, np.arange(columns.shape[1])
    from scipy.linalg import qr

    basis, triangle, order = qr(columns, mode="economic", pivoting=True)
    rank = int(np.count_nonzero(np.abs(np.diag(triangle)) > FLOOR))
    return basis[:, :rank], np.asarray(order[:rank])
