"""How often `identikit damping` names the law that made a decay, with the model given and without.

    python benchmarks/damping.py [SEEDS]

The four cases of the pendulum report: theta only, 60 s, a sample every 2 ms, noise 0.002 rad; data by the reference
integrator of the tests. Then a pendulum let go at 170 degrees, its sensor's zero off by 0.3 rad, 60 s at 100 Hz, with
white noise, autoregressive noise, a coarse encoder, and a loss that no law has; and how far apart the damping with the
model and without it are. Then springs of four shapes without a model, and losses that no law has.
Then, where the folder of public records lies beside the project, a real pendulum.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np
from scipy.signal import lfilter

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import identikit as ik  # noqa: E402
from reference import Switch, event_driven, horizontal_pendulum, smooth  # noqa: E402

CASES = {
    "viscous": {"zeta": 0.05},
    "dry": {"mu_c": 0.03},
    "drag": {"mu_q": 0.05},
    "viscous + dry + drag": {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025},
}
TIMES = np.arange(30001) * 0.002
SIGMA = 0.002
REAL = ROOT.parent / "shared" / "data" / "multiarm_single_pendulum" / "single_pendulum_free_swing.csv"


def study(seeds: int) -> None:
    """One line per case and model."""
    print(f"{'law':24s}{'model':22s}{'named':>10s}{'least weight':>14s}{'CPU seconds':>14s}")
    clean = {law: horizontal_pendulum(TIMES, **values)[0][0] for law, values in CASES.items()}
    for model in ("horizontal_pendulum", None):
        for law, theta in clean.items():
            right, weight, seconds = 0, 1.0, []  # CPU time, since machines are shared
            for seed in range(seeds):
                noise = SIGMA * np.random.default_rng(1000 + seed).standard_normal(len(TIMES))
                record = ik.Record.from_arrays(TIMES, theta=theta + noise, units={"theta": "rad"}, time_unit="s")
                begun = time.process_time()
                report = ik.damping(record, model)
                seconds.append(time.process_time() - begun)
                right += report.best == law
                weight = min(weight, report.law(law).weight) if report.laws else 0.0
            took = float(np.median(seconds[1:] or seconds))  # the first one compiles
            print(f"{law:24s}{model or '-':22s}{right:>6d}/{seeds:<3d}{weight:>14.3f}{took:>14.2f}", flush=True)


UPRIGHT = {
    "viscous": {"c": 0.15},
    "dry": {"f": 0.5},
    "drag": {"q": 0.05},
    "viscous + dry": {"c": 0.06, "f": 0.25},
    "viscous + drag": {"c": 0.05, "q": 0.02},
    "dry + drag": {"f": 0.2, "q": 0.02},
    "viscous + dry + drag": {"c": 0.05, "f": 0.15, "q": 0.015},
}
SPOILERS = ("white", "autoregressive", "encoder", "cubic loss")
CUBIC = 4e-5  # of the cube of the speed: 0.9 % of the energy of the viscous case, 1.6 % of the dry one


def fall(times: np.ndarray, cubic: float = 0.0, c: float = 0.0, f: float = 0.0, q: float = 0.0) -> np.ndarray:
    """theta'' = -25 sin theta - c v - f sign v - q v|v| - cubic v^3 from 170 degrees, at rest."""

    def rate(t: float, x: np.ndarray, s: list[float]) -> tuple[float, float]:
        lost = c * x[1] + q * x[1] * abs(x[1]) + cubic * x[1] ** 3 + (f * s[0] if s else 0.0)
        return x[1], -25 * np.sin(x[0]) - lost

    sticks = [Switch(lambda t, x: x[1], lambda t, x: -25 * np.sin(x[0]) / f, pinned=1)] if f else []
    return event_driven(rate, sticks, (np.radians(170), 0.0), times)[0][0]


def spoilt(theta: np.ndarray, how: str, seed: int) -> np.ndarray:
    """The angle as a sensor gives it."""
    draws = np.random.default_rng(2000 + seed).standard_normal(len(theta))
    if how == "encoder":
        step = 2 * np.pi / 1024
        return np.round((theta + 0.3 + 0.2 * step * draws) / step) * step
    if how == "autoregressive":
        draws = lfilter([np.sqrt(1 - 0.9**2)], [1, -0.9], draws)
    return theta + 0.3 + 0.003 * draws


def coefficients(law: ik.result.LawResult) -> dict[str, tuple[float, float]]:
    """c, f, q with their standard errors, whatever the model calls them."""
    p = law.parameters
    table = {"zeta": ("c", 2.0), "mu": ("c", 2 * p["w0"]["value"]), "mu_c": ("f", 1.0), "mu_q": ("q", 1.0)}
    return {
        table[name][0]: (table[name][1] * item["value"], table[name][1] * (item["std"] or np.nan))
        for name, item in p.items()
        if name in table
    }


def upright(seeds: int) -> None:
    """One line per law and kind of noise: how often it is named, and how far the two ways are apart."""
    print(f"{'law':24s}{'noise':18s}{'with':>8s}{'without':>9s}{'same':>8s}{'apart/std':>11s}{'CPU seconds':>16s}")
    times = np.arange(6001) * 0.01
    for law, values in UPRIGHT.items():
        for how in SPOILERS:
            theta = fall(times, CUBIC if how == "cubic loss" else 0.0, **values)
            named, same, apart, seconds = np.zeros(2, int), 0, [], [[], []]
            for seed in range(seeds):
                measured = spoilt(theta, how, seed)
                record = ik.Record.from_arrays(times, theta=measured, units={"theta": "rad"}, time_unit="s")
                reports = []
                for way, model in enumerate(("pendulum", None)):
                    begun = time.process_time()
                    reports.append(ik.damping(record, model))
                    seconds[way].append(time.process_time() - begun)
                named += [report.best == law for report in reports]
                same += reports[0].best == reports[1].best
                if all(report.laws for report in reports):
                    given, found = (coefficients(report.law(law)) for report in reports)
                    apart += [abs(given[k][0] - found[k][0]) / max(given[k][1], found[k][1]) for k in given]
            took = " / ".join(f"{np.median(item):.1f}" for item in seconds)
            print(
                f"{law:24s}{how:18s}{named[0]:>5d}/{seeds:<3d}{named[1]:>5d}/{seeds:<3d}{same:>5d}/{seeds:<3d}"
                f"{max(apart, default=np.nan):>10.2f}{took:>16s}",
                flush=True,
            )


SPRINGS = {"straight": (0.0, 0.0), "cubic": (0.0, 6.0), "weak cubic": (0.0, 0.3), "square": (1.5, 0.0)}
SWING = np.arange(2501) * 0.01


def springs(seeds: int) -> None:
    """How often the restoring force has exactly its terms: x'' = -9 x - 0.2 x' - k2 x^2 - k3 x^3 from 0.8."""
    for name, (k2, k3) in SPRINGS.items():
        wanted = [term for term, value in (("k2", k2), ("k3", k3)) if value]

        def rate(t: float, x: np.ndarray, k2: float = k2, k3: float = k3) -> tuple[float, float]:
            return x[1], -9 * x[0] - 0.2 * x[1] - k2 * x[0] ** 2 - k3 * x[0] ** 3

        clean = smooth(rate, (0.8, 0.0), SWING)[0]
        for how in ("white", "autoregressive"):
            found = [ik.damping(ik.Record.from_arrays(SWING, x=spoilt(clean, how, seed))) for seed in range(seeds)]
            right = sum(report.diagnostics["stiffness"] == wanted for report in found)
            print(f"{name:24s}{how:18s}{right:>6d}/{seeds:<3d}", flush=True)


