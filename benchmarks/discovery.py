"""Which laws are found, by `sindy` and `discover` and by PySINDy as its documentation advises, on the same records.

python benchmarks/discovery.py [--seeds 5] [--first 0] [--only pendulum,open] [--method sindy]

Pendulum: the report's system, 60 s at 500 Hz, angle alone with noise .002, nine terms. Open: nothing known, polynomials
of degree 3 (Lorenz 2), all states or the position alone, noise of 1 and 5 % of each signal's spread. Data come from an
integrator that shares nothing with identikit. A law counts if its terms are exactly the true ones. PySINDy: defaults
(STLSQ, threshold .1, finite differences); its smoothed differences; its weak form with 100 domains.
"""

from __future__ import annotations

import argparse
import time as clock
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

import identikit as ik
from independent import horizontal_pendulum, reference

SIGMA = 0.002
PENDULUM = {
    "viscous": {"zeta": 0.05},
    "Coulomb": {"mu_c": 0.03},
    "quadratic": {"mu_q": 0.05},
    "combined": {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025},
}
OWN = {"zeta": "omega", "mu_c": "sign(omega)", "mu_q": "omega*abs(omega)"}


@dataclass(frozen=True)
class System:
    """A system, what is measured of it, and the terms that a law should have: {(state, exponents of the states)}."""

    rate: Callable[[float, np.ndarray], Sequence[float]]
    start: tuple[float, ...]
    states: tuple[str, ...]
    time: np.ndarray
    truth: frozenset[tuple[str, str]]
    degree: int = 3
    measured: int = 9
    force: Callable[[np.ndarray], np.ndarray] | None = None

    def record(self, noise: float, seed: int) -> tuple[ik.Record, np.ndarray]:
        clean = reference.smooth(self.rate, self.start, self.time)
        random = np.random.default_rng(seed)
        values = clean + noise * clean.std(axis=1)[:, None] * random.standard_normal(clean.shape)
        columns = dict(zip(self.states[: self.measured], values, strict=False))
        if self.force is not None:
            columns["force"] = self.force(self.time)
        return ik.Record.from_arrays(self.time, columns), values


def _terms(**equations: str) -> frozenset[tuple[str, str]]:
    return frozenset((state, term) for state, text in equations.items() for term in text.split())


def _duffing(t: float, x: np.ndarray) -> Sequence[float]:
    return [x[1], -0.1 * x[1] - x[0] - 0.5 * x[0] ** 3]


def _van_der_pol(t: float, x: np.ndarray) -> Sequence[float]:
    return [x[1], 1.5 * (1 - x[0] ** 2) * x[1] - x[0]]


MINUTE = np.arange(3000) * 0.02
OPEN = {
    "Duffing": System(_duffing, (2.0, 0.0), ("x", "v"), MINUTE, _terms(x="v", v="x v x**3")),
    "van der Pol": System(_van_der_pol, (2.0, 0.0), ("x", "v"), MINUTE, _terms(x="v", v="x v v*x**2")),
    "Lotka-Volterra": System(
        lambda t, x: [x[0] - 0.5 * x[0] * x[1], -0.8 * x[1] + 0.3 * x[0] * x[1]],
        (4.0, 1.0), ("x", "y"), MINUTE, _terms(x="x x*y", y="y x*y"),
    ),
    "Lorenz": System(
        lambda t, x: [10 * (x[1] - x[0]), x[0] * (28 - x[2]) - x[1], x[0] * x[1] - 8 / 3 * x[2]],
        (-8.0, 8.0, 27.0), ("x", "y", "z"), np.arange(5000) * 0.004, _terms(x="x y", y="x y x*z", z="z x*y"), 2,
    ),
    "FitzHugh-Nagumo": System(
        lambda t, x: [x[0] - x[0] ** 3 / 3 - x[1] + 0.5, 0.08 * (x[0] + 0.7 - 0.8 * x[1])],
        (-1.0, 1.0), ("v", "w"), np.arange(4000) * 0.05, _terms(v="1 v w v**3", w="1 v w"),
    ),
    "driven oscillator": System(
        lambda t, x: [x[1], -2 * x[0] - 0.3 * x[1] + np.sin(1.3 * t) + 0.7 * np.sin(0.4 * t)],
        (1.0, 0.0), ("x", "v"), MINUTE, _terms(x="v", v="x v F"),
        force=lambda t: np.sin(1.3 * t) + 0.7 * np.sin(0.4 * t),
    ),
    "Duffing, x only": System(_duffing, (2.0, 0.0), ("x",), MINUTE, _terms(x_dot="x x_dot x**3"), measured=1),
    "van der Pol, x only": System(
        _van_der_pol, (2.0, 0.0), ("x",), MINUTE, _terms(x_dot="x x_dot x**2*x_dot"), measured=1
    ),
}  # fmt: skip


