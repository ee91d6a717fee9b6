"""The method neural_ode against its goals: parameters of a known structure, a friction that nobody told it, Adam.

    python benchmarks/neural_ode.py [--seeds 10] [--first 0] [--only single,combined,stribeck,force] [--report]

Data from the tests' own integrator. Goals: single cases below 0.1 %, combined within 1.5 CRLB, in under 30 s; the curve
of a Stribeck friction within 3 % of the truth over the visited velocities, and a formula that fits as well as the true
law. `--report` runs the pendulum report's way (whole trajectories, Adam) on the single cases instead.
"""

from __future__ import annotations

import argparse
import time as clock

import numpy as np

import identikit as ik
from accuracy import SIGMA
from identikit.result import Result
from independent import reference
from pinn import pendulum_cases, report_table

SLOWEST = 0.02  # of the largest velocity: slower ones are passed within a few samples of each reversal
DRY, BREAKING, SPEED, VISCOUS = 0.03, 0.02, 0.15, 0.04  # of the Stribeck law


def stribeck(v: np.ndarray | float) -> np.ndarray:
    """Friction that falls from 0.05 to 0.03 over some 0.15 rad/s, and a viscous part."""
    speed = np.abs(v)
    return np.sign(v) * (DRY + BREAKING * np.exp(-((speed / SPEED) ** 2)) + VISCOUS * speed)


def stribeck_pendulum(time: np.ndarray) -> np.ndarray:
    """Angle and velocity of the horizontal pendulum with that friction; it comes to rest after some 54 s."""

    def force(t: float, x: np.ndarray) -> float:
        return float(np.cos(x[0]) - 20.0 * x[0])

    def rate(t: float, x: np.ndarray, s: list[float]) -> tuple[float, float]:
        return x[1], force(t, x) - s[0] * float(stribeck(abs(x[1])) if x[1] else DRY + BREAKING)

    friction = reference.Switch(lambda t, x: x[1], lambda t, x: force(t, x) / (DRY + BREAKING), pinned=1)
    return reference.event_driven(rate, [friction], (np.pi / 6, 0.0), time)[0]


def curve_of(result: Result, name: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Abscissae that the record visited, learned values and their standard errors."""
    curve = result.artifacts[name]
    x, value, std = (np.array(curve[key], float) for key in ("x", "value", "std"))
    low, high = curve["visited"]
    inside = (x >= low) & (x <= high)
    return x[inside], value[inside], std[inside]


def learned_friction(first: int, seeds: int) -> None:
    """Error of the curve, coverage of its band, and chi squared of the formula's trajectory beside the true law's."""
    time = np.arange(30001) * 0.002
    clean = stribeck_pendulum(time)[0]
    true_model = ik.Model.from_text(
        "stribeck",
        equations={
            "theta": "omega",
            "omega": "cos(theta) - k*theta - sign(omega)*(c + s*exp(-(omega/u)**2)) - b*omega",
        },
        parameters={"k": 20.0, "c": DRY, "s": BREAKING, "u": ik.Parameter("u", SPEED, bounds=(0.01, 2)), "b": VISCOUS},
        outputs=["theta"],
    )
    for seed in range(first, first + seeds):
        noise = SIGMA * np.random.default_rng(2000 + seed).standard_normal(len(time))
        record = ik.Record.from_arrays(time, {"theta": clean + noise})
        begun = clock.perf_counter()
        result = ik.discover(record, "horizontal_pendulum", method="neural_ode", options={"unknown": "friction"})
        seconds = clock.perf_counter() - begun
        v, value, std = curve_of(result, "friction over omega")
        shown = np.abs(v) >= SLOWEST * v.max()
        true = stribeck(v)
        relative = np.abs(value / true - 1)[shown].max()
        of_largest = np.abs(value - true).max() / np.abs(true).max()
        covered = np.mean(np.abs(value - true)[shown] < 1.96 * std[shown])
        law = ik.fit(record, true_model, start={item.name: item.value for item in true_model.parameters})
        left = [100 * (item.noise["theta"].sigma / SIGMA - 1) for item in (result, law)]
        print(
            f"stribeck seed {seed}: {result.status.code.value}, curve off by at most {100 * relative:.2f} % "
            f"({100 * of_largest:.2f} % of its largest, speeds near zero included), band covers {100 * covered:.0f} %; "
            f"residual over noise: formula {left[0]:+.3f} %, true law {left[1]:+.3f} %; {seconds:.0f} s"
        )
        print(f"    {result.artifacts['law']['equations']['omega'] if 'law' in result.artifacts else 'no law'}")


def learned_force(seeds: int) -> None:
    """A spring that hardens, of which the linear part alone is known: the cubic force is learned over x."""
    time = np.arange(2000) * 0.02
    clean = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [2.0, 0.0], time)[0]
    known = ik.Model.from_text(
        "spring", equations={"x": "v", "v": "-c*v - k*x"}, parameters={"c": 0.1, "k": 1.0}, outputs=["x"]
    )
    for seed in range(seeds):
        noise = 0.01 * np.random.default_rng(3000 + seed).standard_normal(len(time))
        record = ik.Record.from_arrays(time, {"x": clean + noise})
        begun = clock.perf_counter()
        result = ik.discover(record, known, fix={"k": 1.0}, method="neural_ode", options={"unknown": "force(x)"})
        x, value, std = curve_of(result, "force over x")
        off = np.abs(value + 0.5 * x**3)
        print(
            f"force seed {seed}: {result.status.code.value}, off by {100 * off.max() / 4:.2f} % of its largest, "
            f"band covers {100 * np.mean(off < 1.96 * std):.0f} %, {clock.perf_counter() - begun:.0f} s"
        )
        print(f"    {result.artifacts['law']['equations']['v'] if 'law' in result.artifacts else 'no law'}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first", type=int, default=0, help="seed of the Stribeck records to begin with")
    parser.add_argument("--only", default="single,combined,stribeck,force")
    parser.add_argument("--report", action="store_true")
    arguments = parser.parse_args()
    if arguments.report:
        report_table(arguments.seeds, "neural_ode")
        return
    chosen = arguments.only.split(",")
    pendulum_cases([name for name in chosen if name in ("single", "combined")], arguments.seeds, "neural_ode")
    if "stribeck" in chosen:
        learned_friction(arguments.first, arguments.seeds)
    if "force" in chosen:
        learned_force(arguments.seeds)


if __name__ == "__main__":
    main()
