"""auto without starting values on the ready experiment of every known system, over many seeds, against the bound.

    python benchmarks/auto.py [--seeds 50] [--first 0] [--noise 1,3] [--only duffing,lorenz] [--into auto.jsonl]

Data come from `systems.solve`: SciPy's DOP853 at 1e-12, restarted at every reversal of friction. A fit succeeds if
it converges, has at least one identifiable parameter, and every one of them lies within four Cramer-Rao bounds of the
truth.
Every fit is a line of `--into`; a run that was cut off goes on where it stopped, and the table is made of all lines.

For each system and level of noise: successes, the root mean square error over the bound of each parameter (median and
worst), the status codes, what the second opinion said, the median processor time of a fit; at the end the same over
all.
"""

from __future__ import annotations

import argparse
import json
import time as clock
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

import identikit as ik
from identikit.model import LIBRARY
from systems import Exact, solve

WITHIN = 4.0  # bounds


def one_fit(exact: Exact, level: float, seed: int) -> dict[str, Any]:
    """One record with its noise `level` times as large, fitted: errors over the bound by parameter."""
    model, ready = exact.model, exact.model.ready
    assert ready is not None
    random = np.random.default_rng([seed, round(100 * level)])
    noisy = {
        name: values + level * ready.noise.get(name, 0.0) * random.standard_normal(len(values))
        for name, values in exact.outputs.items()
    }
    begun = clock.process_time()
    result = ik.fit(ik.Record.from_arrays(exact.time, noisy), model, inputs=ready.inputs, seed=seed)
    seconds = clock.process_time() - begun
    errors = {}
    for name in result.free:
        found, truth = result.parameters[name], model.parameter(name).value
        if found.identifiable and found.value is not None and found.crlb and truth is not None:
            errors[name] = (found.value - truth) / found.crlb
    said = [item.code for item in result.findings if "opinion" in item.code]
    return {
        "system": model.name,
        "noise": level,
        "seed": seed,
        "errors": errors,
        "code": result.status.code.value,
        "opinion": said[0] if said else "",
        "seconds": seconds,
    }


def table(lines: list[dict[str, Any]]) -> str:
    rows = ["| system | noise | within 4 | rms/bound, median | worst | status | second opinion | s |", "|---" * 8 + "|"]
    everything: list[float] = []
    failures = 0
    for system, level in dict.fromkeys((item["system"], item["noise"]) for item in lines):
        own = [item for item in lines if (item["system"], item["noise"]) == (system, level)]
        good = [
            item["code"] != "not_converged" and bool(e := item["errors"]) and max(map(abs, e.values())) < WITHIN
            for item in own
        ]
        failures += good.count(False)
        names = dict.fromkeys(name for item in own for name in item["errors"])
        rms = {
            n: float(np.sqrt(np.mean([item["errors"][n] ** 2 for item in own if n in item["errors"]]))) for n in names
        }
        everything += rms.values()
        worst = max(rms, key=rms.__getitem__, default="-")
        codes = ", ".join(f"{code} {count}" for code, count in Counter(item["code"] for item in own).items())
        said = Counter(item["opinion"].removeprefix("second_opinion_") for item in own)
        opinions = ", ".join(f"{code} {count}" for code, count in said.items())
        middle = float(np.median(list(rms.values()))) if rms else np.nan
        seconds = float(np.median([item["seconds"] for item in own]))
        rows.append(
            f"| {system} | {level:g} | {sum(good)} of {len(good)} | {middle:.2f} | {worst} "
            f"{rms.get(worst, np.nan):.2f} | {codes} | {opinions} | {seconds:.1f} |"
        )
    rows.append(
        f"\n{len(lines) - failures} of {len(lines)} fits succeed; rms error over bound: median "
        f"{np.median(everything):.3f}, worst {max(everything):.2f}"
    )
    return "\n".join(rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=50)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--noise", default="1,3")
    parser.add_argument("--only", default=",".join(LIBRARY))
    parser.add_argument("--into", type=Path)
    arguments = parser.parse_args()
    kept = arguments.into.read_text().splitlines() if arguments.into and arguments.into.exists() else []
    lines = [json.loads(line) for line in kept]
    known = {(item["system"], item["noise"], item["seed"]) for item in lines}
    for name in arguments.only.split(","):
        exact = None
        for level in map(float, arguments.noise.split(",")):
            for seed in range(arguments.first, arguments.first + arguments.seeds):
                if (name, level, seed) in known:
                    continue
                exact = exact or solve(name)
                lines.append(one_fit(exact, level, seed))
                if arguments.into:
                    with arguments.into.open("a") as file:
                        file.write(json.dumps(lines[-1]) + "\n")
    print(table(lines))


if __name__ == "__main__":
    main()
