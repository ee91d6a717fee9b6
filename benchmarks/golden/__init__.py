"""Golden answers: what every method and every front door answers today, frozen, and compared with what they answer now.

PYTHONPATH=benchmarks python -m golden                     # run everything and compare (make golden)
PYTHONPATH=benchmarks python -m golden --freeze --reason "..."  # freeze what is new (make golden-freeze)
"""

from __future__ import annotations

import sys
from pathlib import Path

# the arithmetics, and answers made by hand; tests are no package
_TESTS = Path(__file__).parents[2] / "tests"
sys.path += [str(folder) for folder in (_TESTS, _TESTS / "unit" / "reporting") if str(folder) not in sys.path]
