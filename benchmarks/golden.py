"""Every method on every known system: freeze the estimates, or compare with frozen ones.

    python benchmarks/golden.py --records DIR --out frozen.json      # with the code as it was
    python benchmarks/golden.py --records DIR --against frozen.json  # with the code as it is

Records are made once and kept in DIR, so that both runs see the same numbers to the last bit, chaotic systems too. A
difference is shown in standard errors of the frozen estimate; a rebuilt base must not move an estimate by more than a
small part of one, except where a change is meant.
"""

from __future__ import annotations

import argparse
import json
import signal
import time
from pathlib import Path
from typing import Any

import numpy as np

import identikit as ik
from identikit.method import method_names
from identikit.model import LIBRARY
from identikit.simulation import simulate

LIMIT = 240  # seconds that one fit may take before it counts as too slow to freeze


def record_of(name: str, folder: Path) -> ik.Record:
    """The system's own example experiment, simulated once and kept."""
    model = ik.library_model(name)
    ready = model.ready
    assert ready is not None
    driven = model.with_input_expressions(ready.inputs)
    kept = folder / f"{name}.npz"
    if not kept.exists():
        times = np.arange(round(ready.duration / ready.spacing) + 1) * ready.spacing
        made = ik.synthesize(driven, simulate(driven, times), noise=ready.noise, seed=1)
        np.savez(kept, time=made.time, **{f"c_{key}": channel.values for key, channel in made.channels.items()})
    stored = np.load(kept)
    channels = {key[2:]: stored[key] for key in stored.files if key.startswith("c_")}
    units = {item.name: item.unit for item in (*driven.outputs, *driven.inputs) if item.name in channels and item.unit}
    return ik.Record.from_arrays(stored["time"], channels, units=units, time_unit=driven.time_unit, name=name)


def estimate(name: str, method: str, folder: Path) -> dict[str, Any]:
    """One fit as plain numbers."""
    model = ik.library_model(name)
    assert model.ready is not None
    begun = time.perf_counter()
    result = ik.fit(record_of(name, folder), model, method=method, inputs=model.ready.inputs)
    return {
        "status": result.status.code.value,
        "seconds": round(time.perf_counter() - begun, 2),
        "parameters": {
            key: {"value": item.value, "std": item.std, "crlb": item.crlb, "identifiable": item.identifiable}
            for key, item in result.parameters.items()
            if item.role == "free" and item.value is not None
        },
    }


def too_slow(*_: object) -> None:
    raise TimeoutError


def furthest(new: dict[str, Any], old: dict[str, Any]) -> float:
    """The largest move of an estimate, in standard errors of the frozen one."""
    moves = [0.0]
    for key, was in old["parameters"].items():
        now = new["parameters"].get(key)
        if now is None:
            return float("inf")
        if was["std"] and was["identifiable"]:
            moves.append(abs(now["value"] - was["value"]) / was["std"])
    return max(moves)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=Path, required=True, metavar="DIR")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--against", type=Path)
    parser.add_argument("--models", default=",".join(LIBRARY))
    parser.add_argument("--methods", default=",".join(method_names()))
    asked = parser.parse_args()
    asked.records.mkdir(parents=True, exist_ok=True)
    frozen = json.loads(asked.against.read_text()) if asked.against else {}
    found: dict[str, Any] = {}
    signal.signal(signal.SIGALRM, too_slow)
    for name in asked.models.split(","):
        for method in asked.methods.split(","):
            key = f"{name}/{method}"
            if asked.against and (key not in frozen or "error" in frozen[key]):
                continue
            signal.alarm(LIMIT)
            try:
                found[key] = estimate(name, method, asked.records)
            except Exception as error:
                found[key] = {"error": f"{type(error).__name__}: {error}"[:200]}
            signal.alarm(0)
            line = f"{key:42} {found[key].get('status', found[key].get('error', ''))[:60]:16}"
            line += f" {found[key].get('seconds', 0):8.2f} s"
            if asked.against:
                moved = furthest(found[key], frozen[key]) if "parameters" in found[key] else float("inf")
                was = frozen[key]["status"]
                line += f"  moved {moved:8.1e}" + ("" if was == found[key].get("status") else f"  WAS {was}")
                line += "  <---" if moved > 0.02 else ""
            print(line, flush=True)
            if asked.out:
                asked.out.write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
