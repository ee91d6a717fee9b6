"""Inputs that excite: within their limits, of low crest factor, and the same as text, as numbers and as pieces."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.planning import Signal, multisine, steps, sweep

LIMITS = (-1.0, 3.0)


@pytest.mark.parametrize(
    "signal", [multisine(0.2, 2.0, 20.0, LIMITS), sweep(0.2, 2.0, 20.0, LIMITS), steps(0.7, 20.0, LIMITS)], ids=repr
)
def test_a_signal_stays_within_its_limits_and_uses_them(signal: Signal) -> None:
    values = signal.values(np.linspace(0, 20, 40001))
    assert values.min() >= -1.0 and values.max() <= 3.0
    assert np.ptp(values) > 0.95 * 4


@pytest.mark.parametrize("low, high, most", [(0.05, 0.4, 1.5), (0.2, 2.0, 1.9), (1.0, 3.0, 1.9)])
def test_a_multisine_has_a_lower_crest_factor_than_with_phases_at_random(low: float, high: float, most: float) -> None:
    """Lowest for neighbouring lines; lines with gaps between them add up to higher peaks whatever their phases."""
    t = np.linspace(0, 20, 20000, endpoint=False)

    def crest(values: np.ndarray) -> float:
        return float(np.abs(values).max() / values.std())

    ours = multisine(low, high, 20.0, (-1.0, 1.0)).values(t)
    lines = np.unique(np.round(np.linspace(round(low * 20), round(high * 20), 12)))
    random = np.random.default_rng(1)
    others = [
        crest(np.sin(2 * np.pi * np.outer(t / 20, lines) + random.uniform(0, 2 * np.pi, len(lines))).sum(axis=1))
        for _ in range(20)
    ]
    assert crest(ours) < min(others)
    assert crest(ours) < most


def test_pieces_are_the_signal_to_four_digits() -> None:
    t = np.linspace(0, 20, 3001)
    for signal in (multisine(0.2, 2.0, 20.0, LIMITS), sweep(0.2, 2.0, 20.0, LIMITS), steps(0.7, 20.0, LIMITS)):
        assert np.abs(signal.pieces(20.0)(t)[0] - signal.values(t)).max() < 1e-3


def test_the_text_of_a_signal_is_all_of_it() -> None:
    """Steps too, whose value at an edge is the one after it."""
    t = np.linspace(0, 20, 401)
    for signal in (multisine(0.2, 2.0, 20.0, LIMITS), steps(0.5, 20.0, LIMITS)):
        assert np.array_equal(Signal.of(signal.expression).values(t), signal.values(t))


@pytest.mark.parametrize(
    "signal, words",
    [
        (multisine(0.2, 2.0, 20.0, LIMITS), "a multisine of"),
        (sweep(0.2, 2.0, 20.0, LIMITS), "a sweep from"),
        (steps(0.7, 20.0, LIMITS), "a sequence of steps between"),
    ],
    ids=["sines", "sweep", "steps"],
)
def test_a_signal_in_words_goes_on_from_drive_u_by(signal: Signal, words: str) -> None:
    assert signal.words.startswith(words)
