"""Events, parts of the work, and what a listener's False does."""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import islice

import numpy as np
import pytest

import identikit as ik
from identikit import progress as machinery
from identikit.progress import Cancelled, ProgressEvent, poll, shielded, silent, watched
from identikit.result import Code
from ready import record_of


class Ear:
    """A listener that keeps what it was told and says stop at the event with the number `patience`."""

    def __init__(self, patience: int = 10**9) -> None:
        self.events: list[ProgressEvent] = []
        self.patience = patience

    def __call__(self, event: ProgressEvent) -> bool:
        self.events.append(event)
        return len(self.events) < self.patience

    @property
    def fractions(self) -> list[float]:
        return [event.fraction for event in self.events]


@pytest.fixture
def at_every_poll(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(machinery, "ASKED_AGAIN", -1.0)
    yield


def test_parts_lie_where_they_belong_and_the_fraction_never_falls() -> None:
    ear = Ear()
    with watched(ear) as progress:
        half = progress.part(0.5, 1.0, "solving")
        half.part(0.0, 0.5)(1.0, "a quarter further")
        progress(0.1, "told too late")
        half(7.0, "beyond its end")
    assert ear.fractions == [0.75, 0.75, 1.0]
    assert [event.stage for event in ear.events] == ["solving", "preparing", "solving"]


def test_attempts_without_end_never_reach_the_end() -> None:
    ear = Ear()
    with watched(ear) as progress:
        for attempt in islice(progress.attempts(), 4):
            attempt(0.0, "begun")
    assert ear.fractions == [0.0, 0.5, 0.75, 0.875]


def test_values_go_by_the_names_of_the_parameters() -> None:
    ear = Ear()
    with watched(ear) as progress:
        progress.of(("a", "b")).part(0.0, 0.5)(0.5, "step", np.array([1.0, 2.0]))
    assert ear.events[0] == ProgressEvent("preparing", 0.25, "step", {"a": 1.0, "b": 2.0})


def test_after_a_stop_the_listener_hears_no_more() -> None:
    ear = Ear(patience=2)
    with watched(ear) as progress:
        told = [progress(share, "step") for share in (0.1, 0.2, 0.3)]
    assert told == [None, False, False]
    assert progress.stopped
    assert ear.fractions == [0.1, 0.2]


def test_work_that_has_no_progress_of_its_own_is_stopped_with_the_run_around_it() -> None:
    assert silent(0.5, "nobody listens") is None
    with watched(Ear(patience=1)) as progress:
        assert progress(0.0, "begun") is False
        assert silent(0.5, "nobody listens") is False
        with pytest.raises(Cancelled):
            poll()
        with shielded():
            poll()
        with watched(None) as inner, pytest.raises(Cancelled):
            assert inner(0.0, "inside") is False
            poll()
    poll()


def test_a_listener_that_is_told_nothing_new_is_asked_again() -> None:
    ear = Ear(patience=3)
    with watched(ear) as progress:
        progress(0.3, "a long step")
        begun = time.monotonic()
        with pytest.raises(Cancelled):
            while time.monotonic() - begun < 10:
                poll()
    assert [event.sentence for event in ear.events] == ["a long step"] * 3


def test_a_listener_may_use_the_library_itself(at_every_poll: None) -> None:
    model = ik.library_model("pendulum")

    drawn = []

    def drawing(event: ProgressEvent) -> bool:
        drawn.append(ik.simulate(model, duration=1.0))
        return True

    with watched(drawing):
        poll()
    assert len(drawn) == 1


def test_cancelled_is_not_swallowed_by_code_that_catches_every_exception() -> None:
    with watched(Ear(patience=1)) as progress, pytest.raises(Cancelled):
        progress(0.0, "begun")
        try:
            poll()
        except Exception:
            pytest.fail("swallowed")


def test_what_a_listener_raises_comes_out_of_the_front_door() -> None:
    def broken(event: ProgressEvent) -> bool:
        raise KeyError("in the caller's own code")

    with pytest.raises(KeyError, match="own code"):
        ik.fit(record_of(ik.library_model("duffing")), "duffing", progress=broken)


@pytest.fixture(scope="module")
def ringdown() -> ik.Record:
    motion = np.linspace(0.0, 20.0, 801)
    decay = np.exp(-0.05 * motion) * np.cos(3.0 * motion)
    return ik.Record.from_arrays(motion, x=decay + 0.003 * np.random.default_rng(1).standard_normal(801))


@pytest.mark.study
def test_damping_stopped_at_any_poll_ranks_what_it_has_or_says_that_it_has_nothing(
    ringdown: ik.Record, at_every_poll: None
) -> None:
    ik.damping(ringdown)  # while kernels compile there are more polls
    whole = Ear()
    assert ik.damping(ringdown, progress=whole).ok
    assert whole.fractions == sorted(whole.fractions)
    assert whole.fractions[-1] == 1.0
    ranked = []
    for patience in np.unique(np.linspace(1, len(whole.events) - 1, 6).astype(int)):
        ear = Ear(patience)
        report = ik.damping(ringdown, progress=ear)
        assert report.status.code is Code.NOT_CONVERGED
        assert next(item.code for item in report.findings) == "stopped_early"
        assert len(ear.events) == patience
        assert "topped on request" in (report.sentences[0] if report.laws else report.status.message)
        assert report.to_json()
        ranked.append(len(report.laws))
    assert ranked == sorted(ranked)
    assert 0 == ranked[0] < ranked[-1] <= 8


def test_a_prediction_tells_its_progress_and_stopped_has_no_numbers(at_every_poll: None) -> None:
    model = ik.library_model("duffing")
    record = record_of(model)
    fit = ik.fit(record, model)
    ik.predict(fit, record)  # while kernels compile there are more polls
    ear = Ear()
    assert ik.predict(fit, record, progress=ear).ok
    assert ear.fractions == sorted(ear.fractions)
    assert ear.fractions[-1] == 1.0
    for patience in np.unique(np.linspace(1, len(ear.events) - 1, 5).astype(int)):
        stopped = ik.predict(fit, record, progress=Ear(patience))
        assert not stopped.ok
        assert not stopped.fit
        assert str(stopped).endswith("the prediction was stopped on request")
