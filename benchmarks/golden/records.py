"""The records: one file of decimals for each system, the same bits on every processor, for chaotic systems too.

A file has a line on how it was made, the spacing of its samples, and a column for each channel. Times are multiples of
the spacing, and a decimal is read as the nearest float: both are exact, so nothing here hangs on a processor.

    PYTHONPATH=benchmarks python -m golden.records NAME    # simulate a new system's example experiment, and keep it
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np

import identikit as ik

FOLDER = Path(__file__).with_name("records")
SEED = 1  # of the noise
BELOW_NOISE = 300  # what is rounded off is less than the noise by this factor
DIGITS_WITHOUT_NOISE = 9  # of a channel's largest value, where nothing is added to it


def record_of(name: str, driven: bool = False, perturbation: float = 0.0) -> ik.Record:
    """The record of a system.

    Arguments:
        driven: whether the inputs are among its columns; else a fit is given them as expressions of time.
        perturbation: every value is taken times one plus this, to see what hangs on last bits.
    """
    with (FOLDER / f"{name}.csv").open(encoding="utf-8") as file:
        spacing = float(file.readline().rsplit(maxsplit=1)[-1])
        names = file.readline().strip().split(",")
        table = np.array([[float(cell) for cell in line.split(",")] for line in file]).T
    model = ik.library_model(name)
    columns = dict(zip(names, table * (1 + perturbation), strict=True))
    channels = {key: values for key, values in columns.items() if driven or key not in model.input_names}
    units = {item.name: item.unit for item in (*model.outputs, *model.inputs) if item.name in channels and item.unit}
    time = np.arange(table.shape[1]) * spacing
    return ik.Record.from_arrays(time, channels, units=units, time_unit=model.time_unit, name=name)


def write_record(name: str) -> Path:
    """Simulate the system's example experiment and keep it, rounded far below its noise."""
    ready = ik.library_model(name).ready
    assert ready is not None
    count = round(ready.duration / ready.spacing) + 1
    record = ik.simulate(name, np.arange(count) * ready.spacing, seed=SEED)
    columns = {}
    for key, channel in record.channels.items():
        smallest = ready.noise.get(key, 0.0) / BELOW_NOISE
        largest = float(np.max(np.abs(channel.values))) or 1.0
        step = smallest or largest * 10.0**-DIGITS_WITHOUT_NOISE
        decimals = max(-math.floor(math.log10(step)), 0)
        cells = [f"{value:.{decimals}f}" for value in channel.values]
        columns[key] = cells if len(set(cells)) > 1 else [f"{value:g}" for value in channel.values]
    path = FOLDER / f"{name}.csv"
    rows = [",".join(cells) for cells in zip(*columns.values(), strict=True)]
    head = f"# example experiment of {name}, noise of seed {SEED}; one sample every {ready.spacing!r}"
    path.write_text("\n".join([head, ",".join(columns), *rows]) + "\n", encoding="utf-8")
    return path


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for system in sys.argv[1:]:
        if (FOLDER / f"{system}.csv").exists():
            raise SystemExit(f"{system} has a record already: delete the file first, and freeze the answers anew")
        print(write_record(system))
