"""How often `identikit damping` names the law that made a decay, with the model given and without.

    python benchmarks/damping.py [SEEDS]

The four cases of the pendulum report: theta only, 60 s, a sample every 2 ms, noise 0.002 rad; data by the reference
integrator of the tests. Then, where the folder of public records lies beside the project, a real pendulum.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))

import identikit as ik  # noqa: E402
from reference import horizontal_pendulum  # noqa: E402

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


if __name__ == "__main__":
    study(int(sys.argv[1]) if len(sys.argv) > 1 else 25)
    if REAL.is_file():
        print(ik.damping(REAL, "pendulum", segments="segment"))
