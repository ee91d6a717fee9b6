"""Remark: what was decided while a record was read, to be told with every result that uses it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Remark:
    """Something that the file did not say outright.

    Arguments:
        code: that of the finding it becomes (`identikit.result.KINDS`).
        text: what was decided, as a clause.
        about: the columns it concerns; it matters where one of them is used.
    """

    code: str
    text: str
    about: tuple[str, ...] = ()
