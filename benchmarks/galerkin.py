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

import identikit as ik
from identikit.method import method_named
from identikit.problem import Problem
from identikit.simulation import noise_deviation
from identikit_published.galerkin import circuits, origami_record, reactor
from independent import horizontal_pendulum


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
    time, clean = circuits.clean(duration)
    x0, names = clean[:, 0], circuits.CIRCUITS_NAMES
    model, seconds = ik.library_model("coupled_chua"), rk45(circuits.rate, x0, time)

    def problems(snr: float, started: bool) -> Callable[[int], Problem]:
        def at(seed: int) -> Problem:
            record = ik.Record.from_arrays(time, dict(zip(names, noisy(clean, snr, "raw", seed), strict=True)))
            return Problem.pose(model, record, start=circuits.START if started else None)

        return at

    for snr in (30.0, 20.0):
        study(
            f"chua {snr:g} dB, half the truth",
            problems(snr, True),
            circuits.TRUTH,
            seeds,
            seconds,
            width=1,
            weights="none",
        )
        study(f"chua {snr:g} dB, half the truth", problems(snr, True), circuits.TRUTH, seeds, seconds, weights="none")
        study(f"chua {snr:g} dB, no start", problems(snr, False), circuits.TRUTH, seeds, seconds, weights="none")
        study(f"chua {snr:g} dB, no start", problems(snr, False), circuits.TRUTH, seeds, seconds)


def tank(seeds: int) -> None:
    for hot in (False, True):
        time, clean, levels = reactor.clean_record(hot)
        inputs = dict(zip(reactor.STEPS, levels, strict=True))

        def at(seed: int, snr: float | None, time=time, clean=clean, inputs=inputs) -> Problem:  # type: ignore[no-untyped-def]
            values = noisy(clean, snr, "ac", seed)
            record = ik.Record.from_arrays(time, {"C": values[0], "T": values[1], **inputs}, time_unit="min")
            model = ik.library_model("tank_reactor")
            return Problem.pose(model, record, start={n: 0.8 * v for n, v in reactor.TRUTH.items()})

        name = "hot" if hot else "cool"
        for weights in ("noise", "none"):
            study(f"tank {name}, no noise", lambda s: at(s, None), reactor.TRUTH, 1, 1.0, weights=weights)
            study(f"tank {name}, 40 dB ac", lambda s: at(s, 40.0), reactor.TRUTH, seeds, 1.0, weights=weights)


def origami(seeds: int) -> None:
    shaken = origami_record.clean()
    time, clean, base = shaken.time, shaken.mass, dict(zip("YW", shaken.base, strict=True))
    seconds = rk45(origami_record.rate_of(origami_record.TRUTH), clean[:, 0], time)
    for snr in (40.0, 30.0, 20.0):

        def at(seed: int, snr: float = snr) -> Problem:
            values = noisy(clean, snr, "ac", seed)
            record = ik.Record.from_arrays(time, {"X": values[0], "V": values[1], **base})
            return Problem.pose(ik.library_model("miura_origami"), record, start=origami_record.START)

        study(f"origami {snr:g} dB ac", at, origami_record.TRUTH, seeds, seconds)


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
