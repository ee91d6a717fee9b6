"""Profile intervals: the likelihood's own shape, found where an independent search finds it."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

import identikit as ik
import quality_factor
import reference
from identikit.errors import OptionError
from identikit.model import Model, Parameter
from identikit.problem import Problem
from identikit.result import Result
from identikit.uncertainty import Fitted
from identikit.uncertainty._profile_curves import ProfileCurve, Shape
from identikit.uncertainty._profile_path import ProfilePath, SideEnd
from identikit.uncertainty._settings import UNCERTAINTY


def codes(result: Result) -> set[str]:
    return {item.code for item in result.findings}


def one_state(rate: str, *parameters: Parameter) -> Model:
    return Model.from_text("one", states={"x": ""}, equations={"x": rate}, parameters=parameters, outputs={"x": "x"})


@pytest.fixture(scope="module")
def bent() -> tuple[Problem, Result]:
    """Half a period of an oscillator, with profiles of both parameters and of the pair."""
    record, model = quality_factor.record(3), quality_factor.model()
    result = ik.fit(record, model, uncertainty="profile", uncertainty_options={"pair": "w0,Q"})
    return Problem.pose(model, record), result


def walked(found_within: float, wall: float = math.inf, width: float = 1.0) -> ProfilePath:
    """A path down a parabola, on which a likelihood is found within a distance of the last place, and before a wall."""
    path = ProfilePath(0, 1.0, np.array([5.0]), np.ones(1), 1.0, 1e6, 1.96)
    for _ in range(100):
        if path.finished:
            return path
        place = float(path.next()[0]) - 5.0
        near = min(abs(place - known) for known in path.distance) <= found_within
        path.take(np.array([5.0 + place]), 0.5 * (place / width) ** 2 if near and place < wall else math.inf)
    raise AssertionError("the path does not end")


@pytest.mark.parametrize("found_within", [math.inf, 0.5, 0.2])
def test_a_profile_that_was_lost_for_once_is_followed_to_its_end(found_within: float) -> None:
    """Steps that are too long for the guess of the others are shortened, and grow again."""
    path = walked(found_within)
    assert path.ended is SideEnd.CROSSED
    assert path.end == pytest.approx(1.96, rel=1e-3)


def test_a_profile_that_is_lost_is_not_called_flat() -> None:
    path = walked(math.inf, wall=1.0)
    assert path.ended is SideEnd.LOST and 0.9 < path.distance[-1] < 1.0
    other = walked(math.inf)
    assert ProfileCurve.of(path, other).shape is Shape.LOST
    flat = walked(math.inf, width=1e9)  # negative control: it does not come down, however far it goes
    assert flat.ended is SideEnd.FAR
    assert ProfileCurve.of(flat, flat).shape is Shape.FLAT


@pytest.mark.parametrize("flat", [1e-3, -1e-8])
@pytest.mark.parametrize("slope", [1e-2, 1e-3])
@pytest.mark.parametrize("knee", [0.7, 1.0, 30.0])
def test_an_end_at_a_knee_is_found(knee: float, slope: float, flat: float) -> None:
    """Flat, but for rounding, up to where another parameter comes to its bound; beyond it a parabola of that width."""
    path = ProfilePath(0, 1.0, np.array([5.0]), np.ones(1), 1.0, 1e6, 1.96)
    for _ in range(100):
        if path.finished:
            break
        place = float(path.next()[0]) - 5.0
        beyond = max(place / knee - 1, 0.0) / slope
        path.take(np.array([5.0 + place]), flat * min(place / knee, 1.0) + 0.5 * beyond**2)
    assert path.ended is SideEnd.CROSSED
    assert path.end == pytest.approx(knee * (1 + 1.96 * slope), abs=0.2 * slope * knee)  # a fifth of a standard error


def test_of_a_flat_stretch_the_outermost_place_counts() -> None:
    path = ProfilePath(0, 1.0, np.array([1.545]), np.ones(1), 1.0, 2.0, 2.017)
    path.distance = [0.0, 0.436, 0.648, 0.967, 0.9848, 1.0025]
    path.depth = [0.0, -2e-4, -2e-4, -2e-4, 2.0636, 8.13]
    path.ended = SideEnd.CROSSED
    assert path.end == pytest.approx(0.9844, abs=2e-4)


@pytest.mark.study
def test_a_valley_that_is_a_parabola_is_followed_and_ends_where_an_independent_search_finds_them() -> None:
    """A pendulum between magnets, gravity free: w0^2 + 2 a1 is known, and w0 has an upper limit alone."""
    model, free = ik.library_model("magnetic_pendulum"), ["mu", "w0", "a1", "a2", "a3"]
    truth = {item.name: item.value for item in model.parameters}
    mu, w0, a1, a2, a3 = (truth[name] for name in free)
    time = np.arange(501) / 50

    def motion(t: float, x: np.ndarray) -> list[float]:
        magnets = 2 * a1 * x[0] + 3 * a2 * x[0] ** 2 + 4 * a3 * x[0] ** 3
        return [x[1], -2 * mu * w0 * x[1] - w0**2 * np.sin(x[0]) - magnets]

    theta = reference.smooth(motion, [1.5, 0.0], time)[0]
    record = ik.Record.from_arrays(time, theta=theta + 0.0047 * np.random.default_rng(3).standard_normal(len(time)))
    result = ik.fit(record, model, free=free, method="shooting", uncertainty="profile")
    for name in ("a2", "a3"):
        low, high = result.parameters[name].ci95 or (math.nan, math.nan)
        assert low < truth[name] < high and high - low < 0.5 * abs(truth[name])
    low, high = result.parameters["w0"].ci95 or (math.nan, math.nan)
    assert low < truth["w0"] < high < 60
    # mu w0 is known, and mu is at most 2
    assert low == pytest.approx(mu * w0 / 2, rel=0.02)
    # at the upper end of w0 the others are fitted again, by themselves
    top, end = (
        ik.fit(record, model, free=rest, fix=fixed, method="shooting", noise="white").diagnostics["likelihood"]["log"]
        for rest, fixed in ((free, {}), (["mu", "a1", "a2", "a3"], {"w0": high}))
    )
    assert top - end == pytest.approx(result.diagnostics["uncertainty"]["threshold"], abs=0.05)


def test_the_interval_of_a_straight_line_is_the_closed_form() -> None:
    """x' = a: log L = -n/2 log RSS(a) + const is known, and so are the ends at any threshold."""
    time = np.linspace(0, 1, 25)
    values = 1 + 2 * time + 0.3 * np.random.default_rng(1).standard_normal(25)
    result = ik.fit(
        ik.Record.from_arrays(time, x=values), one_state("a", Parameter("a", 1.0)), noise="white", uncertainty="profile"
    )
    off = time - time.mean()
    slope = float(off @ values / (off @ off))
    left = values - values.mean() - slope * off
    threshold = result.diagnostics["uncertainty"]["threshold"]
    reach = math.sqrt(math.expm1(2 * threshold / 25) * float(left @ left) / float(off @ off))
    assert result.parameters["a"].ci95 == pytest.approx((slope - reach, slope + reach), abs=1e-3 * reach)


