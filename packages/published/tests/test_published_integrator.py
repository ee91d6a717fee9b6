"""The integrator that shares nothing with identikit's is the same one in the package and in the tests."""

from __future__ import annotations

from pathlib import Path

import independent_integrator
from identikit_published import independent


def test_both_copies_are_equal_to_the_byte() -> None:
    ours, theirs = (Path(str(module.__file__)).read_bytes() for module in (independent, independent_integrator))
    assert ours == theirs and b"def event_driven" in ours
