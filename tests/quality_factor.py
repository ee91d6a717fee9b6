"""An oscillator whose damping is written as a quality factor: over half a period its likelihood is bent.

x'' + (w0/Q) x' + w0^2 x = 0 with w0 = 2 pi, from x = 1 at rest; data by the closed form.
"""

from __future__ import annotations

import numpy as np

import identikit as ik
from identikit.model import Model, Parameter

W0, Q = 2 * np.pi, 5.0
FREE = ["w0", "Q"]


def model(damping: str = "w0/Q", name: str = "Q", value: float = Q, bounds: tuple[float, float] = (0.5, 1e4)) -> Model:
    """The oscillator; `damping` in terms of w0 and a parameter of that name."""
    return Model.from_text(
        "oscillator",
        states={"x": "", "v": "1/s"},
        equations={"x": "v", "v": f"-({damping})*v - w0**2*x"},
        parameters=[Parameter("w0", 6.0, "rad/s", (0.1, 100)), Parameter(name, value, "", bounds)],
        outputs={"x": "x"},
    )


def clean(time: np.ndarray) -> np.ndarray:
    decay, pace = W0 / (2 * Q), W0 * np.sqrt(1 - 1 / (4 * Q**2))
    return np.exp(-decay * time) * (np.cos(pace * time) + decay / pace * np.sin(pace * time))


def record(seed: int, duration: float = 0.5, samples: int = 60, sigma: float = 0.1) -> ik.Record:
    """With white noise."""
    time = np.linspace(0, duration, samples)
    noise = sigma * np.random.default_rng(seed).standard_normal(samples)
    return ik.Record.from_arrays(time, x=clean(time) + noise)