def test_an_independent_search_finds_log_l_at_the_threshold_at_both_ends(bent: tuple[Problem, Result]) -> None:
    problem, result = bent
    fitted = Fitted.of(problem, result)
    top = fitted.likelihood.value(fitted.p)
    for end in result.parameters["Q"].ci95 or ():
        best = minimize_scalar(lambda w0, end=end: -fitted.likelihood.value([w0, end]), bounds=(4, 9), method="bounded")
        assert top + best.fun == pytest.approx(fitted.threshold, abs=0.02)


def test_a_bent_likelihood_has_a_lopsided_interval_and_a_word(bent: tuple[Problem, Result]) -> None:
    _, result = bent
    item = result.parameters["Q"]
    assert item.value is not None and item.ci95 is not None
    below, above = item.value - item.ci95[0], item.ci95[1] - item.value
    assert above > 2 * below
    assert "profile_bent" in codes(result)
    assert "likelihood_bent" not in codes(result)  # the warning of the fit: these intervals answer it
    assert result.diagnostics["uncertainty"]["shapes"] == {"w0": "identifiable", "Q": "identifiable"}


def test_an_interval_does_not_depend_on_how_damping_is_written(bent: tuple[Problem, Result]) -> None:
    rewritten = quality_factor.model("2*D*w0", "D", 0.1, (0, 1))
    other = ik.fit(quality_factor.record(3), rewritten, uncertainty="profile")
    ends, inverse = bent[1].parameters["Q"].ci95, other.parameters["D"].ci95
    assert ends is not None and inverse is not None
    assert ends == pytest.approx((1 / (2 * inverse[1]), 1 / (2 * inverse[0])), rel=2e-3)


