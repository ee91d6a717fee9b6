"""The Furuta paper's comparison, on the same simulated records: the adaptive observer, filter, shooting, a plain fit.

    python benchmarks/furuta.py [--seeds 3] [--first 0] [--methods shooting,kalman,uas,plain]
        [--start tenfold|none|wrong]

Theta1 from 120 degrees, 35 s, 1 kHz, noise of 0.1 on all four states, tilt 20 degrees, all ten friction parameters
free.
For each fit: R^2 of both joints as the paper's equation 53 has it, between the noise-free motion and that of the
estimate; errors of the parameters that can be told, over the Cramer-Rao bound; which parameters are marked as not
identifiable; seconds, in simulations by SciPy's RK45 (rtol 1e-6) of the same run, and per sample (equation 54).
`plain` is what people write: SciPy's `least_squares` around `solve_ivp`, from the tenfold guess, 60 steps.
With the start `wrong` there is none, and the model's own values of all ten are off by factors of 3 to 10, up or down.
Nothing is compiled in the seconds that are shown: a first fit goes before.
"""

from __future__ import annotations

import argparse
import time as clock
from dataclasses import replace

import numpy as np
from scipy.integrate import solve_ivp

import identikit as ik
from identikit_published.furuta.runs import (
    FREE,
    OUTPUTS,
    START,
    TRUE,
    furuta,
    furuta_rate,
    goodness_of_fit,
    normalised_time,
    plain_fit,
)

TOLD = ("mu_d0", "mu_d1", "mu_v1")  # what such a record tells well
TIME = np.arange(35001) * 1e-3
MOST_STEPS = 60  # of the plain fit, each of up to eleven simulations
MODEL = ik.library_model("furuta")


def simulation_seconds() -> float:
    begun = clock.perf_counter()
    solve_ivp(furuta_rate(), (0, TIME[-1]), START, t_eval=TIME, rtol=1e-6, atol=1e-8)
    return clock.perf_counter() - begun


def wrong_model(seed: int) -> ik.Model:
    """The model with own values that tell nothing of the truth."""
    rng = np.random.default_rng(10_000 + seed)
    own = []
    for item in MODEL.parameters:
        if item.name in FREE:
            factor = rng.uniform(3, 10) ** rng.choice([-1, 1])
            item = replace(item, value=float(np.clip(TRUE[item.name] * factor, *item.bounds)))
        own.append(item)
    return replace(MODEL, parameters=tuple(own))


def told(result: ik.Result) -> str:
    """Errors over the bound, and what is marked."""
    errors = []
    for name in TOLD:
        item = result.parameters[name]
        known = item.value is not None and item.crlb
        errors.append(f"{(item.value - TRUE[name]) / item.crlb:5.1f}" if known else "    -")
    marked = [name for name in FREE if result.parameters[name].identifiable is False]
    return f"{' '.join(errors)}  {result.status.code}  {', '.join(marked)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--methods", default="shooting,kalman,uas,plain")
    parser.add_argument("--start", choices=("tenfold", "none", "wrong"), default="tenfold")
    arguments = parser.parse_args()
    clean = furuta(TIME)
    start = {name: min(10 * value, 1.0) for name, value in TRUE.items()} if arguments.start == "tenfold" else None
    print(f"{'method':10}{'seed':>5}{'R2 q0':>9}{'R2 q1':>9}{'s':>7}{'sims':>7}{'us/sample':>11}  errors/CRLB, status")
    for method in arguments.methods.split(","):
        for index in range(arguments.seeds + (method != "plain")):
            seed = arguments.first + max(index - (method != "plain"), 0)
            noisy = clean + 0.1 * np.random.default_rng(seed).standard_normal(clean.shape)
            unit = simulation_seconds()
            begun = clock.perf_counter()
            if method == "plain":
                guess = {name: 10 * value for name, value in TRUE.items()}
                values, words = plain_fit(TIME, noisy, guess, MOST_STEPS).values, ""
            else:
                record = ik.Record.from_arrays(TIME, dict(zip(OUTPUTS, noisy, strict=True)))
                given = None if method == "uas" else start  # its guess has to lie within its bounds
                model = wrong_model(seed) if arguments.start == "wrong" else MODEL
                result = ik.fit(record, model, free=FREE, start=given, method=method)
                values = {name: TRUE[name] if (v := result.parameters[name].value) is None else v for name in FREE}
                words = told(result)
            seconds = clock.perf_counter() - begun
            if index == 0 and method != "plain":
                continue  # compiled
            r2 = goodness_of_fit(furuta(TIME, values)[:2], clean[:2])
            share = 1e6 * normalised_time(seconds, 35.0, 1000.0)
            print(
                f"{method:10}{seed:5}{r2[0]:9.3f}{r2[1]:9.3f}{seconds:7.1f}{seconds / unit:7.1f}{share:11.1f}  {words}",
                flush=True,
            )


if __name__ == "__main__":
    main()
