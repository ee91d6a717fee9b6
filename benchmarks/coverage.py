"""Whether the 95 % intervals hold: share of noise seeds whose interval contains the truth, for four kinds of noise.

python benchmarks/coverage.py [--seeds 200] [--first 1000] [--methods shooting,galerkin,energy,least_squares]
    [--cases pendulum,duffing,lotka_volterra,van_der_pol] [--noise white,ar,quantised,outliers] [--processes 2]
    [--page docs/coverage.md]  (make coverage)

Data from an independent integrator; no starting values. White: Gaussian of standard deviation s. ar: the same s, with
a correlation of 0.9 from sample to sample. quantised: white, then rounded to steps of 4 s. outliers: white, and one
sample in a hundred is off by 10 to 40 s. `--page` replaces the table in that file.
"""

from __future__ import annotations

import argparse
import os
import sys
import time as clock
import warnings
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

import identikit as ik
from independent import reference

BARS = {"white": (0.92, 0.98), "ar": (0.88, 0.99), "quantised": (0.88, 0.99), "outliers": (0.88, 0.99)}
METHODS = ("shooting", "galerkin", "energy", "least_squares")
CORRELATION = 0.9
STEP = 4.0  # quantisation, in standard deviations
GROSS = 0.01  # share of outliers
FAR = 5.0  # standard errors: with `ok`, at most one in 200 may lie so far off
MARKS = "<!-- coverage: begin -->", "<!-- coverage: end -->"


@dataclass(frozen=True)
class Case:
    """A system with its true parameters and what is measured of it, without noise."""

    model: str
    truth: Mapping[str, float]
    fix: Mapping[str, float]
    sigma: float
    time: np.ndarray
    clean: Mapping[str, np.ndarray]
    methods: tuple[str, ...] = METHODS


@cache
def case(name: str) -> Case:
    """One of the four systems."""
    if name == "pendulum":
        time = np.arange(2001) * 0.01
        clean = reference.horizontal_pendulum(time, zeta=0.025, mu_c=0.03)[0][0]
        truth = {"zeta": 0.025, "mu_c": 0.03, "k": 20.0}
        return Case("horizontal_pendulum", truth, {"mu_q": 0.0}, 0.002, time, {"theta": clean})
    if name == "duffing":
        time = np.arange(1000) * 0.03
        clean = reference.smooth(lambda t, x: [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3], [2.0, 0.0], time)[0]
        return Case("duffing", {"c": 0.1, "k": 1.0, "k3": 0.5}, {}, 0.03, time, {"x": clean})
    if name == "lotka_volterra":
        time = np.arange(801) * 0.05
        hare, lynx = reference.smooth(
            lambda t, x: [0.55 * x[0] - 0.028 * x[0] * x[1], -0.8 * x[1] + 0.024 * x[0] * x[1]], [34.0, 5.9], time
        )
        truth = {"alpha": 0.55, "beta": 0.028, "gamma": 0.8, "delta": 0.024}
        methods = tuple(method for method in METHODS if method != "energy")
        return Case("lotka_volterra", truth, {}, 2.0, time, {"hare": hare, "lynx": lynx}, methods)
    time = np.arange(800) * 0.05
    clean = reference.smooth(lambda t, x: [x[1], 2 * (1 - x[0] ** 2) * x[1] - x[0]], [0.5, 0.0], time)[0]
    return Case("van_der_pol", {"mu": 2.0, "w0": 1.0}, {}, 0.07, time, {"x": clean})


CASES = ("pendulum", "duffing", "lotka_volterra", "van_der_pol")


def measured(clean: np.ndarray, sigma: float, noise: str, random: np.random.Generator) -> np.ndarray:
    """The clean values with one draw of the noise."""
    white = random.standard_normal(len(clean))
    if noise == "ar":
        drawn = np.empty_like(white)
        drawn[0] = white[0]
        for i in range(1, len(white)):
            drawn[i] = CORRELATION * drawn[i - 1] + np.sqrt(1 - CORRELATION**2) * white[i]
        return clean + sigma * drawn
    if noise == "quantised":
        return STEP * sigma * np.round((clean + sigma * white) / (STEP * sigma))
    if noise == "outliers":
        gross = random.random(len(clean)) < GROSS
        off = random.uniform(10, 40, len(clean)) * random.choice([-1.0, 1.0], len(clean))
        return clean + sigma * np.where(gross, off, white)
    return clean + sigma * white