def found_terms(result: ik.Result) -> frozenset[tuple[str, str]]:
    rows = result.artifacts.get("terms", {"rows": []})["rows"]
    return frozenset((row[0], row[1]) for row in rows if row[4])


def by_pysindy(system: System, values: np.ndarray, way: str) -> frozenset[tuple[str, str]]:
    """The terms that PySINDy finds; a velocity that was not measured comes from its own differentiation."""
    import pysindy

    time = system.time
    smoothed = pysindy.SmoothedFiniteDifference()
    states = values[: system.measured].T
    names = list(system.states)
    if system.measured == 1:
        states = np.column_stack([states[:, 0], np.asarray(smoothed(states, time))[:, 0]])
        names = ["x", "x_dot"]
    u = None if system.force is None else system.force(time)[:, None]
    library = pysindy.PolynomialLibrary(degree=system.degree)
    if way == "weak":
        library = pysindy.WeakPDELibrary(library, spatiotemporal_grid=time)
    differentiation = smoothed if way == "smoothed" else pysindy.FiniteDifference()
    np.random.seed(0)  # its weak form draws domains from the global generator
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = pysindy.SINDy(pysindy.STLSQ(threshold=0.1), library, differentiation)
        model.fit(states, t=time, u=u, feature_names=[*names, *([] if u is None else ["F"])])
        table, features = np.asarray(model.coefficients()), model.get_feature_names()
    found = {(names[i], _plain(features[j])) for i, j in zip(*np.nonzero(table), strict=True)}
    return frozenset(item for item in found if system.measured > 1 or item[0] == "x_dot")


def _plain(feature: str) -> str:
    """ "x^2 v" as identikit writes it, "v*x**2"."""
    return "*".join(sorted(part.replace("^", "**") for part in feature.split()))


NINE: dict[str, Callable[[np.ndarray, np.ndarray], np.ndarray]] = {
    "1": lambda x, v: 1 + 0 * x,
    "theta": lambda x, v: x + 0 * v,
    "omega": lambda x, v: v + 0 * x,
    "theta**2": lambda x, v: x**2 + 0 * v,
    "omega*theta": lambda x, v: x * v,
    "omega*abs(omega)": lambda x, v: v * np.abs(v) + 0 * x,
    "sign(omega)": lambda x, v: np.tanh(v / 0.1) + 0 * x,  # as the report has it
    "sin(theta)": lambda x, v: np.sin(x) + 0 * v,
    "cos(theta)": lambda x, v: np.cos(x) + 0 * v,
}


def pendulum_by_pysindy(time: np.ndarray, values: np.ndarray, form: str, threshold: str) -> set[str]:
    """The terms of omega' that PySINDy keeps, velocities from Savitzky-Golay windows of 51 samples."""
    import pysindy

    smoothed = pysindy.SmoothedFiniteDifference(smoother_kws={"window_length": 51, "polyorder": 3})
    states = np.column_stack([values, np.asarray(smoothed(values[:, None], time))[:, 0]])
    library = pysindy.CustomLibrary(list(NINE.values()))
    if form == "weak":
        library = pysindy.WeakPDELibrary(library, spatiotemporal_grid=time, K=400, H_xt=[0.7])
    np.random.seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        optimizer = pysindy.STLSQ(threshold=float(threshold), alpha=1e-10 if form == "weak" else 0.05)
        model = pysindy.SINDy(optimizer, library, smoothed)
        model.fit(states, t=time)
    return {name for name, value in zip(NINE, np.asarray(model.coefficients())[1], strict=True) if value}