def outside(seeds: int) -> None:
    """How much weight goes to losses outside the laws: x'' = -25 x - zeta2 x' - c x'^3, with the cube and without."""
    for zeta2, cubic in ((0.1, 0.0), (0.1, 0.003), (0.0, 0.006)):

        def rate(t: float, x: np.ndarray, zeta2: float = zeta2, cubic: float = cubic) -> tuple[float, float]:
            return x[1], -25 * x[0] - zeta2 * x[1] - cubic * x[1] ** 3

        clean = smooth(rate, (1.0, 0.0), SWING)[0]
        found = [ik.damping(ik.Record.from_arrays(SWING, x=spoilt(clean, "white", seed))) for seed in range(seeds)]
        told = sum("law_imitated" in {item.code for item in report.findings} for report in found)
        weight = np.median([report.diagnostics["outside"]["weight"] for report in found])
        print(f"viscous {zeta2:g}, cube {cubic:g}: told {told}/{seeds}, median weight {weight:.2f}", flush=True)


if __name__ == "__main__":
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else 25
    study(seeds)
    upright(seeds)
    springs(seeds)
    outside(seeds)
    if REAL.is_file():
        print(ik.damping(REAL, "pendulum", segments="segment"))
        print(ik.damping(REAL, segments="segment", outputs={"x": "theta_rad_from_upright"}))
