"""Draw docs/images/choose.png, the picture of docs/choosing-a-method.md: questions from top to bottom, answers beside.

python docs/choose.py
"""

from __future__ import annotations

from pathlib import Path

PICTURE = Path(__file__).parent / "images" / "choose.png"

# A question, the answer that leads to the right, and what stands there: a name and why.
STEPS = (
    (
        "Do you know the equations?",
        "no",
        "identikit discover",
        "sindy: terms of a library;  symbolic: formulas.\nOne term unknown: neural_ode, unknown=friction",
    ),
    (
        "Is the question only\nwhich damping a free decay has?",
        "yes",
        "identikit damping",
        "ranks viscous, dry, drag and mixtures, with or without a model",
    ),
    (
        "Do shocks or wind move it,\nor does a parameter drift?",
        "yes",
        "kalman",
        "process noise, curves of parameters;\nsample by sample: KalmanIdentifier",
    ),
    (
        "Chaotic over many Lyapunov times,\nor very long, with many states?",
        "yes",
        "galerkin",
        "integrates nothing; all states measured or derivable.\nLinear and all measured: reference_points",
    ),
    (
        "Is a first look enough?",
        "yes",
        "least_squares, energy, restoring_force",
        "instant, no start needed; dampings within 1 to 5 bounds",
    ),
)
LAST = (
    "auto (the default)",
    "shooting at the Cramér-Rao bound from no guess,\nand a second opinion that shares nothing with it",
)

QUESTION, ANSWER, DEFAULT = "#eef3f7", "#cfe6f5", "#fbe3cf"  # light tints of ink, blue and orange
INK, BLUE, ORANGE = "#27313b", "#0072b2", "#d55e00"
ROW = 1.3  # inches


def main() -> None:
    from matplotlib.figure import Figure

    rows = len(STEPS) + 1
    figure = Figure(figsize=(10.5, ROW * rows))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, 10.5), ylim=(-ROW * rows, 0))
    axes.axis("off")

    def box(x: float, y: float, width: float, colour: str, edge: str, title: str, words: str = "") -> None:
        from matplotlib.patches import FancyBboxPatch

        shape = FancyBboxPatch(
            (x, y - 0.44), width, 0.88, boxstyle="round,pad=0.02,rounding_size=0.09", facecolor=colour, edgecolor=edge
        )
        axes.add_patch(shape)
        if words:
            lines = title.count("\n")
            axes.text(x + 0.18, y + 0.22 - 0.05 * lines, title, color=INK, fontsize=11, weight="bold", va="center")
            axes.text(x + 0.18, y - 0.16 - 0.1 * lines, words, color=INK, fontsize=9.5, va="center")
        else:
            axes.text(x + width / 2, y, title, color=INK, fontsize=11, ha="center", va="center")

    def arrow(start: tuple[float, float], end: tuple[float, float], label: str, at: tuple[float, float]) -> None:
        axes.annotate("", end, start, arrowprops={"arrowstyle": "-|>", "color": INK, "lw": 1.2})
        axes.text(*at, label, color=INK, fontsize=10, ha="center", va="center", style="italic")

    for i, (question, leads, title, words) in enumerate(STEPS):
        y = -ROW * (i + 0.5)
        box(0.2, y, 3.7, QUESTION, INK, question)
        box(5.0, y, 5.3, ANSWER, BLUE, title, words)
        arrow((3.93, y), (4.97, y), leads, (4.42, y + 0.14))
        arrow((2.05, y - 0.47), (2.05, y - ROW + 0.47), "yes" if leads == "no" else "no", (2.3, y - ROW / 2))
    box(0.2, -ROW * (rows - 0.5), 5.6, DEFAULT, ORANGE, *LAST)
    figure.savefig(PICTURE, dpi=110)


if __name__ == "__main__":
    main()
