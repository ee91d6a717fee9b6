"""Many maxima at once, within bounds, with parameters held."""

from __future__ import annotations

import numpy as np

from identikit.numerics import Heights, Summits, ascents, best_step

TOP = np.array([[1.0, 2.0], [-3.0, 0.5], [4.0, 4.0]])
CURVATURE = np.array([[2.0, 0.5], [0.5, 1.0]])
FREE = np.zeros((3, 2), bool)


def parabolas(which: np.ndarray, p: np.ndarray) -> Heights:
    off = p - TOP[which]
    value = -0.5 * np.einsum("ni,ij,nj->n", off, CURVATURE, off)
    return Heights(value, -off @ CURVATURE, np.repeat(CURVATURE[None], len(p), axis=0))


def climbed(heights=parabolas, low=-10.0, high=10.0, held=FREE, longest=np.inf, rounds=20) -> Summits:
    bounds = np.full(2, low), np.full(2, high)
    return ascents(heights, np.zeros((3, 2)), *bounds, held, np.full(2, longest), 0.0, 1e-9, rounds)


def test_parabolas_are_climbed_to_their_tops_in_one_step() -> None:
    found = climbed(rounds=2)
    assert found.settled.all()
    np.testing.assert_allclose(found.p, TOP, atol=1e-12)
    np.testing.assert_allclose(found.value, 0.0, atol=1e-12)


def test_what_is_held_stays_and_the_others_are_at_their_best_for_it() -> None:
    held = FREE.copy()
    held[:, 0] = True
    found = climbed(held=held)
    np.testing.assert_array_equal(found.p[:, 0], 0.0)
    np.testing.assert_allclose(found.p[:, 1], TOP[:, 1] + 0.5 * TOP[:, 0], atol=1e-9)


def test_bounds_are_kept_and_the_best_point_on_them_is_found() -> None:
    found = climbed(low=-1.0, high=1.0)
    assert found.settled.all()
    assert (np.abs(found.p) <= 1.0).all()
    gradient = parabolas(np.arange(3), found.p).gradient
    pushed = np.where(found.p >= 1.0, gradient > 0, np.where(found.p <= -1.0, gradient < 0, np.abs(gradient) < 1e-9))
    assert pushed.all()


def test_a_step_that_leads_down_is_halved_until_it_leads_up() -> None:
    """-sqrt(1 + x^2) is so flat outside that the parabola at its flank leads far beyond the top."""

    def flat(which: np.ndarray, p: np.ndarray) -> Heights:
        off = p - TOP[which]
        root = np.sqrt(1 + np.sum(off**2, axis=1))
        return Heights(-root, -off / root[:, None], np.eye(2)[None] / root[:, None, None] ** 3)

    found = climbed(flat, rounds=60)
    assert found.settled.all()
    np.testing.assert_allclose(found.p, TOP, atol=1e-3)


def test_a_function_without_value_and_too_few_rounds_are_not_taken_for_a_summit() -> None:
    """Negative control."""

    def nowhere(which: np.ndarray, p: np.ndarray) -> Heights:
        found = parabolas(which, p)
        return Heights(np.where(which == 1, -np.inf, found.value), found.gradient, found.information)

    assert climbed(nowhere).settled.tolist() == [True, False, True]
    assert not climbed(longest=0.01, rounds=3).settled.any()


def test_a_direction_without_curvature_is_left_where_it_is() -> None:
    step, gain = best_step(np.array([1.0, 0.0]), np.diag([4.0, 0.0]), np.full(2, -9.0), np.full(2, 9.0))
    np.testing.assert_allclose(step, [0.25, 0.0])
    assert abs(gain - 0.125) < 1e-12
