"""Motions of the independent integrator are kept by all that they follow from, and by nothing less."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import reference

TIME = np.arange(50) * 0.1
SOFT = 4.0


def spring(stiffness: float) -> Callable[[float, np.ndarray], list[float]]:
    return lambda t, x: [x[1], -stiffness * x[0]]


def test_the_same_motion_is_the_same_and_no_other_is_taken_for_it() -> None:
    found = [reference.smooth(spring(k), start, TIME) for k, start in ((4.0, [1, 0]), (5.0, [1, 0]), (4.0, [2, 0]))]
    again = reference.smooth(spring(4.0), [1, 0], TIME)
    assert np.array_equal(again, found[0])
    assert not np.array_equal(found[1], found[0]) and not np.array_equal(found[2], found[0])
    assert np.allclose(found[0][0], np.cos(2 * TIME), atol=1e-8)
    again[:] = 0.0  # whoever changes a motion changes a copy
    assert np.array_equal(reference.smooth(spring(4.0), [1, 0], TIME), found[0])


def test_a_number_that_changes_from_outside_is_seen() -> None:
    told = {"k": 4.0}

    def by_dictionary() -> np.ndarray:
        return reference.smooth(lambda t, x: [x[1], -told["k"] * x[0]], [1, 0], TIME)

    def by_name() -> np.ndarray:
        return reference.smooth(lambda t, x: [x[1], -SOFT * x[0]], [1, 0], TIME)

    global SOFT
    before = by_dictionary(), by_name()
    told["k"] = SOFT = 5.0
    try:
        assert not any(
            np.array_equal(one, other) for one, other in zip(before, (by_dictionary(), by_name()), strict=True)
        )
    finally:
        SOFT = 4.0


def test_a_pendulum_under_another_push_moves_otherwise() -> None:
    pushes = (lambda t: 0.2 * np.sin(t), lambda t: 0.3 * np.sin(t))
    found = [reference.horizontal_pendulum(TIME, zeta=0.1, q_v=push)[0] for push in pushes]
    assert not np.array_equal(*found)
    assert np.array_equal(reference.horizontal_pendulum(TIME, zeta=0.1, q_v=pushes[0])[0], found[0])
