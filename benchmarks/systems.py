"""Every known system: its ready experiment simulated against scipy, and fitted without starting values.

    python benchmarks/systems.py [--seeds 20] [--budget 20] [--only furuta,lorenz]

Data come from SciPy's DOP853 at 1e-12, restarted at every reversal of dry friction and every jump of an input, with
the equations evaluated by SymPy's own printer: nothing is shared with identikit but the text of the equations. Each
system gets as many noise seeds as fit into the budget (in seconds), three at least and `--seeds` at most.

Prints a Markdown table: how many times faster than RK45 one simulation is, and the errors of both (relative to each
state's size); the time of the first run in a process without kept kernels, which is mostly compilation; the status of
the fits; the error over the Cramer-Rao bound (rms over seeds and parameters), the largest error over its standard
deviation, the number of seeds; the median time of a fit after the first, and that of the first with its compilation.
Times are the processor's, so that other work on the machine does not count.
"""

from __future__ import annotations

import argparse
import os
import sys
import time as clock
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

os.environ["IDENTIKIT_CACHE"] = ""  # first runs are to show what a first run costs

import numpy as np
import sympy as sp
from scipy.integrate import solve_ivp

sys.path.append(str(Path(__file__).resolve().parents[1] / "tests"))

import identikit as ik
import reference
from identikit.model import LIBRARY, TIME, Model, symbol
from identikit.simulation import simulate, stepped

FEWEST = 3
STILL = 1e-9  # an argument of sign() below it is at zero
PLAIN = [{"Maximum": max, "Minimum": min}, "math"]  # what the names of a model mean for single numbers,
ARRAYS = [{"Maximum": np.maximum, "Minimum": np.minimum}, "numpy"]  # and for many
PATIENCE = 6.0  # seconds after which RK45 counts as stalled


@dataclass(frozen=True)
class Exact:
    """A ready experiment solved by SciPy: states [states, times], outputs by name, and the plain right-hand side."""

    model: Model
    time: np.ndarray
    states: np.ndarray
    outputs: dict[str, np.ndarray]
    slope: Callable[[float, np.ndarray], list[float]]
    initial: list[float]


def solve(name: str) -> Exact:
    """The ready experiment with every parameter at its usual value."""
    model = ik.library_model(name)
    ready = model.ready
    assert ready is not None
    driven = model.with_input_expressions(ready.inputs)
    known = {symbol(item.name): item.value for item in driven.parameters}
    known |= {symbol(item.name): item.value for item in driven.inputs}
    x = [symbol(state) for state in driven.state_names]
    equations = [sp.sympify(equation.subs(known)) for equation in driven.equations]
    signs = sorted(set().union(*(equation.atoms(sp.sign) for equation in equations)), key=str)
    moving = [item for item in signs if item.free_symbols & set(x)]
    breaks = sorted({float(root) for item in signs if item not in moving for root in sp.solve(item.args[0], TIME)})
    values = [symbol(f"value of switch {index}") for index in range(len(moving))]
    smooth = [equation.xreplace(dict(zip(moving, values, strict=True))) for equation in equations]
    quick = sp.lambdify([TIME, *x, *values], smooth, PLAIN, cse=True)
    plain = sp.lambdify([TIME, *x], equations, PLAIN, cse=True)

    def rate(t: float, at: np.ndarray, switched: list[float]) -> list[float]:
        # at a jump of an input the stretch that begins there counts
        return quick(t + 1e-10 if any(0 <= t - jump < 1e-12 for jump in breaks) else t, *at, *switched)

    switches = switches_of([item.args[0] for item in moving], values, smooth, x) if moving else []
    time = np.arange(round(ready.duration / ready.spacing) + 1) * ready.spacing
    initial = [ready.initial.get(state, 0.0) for state in driven.state_names]
    states, _ = reference.event_driven(rate, switches, initial, time, breaks)
    shown = sp.lambdify([TIME, *x], [item.expression.subs(known) for item in driven.outputs], ARRAYS)(time, *states)
    names = [item.name for item in driven.outputs]
    outputs = {name: np.broadcast_to(value, time.shape) for name, value in zip(names, shown, strict=True)}
    return Exact(model, time, states, outputs, lambda t, at: plain(t, *at), initial)


def switches_of(
    guards: list[sp.Expr], values: list[sp.Symbol], equations: list[sp.Expr], x: list[sp.Symbol]
) -> list[reference.Switch]:
    """sign(guard) each, with the value that holds the guard at zero while others slip, or are held as well."""
    rates = [sum((sp.diff(g, q) * f for q, f in zip(x, equations, strict=True)), sp.diff(g, TIME)) for g in guards]
    slope = sp.lambdify([TIME, *x], sp.Matrix(rates).jacobian(sp.Matrix(values)).tolist(), PLAIN, cse=True)
    free = sp.lambdify([TIME, *x], [rate.subs(dict.fromkeys(values, 0)) for rate in rates], PLAIN, cse=True)
    margins = [sp.lambdify([TIME, *x], guard, PLAIN) for guard in guards]

    def hold(which: int) -> Callable[[float, np.ndarray], float]:
        def needed(t: float, at: np.ndarray) -> float:
            found = np.array([margin(t, *at) for margin in margins])
            held = np.abs(found) < STILL
            held[which] = True
            a, b = np.array(slope(t, *at)), np.array(free(t, *at))
            right = -b[held] - a[np.ix_(held, ~held)] @ np.sign(found[~held])
            together = np.linalg.solve(a[np.ix_(held, held)], right)
            together = dict(zip(np.nonzero(held)[0], together, strict=True))
            return float(together[which])

        return needed

    return [
        reference.Switch(lambda t, at, k=k: margins[k](t, *at), hold(k), x.index(guard) if guard in x else None)
        for k, guard in enumerate(guards)
    ]


