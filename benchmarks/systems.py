"""Every known system: its ready experiment simulated against scipy, and fitted without starting values.

    python benchmarks/systems.py [--seeds 3] [--only furuta,lorenz]

Prints a Markdown table: how many times faster than scipy's RK45 (at the error printed) one simulation is, the time
of the first run (compilation), the status of the fits, the error in deviations over the seeds (rms and largest), and
the time of a fit.
"""

from __future__ import annotations

import argparse
import time as clock

import numpy as np
from scipy.integrate import solve_ivp

import identikit as ik
from identikit.model import LIBRARY_NAMES, Model, dynamics_of
from identikit.simulate import Pieces, parameter_vector, sampled, simulate, synthesize


def experiment(name: str) -> tuple[Model, np.ndarray, Pieces]:
    """The ready experiment: the model, its sample times, its inputs sampled as a fit will see them."""
    model = ik.library_model(name)
    ready = model.ready
    assert ready is not None
    time = np.arange(0.0, ready.duration + 0.5 * ready.spacing, ready.spacing)
    if not model.inputs:
        return model, time, Pieces.constant([])
    columns = {item.name: np.full(len(time), item.value) for item in model.inputs}
    for key, text in ready.inputs.items():
        source = ik.Model.from_text("source", equations={"z": "0"}, parameters={}, outputs={"u": text})
        columns[key] = simulate(source, time).outputs["u"]
    return model, time, sampled(time, columns, {item.name: item.hold for item in model.inputs})


def scipy_seconds(model: Model, time: np.ndarray, pieces: Pieces, accuracy: float) -> tuple[float, float]:
    """Seconds of an RK45 run whose error is about `accuracy`, and that error (relative to each state's size)."""
    dynamics = dynamics_of(model)
    p = parameter_vector(model)
    ready = model.ready
    assert ready is not None
    x0 = np.array([ready.initial.get(name, 0.0) for name in model.state_names])

    def slope(t: float, x: np.ndarray) -> list[float]:
        u = list(pieces(np.array([t]))[:, 0]) if model.inputs else []
        s = [np.sign(g) for g in dynamics.guard(np, t, list(x), u, list(p))]
        return dynamics.rate(np, t, list(x), u, [0.0] * len(u), list(p), s)

    exact = simulate(model, time, inputs=pieces, tolerance=1e-12).states
    size = np.abs(exact).max(axis=1, keepdims=True)
    for rtol in (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9):
        begun = clock.perf_counter()
        found = solve_ivp(slope, (time[0], time[-1]), x0, t_eval=time, rtol=rtol, atol=rtol * 1e-3 * size[:, 0])
        spent = clock.perf_counter() - begun
        error = float(np.max(np.abs(found.y - exact) / size)) if found.success else np.inf
        if error < accuracy or spent > 20:
            break
    return spent, error


def row(name: str, seeds: int) -> str:
    model, time, pieces = experiment(name)
    begun = clock.perf_counter()
    simulate(model, time, inputs=pieces)
    first = clock.perf_counter() - begun
    spent = []
    for _ in range(3):
        begun = clock.perf_counter()
        solution = simulate(model, time, inputs=pieces, tolerance=1e-8)
        spent.append(clock.perf_counter() - begun)
    plain, error = scipy_seconds(model, time, pieces, 1e-6)
    assert model.ready is not None
    scaled, codes, fits = [], [], []
    for seed in range(seeds):
        record = synthesize(model, solution, model.ready.noise, seed=seed)
        begun = clock.perf_counter()
        result = ik.fit(record, model, seed=seed)
        fits.append(clock.perf_counter() - begun)
        codes.append(result.status.code.value)
        for parameter in result.free:
            found = result.parameters[parameter]
            if found.identifiable and found.std and found.value is not None:
                scaled.append((found.value - model.parameter(parameter).value) / found.std)
    unknown = [n for n in result.free if result.parameters[n].identifiable is False]
    z = np.array(scaled) if scaled else np.array([np.nan])
    return " | ".join(
        [
            f"| `{name}`",
            f"{plain / np.median(spent):.0f} ({error:.0e})",
            f"{first:.1f}",
            ", ".join(sorted(set(codes))),
            f"{np.sqrt(np.mean(z**2)):.2f} / {np.max(np.abs(z)):.1f}",
            ", ".join(unknown) or "-",
            f"{np.median(fits):.1f} |",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default=",".join(LIBRARY_NAMES))
    arguments = parser.parse_args()
    print("| system | faster than RK45 (error) | first run, s | status | error/std | not identifiable | fit, s |")
    print("|---|---|---|---|---|---|---|")
    for name in arguments.only.split(","):
        try:
            print(row(name, arguments.seeds), flush=True)
        except Exception as error:  # a study reports what breaks and goes on
            print(f"| `{name}` | failed: {type(error).__name__}: {str(error)[:100]} |", flush=True)


if __name__ == "__main__":
    main()