def test_the_map_of_a_pair_has_its_lowest_place_at_the_estimate_and_reaches_both_levels(
    bent: tuple[Problem, Result],
) -> None:
    table = bent[1].artifacts["profile pair"]
    drop = np.asarray(table["drop"])
    a, b = np.unravel_index(np.argmin(drop), drop.shape)[::-1]
    steps = [abs(table["a"][a] - table["estimate"][0]), abs(table["b"][b] - table["estimate"][1])]
    assert steps[0] <= table["a"][1] - table["a"][0] and steps[1] <= table["b"][1] - table["b"][0]
    assert table["levels"] == pytest.approx({"0.68": 1.139, "0.95": 2.996}, abs=1e-3)
    assert drop.max() > table["levels"]["0.95"]


def test_a_parameter_at_its_bound_is_limited_from_the_other_side() -> None:
    """No source at all: its estimate is often 0, and the record gives an upper limit."""
    time = np.linspace(0, 2, 40)
    model = one_state("-a*x + b", Parameter("a", 1.0, "", (0, 100)), Parameter("b", 0.0, "", (0, 10)))
    values = 2 * np.exp(-time) + 0.02 * np.random.default_rng(2).standard_normal(40)
    result = ik.fit(ik.Record.from_arrays(time, x=values), model, uncertainty="profile")
    item = result.parameters["b"]
    assert item.ci95 is not None and item.ci95[0] == 0.0 and 0 < item.ci95[1] < 0.2
    assert "bounded from above only" in item.note
    assert any(f.code == "profile_one_sided" and f.about == ("b",) for f in result.findings)
    assert result.diagnostics["uncertainty"]["shapes"]["a"] == "identifiable"


def test_two_parameters_that_occur_as_a_product_are_flat() -> None:
    time = np.linspace(0, 2, 40)
    model = one_state("-a*b*x", *(Parameter(name, 1.0, "", (0, math.inf)) for name in "ab"))
    values = 2 * np.exp(-time) + 0.02 * np.random.default_rng(0).standard_normal(40)
    result = ik.fit(ik.Record.from_arrays(time, x=values), model, uncertainty="profile")
    assert result.diagnostics["uncertainty"]["shapes"] == {"a": "flat", "b": "flat"}
    assert "profile_flat" in codes(result)
    assert result.parameters["a"].std is None and "flat" in result.parameters["a"].note


def test_a_prior_is_part_of_what_is_profiled() -> None:
    time = np.linspace(0, 2, 40)
    values = 2 * np.exp(-time) + 0.2 * np.random.default_rng(4).standard_normal(40)
    record, model = ik.Record.from_arrays(time, x=values), one_state("-a*x", Parameter("a", 1.0))
    free, held = (ik.fit(record, model, uncertainty="profile", priors=p) for p in ({}, {"a": (1.0, 0.01)}))
    width = [np.ptp(result.parameters["a"].ci95) for result in (free, held)]
    assert width[0] > 0.2 and width[1] == pytest.approx(2 * 1.96 * 0.01, rel=0.15)


def test_the_estimate_of_another_method_is_not_profiled() -> None:
    """Its estimate is not the top of the likelihood; the fit's own intervals stand."""
    time = np.linspace(0, 2, 40)
    values = 2 * np.exp(-time) + 0.02 * np.random.default_rng(0).standard_normal(40)
    record, model = ik.Record.from_arrays(time, x=values), one_state("-a*x", Parameter("a", 1.0))
    plain = ik.fit(record, model, method="least_squares")
    asked = ik.fit(record, model, method="least_squares", uncertainty="profile")
    assert asked.parameters == plain.parameters
    assert "uncertainty_not_assessed" in codes(asked)


