"""The method galerkin against its goals. Data from SciPy's DOP853 at 1e-11; times as shares of one RK45 simulation.

    python benchmarks/galerkin.py [--seeds 5] [--only chua,tank,origami,pendulum]

Signal-to-noise ratios: `raw` takes the noise's variance from mean(x^2) of each output, `ac` from its variance.
"""

from __future__ import annotations

import argparse
import time as clock
from collections.abc import Callable, Sequence

import numpy as np
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

import identikit as ik
from identikit.method import method_named
from identikit.model.library.miura_origami import restoring_force
from identikit.problem import Problem
from identikit.simulation import noise_deviation
from independent import horizontal_pendulum, reference

CHUA = {"G_a": -0.74, "G_b": -0.41, "C_1": 0.01, "C_2": 0.1, "L": 0.01868, "R_0": 0.019, "R_C": 10.0}
CHUA |= {"R_1": 1.599, "R_2": 1.228, "R_3": 0.917, "R_4": 3.628}
TANK = {"tau": 0.833, "kappa": 0.461, "a": 1.678}
ORIGAMI = {"k_1": 0.0181, "k_2": 2.1134, "c": 1.0347, "theta_A0": -0.5194, "X_0": 0.0401}


def chua_rate(t: float, x: np.ndarray) -> np.ndarray:
    """Four coupled circuits, x = v1 (4), v2 (4), i (4)."""
    v1, v2, current = x[:4], x[4:8], x[8:]
    p = CHUA
    resistor = np.array([p[f"R_{j}"] for j in (1, 2, 3, 4)])
    diode = p["G_b"] * v1 + (p["G_a"] - p["G_b"]) / 2 * (np.abs(v1 + 1) - np.abs(v1 - 1))
    return np.concatenate(
        [
            ((v2 - v1) / resistor - diode + (v1.sum() - 4 * v1) / p["R_C"]) / p["C_1"],
            ((v1 - v2) / resistor + current) / p["C_2"],
            -(v2 + p["R_0"] * current) / p["L"],
        ]
    )


def noisy(clean: np.ndarray, snr: float | None, kind: str, seed: int) -> np.ndarray:
    """Rows with white noise at a ratio in dB."""
    if snr is None:
        return clean
    sigma = np.array([noise_deviation(row, snr, kind) for row in clean])
    return clean + sigma[:, None] * np.random.default_rng(1000 + seed).standard_normal(clean.shape)


def study(
    title: str,
    problems: Callable[[int], Problem],
    truth: dict[str, float],
    seeds: int,
    simulation: float,
    **options: object,
) -> None:
    """Mean, scatter and claimed deviation of the error of each parameter, in per cent; overall error; time."""
    method = method_named("galerkin")
    exact = np.array(list(truth.values()))
    errors, claims, spent, rounds, codes = [], [], [], [], []
    method.estimate(problems(0), options=method.resolve_options(options))  # derives the equations
    for seed in range(seeds):
        problem = problems(seed)
        begun = clock.perf_counter()
        result = method.estimate(problem, options=method.resolve_options(options))
        spent.append(clock.perf_counter() - begun)
        errors.append([result.value(name) for name in truth] - exact)
        claims.append([result.parameters[name].std or np.nan for name in truth])
        rounds.append(result.diagnostics["iterations"])
        codes.append(result.ok)
    error = np.array(errors)
    overall = 100 * np.linalg.norm(error, axis=1) / np.linalg.norm(exact)
    print(f"\n{title} {options or ''}: {sum(codes)} of {seeds} ok, overall error {overall.mean():.3f} %,")
    print(f"  {min(rounds)}-{max(rounds)} Gauss-Newton steps, {np.median(spent):.2f} s = ", end="")
    print(f"{np.median(spent) / simulation:.2f} RK45 simulations of {simulation:.2f} s")
    scale = 100 / np.abs(exact)
    spread = error.std(axis=0, ddof=1) if seeds > 1 else np.zeros(len(exact))
    for i, name in enumerate(truth):
        mean, claim = error[:, i].mean() * scale[i], np.mean(claims, axis=0)[i] * scale[i]
        print(f"  {name:9} mean {mean:8.4f} %  scatter {spread[i] * scale[i]:8.4f} %  std {claim:8.4f} %")


