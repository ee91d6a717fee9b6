"""One side of a profile: how it ends, and that what was asked for in between does not decide it."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from identikit.uncertainty._profile_path import ProfilePath, SideEnd
from identikit.uncertainty._settings import UNCERTAINTY

THRESHOLD = 1.96


def walked(
    drop: Callable[[float], float],
    centre: float = 5.0,
    sign: float = 1.0,
    unit: float = 1.0,
    room: float = 1e6,
    **more: bool,
) -> tuple[ProfilePath, list[float]]:
    """A path along which log L falls by `drop` of the distance; and the distances that were asked for."""
    path = ProfilePath(0, sign, np.array([centre]), np.ones(1), unit, room, THRESHOLD, **more)
    asked = []
    for _ in range(200):
        if path.finished:
            return path, asked
        place = path.next()
        asked.append(sign * float(place[0] - centre))
        path.take(place, drop(asked[-1]))
    raise AssertionError("the path does not end")


def parabola(width: float) -> Callable[[float], float]:
    return lambda distance: 0.5 * (distance / width) ** 2


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("unit", [1e-3, 0.3, 1.0, 40.0])
@pytest.mark.parametrize("width", [0.01, 1.0, 100.0])
def test_the_end_of_a_parabola_is_found_however_wrong_the_first_guess(width: float, unit: float, sign: float) -> None:
    path, asked = walked(parabola(width), sign=sign, unit=unit)
    assert path.ended is SideEnd.CROSSED
    assert path.end == pytest.approx(THRESHOLD * width, rel=2e-3)
    assert max(path.depth) > 1.05 * THRESHOLD, "it is seen to go on beyond the end"
    assert path.distance == sorted(path.distance) and len(asked) <= 25


def test_a_curve_that_is_no_parabola_ends_where_it_falls_by_the_threshold() -> None:
    path, _ = walked(lambda d: 0.5 * (math.exp(0.5 * d) - 1) ** 2)
    assert path.end == pytest.approx(2 * math.log1p(THRESHOLD), rel=3e-3)


@pytest.mark.parametrize("room", [0.5, 1.9])
def test_it_ends_at_the_bound_where_that_comes_first(room: float) -> None:
    path, asked = walked(parabola(1.0), room=room)
    assert path.ended is SideEnd.BOUND and path.end == math.inf
    assert max(asked) == pytest.approx(room)


def test_an_end_before_the_bound_is_the_end() -> None:
    path, asked = walked(parabola(1.0), room=2.0)
    assert path.ended is SideEnd.CROSSED and path.end == pytest.approx(THRESHOLD, rel=2e-3)
    assert max(asked) <= 2.0


def test_without_room_it_is_at_its_bound_before_it_began() -> None:
    path, asked = walked(parabola(1.0), room=0.0)
    assert path.ended is SideEnd.BOUND and not asked


@pytest.mark.parametrize(("centre", "unit"), [(5.0, 0.1), (0.1, 5.0)])
def test_it_is_given_up_far_beyond_the_size_of_its_parameter_or_of_its_error(centre: float, unit: float) -> None:
    path, asked = walked(parabola(1e30), centre=centre, unit=unit, room=math.inf)
    assert path.ended is SideEnd.FAR and path.end == math.inf
    assert max(asked) > UNCERTAINTY.far * 5.0


def test_by_factors_a_bound_is_approached_and_never_reached() -> None:
    path, asked = walked(parabola(1e30), centre=5.0, sign=-1.0, room=5.0, factors=True)
    assert path.ended is SideEnd.FAR
    left = 5.0 - np.array(asked)
    assert (left > 0).all() and left.min() < 5.0 / UNCERTAINTY.far


@pytest.mark.parametrize("lost", [{1}, {2, 4}, {1, 2, 5}])
def test_places_without_a_likelihood_now_and_then_do_not_end_it(lost: set[int]) -> None:
    count = 0

    def drop(distance: float) -> float:
        nonlocal count
        count += 1
        return math.inf if count in lost else 0.5 * (distance / 3.0) ** 2

    path, _ = walked(drop)
    assert path.ended is SideEnd.CROSSED and path.end == pytest.approx(3 * THRESHOLD, rel=0.01)
    assert path.failures == 0 and path.all_failures == len(lost)


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e4])
@pytest.mark.parametrize("wall", [0.3, 1.0, 1.8])
def test_a_wall_without_likelihoods_beyond_is_found(wall: float, size: float) -> None:
    wall *= size
    path, asked = walked(lambda d: math.inf if d > wall else 0.5 * (d / size) ** 2, unit=size)
    assert path.ended is SideEnd.LOST and path.end == math.inf
    assert 0.8 * wall < path.distance[-1] <= wall
    assert len(asked) <= UNCERTAINTY.most_points + 2 * UNCERTAINTY.most_failures


def test_a_likelihood_that_rises_first_is_followed_down() -> None:
    """The fit had not found the top: depth below zero."""
    path, _ = walked(lambda d: 0.5 * d**2 - d)
    assert min(path.depth) < 0
    assert path.end == pytest.approx(1 + math.sqrt(1 + THRESHOLD**2), rel=5e-3)
