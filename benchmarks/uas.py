"""The universal adaptive stabilizer on the Furuta paper's simulation: does its estimate depend on the data?

python benchmarks/uas.py

Theta1 from 120 degrees, 35 s, 1 kHz, noise of 0.1 on all four states, tilt 20 degrees, ten parameters free; data by
SciPy.
"""

from __future__ import annotations

import time as clock

import numpy as np
from scipy.integrate import solve_ivp

import identikit as ik

NAMES = ("mu_d", "mu_s", "mu_v", "v_t", "F_t")
FREE = [f"{name}{joint}" for joint in (0, 1) for name in NAMES]
TRUE = np.array([5e-4, 6e-4, 2.5e-4, 5e-3, 1e-2, 6e-4, 7e-4, 2.5e-4, 5e-3, 1e-2])
# Printed in the paper: upper bounds (table 2), simulation (table 3), experiment (table 4).
UPPER = np.array([0.075, 0.075, 0.01, 0.01, 0.1, 0.15, 0.151, 0.01, 0.01, 0.1])
LOWER = 2.22e-16
GUESS = np.array([5.135e-3, 5.875e-3, 2.531e-3, 4.853e-2, 0.1029, 5.705e-3, 6.683e-3, 2.399e-3, 4.82e-2, 9.72e-2])
TABLE_3 = np.array([4.793e-4, 5.74e-4, 2.424e-4, 4.742e-3, 9.479e-3, 5.74e-4, 6.688e-4, 2.424e-4, 4.742e-3, 9.479e-3])
TABLE_4 = np.array([1.575e-3, 1.575e-3, 3.006e-4, 3.006e-4, 2.065e-3, 3.046e-3, 3.065e-3, 3.006e-4, 3.006e-4, 2.065e-3])
GAMMA = 0.00533  # the one that explains table 4
TIME = np.arange(35001) * 1e-3


def motion(scale: float, solver: str = "DOP853", tolerance: float = 1e-9) -> np.ndarray:
    """Clean states [4, samples] with all coefficients of friction scaled, written out apart from the package."""
    m1, m2, l1, l2, arm, g, phi = 0.37, 0.128, 0.062, 0.062, 0.216, 9.81, np.pi / 9
    j1, jx, jy, jz = 3.09e-3, 5.25e-3, 5.25e-3, 2.91e-6
    normal, a = (4.5908, 1.25568), m2 * l2**2 + jy - jz
    friction = TRUE.reshape(2, 5) * np.array([scale, scale, scale, 1, 1])

    def torque(joint: int, w: float) -> float:
        mu_d, mu_s, mu_v, v_t, f_t = friction[joint]
        r = w / v_t
        dry = mu_d * np.tanh(4 * r) + (mu_s - mu_d) * r / (r**2 / 4 + 0.75)
        return normal[joint] * dry + mu_v * w * np.tanh(4 * normal[joint] / f_t)

    def rate(t: float, x: np.ndarray) -> list[float]:
        q0, q1, w0, w1 = x
        s, c = np.sin(q1), np.cos(q1)
        mass = np.array([[j1 + m1 * l1**2 + m2 * arm**2 + jz + a * s**2, -m2 * l2 * arm * c],
                         [-m2 * l2 * arm * c, jx + m2 * l2**2]])  # fmt: skip
        gravity0 = g * np.sin(phi) * ((m1 * l1 + m2 * arm) * np.sin(q0) - m2 * l2 * s * np.cos(q0))
        gravity1 = m2 * g * l2 * (s * np.cos(phi) - np.sin(q0) * c * np.sin(phi))
        force = [-2 * a * s * c * w0 * w1 - m2 * l2 * arm * s * w1**2 - gravity0 - torque(0, w0),
                 a * s * c * w0**2 - gravity1 - torque(1, w1)]  # fmt: skip
        return [w0, w1, *np.linalg.solve(mass, force)]

    start = [0, 2 * np.pi / 3, 0, 0]
    return solve_ivp(rate, (0, TIME[-1]), start, solver, TIME, rtol=tolerance, atol=0.1 * tolerance).y