def rk45(rate: Callable[..., Sequence[float]], x0: Sequence[float], time: np.ndarray) -> float:
    """Seconds of one simulation."""
    found = []
    for _ in range(3):
        begun = clock.perf_counter()
        solve_ivp(rate, (time[0], time[-1]), x0, "RK45", time, rtol=1e-6)
        found.append(clock.perf_counter() - begun)
    return min(found)


def chua(seeds: int, duration: float) -> None:
    time = np.arange(round(duration / 0.02) + 1) * 0.02
    x0 = np.random.default_rng(0).uniform(0, 1, 12)
    clean = solve_ivp(chua_rate, (0, time[-1]), x0, "DOP853", time, rtol=1e-11, atol=1e-13).y
    names = [f"{kind}_{j}" for kind in ("v1", "v2", "i") for j in (1, 2, 3, 4)]
    model, seconds = ik.library_model("coupled_chua"), rk45(chua_rate, x0, time)

    def problems(snr: float, started: bool) -> Callable[[int], Problem]:
        def at(seed: int) -> Problem:
            record = ik.Record.from_arrays(time, dict(zip(names, noisy(clean, snr, "raw", seed), strict=True)))
            return Problem.pose(model, record, start={n: v / 2 for n, v in CHUA.items()} if started else None)

        return at

    for snr in (30.0, 20.0):
        study(f"chua {snr:g} dB, half the truth", problems(snr, True), CHUA, seeds, seconds, width=1, weights="none")
        study(f"chua {snr:g} dB, half the truth", problems(snr, True), CHUA, seeds, seconds, weights="none")
        study(f"chua {snr:g} dB, no start", problems(snr, False), CHUA, seeds, seconds, weights="none")
        study(f"chua {snr:g} dB, no start", problems(snr, False), CHUA, seeds, seconds)


