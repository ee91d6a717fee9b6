"""What the Furuta paper prints: its tables 2 to 5, digit by digit, in the order of its ten friction parameters."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

# table 2: the bounds and confidences of the adaptation law
LOWER = 2.22e-16
UPPER = np.array([0.0750, 0.0750, 0.0100, 0.0100, 0.1, 0.150, 0.151, 0.0100, 0.0100, 0.100])
CONFIDENCE_LOWER, CONFIDENCE_UPPER = 50.0, 1.0  # lambda_l and lambda_u as printed

# table 3: the simulation
GUESS_3 = np.array([5.135e-3, 5.875e-3, 2.531e-3, 4.853e-2, 1.029e-1, 5.705e-3, 6.683e-3, 2.399e-3, 4.820e-2, 9.720e-2])
TABLE_3 = np.array([4.793e-4, 5.740e-4, 2.424e-4, 4.742e-3, 9.479e-3, 5.740e-4, 6.688e-4, 2.424e-4, 4.742e-3, 9.479e-3])

# table 4: the experiment
GUESS_4 = np.array([1.090e-2, 8.239e-3, 4.971e-3, 2.726e-3, 1.297e-2, 1.957e-2, 1.796e-2, 1.607e-2, 1.342e-2, 9.213e-3])
TABLE_4 = np.array([1.575e-3, 1.575e-3, 3.006e-4, 3.006e-4, 2.065e-3, 3.046e-3, 3.065e-3, 3.006e-4, 3.006e-4, 2.065e-3])

GAMMA = 0.00533  # not printed: the one that gives all of table 4


@dataclass(frozen=True)
class Performance:
    """A column of table 5: R^2 of arm and pendulum in per cent, and seconds of computation."""

    arm: float
    pendulum: float
    seconds: float


# table 5
PROPOSED = {"simulation": Performance(98.97, 99.53, 3.43), "experiment": Performance(77.84, 91.99, 19.49)}
OPTIMISER = {"simulation": Performance(12.77, 2.80, 4504.6), "experiment": Performance(3.40, 24.11, 10373.7)}