@dataclass(frozen=True)
class Fits:
    """All seeds of one case, noise and method: [seeds, parameters]."""

    case: str
    noise: str
    method: str
    names: tuple[str, ...]
    error: np.ndarray
    std: np.ndarray
    covered: np.ndarray  # 1 or 0, NaN without an interval
    crlb: np.ndarray
    ok: np.ndarray
    messages: tuple[str, ...]
    seconds: float

    @property
    def stated(self) -> float:
        """Share of the parameters that have an interval."""
        return float(np.isfinite(self.covered).mean())

    @property
    def coverage(self) -> np.ndarray:
        with np.errstate(all="ignore"):
            return np.nansum(self.covered, axis=0) / np.isfinite(self.covered).sum(axis=0)

    @property
    def far(self) -> int:
        """Estimates with status `ok`, of any parameter, more than FAR standard errors off."""
        ratio = np.abs(self.error) / self.std
        return int((self.ok[:, None] & (ratio > FAR)).any(axis=1).sum())

    @property
    def worst(self) -> float:
        ratio = np.where(self.ok[:, None], np.abs(self.error) / self.std, np.nan)
        return float(np.nanmax(ratio)) if np.isfinite(ratio).any() else float("nan")

    @property
    def honesty(self) -> np.ndarray:
        """Median standard error over the scatter of the estimates."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of parameters without any interval
            return np.nanmedian(self.std, axis=0) / np.maximum(np.nanstd(self.error, axis=0), 1e-300)

    @property
    def beyond_bound(self) -> np.ndarray:
        """Median standard error over the Cramer-Rao bound of white noise."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.nanmedian(self.std / self.crlb, axis=0)

    @property
    def holds(self) -> bool:
        """Whether the mean over parameters lies within the bars, every parameter does up to chance, and none is far."""
        if not self.stated:
            return not self.ok.any()
        low, high = BARS[self.noise]
        seeds = self.stated * len(self.error)
        chance = 2 * np.sqrt(low * (1 - low) / seeds)
        inside = low <= self.coverage.mean() + chance / 2 and self.coverage.mean() - chance / 2 <= high
        return bool(inside and self.coverage.min() >= low - chance and self.far <= max(1, len(self.error) // 200))

    def row(self) -> str:
        mean, least, ratio = self.coverage.mean(), self.coverage.min(), np.median(self.honesty)
        return (
            f"| {self.case} | {self.noise} | {self.method} | {mean:.2f} | {least:.2f} | {self.ok.mean():.2f} | "
            f"{self.stated:.2f} | {self.worst:.1f} | {self.far} | {ratio:.2f} | {'yes' if self.holds else 'NO'} |"
        )

    def details(self) -> str:
        """Per parameter: coverage, bias in standard deviations of the estimates, standard error over scatter."""
        scatter = np.maximum(np.nanstd(self.error, axis=0), 1e-300)
        shown = [
            f"{name} {covered:.2f} bias {bias:+.1f} std/scatter {ratio:.2f} std/crlb {beyond:.2f}"
            for name, covered, bias, ratio, beyond in zip(
                self.names,
                self.coverage,
                np.nanmean(self.error, axis=0) / scatter,
                self.honesty,
                self.beyond_bound,
                strict=True,
            )
        ]
        return f"    {self.seconds:.2f} s  " + "; ".join(shown)


HEAD = (
    "| case | noise | method | covered: mean | worst | ok | stated | worst error/std | beyond 5 | std/scatter | "
    "holds |\n"
    "|---|---|---|---|---|---|---|---|---|---|---|"
)


def study(name: str, noise: str, method: str, seeds: Sequence[int]) -> Fits:
    """Fit every seed."""
    made = case(name)
    names = tuple(made.truth)
    rows, ok, messages, spent = [], [], [], []
    for seed in seeds:
        random = np.random.default_rng([seed, list(BARS).index(noise)])
        channels = {key: measured(clean, made.sigma, noise, random) for key, clean in made.clean.items()}
        record = ik.Record.from_arrays(made.time, channels)
        begun = clock.perf_counter()
        result = ik.fit(record, made.model, method=method, free=list(names), fix=dict(made.fix))
        spent.append(clock.perf_counter() - begun)
        ok.append(result.ok)
        messages.append(result.status.message)
        found = [result.parameters[key] for key in names]
        truth = [made.truth[key] for key in names]
        rows.append(
            [
                [np.nan if item.value is None else item.value - true for item, true in zip(found, truth, strict=True)],
                [np.nan if item.std is None else item.std for item in found],
                [
                    np.nan if item.ci95 is None else float(item.ci95[0] <= true <= item.ci95[1])
                    for item, true in zip(found, truth, strict=True)
                ],
                [np.nan if item.crlb is None else item.crlb for item in found],
            ]
        )
    error, std, covered, crlb = np.array(rows, float).transpose(1, 0, 2)
    return Fits(
        name, noise, method, names, error, std, covered, crlb, np.array(ok), tuple(messages), float(np.median(spent))
    )


def written(page: Path, table: str) -> None:
    """The table between the marks of a page replaced."""
    text = page.read_text(encoding="utf-8")
    before, rest = text.split(MARKS[0])
    page.write_text(f"{before}{MARKS[0]}\n{table}\n{MARKS[1]}{rest.split(MARKS[1])[1]}", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--first", type=int, default=1000, help="first seed")
    parser.add_argument("--methods", default=",".join(METHODS))
    parser.add_argument("--cases", default=",".join(CASES))
    parser.add_argument("--noise", default=",".join(BARS))
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--page", type=Path, help="file whose table is replaced")
    arguments = parser.parse_args()
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    jobs = [
        (name, noise, method, seeds)
        for name in arguments.cases.split(",")
        for method in arguments.methods.split(",")
        if method in case(name).methods
        for noise in arguments.noise.split(",")
    ]
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    print(HEAD, flush=True)
    rows, failed = [], 0
    with ProcessPoolExecutor(max(1, arguments.processes)) as pool:
        for fits in pool.map(study, *zip(*jobs, strict=True)):
            rows.append(fits.row())
            failed += not fits.holds
            print(fits.row(), fits.details(), sep="\n", flush=True)
            for message in sorted({m for m, ok in zip(fits.messages, fits.ok, strict=True) if not ok})[:2]:
                print(f"    not ok: {message}", flush=True)
    if arguments.page:
        written(arguments.page, "\n".join([f"{arguments.seeds} seeds each.\n", HEAD, *rows]))
    print(f"{len(rows) - failed} of {len(rows)} hold")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
