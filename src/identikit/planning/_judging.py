"""What is expected of every experiment, exactly, and which of them is recommended."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from identikit.errors import DataError, IdentikitError
from identikit.planning._choices import PRESENT, Choice
from identikit.planning._criteria import Criterion
from identikit.planning._ensemble import eliminated
from identikit.planning._expected import Expected, expected, expected_of_rows
from identikit.planning._settings import DESIGN
from identikit.planning._task import Task
from identikit.progress import Cancelled, Progress
from identikit.result import PlannedExperiment

Judged = tuple[Choice, Expected]


def judged(task: Task, found: Sequence[Choice], progress: Progress) -> tuple[list[Judged], str]:
    """All that can be made, and the present one in any case; why the first of the others cannot, empty if all can.

    Nothing is left where no experiment tells anything.
    """
    made: list[Judged] = []
    why = ""
    for k, choice in enumerate(found):
        if progress(k / len(found), f"what '{choice.name}' would tell") is False and made:
            break
        try:
            made.append((choice, expected(choice.plan.likelihood(), choice.plan.centre)))
        except DataError:  # what does not change is no record to read, though it may be one of several outputs
            made.append((choice, _as_searched(task, choice)))
            why = why or "nothing that is measured would change"
        except IdentikitError as error:  # no motion: it tells nothing
            why = why or str(error)
            if choice.name == PRESENT:
                made.append((choice, _as_searched(task, choice)))
        except Cancelled:
            if made:
                break
            raise
    kept = [(choice, told) for choice, told in made if choice.name == PRESENT or tells(told)]
    return (kept if any(tells(told) for _, told in kept) else []), why


def tells(told: Expected) -> bool:
    """Whether an experiment tells anything: of one parameter at least, if all others were known."""
    alone = np.sqrt(np.diagonal(told.information)) * told.sizes
    return bool((alone * DESIGN.hopeless > 1.0).any())


def recommended(
    experiments: Sequence[PlannedExperiment], told: Sequence[Expected], criterion: Criterion
) -> PlannedExperiment:
    """The simplest that reaches the goal; else the simplest nearly as good as the best, if that frees anything.

    It is never worse than a simpler one by the errors that are printed, those at the expected values, even where
    others that count would make it better.
    """
    printed = np.minimum([criterion.scores(item.information) for item in told], np.log(DESIGN.hopeless))
    making = [item for item, known in zip(experiments, told, strict=True) if tells(known)]
    reaching = [item for item in making if item.reaches]
    if reaching:
        return reaching[0]
    known = [{name for name, one in item.identifiable.items() if one} for item in making]
    if len(known[0]) < len(making[0].identifiable) and all(names <= known[0] for names in known):
        return making[0]  # what stays unknown is not worth more work
    sound = [item for k, item in enumerate(experiments) if item in making and printed[k] <= printed[: k + 1].min()]
    best = min(item.score for item in sound)
    return next(item for item in sound if item.score <= best * (1 + DESIGN.nearly))


def _as_searched(task: Task, choice: Choice) -> Expected:
    """What the search knows of a plan that has no likelihood; a motion that cannot be integrated tells nothing."""
    plan, sizes = choice.plan, task.criterion.sizes
    runs = task.information(plan, choice.signals)
    total = np.sum([eliminated(item[0], len(sizes)) for item in runs], axis=0) * sizes[:, None] * sizes
    values, vectors = np.linalg.eigh(total)
    return expected_of_rows(plan, plan.centre, np.sqrt(np.maximum(values, 0.0))[:, None] * vectors.T / sizes)
