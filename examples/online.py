"""Parameters of a pendulum while it swings: estimates after every sample, drawn as they come.

    python examples/online.py [--save PICTURE.png] [--seconds 30]

The samples are simulated here; with a sensor, replace `samples` by whatever gives (time, angle).
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np

import identikit as ik
from identikit.simulation import simulate

TRUTH = {"zeta": 0.05, "mu_c": 0.02, "k": 20.0}
EVERY = 50  # samples between two drawings


def samples(seconds: float) -> Iterator[tuple[float, float]]:
    """Time and measured angle, one after the other."""
    times = np.arange(round(100 * seconds)) * 0.01
    clean = simulate(ik.library_model("horizontal_pendulum"), times, {**TRUTH, "mu_q": 0.0}).outputs["theta"]
    noise = np.random.default_rng(0).standard_normal(len(times))
    yield from zip(times.tolist(), (clean + 0.002 * noise).tolist(), strict=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--save", metavar="PICTURE.png", help="draw once, at the end, into a file")
    parser.add_argument("--seconds", type=float, default=30.0, help="how long it swings (default: 30)")
    given = parser.parse_args()
    save = given.save
    import matplotlib

    if save:
        matplotlib.use("Agg")
    from matplotlib import pyplot

    identifier = ik.KalmanIdentifier(
        "horizontal_pendulum",
        noise={"theta": 0.002},
        free=list(TRUTH),
        fix={"mu_q": 0.0},
        start={"zeta": 0.1, "mu_c": 0.05, "k": 18.0},
    )
    figure, panels = pyplot.subplots(len(TRUTH), 1, sharex=True, layout="constrained")
    time: list[float] = []
    values: list[list[float]] = []
    spread: list[list[float]] = []
    for count, (t, theta) in enumerate(samples(given.seconds), 1):
        estimate = identifier.update(t, theta)
        time.append(t)
        values.append([estimate.values[name] for name in TRUTH])
        spread.append([estimate.std[name] for name in TRUTH])
        if save or count % EVERY:
            continue
        draw(panels, time, values, spread)
        pyplot.pause(0.01)
    draw(panels, time, values, spread)
    if save:
        figure.savefig(save)
    else:
        pyplot.show()


def draw(panels: np.ndarray, time: list[float], values: list[list[float]], spread: list[list[float]]) -> None:
    """Every parameter with its 95 % band, and the truth as a line."""
    for i, (axes, (name, true)) in enumerate(zip(panels, TRUTH.items(), strict=True)):
        middle, half = np.array(values)[:, i], 1.96 * np.array(spread)[:, i]
        axes.clear()
        axes.fill_between(time, middle - half, middle + half, alpha=0.25, linewidth=0)
        axes.plot(time, middle)
        axes.axhline(true, color="black", linewidth=0.8, linestyle=":")
        axes.set_ylim(true * 0.5, true * 1.6)
        axes.set_ylabel(name)
    panels[-1].set_xlabel("time [s]")


if __name__ == "__main__":
    main()
