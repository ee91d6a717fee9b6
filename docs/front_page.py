"""Draw docs/images/front.png, the picture of README.md, from a real fit: what goes in, what comes out.

python docs/front_page.py
"""

from __future__ import annotations

import math
from pathlib import Path

import identikit as ik

PICTURE = Path(__file__).parent / "images" / "front.png"
TRUTH = {"zeta": 0.025, "mu_c": 0.015, "mu_q": 0.025, "k": 20.0}
MEANING = {
    "zeta": "viscous damping ζ",
    "mu_c": "dry friction μc",
    "mu_q": "air drag μq",
    "k": "stiffness k",
}
EQUATION = "θ″ = cos θ − k θ − 2 ζ θ′ − μc sign θ′ − μq θ′|θ′|"
MEASURED, MODEL, INK, FAINT = "#8aa4bd", "#c2410c", "#27313b", "#d5dce3"
CLOSE_UP = (50.0, 55.0)  # seconds


def main() -> None:
    from matplotlib.figure import Figure

    dampings = {name: value for name, value in TRUTH.items() if name != "k"}
    record = ik.simulate("horizontal_pendulum", parameters=dampings, duration=60, dt=0.01, seed=1)
    result = ik.fit(record, "horizontal_pendulum")
    curve = result.simulate(record.time).channels["theta"].values
    measured = record.channels["theta"].values

    figure = Figure(figsize=(11, 4.2), layout="constrained")
    left, middle, right = figure.subplots(1, 3, width_ratios=[1.5, 1, 1.35])
    left.plot(record.time, measured, color=MEASURED, linewidth=0.8)
    left.set(title=f"a record and an equation\n{EQUATION}", xlabel="time [s]", ylabel="angle [rad]", xlim=(0, 60))

    inside = (record.time >= CLOSE_UP[0]) & (record.time <= CLOSE_UP[1])
    middle.plot(record.time[inside], measured[inside], ".", color=MEASURED, markersize=4, label="measured")
    middle.plot(record.time[inside], curve[inside], color=MODEL, linewidth=1.4, label="model, fitted from no guess")
    middle.set(title="one motion through all of it\n", xlabel="time [s]", xlim=CLOSE_UP)
    middle.margins(y=0.22)
    middle.legend(loc="upper right", frameon=False, fontsize=8.5)

    right.axvline(0, color=INK, linewidth=1, linestyle=":")
    for row, (name, true) in enumerate(TRUTH.items()):
        item = result.parameters[name]
        ends = [100 * (end / true - 1) for end in item.ci95]
        right.plot(ends, [row, row], color=MODEL, linewidth=3, solid_capstyle="butt")
        right.plot(100 * (item.value / true - 1), row, "o", color=MODEL, markersize=6)
        digits = 1 - math.floor(math.log10(item.std))  # two of the standard deviation
        words = f"{MEANING[name]} = {item.value:.{digits}f} ± {item.std:.{digits}f} {item.unit}"
        box = {"facecolor": "white", "edgecolor": "none", "pad": 1.5}
        right.text(0, row - 0.32, words, ha="center", color=INK, fontsize=9.5, bbox=box)
    right.set(
        title="the numbers, and how sure they are\n",
        xlabel="95 % interval, per cent from the truth (dotted)",
        xlim=(-4, 4),
        ylim=(len(TRUTH) - 0.5, -0.7),
        yticks=[],
    )
    for axes in (left, middle, right):
        axes.spines[["top", "right"]].set_visible(False)
        axes.title.set_fontsize(10.5)
        axes.grid(color=FAINT, linewidth=0.5)
        axes.set_axisbelow(True)
    right.spines["left"].set_visible(False)
    figure.savefig(PICTURE, dpi=110)


if __name__ == "__main__":
    main()
