"""Where samples lie, and which runs are chosen: against optima that are known in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from identikit.model import Model, Parameter
from identikit.planning import Budget, Criterion
from identikit.planning._ensemble import Ensemble
from identikit.planning._placing import placed, sample_times
from identikit.planning._search import ChosenRun, Search
from identikit.planning._space import Space
from identikit.progress import silent
from identikit.simulation import Pieces


def decay(limits: dict[str, tuple[float, float]], budget: Budget, known: bool = True) -> Search:
    """x' = -a x with a = 0.5: a sample at t tells (x_0 t e^(-a t))^2 of a, most at t = 1/a."""
    model = Model.from_text("decay", equations={"x": "-a*x"}, parameters=[Parameter("a", 0.5, bounds=(0, 5))])
    return Search(
        Ensemble(model, ("a",), {"x": 0.1}, ("x",) if known else ()),
        Space(model, {"x": 1.0}, {"a": 0.5}, limits),
        np.array([[0.5]]),
        Criterion("largest", ("a",), np.array([0.5]), np.array([np.inf])),
        budget,
        Pieces.constant([]),
        0,
    )


def test_few_samples_lie_where_the_motion_tells_most() -> None:
    found = placed(decay({}, Budget(60, 12.0, 0.01)), [ChosenRun(np.zeros(0), 12.0)])
    (first, (begin, end)) = found.windows[0]
    assert first[0] == 0.0, "how a run begins is always seen"
    # a quarter of the time may be sampled: the stretch about t = 2 over which t e^(-t/2) is above its value at the ends
    assert begin < 2.0 < end and end - begin == pytest.approx(2.5, abs=0.6)
    ends = np.array([begin, end])
    assert np.ptp(ends * np.exp(-ends / 2)) < 0.15


def test_an_unknown_beginning_wants_samples_there_too() -> None:
    found = placed(decay({}, Budget(60, 12.0, 0.01), known=False), [ChosenRun(np.zeros(0), 12.0)])
    windows = found.windows[0]
    assert windows[0][0] == 0.0 and len(windows) == 2 and windows[1][0] > 1.0


def test_windows_hold_the_samples_that_they_promise() -> None:
    times = sample_times([(1.0, 2.0), (3.0, 3.5)], 0.1)
    assert times[0] == 0.0 and len(times) == 1 + 10 + 5
    assert (np.diff(times) > 0.099).all()


def test_the_largest_beginning_is_found() -> None:
    search = decay({"x": (-1.0, 3.0)}, Budget(100, 12.0, 0.01))
    run, _ = search.single(search.explored(silent))
    assert run.point == pytest.approx([3.0])


def test_a_run_is_as_long_as_is_best() -> None:
    """The mean of t^2 e^(-t) over (0, T) is greatest at T = 2.69..., where the mean equals the value at the end."""
    search = decay({}, Budget(100, 30.0, 0.001))
    run, _ = search.single(search.explored(silent))
    lengths = search.budget.durations
    means = [np.mean((t := np.linspace(0, end, 4001)) ** 2 * np.exp(-t)) for end in lengths]
    assert run.duration == pytest.approx(lengths[int(np.argmax(means))])


def test_runs_share_the_samples() -> None:
    budget = Budget(100, 10.0, 0.05, 3)
    assert budget.count(10.0) == 100 and budget.count(10.0, 2) == 50 and budget.count(1.0, 2) == 21
    times = budget.times(9.87, 3)
    assert len(times) <= 33 and times[-1] <= 9.87 and np.diff(times).min() >= 0.05


def test_two_runs_are_better_than_one_where_one_stops_telling() -> None:
    search = decay({"x": (0.0, 3.0)}, Budget(400, 12.0, 0.05))
    pool = search.explored(silent)
    _, alone = search.single(pool)
    runs, together = search.several(pool, 2)
    assert len(runs) == 2 and together < alone - 0.2