def pendulum_table(seeds: range) -> None:
    time = np.arange(30001) * 0.002
    print("pendulum, nine terms: exact laws, largest error in %, 95 % intervals that hold the truth (refined, before),")
    print("  seconds; PySINDy beside it")
    for name, damping in PENDULUM.items():
        clean = horizontal_pendulum(time, *(damping.get(p, 0.0) for p in OWN))
        truth = {"theta", "cos(theta)", *(OWN[p] for p in damping)}
        exact, errors, inside, before, taken = 0, [], [], [], []
        others = {"strong .005": 0, "weak .005": 0, "weak .1": 0}
        for seed in seeds:
            values = clean + SIGMA * np.random.default_rng(seed).standard_normal(len(time))
            record = ik.Record.from_arrays(time, {"theta": values})
            begun = clock.perf_counter()
            result = ik.fit(
                record, "horizontal_pendulum", method="sindy", free=[*OWN, "k"], options={"terms": "report"}
            )
            taken.append(clock.perf_counter() - begun)
            right = {term for _, term in found_terms(result)} == truth
            exact += right
            if right:
                found = {p: result.parameters[p] for p in damping}
                errors += [abs(found[p].value / true - 1) for p, true in damping.items()]
                inside += [abs(found[p].value - true) < 1.96 * found[p].std for p, true in damping.items()]
                rows = {row[0]: row[1:] for row in result.artifacts["unrefined parameters"]["rows"]}
                before += [abs(rows[p][0] - true) < 1.96 * rows[p][1] for p, true in damping.items()]
            for way in others:
                others[way] += pendulum_by_pysindy(time, values, *way.split()) == truth
        worst = 100 * max(errors, default=float("nan"))
        held = " ".join(f"{sum(item)}/{len(item)}" for item in (inside, before))
        print(f"  {name:10s} {exact}/{len(seeds)}  {worst:.3f}  {held}  {np.median(taken):.1f}  {others}", flush=True)


def open_table(seeds: range, method: str) -> None:
    ways = ("default", "smoothed", "weak") if method == "sindy" else ()
    beside = f"; PySINDy {', '.join(ways)}" if ways else ""
    print(f"nothing known, {method}: exact laws of {len(seeds)} at 1 and 5 % noise, seconds; told{beside}")
    for name, system in OPEN.items():
        for noise in (0.01, 0.05):
            exact, told, taken, others = 0, 0, [], dict.fromkeys(ways, 0)
            for seed in seeds:
                record, values = system.record(noise, seed)
                begun = clock.perf_counter()
                extra = {} if system.force is None else {"inputs": {"F": "force"}}
                result = ik.discover(record, method=method, options={"degree": system.degree}, **extra)
                taken.append(clock.perf_counter() - begun)
                right = found_terms(result) == system.truth
                exact += right
                warned = {"rival_laws", "law_not_settled", "library_lacks_something"}
                told += not right and (not result.ok or any(item.code in warned for item in result.findings))
                for way in ways:
                    others[way] += by_pysindy(system, values, way) == system.truth
            count = len(seeds)
            missed = f"told {told}/{count - exact}"
            beside = " ".join(f"{value}/{count}" for value in others.values())
            print(
                f"  {name:20s} {100 * noise:.0f} %  {exact}/{count}  {np.median(taken):5.1f} s  {missed}  {beside}",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--only", default="pendulum,open")
    parser.add_argument("--method", default="sindy", help="of the second table; beside sindy stands PySINDy")
    arguments = parser.parse_args()
    seeds = range(arguments.first, arguments.first + arguments.seeds)
    if "pendulum" in arguments.only:
        pendulum_table(seeds)
    if "open" in arguments.only:
        open_table(seeds, arguments.method)


if __name__ == "__main__":
    main()
