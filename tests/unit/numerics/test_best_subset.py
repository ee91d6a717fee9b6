"""Best subsets by branch and bound: the same as trying all, and nothing within the margin is missed."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from identikit.numerics import best_subsets, subset_near


def table(seed: int, columns: int = 9, rows: int = 60, alike: float = 0.0) -> np.ndarray:
    """[b | A] with three true columns; `alike` makes neighbouring columns resemble one another."""
    random = np.random.default_rng(seed)
    a = random.standard_normal((rows, columns))
    a[:, 1:] += alike * a[:, :-1]
    b = a[:, [1, 4, 5]] @ np.array([2.0, -1.5, 0.4]) + random.standard_normal(rows)
    return np.column_stack([b, a])


def criterion(rows: np.ndarray, chosen: tuple[int, ...], price: float) -> float:
    a = rows[:, [1 + i for i in chosen]]
    left = rows[:, 0] - a @ np.linalg.lstsq(a, rows[:, 0], rcond=None)[0]
    return float(left @ left) + price * len(chosen)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("alike", [0.0, 30.0])
def test_all_subsets_within_the_margin_are_those_of_trying_every_one(seed: int, alike: float) -> None:
    rows, price, margin = table(seed, alike=alike), 5.0, 8.0
    tried = {s: criterion(rows, s, price) for n in range(10) for s in combinations(range(9), n)}
    least = min(tried.values())
    expected = {s for s, value in tried.items() if value <= least + margin}
    found = best_subsets(rows, price, margin)
    assert found.proven
    assert {item.chosen for item in found.subsets} == expected
    assert found.best.criterion == pytest.approx(least)
    assert found.weights().sum() == pytest.approx(1.0)


def test_kept_columns_are_in_every_subset_though_they_are_worth_nothing() -> None:
    rows = table(0)
    assert 8 not in best_subsets(rows, 5.0).best.chosen
    found = best_subsets(rows, 5.0, 10.0, kept=(8,))
    assert len(found.subsets) > 1 and all(8 in item.chosen for item in found.subsets)


def test_a_large_library_is_searched_without_enumerating_it() -> None:
    rows = table(1, columns=30, rows=400)
    found = best_subsets(rows, 12.0)
    assert found.proven and found.best.chosen == (1, 4, 5)


def test_a_search_that_is_cut_off_says_so_and_has_the_local_best() -> None:
    rows = table(1, columns=60, rows=400)
    found = best_subsets(rows, 12.0, most_nodes=0)
    assert not found.proven and found.best.chosen == (1, 4, 5)
    assert subset_near(rows, 12.0, (0, 2, 3)).chosen == (1, 4, 5)


def test_equal_columns_and_few_rows_do_no_harm() -> None:
    rows = table(2)
    twice = np.column_stack([rows, rows[:, 2], np.zeros(len(rows))])
    found = best_subsets(twice, 5.0)
    assert len({1, 9} & set(found.best.chosen)) == 1 and 10 not in found.best.chosen
    few = rows[:4]
    assert best_subsets(few, 5.0).best.criterion <= few[:, 0] @ few[:, 0]
