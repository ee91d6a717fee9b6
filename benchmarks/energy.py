"""The energy balance against the averaged solution and shooting, on the systems of its source.

python benchmarks/energy.py [--seeds 5] [--only pendulum,duffing,magnetic,open,speed] [--first 100] [--bare]

Noise as in the source: Gaussian, scaled to a given largest value over the record. E_p is the root mean square of the
relative errors of the parameters; shown is its mean over the seeds. Data from an independent integrator.
"""

from __future__ import annotations

import argparse
import time as clock
from collections.abc import Mapping, Sequence

import numpy as np

import identikit as ik
from identikit.measurement import SmoothingSpline
from identikit.method.energy import Energy
from identikit.problem import Problem
from identikit_published.energy.procedure import (
    DEGREE,
    DUFFING,
    MAGNETIC,
    PENDULUM,
    W0,
    duffing,
    magnetic,
    pendulum,
    scaled_noise,
)


class Study:
    """Fits of one clean record with several seeds of noise; `bare` leaves out the judgement by a trajectory."""

    def __init__(self, seeds: Sequence[int], bare: bool) -> None:
        self.seeds, self.bare = seeds, bare

    def __call__(
        self,
        title: str,
        model: str,
        output: str,
        time: np.ndarray,
        clean: np.ndarray,
        largest: float,
        truth: Mapping[str, float],
        method: str,
        options: Mapping[str, object] | None = None,
        fix: Mapping[str, float] | None = None,
    ) -> list[str]:
        names, values, spread, words, spent = list(truth), [], [], [], []
        for seed in self.seeds:
            record = ik.Record.from_arrays(time, {output: clean + scaled_noise(len(time), largest, seed)})
            begun = clock.process_time()
            if self.bare and method == "energy":
                problem = Problem.pose(ik.library_model(model), record, free=names, fix=fix)
                fit = Energy().balance(problem, Energy.resolve_options(options)).fit
                values.append(fit.p)
                spread.append(fit.deviation)
            else:
                result = ik.fit(record, model, method=method, free=names, fix=fix, options=options)
                found = [result.parameters[name] for name in names]
                values.append(np.array([np.nan if item.value is None else item.value for item in found]))
                spread.append(np.array([item.std or np.nan for item in found]))
                words.append(f"{result.status.code.value}: {result.status.message}")
            spent.append(clock.process_time() - begun)
        exact = np.array(list(truth.values()))
        relative = np.array(values) / exact - 1
        norm = np.sqrt(np.mean(relative**2, axis=1))
        z = (np.array(values) - exact) / np.array(spread)
        codes = sorted({item.split(":")[0] for item in words})
        print(
            f"{title:28} {method:10} E_p {norm.mean():.4f} worst {norm.max():.4f}  bias % "
            + " ".join(f"{name} {100 * b:+.3f}" for name, b in zip(names, relative.mean(axis=0), strict=True))
            + "  rms z "
            + " ".join(f"{item:.2f}" for item in np.sqrt(np.nanmean(z**2, axis=0)))
            + f"  {'/'.join(codes)}  {np.median(spent):.1f} s",
            flush=True,
        )
        return words


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=100, help="first seed")
    parser.add_argument("--only", default="pendulum,duffing,magnetic,open,speed")
    parser.add_argument("--angles", default="5,10,20,40,60,80,100,120,150")
    parser.add_argument("--bare", action="store_true", help="energy without the judgement by a trajectory")
    arguments = parser.parse_args()
    chosen = arguments.only.split(",")
    study = Study(range(arguments.first, arguments.first + arguments.seeds), arguments.bare)
    if "pendulum" in chosen:
        time = np.arange(3000) / 300
        for angle in map(float, arguments.angles.split(",")):
            clean = pendulum(angle, time)[0]
            for method, options in (
                ("energy", None),
                ("energy", {"order": 2}),
                ("averaging", None),
                ("averaging", {"from_rest": "no"}),
                ("shooting", None),
            ):
                title = f"{angle:g} degrees{' ' + str(options) if options else ''}"
                study(title, "pendulum", "theta", time, clean, DEGREE, PENDULUM, method, options)
    if "duffing" in chosen:
        time = np.arange(500 * 200) * (2 * np.pi / 1.33 / 500)
        clean = duffing(time)[0]
        known = {"F": 27.0, "Omega": 1.33}
        largest = 0.01 * float(np.abs(clean).max())
        study("chaotic Duffing", "duffing", "x", time, clean, largest, DUFFING, "energy", fix=known)
    if "magnetic" in chosen:
        time = np.arange(30_000) / 3000
        for start in (0.7, 0.8, 0.9):
            clean = magnetic(start, time)[0]
            study(f"magnets, w0 fixed, {start}", "magnetic_pendulum", "theta", time, clean, DEGREE, MAGNETIC, "energy")
    if "open" in chosen:
        for rate in (300, 3000):
            time = np.arange(10 * rate) / rate
            for start in (0.7, 0.9, 1.5):
                clean = magnetic(start, time)[0]
                truth = MAGNETIC | {"w0": W0}
                title = f"magnets, w0 free, {start}, {rate}"
                found = study(title, "magnetic_pendulum", "theta", time, clean, DEGREE, truth, "energy")
                for message in sorted(set(found))[:2]:
                    print(f"    {message}")
    if "speed" in chosen:
        for count in (3000, 30_000, 100_000):
            time = np.arange(count) / 300
            values = np.sin(11.8 * time) + scaled_noise(count, DEGREE, 0)
            begun = clock.perf_counter()
            curve = SmoothingSpline(time, values)
            print(f"smoothing spline of {count} samples: {clock.perf_counter() - begun:.2f} s, L {curve.length:.2f}")


if __name__ == "__main__":
    main()
