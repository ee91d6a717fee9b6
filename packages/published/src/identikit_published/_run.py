"""The front door: do published items again, on two cores, and keep each as soon as it is done."""

from __future__ import annotations

import time as clock
from collections.abc import Sequence
from pathlib import Path

from identikit import __version__
from identikit.errors import DataError, IdentikitError
from identikit.progress import Cancelled, Listener, Progress, watched
from identikit.result import Reproduction
from identikit.worker_process import WorkerProcess
from identikit_published._base import Scale
from identikit_published._files import kept, write, write_index
from identikit_published._registry import ITEMS

AT_ONCE = 2  # processes; one uses a core and a half
IN_ONE_PROCESS = 6  # items, one after the other: starting a process takes some seconds
SECONDS_BETWEEN = 0.1  # looks at whether one has ended


def reproduce(
    keys: str | Sequence[str] | None = None, folder: str | Path = "reproduction", *, quick: bool = False,
    again: bool = False, progress: Listener | None = None,
) -> list[Reproduction]:  # fmt: skip
    """Do published tables and figures again: what is printed, and what is true.

    Arguments:
        keys: names from `identikit_published.ITEMS`; None = all.
        folder: where KEY.json, KEY.csv, KEY.png and an index of all that is there are written.
        quick: with fewer noise draws, shorter records and fewer cases.
        again: also those that the folder has already; otherwise a run that was cut off goes on where it stopped.
        progress: called with a ProgressEvent; returning False stops: items that are done stay, and nothing is written
            of one that is not.

    Raises InputError when a key is not known, and IdentikitError at the end when some items failed.
    """
    names = list(ITEMS) if keys is None else [keys] if isinstance(keys, str) else list(dict.fromkeys(keys))
    for name in names:
        ITEMS.find(name)
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DataError(f"{folder}: the folder cannot be made ({error.strerror})") from None
    open_ = [name for name in names if again or kept(target, name, quick) is None]
    failures = list[str]()
    with watched(progress) as run:
        if len(open_) == 1:
            _alone(open_[0], target, quick, run)
        elif open_:
            failures = _side_by_side(open_, target, quick, run)
        run.stage("done", 1.0, 1.0, "done")
    found = [item for name in names if (item := kept(target, name, quick)) is not None]
    write_index(target)
    if failures and not run.stopped:
        rest = f"{len(found)} of {len(names)} are in {folder}"
        raise IdentikitError(f"{'; '.join(failures)}. {rest}: the same command again does only what is missing.")
    return found


def done(key: str, quick: bool, progress: Progress) -> Reproduction:
    """One item, here and now."""
    item = ITEMS.find(key)
    begun = clock.perf_counter()
    told = progress.insisting().stage("reproducing", 0.0, 1.0, f"{item.document}, {item.where}")
    outcome = item.run(Scale(quick), told)
    return Reproduction(key, item.document, item.where, item.title, outcome.figures, outcome.panels, outcome.settings,
                        outcome.seeds, outcome.notes, quick, {"total": clock.perf_counter() - begun},
                        {"identikit": __version__, "reference": item.reference})  # fmt: skip


def _alone(key: str, folder: Path, quick: bool, run: Progress) -> None:
    """One item in this process; what fits make that were asked to stop is no item, whatever comes of it."""
    try:
        item = done(key, quick, run)
    except (Cancelled, Exception):
        if not run.stopped:
            raise
    else:
        if not run.stopped:
            write(item, folder)


class _Worker(WorkerProcess):
    """A process that does a few items, one after the other, and writes their files itself."""

    def __init__(self, keys: tuple[str, ...], folder: Path, quick: bool) -> None:
        super().__init__("identikit_published", str(folder), "quick" if quick else "whole", *keys)
        self.keys = keys


def _side_by_side(keys: Sequence[str], folder: Path, quick: bool, run: Progress) -> list[str]:
    """A few in each process: nothing is lost when the whole is cut off.

    Returns what went wrong, a sentence for each process in which something did.
    """
    failures = list[str]()
    waiting = [tuple(keys[k : k + IN_ONE_PROCESS]) for k in range(0, len(keys), IN_ONE_PROCESS)]
    running = list[_Worker]()
    begun = clock.time()
    try:
        while waiting or running:
            while waiting and len(running) < AT_ONCE:
                running.append(_Worker(waiting.pop(0), folder, quick))
            for worker in [one for one in running if one.ended]:
                if worker.process.returncode:
                    missing = [key for key in worker.keys if not _written(folder, key, begun)]
                    failures.append(f"{' and '.join(missing)} failed ({worker.last_line() or worker.how_it_ended()})")
                running.remove(worker)
                worker.end()
            ended = sum(_written(folder, key, begun) for key in keys)
            now = [next((key for key in one.keys if not _written(folder, key, begun)), "") for one in running]
            told = f"{ended} of {len(keys)} done, now {' and '.join(filter(None, now))}"
            if run.part(0.0, 1.0, "reproducing")(ended / len(keys), told) is False:
                break
            clock.sleep(SECONDS_BETWEEN)
    finally:
        for worker in running:
            worker.end()
    return failures


def _written(folder: Path, key: str, since: float) -> bool:
    """Whether an item was saved in this run; its JSON is written last."""
    path = folder / f"{key}.json"
    return path.exists() and path.stat().st_mtime >= since
