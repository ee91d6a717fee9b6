"""How long work tells where it is, and how it is asked to stop.

A front door opens a run for its caller's listener; the work below gets a `Progress`, narrows it to its parts and tells
where it is. The listener gets a `ProgressEvent` and may answer False: stop. That reaches the work in two ways:

- `progress(...)` returns False: a loop that has a best so far ends with it (`progress.insisting()` raises instead, for
  work that is worth nothing before it is whole);
- `poll()` raises `Cancelled`: deep inside (in the integrator, in a compilation) where nobody holds a progress. Whoever
  has a best so far catches it; else the front door answers without numbers.

`poll` also asks the listener again, with its latest event, where nothing new was told for a while. So a listener is
heard several times a second in every phase, and nothing else is needed to cancel from another thread.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace

ASKED_AGAIN = 0.2  # seconds after which a listener that was told nothing new is asked again


@dataclass(frozen=True)
class ProgressEvent:
    """Where the work is.

    Arguments:
        stage: what kind of work: "preparing", "smoothing", "solving", "judging", ..., "done".
        fraction: how much of the whole is done, from 0 to 1; it never falls.
        sentence: what is being done, for people.
        values: {parameter: current value}, empty while there is none.
    """

    stage: str
    fraction: float
    sentence: str
    values: Mapping[str, float] = field(default_factory=dict)


Listener = Callable[[ProgressEvent], bool | None]
"""Called often, in the thread that works; returning False asks to stop with the best so far."""


class Cancelled(BaseException):
    """The listener asked to stop. Not an Exception, so that no `except Exception` on the way swallows it."""


class _Run:
    """One watched piece of work: its listener, the latest event, and whether it was asked to stop."""

    def __init__(self, listener: Listener) -> None:
        self._listener, self._told = listener, -ASKED_AGAIN
        self._latest = ProgressEvent("preparing", 0.0, "preparing")
        self.stopped = False

    def tell(self, event: ProgressEvent) -> None:
        if self.stopped:
            return
        self._latest = replace(event, fraction=max(event.fraction, self._latest.fraction))
        self._told = time.monotonic()
        with shielded():  # a listener may use identikit itself
            answer = self._listener(self._latest)
        self.stopped = answer is not None and not answer  # also NumPy's False

    def asked_to_stop(self) -> bool:
        if not self.stopped and time.monotonic() - self._told > ASKED_AGAIN:
            self.tell(self._latest)
        return self.stopped


_CURRENT: ContextVar[_Run | None] = ContextVar("identikit_run", default=None)


class Progress:
    """Tells how far a part of the work is; made by `watched`, narrowed by `part`, `stage` and `attempts`.

    >>> progress = silent.part(0.2, 0.8)
    >>> progress(0.5, "half of this part")
    """

    def __init__(
        self,
        run: _Run | None = None,
        span: tuple[float, float] = (0.0, 1.0),
        stage: str = "preparing",
        names: Sequence[str] = (),
    ) -> None:
        self._run, self._span, self._stage, self._names = run, span, stage, names

    def __call__(self, fraction: float, sentence: str, values: Iterable[float] = ()) -> bool | None:
        """Tell the fraction of this part that is done; False = stop, with the best so far.

        `values` are the current parameters, in the order of `names`.
        """
        if self._run is None:  # nobody listens here, but the run around it may have been cancelled
            run = _CURRENT.get()
            return False if run is not None and run.asked_to_stop() else None
        begin, end = self._span
        reached = begin + (end - begin) * min(max(fraction, 0.0), 1.0)
        named = {name: float(value) for name, value in zip(self._names, values, strict=False)}
        self._run.tell(ProgressEvent(self._stage, reached, sentence, named))
        return False if self._run.stopped else None

    @property
    def stopped(self) -> bool:
        """Whether the listener has asked to stop."""
        return self._run is not None and self._run.stopped

    def part(self, begin: float, end: float, stage: str = "") -> Progress:
        """The progress of work that is done between two fractions of this."""
        first, last = self._span
        size = last - first
        return type(self)(self._run, (first + begin * size, first + end * size), stage or self._stage, self._names)

    def stage(self, name: str, begin: float, end: float, sentence: str) -> Progress:
        """A part of another kind, which begins now."""
        made = self.part(begin, end, name)
        made(0.0, sentence)
        return made

    def attempts(self) -> Iterator[Progress]:
        """Parts for tries of unknown number, without end: each has half of what those before it left."""
        begin = 0.0
        while True:
            end = begin + (1.0 - begin) / 2
            yield self.part(begin, end)
            begin = end

    def of(self, names: Sequence[str]) -> Progress:
        """The same for work on these parameters."""
        return type(self)(self._run, self._span, self._stage, names)

    def insisting(self) -> Progress:
        """The same for work that has no best so far: where it is asked to stop, telling raises `Cancelled`."""
        return _Insisting(self._run, self._span, self._stage, self._names)


class _Insisting(Progress):
    """A progress that takes no notice of whether its answer is looked at."""

    def __call__(self, fraction: float, sentence: str, values: Iterable[float] = ()) -> bool | None:
        if super().__call__(fraction, sentence, values) is False:
            raise Cancelled
        return None


silent = Progress()
"""A progress that shows nothing."""


@contextmanager
def watched(listener: Listener | None) -> Iterator[Progress]:
    """Open a run: work inside the block tells the listener where it is and is cancelled by its False.

    Without a listener the run around it, if there is one, goes on.
    """
    if listener is None:
        yield silent
        return
    run = _Run(listener)
    outer = _CURRENT.set(run)
    try:
        yield Progress(run)
    finally:
        _CURRENT.reset(outer)


@contextmanager
def shielded() -> Iterator[None]:
    """Work that is not cancelled: short, and needed to hand over the best so far."""
    outer = _CURRENT.set(None)
    try:
        yield
    finally:
        _CURRENT.reset(outer)


def poll() -> None:
    """Raise `Cancelled` if the run that this is part of was asked to stop; a few hundred nanoseconds."""
    run = _CURRENT.get()
    if run is not None and run.asked_to_stop():
        raise Cancelled