def record_of(clean: np.ndarray, seed: int) -> ik.Record:
    noise = 0.1 * np.random.default_rng(seed).standard_normal(clean.shape)
    return ik.Record.from_arrays(TIME, dict(zip(("q0", "q1", "w0", "w1"), clean + noise, strict=True)))


def observed(clean: np.ndarray, seed: int, **options: float) -> ik.Result:
    bounds = {name: (LOWER, float(upper)) for name, upper in zip(FREE, UPPER, strict=True)}
    # starts outside the bounds, as some of table 3's are of table 2's, cannot be given: their middle is taken
    return ik.fit(record_of(clean, seed), "furuta", method="uas", free=FREE, bounds=bounds, options=options)


def show_records(seeds: int) -> np.ndarray:
    """A line for every record; the estimate of the last."""
    cases = {f"friction x {scale:g}": motion(scale) for scale in (0.3, 1.0, 3.0)}
    cases["at rest"] = np.zeros((4, len(TIME)))
    print(f"{'record':15}{'from fixed point':>17}{'error rms':>11}{'gain':>7}{'R2 q0 %':>9}{'R2 q1 %':>9}  status")
    for title, clean in cases.items():
        for seed in range(seeds):
            result = observed(clean, seed, gamma=GAMMA)
            told = result.diagnostics["uas"]
            fit = [result.fit[name].r2_percent for name in ("q0", "q1")]
            codes = ", ".join(item.code for item in result.findings if item.severity == "refusal")
            print(
                f"{title:15}{max(told['distance'].values()):17.1e}{told['error_rms']:11.3f}{told['gain']:7.2f}"
                f"{fit[0]:9.1f}{fit[1]:9.1f}  {result.status.code}: {codes}"
            )
    return np.array([result.value(name) for name in FREE])


def show_tables(values: np.ndarray) -> None:
    slope, offset = np.polyfit(TRUE, TABLE_3, 1, w=1 / TABLE_3)
    line = slope * TRUE + offset
    print(f"\n{'':8}{'table 4':>12}{'uas':>12}{'table 3':>12}{'line':>12}{'true':>10}")
    for name, *row in zip(FREE, TABLE_4, values, TABLE_3, line, TRUE, strict=True):
        print(f"{name:8}" + "".join(f"{value:12.3e}" for value in row[:4]) + f"{row[4]:10.1e}")
    print(f"\ntable 4 and the fixed point with gamma {GAMMA}: {np.max(np.abs(values / TABLE_4 - 1)):.1e} apart at most")
    print(
        f"table 3 and the line {slope:.5f} true + {offset:.3e}: {np.max(np.abs(line / TABLE_3 - 1)):.1e} apart at most"
    )


def show_speed() -> None:
    clean = motion(1.0)
    begun = clock.perf_counter()
    motion(1.0, "RK45", 1e-6)
    simulation = clock.perf_counter() - begun
    seconds = observed(clean, 0).seconds  # compiled before
    print(
        f"\nSciPy RK45, rtol 1e-6: {simulation:.2f} s; observer {seconds['solve'] / simulation:.2f} of that, ", end=""
    )
    print(f"with smoothing and validation {seconds['total'] / simulation:.2f}")


def show_sign_change() -> None:
    """The gain function turns negative at k = 9.07, which noise alone brings about."""
    for first in (7.0, 8.9):
        told = observed(motion(1.0), 0, gamma=GAMMA, k0=first).diagnostics["uas"]
        print(f"k0 {first:g}: gain {told['gain']:.2f} at the end, error rms {told['error_rms']:.3g}")


if __name__ == "__main__":
    show_tables(show_records(seeds=3))
    show_speed()
    show_sign_change()
