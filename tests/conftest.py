"""Its folder is on the path of every test, so that `import reference` works from any of them.

With the environment variable IDENTIKIT_TEST_PERTURB=1e-12 (`make test-rounding`) every simulated motion starts at its
initial state times 1 + 1e-12: a regular motion changes by no more than another processor's rounding, a chaotic one
becomes another one. What a test claims must hold of both.
"""

from __future__ import annotations

import sys

import pytest

import reference


def pytest_configure(config: pytest.Config) -> None:
    if not reference.PERTURBATION:
        return
    from identikit.simulation import initial_vector, simulate

    module = sys.modules[simulate.__module__]  # where it looks the beginning up
    module.initial_vector = lambda *arguments: initial_vector(*arguments) * (1 + reference.PERTURBATION)