@pytest.mark.parametrize(("pair", "word"), [("w0,q", "'q', which is not free"), ("w0", "two free parameters")])
def test_a_pair_that_is_none_is_refused_before_any_work(pair: str, word: str) -> None:
    with pytest.raises(OptionError, match=word):
        ik.fit(
            quality_factor.record(3),
            quality_factor.model(),
            uncertainty="profile",
            uncertainty_options={"pair": pair},
            progress=lambda event: pytest.fail("work was done"),
        )


def test_the_printed_result_says_which_kind_its_intervals_are(bent: tuple[Problem, Result]) -> None:
    assert "The intervals are of the kind profile: profile likelihood." in str(bent[1])


THRESHOLD = 1.96


def walked_with(
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
    path, asked = walked_with(parabola(width), sign=sign, unit=unit)
    assert path.ended is SideEnd.CROSSED
    assert path.end == pytest.approx(THRESHOLD * width, rel=2e-3)
    assert max(path.depth) > 1.05 * THRESHOLD, "it is seen to go on beyond the end"
    assert path.distance == sorted(path.distance) and len(asked) <= 25


def test_a_curve_that_is_no_parabola_ends_where_it_falls_by_the_threshold() -> None:
    path, _ = walked_with(lambda d: 0.5 * (math.exp(0.5 * d) - 1) ** 2)
    assert path.end == pytest.approx(2 * math.log1p(THRESHOLD), rel=3e-3)


@pytest.mark.parametrize("room", [0.5, 1.9])
def test_it_ends_at_the_bound_where_that_comes_first(room: float) -> None:
    path, asked = walked_with(parabola(1.0), room=room)
    assert path.ended is SideEnd.BOUND and path.end == math.inf
    assert max(asked) == pytest.approx(room)


def test_an_end_before_the_bound_is_the_end() -> None:
    path, asked = walked_with(parabola(1.0), room=2.0)
    assert path.ended is SideEnd.CROSSED and path.end == pytest.approx(THRESHOLD, rel=2e-3)
    assert max(asked) <= 2.0


def test_without_room_it_is_at_its_bound_before_it_began() -> None:
    path, asked = walked_with(parabola(1.0), room=0.0)
    assert path.ended is SideEnd.BOUND and not asked


@pytest.mark.parametrize(("centre", "unit"), [(5.0, 0.1), (0.1, 5.0)])
def test_it_is_given_up_far_beyond_the_size_of_its_parameter_or_of_its_error(centre: float, unit: float) -> None:
    path, asked = walked_with(parabola(1e30), centre=centre, unit=unit, room=math.inf)
    assert path.ended is SideEnd.FAR and path.end == math.inf
    assert max(asked) > UNCERTAINTY.far * 5.0


def test_by_factors_a_bound_is_approached_and_never_reached() -> None:
    path, asked = walked_with(parabola(1e30), centre=5.0, sign=-1.0, room=5.0, factors=True)
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

    path, _ = walked_with(drop)
    assert path.ended is SideEnd.CROSSED and path.end == pytest.approx(3 * THRESHOLD, rel=0.01)
    assert path.failures == 0 and path.all_failures == len(lost)


@pytest.mark.parametrize("size", [1e-3, 1.0, 1e4])
@pytest.mark.parametrize("wall", [0.3, 1.0, 1.8])
def test_a_wall_without_likelihoods_beyond_is_found(wall: float, size: float) -> None:
    wall *= size
    path, asked = walked_with(lambda d: math.inf if d > wall else 0.5 * (d / size) ** 2, unit=size)
    assert path.ended is SideEnd.LOST and path.end == math.inf
    assert 0.8 * wall < path.distance[-1] <= wall
    assert len(asked) <= UNCERTAINTY.most_points + 2 * UNCERTAINTY.most_failures


def test_a_likelihood_that_rises_first_is_followed_down() -> None:
    """The fit had not found the top: depth below zero."""
    path, _ = walked_with(lambda d: 0.5 * d**2 - d)
    assert min(path.depth) < 0
    assert path.end == pytest.approx(1 + math.sqrt(1 + THRESHOLD**2), rel=5e-3)
