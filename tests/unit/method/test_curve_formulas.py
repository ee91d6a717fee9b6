"""curve_formulas: the shape that a curve has is named, with its constants, and nothing more than it needs."""

from __future__ import annotations

import numpy as np
import pytest
import sympy as sp

from identikit.method.expression import Formula, curve_formulas
from identikit.model import symbol
from identikit.progress import Cancelled, ProgressEvent, silent, watched

pytest.importorskip("pyoperon")

OMEGA = np.linspace(-2.0, 2.0, 161)
X = symbol("omega")


def formulas(values: np.ndarray, noise: float, seed: int = 0) -> tuple[Formula, ...]:
    deviation = np.full(len(values), noise)
    noisy = values + noise * np.random.default_rng(seed).standard_normal(len(values))
    return curve_formulas({"omega": OMEGA}, noisy, deviation, 0, silent)


def structure(formula: Formula) -> sp.Expr:
    """With every factor one and every inner constant s."""
    names = {name: sp.S.One if name.startswith("c_") else symbol("s") for name in formula.constants}
    return formula.expression.subs({symbol(name): value for name, value in names.items()})


@pytest.fixture(scope="module")
def stribeck() -> tuple[Formula, ...]:
    return formulas(-(0.03 + 0.03 * np.exp(-((OMEGA / 0.3) ** 2))) * np.sign(OMEGA) - 0.01 * OMEGA, 6e-4)


def test_a_stribeck_curve_is_named_with_its_constants(stribeck: tuple[Formula, ...]) -> None:
    s, best = symbol("s"), stribeck[0]
    assert sp.simplify(structure(best) - (sp.sign(X) * (1 + sp.exp(-((X / s) ** 2))) + X)) == 0
    assert best.constants["scale_omega"] == pytest.approx(0.3, rel=0.1)
    assert best.constants["c_sign_omega"] == pytest.approx(-0.03, rel=0.05)
    assert best.constants["c_omega"] == pytest.approx(-0.01, rel=0.05)


def test_formulas_are_ranked_and_the_criterion_is_schwarzs(stribeck: tuple[Formula, ...]) -> None:
    assert list(stribeck) == sorted(stribeck, key=lambda item: item.criterion)
    best = stribeck[0]
    squares = best.criterion - len(best.constants) * np.log(len(OMEGA))
    assert squares / len(OMEGA) == pytest.approx(1.0, abs=0.25)
    assert stribeck[1].criterion - best.criterion > 6


@pytest.mark.study
def test_a_rounded_step_is_a_tanh_and_a_sharp_one_a_sign() -> None:
    rounded = formulas(0.5 * np.tanh(OMEGA / 0.4), 0.01)[0]
    assert structure(rounded) == sp.tanh(X / symbol("s"))
    sharp = formulas(0.5 * np.sign(OMEGA) + 0.2 * OMEGA * np.abs(OMEGA), 0.01)[0]
    assert structure(sharp) == sp.sign(X) + X * sp.Abs(X)


def test_a_straight_line_is_no_more_than_that() -> None:
    """Negative control."""
    assert structure(formulas(0.3 * OMEGA, 0.01)[0]) == X


@pytest.mark.study
def test_the_same_seed_gives_the_same_formulas() -> None:
    first, second = (formulas(np.sin(2 * OMEGA), 0.02) for _ in range(2))
    assert first == second


def test_stopped_it_keeps_the_best_so_far_or_says_that_there_is_none() -> None:
    values, deviation = np.tanh(OMEGA), np.full(len(OMEGA), 0.01)

    def impatient(event: ProgressEvent) -> bool:
        return event.fraction < 0.4

    with watched(impatient) as run:
        assert curve_formulas({"omega": OMEGA}, values, deviation, 0, run)
    with watched(lambda event: False) as run, pytest.raises(Cancelled):
        curve_formulas({"omega": OMEGA}, values, deviation, 0, run)


def test_samples_without_a_value_or_a_deviation_are_left_out() -> None:
    values, deviation = 0.3 * OMEGA, np.full(len(OMEGA), 0.01)
    values[::7], deviation[3::7] = np.nan, 0.0
    best = curve_formulas({"omega": OMEGA}, values, deviation, 0, silent)[0]
    assert best.constants["c_omega"] == pytest.approx(0.3)