def by_runge_kutta(exact: Exact, size: np.ndarray, wanted: float) -> tuple[float, float]:
    """Seconds and error of an RK45 run just tight enough, written as a user would; infinite error if it stalls."""
    end = exact.time[-1]
    for rtol in 10.0 ** -np.arange(4.0, 12.1, 0.5):
        begun = clock.process_time()

        def slope(t: float, at: np.ndarray, begun: float = begun) -> list[float]:
            if clock.process_time() - begun > PATIENCE:
                raise TimeoutError
            return exact.slope(t, at)

        error = np.inf
        try:
            found = solve_ivp(slope, (0.0, end), exact.initial, "RK45", exact.time, rtol=rtol, atol=rtol * 1e-2 * size)
            error = error_of(found.y, exact, size) if found.success else np.inf
        except TimeoutError:
            break
        finally:
            spent = clock.process_time() - begun
        if error <= wanted or spent > PATIENCE / 3:
            break
    return spent, error


def error_of(states: np.ndarray, exact: Exact, size: np.ndarray) -> float:
    return float(np.max(np.abs(states - exact.states) / size[:, None]))


def simulation(exact: Exact) -> str:
    """First run, speed against RK45, and both errors."""
    assert exact.model.ready is not None
    steps = stepped(exact.model, exact.model.ready.inputs)
    driven = exact.model if steps is not None else exact.model.with_input_expressions(exact.model.ready.inputs)
    spent = []
    for _ in range(6):
        begun = clock.process_time()
        found = simulate(driven, exact.time, inputs=steps, tolerance=1e-8)
        spent.append(clock.process_time() - begun)
    size = np.abs(exact.states).max(axis=1)
    size = np.where(size > 0, size, 1.0)
    ours = error_of(found.states, exact, size)
    theirs, error = by_runge_kutta(exact, size, ours)
    return f"{theirs / np.median(spent[1:]):.0f} | {ours:.0e} / {error:.0e} | {spent[0]:.1f}"


def fits(exact: Exact, most: int, budget: float) -> str:
    """Status, error over bound, worst error over deviation, seeds, seconds."""
    model, ready = exact.model, exact.model.ready
    assert ready is not None
    ratios, scaled, seconds = [], [], []
    codes: Counter[str] = Counter()
    unknown: set[str] = set()
    for seed in range(most):
        if seed >= FEWEST and sum(seconds) > budget:
            break
        random = np.random.default_rng(7000 + seed)
        noisy = {
            name: values + ready.noise.get(name, 0.0) * random.standard_normal(len(values))
            for name, values in exact.outputs.items()
        }
        record = ik.Record.from_arrays(exact.time, noisy)
        begun = clock.process_time()
        result = ik.fit(record, model, inputs=ready.inputs, seed=seed)
        seconds.append(clock.process_time() - begun)
        codes[result.status.code.value] += 1
        for name in result.free:
            found = result.parameters[name]
            truth = model.parameter(name).value
            if found.identifiable is False:
                unknown.add(name)
            elif found.value is not None and found.std and found.crlb and truth is not None:
                ratios.append((found.value - truth) / found.crlb)
                scaled.append((found.value - truth) / found.std)
    rms = np.sqrt(np.mean(np.square(ratios))) if ratios else np.nan
    worst = np.max(np.abs(scaled), initial=0.0)
    status = ", ".join(code if count == len(seconds) else f"{code} {count}" for code, count in codes.items())
    missing = f" ({', '.join(sorted(unknown))} not identifiable)" if unknown else ""
    later = float(np.median(seconds[1:]))
    return f"{status}{missing} | {rms:.2f} | {worst:.1f} | {len(seconds)} | {later:.1f} | {seconds[0]:.1f} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--budget", type=float, default=20.0)
    parser.add_argument("--only", default=",".join(LIBRARY))
    arguments = parser.parse_args()
    print("| system | times RK45 | error, ours / RK45 | first run, s | status | error/CRLB | worst error/std | seeds "
          "| fit, s | first fit, s |")  # fmt: skip
    print("|---|---|---|---|---|---|---|---|---|---|")
    for name in arguments.only.split(","):
        try:
            exact = solve(name)
            simulated = simulation(exact)
            print(f"| `{name}` | {simulated} | {fits(exact, arguments.seeds, arguments.budget)}", flush=True)
        except Exception as error:  # a study reports what breaks and goes on
            print(f"| `{name}` | failed: {type(error).__name__}: {str(error)[:200]} |", flush=True)


if __name__ == "__main__":
    main()
