"""Every exception identikit raises on purpose.

    IdentikitError
    ├── InputError              something the user gave is wrong (exit code 2, HTTP 4xx)
    │   ├── DataError           a file, a line, a column, a value
    │   ├── UnitError           a unit that is unknown or does not fit
    │   ├── ModelError          equations, parameters, a model file
    │   ├── ProblemError        data and model do not meet (mapping, free, fixed, bounds)
    │   └── OptionError         an unknown option or one outside its rule
    ├── SimulationError         an integration that could not be finished within its cap on work
    └── MissingDependencyError  an optional package is not installed

A message says what is wrong, where, what was expected and what to do, in one paragraph.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from typing import Any


class IdentikitError(Exception):
    """Base of all exceptions that identikit raises on purpose.

    Arguments:
        remedy: what would help, as a code; the command line turns it into the option to give.
        about: the parameter, output or column to name in it.
    """

    def __init__(self, message: str = "", *, remedy: str = "", about: str = "") -> None:
        super().__init__(message)
        self.remedy, self.about = remedy, about


class InputError(IdentikitError):
    """Something the user gave is wrong; nothing was written."""


class DataError(InputError):
    """A record cannot be read or used: names the file, line and column."""


class UnitError(InputError):
    """A unit is unknown or has the wrong dimension."""


class ModelError(InputError):
    """Equations, parameters or a model file are wrong: names the key."""


class ProblemError(InputError):
    """Data and model do not meet: a mapping, a free or fixed parameter, a bound."""


class OptionError(InputError):
    """An option is unknown or its value breaks the option's rule."""


class SimulationError(IdentikitError):
    """An integration could not be finished within its cap on work."""


class MissingDependencyError(IdentikitError):
    """An optional package is not installed; the message gives the install line."""


LISTED_BESIDE = 8  # names in a message that has a near one; more would only hide it
LISTED_AT_MOST = 40  # names in a message without one; of more, only the nearest are named
LISTED_IF_MANY = 6  # names then


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """A closing clause for an error message: the nearest known name, then all of them unless they are many.

    >>> did_you_mean("zta", ["zeta", "k"])
    " Did you mean 'zeta'? Known: zeta, k."
    >>> did_you_mean("zta", ["zeta", *"abcdefgh"])
    " Did you mean 'zeta'?"
    """
    names = list(known)
    lowered = {name.lower(): name for name in names}
    near = difflib.get_close_matches(wrong.lower(), list(lowered), n=1, cutoff=0.6)
    hint = f" Did you mean '{lowered[near[0]]}'?" if near else ""
    if near and len(names) > LISTED_BESIDE:
        return hint
    if len(names) > LISTED_AT_MOST:
        near = difflib.get_close_matches(wrong.lower(), list(lowered), n=LISTED_IF_MANY, cutoff=0.0)
        return f" Nearest of {len(names)}: {', '.join(lowered[one] for one in near)}."
    return f"{hint} Known: {', '.join(names) if names else 'none'}."


def did_you_mean_file(missing: Path) -> str:
    """A closing clause for a message on a file that is not there: the nearest of its kind in that folder, if any."""
    try:
        names = [path.name for path in missing.parent.iterdir() if path.suffix.lower() == missing.suffix.lower()]
    except OSError:
        return ""  # the folder is not there either
    near = difflib.get_close_matches(missing.name, names, n=1, cutoff=0.6)
    return f" Did you mean '{missing.with_name(near[0])}'?" if near else ""


def need(module: str, extra: str) -> Any:
    """An optional module, imported; or MissingDependencyError with the line that installs the extra it belongs to."""
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        package = module.partition(".")[0]
        if (error.name or package).partition(".")[0] != package:
            raise  # the package is there and lacks something of its own
        raise MissingDependencyError(
            f"the package {package} is needed for this and is not installed: pip install 'identikit[{extra}]'"
        ) from error