def tank_record(hot: bool) -> tuple[np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    """64 min at 1/12 min; every input steps up for 4 min and down for 4 min, one after another."""
    time = np.arange(769) / 12
    base = {"F_in": (1.0, 0.5, 4), "C_in": (2.0, 0.2, 16), "T_in": (323.0, 20.0, 28)}
    base |= {"T_co": (365.0 if hot else 335.0, 5.0, 40), "F_co": (15.0, 5.0, 52)}

    def level(name: str, t: np.ndarray) -> np.ndarray:
        low, height, begin = base[name]
        return low + height * ((t >= begin) * 1.0 - 2.0 * (t >= begin + 4) + (t >= begin + 8))

    def rate(u: dict[str, float]) -> Callable[[float, np.ndarray], list[float]]:
        alpha = TANK["a"] * u["F_co"] ** 1.5 / (u["F_co"] + TANK["a"] * u["F_co"] ** 0.5 / 2)

        def slope(t: float, x: np.ndarray) -> list[float]:
            k = TANK["kappa"] * np.exp(-1e4 * TANK["tau"] * (1 / x[1] - 1 / 350))
            warm = 130 * k * x[0] + u["F_in"] * u["T_in"] + alpha * u["T_co"]
            return [-(k + u["F_in"]) * x[0] + u["F_in"] * u["C_in"], -(alpha + u["F_in"]) * x[1] + warm]

        return slope

    x = np.array([0.26456, 393.952]) if hot else np.array([1.5965, 341.3754])
    values = np.empty((2, len(time)))
    for begin in range(0, 64, 4):
        inside = (time >= begin - 1e-9) & (time <= begin + 4 + 1e-9)
        u = {name: float(level(name, np.array([begin + 0.5]))[0]) for name in base}
        values[:, inside] = reference.smooth(rate(u), x, time[inside])
        x = values[:, inside][:, -1]
    return time, values, {name: level(name, time + 1e-9) for name in base}


def tank(seeds: int) -> None:
    for hot in (False, True):
        time, clean, inputs = tank_record(hot)

        def at(seed: int, snr: float | None, time=time, clean=clean, inputs=inputs) -> Problem:  # type: ignore[no-untyped-def]
            values = noisy(clean, snr, "ac", seed)
            record = ik.Record.from_arrays(time, {"C": values[0], "T": values[1], **inputs}, time_unit="min")
            model = ik.library_model("tank_reactor")
            return Problem.pose(model, record, start={n: 0.8 * v for n, v in TANK.items()})

        name = "hot" if hot else "cool"
        for weights in ("noise", "none"):
            study(f"tank {name}, no noise", lambda s: at(s, None), TANK, 1, 1.0, weights=weights)
            study(f"tank {name}, 40 dB ac", lambda s: at(s, 40.0), TANK, seeds, 1.0, weights=weights)


def origami(seeds: int) -> None:
    time, height = 27.0 + np.arange(10001) * 1e-3, np.linspace(0.03811, 0.10408, 40001)
    amplitude, w = 0.00617, 2 * np.pi * 6.6
    force = CubicSpline(height, restoring_force(height))

    def rate(t: float, x: np.ndarray) -> list[float]:
        pull = 1.0347 * (x[1] - amplitude * w * np.cos(w * t)) + force(x[0] - amplitude * np.sin(w * t) + 0.0401)
        return [x[1], -float(pull) / 0.135]

    clean = solve_ivp(rate, (0, time[-1]), [0.04135, 0.0], "DOP853", time, rtol=1e-10, atol=1e-12).y
    base = {"Y": amplitude * np.sin(w * time), "W": amplitude * w * np.cos(w * time)}
    start = {"k_1": 0.0, "k_2": 5.0, "theta_A0": -np.pi / 3, "c": 1.0, "X_0": 0.051}
    seconds = rk45(rate, clean[:, 0], time)
    for snr in (40.0, 30.0, 20.0):

        def at(seed: int, snr: float = snr) -> Problem:
            values = noisy(clean, snr, "ac", seed)
            record = ik.Record.from_arrays(time, {"X": values[0], "V": values[1], **base})
            return Problem.pose(ik.library_model("miura_origami"), record, start=start)

        study(f"origami {snr:g} dB ac", at, ORIGAMI, seeds, seconds)


def pendulum(seeds: int) -> None:
    time = np.arange(30001) * 0.002
    cases = {"zeta alone": {"zeta": 0.05}, "mu_c alone": {"mu_c": 0.03}, "mu_q alone": {"mu_q": 0.05}}
    cases["combined"] = {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025}
    for title, damping in cases.items():
        full = {"zeta": 0.0, "mu_c": 0.0, "mu_q": 0.0} | damping
        clean = horizontal_pendulum(time, **full)

        def rate(t: float, x: np.ndarray, d: dict[str, float] = full) -> list[float]:
            drag = 2 * d["zeta"] * x[1] + d["mu_c"] * np.sign(x[1]) + d["mu_q"] * x[1] * abs(x[1])
            return [x[1], -drag - 20 * x[0] + np.cos(x[0])]

        def at(seed: int, clean=clean, damping=damping) -> Problem:  # type: ignore[no-untyped-def]
            values = clean + 0.002 * np.random.default_rng(1000 + seed).standard_normal(len(time))
            fixed = {name: 0.0 for name in ("zeta", "mu_c", "mu_q") if name not in damping}
            record = ik.Record.from_arrays(time, theta=values)
            return Problem.pose(ik.library_model("horizontal_pendulum"), record, free=[*damping, "k"], fix=fixed)

        study(f"pendulum, {title}", at, damping | {"k": 20.0}, seeds, rk45(rate, [np.pi / 6, 0.0], time))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--only", default="chua,tank,origami,pendulum")
    parser.add_argument("--duration", type=float, default=150.0, help="of the circuits' record")
    arguments = parser.parse_args()
    chosen = arguments.only.split(",")
    if "chua" in chosen:
        chua(arguments.seeds, arguments.duration)
    if "tank" in chosen:
        tank(arguments.seeds)
    if "origami" in chosen:
        origami(arguments.seeds)
    if "pendulum" in chosen:
        pendulum(arguments.seeds)


if __name__ == "__main__":
    main()
