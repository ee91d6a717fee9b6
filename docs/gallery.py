"""Write docs/gallery.md, every picture that identikit draws, and draw those of them that no other page has.

    python docs/gallery.py                  write the page
    python docs/gallery.py law posterior    draw these again, into docs/images, and write the page

What draws a picture stands below it on the page, so that a reader can repeat it. Commands are run in one process and in
an empty temporary folder; a line that is no command is Python.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

PAGE = Path(__file__).with_name("gallery.md")
IMAGES = Path(__file__).with_name("images")
COLOURS = 96  # of a picture: no difference is seen, and the file is a third as large

HEAD = """# Gallery

Every kind of picture that identikit draws, with the commands that make it. `--plot` of each command draws the usual
one, `identikit plot SAVED.json` draws it from what was saved, `ik.plot(answer)` in Python; endings are `.png`, `.pdf`
and `.svg`. Colours are told apart by colour-blind readers too.

This page is made by `python docs/gallery.py`, and `python docs/gallery.py NAME` draws a picture again.
"""


@dataclass(frozen=True)
class Picture:
    """One picture.

    Arguments:
        name: of the file in docs/images, without its ending.
        shows: functions of `identikit.plotting`, and artifacts that `PAINTERS` draws, which it is an example of.
        lines: commands that end with `NAME.png`; empty where `page` shows them.
        page: where more is said.
    """

    name: str
    title: str
    shows: tuple[str, ...]
    page: str
    lines: tuple[str, ...] = ()


SWING = "identikit simulate horizontal_pendulum --set zeta=0.025 mu_c=0.015 mu_q=0.025 --dt 0.01 --seed 1 -o swing.csv"
RING = "identikit simulate duffing --duration 30 --dt 0.05 --seed 1 -o ring.csv"
SHORT = "identikit simulate duffing --duration 8 --dt 0.2 --noise x=0.1 --seed 2 -o short.csv"

SECTIONS: dict[str, tuple[Picture, ...]] = {
    "Records": (
        Picture("look", "A first look: history, spectrum, noise of every column", ("plot_look",), "look.md"),
        Picture(
            "record",
            "A record as it is",
            ("plot_record",),
            "data.md",
            ('ik.plot(ik.simulate("friction_drive", seed=1), "record.png")',),
        ),
    ),
    "Fits": (
        Picture("swing", "A fit: data and model, residuals and their tests", ("plot_fit",), "tutorial.md"),
        Picture(
            "response",
            "The same as orbits and spectra",
            ("plot_response",),
            "result-format.md",
            (
                RING,
                "identikit fit ring.csv --model duffing --json fit.json",
                "identikit plot fit.json --kind response -o response.png",
            ),
        ),
        Picture("parts", "Parts of a record that disagree", ("parts",), "real-records.md"),
        Picture(
            "drift",
            "A parameter that drifts, followed by the Kalman smoother",
            ("drift",),
            "methods/kalman.md",
            (
                'names = {name: ik.Parameter(name, bounds=(0, 100)) for name in "kc"}',
                """spring = ik.Model.from_text("spring", equations={"x''": "-k*x - c*x'"}, parameters=names)""",
                """soft = ik.Model.from_text("soft", equations={"x''": "-9*(1 - t/300)*x - x'/20"}, parameters={})""",
                'record = ik.simulate(soft, duration=30, dt=0.05, initial={"x": 1.0}, noise={"x": 0.005}, seed=1)',
                'ik.fit(record, spring, method="kalman", options={"drift": "k"}).plot("drift.png")',
            ),
        ),
        Picture(
            "restoring_force",
            "The force over displacement and velocity",
            ("plot_restoring_force", "restoring force"),
            "methods/restoring_force.md",
            (RING, "identikit fit ring.csv --model duffing --method restoring_force --plot restoring_force.png"),
        ),
        Picture("envelope", "Envelopes, measured and modelled", ("plot_envelope", "envelope"), "methods/envelope.md"),
        Picture(
            "persistence",
            "Persistent homology of a decay",
            ("plot_persistence", "persistence"),
            "methods/topological.md",
        ),
        Picture(
            "training",
            "How a network was trained",
            ("training",),
            "methods/pinn.md",
            (RING, "identikit fit ring.csv --model duffing --method pinn --plot training.png"),
        ),
        Picture("learned_friction", "A friction that a network learned", ("learned term",), "methods/neural_ode.md"),
        Picture(
            "adaptation",
            "The adaptive observer, whose estimate does not depend on the record",
            ("adaptation",),
            "methods/uas.md",
            (
                "identikit simulate pendulum --duration 10 --dt 0.01 --seed 1 -o swing.csv",
                "identikit fit swing.csv --model pendulum --free mu --method uas --plot adaptation.png",
            ),
        ),
    ),
    "How sure": (
        Picture(
            "profile",
            "Profiles of the likelihood, and kinds of intervals side by side",
            ("plot_uncertainty", "profile", "intervals"),
            "uncertainty.md",
        ),
        Picture(
            "profile_pair",
            "Two parameters together",
            ("profile pair",),
            "uncertainty.md",
            (
                SHORT,
                "identikit fit short.csv --model duffing --uncertainty profile --uncertainty-option pair=k,k3 "
                "--json fit.json",
                "identikit plot fit.json --kind uncertainty -o profile_pair.png",
            ),
        ),
        Picture(
            "bootstrap",
            "Replicates",
            ("bootstrap",),
            "uncertainty.md",
            (
                SHORT,
                "identikit fit short.csv --model duffing --uncertainty bootstrap --json fit.json",
                "identikit plot fit.json --kind uncertainty -o bootstrap.png",
            ),
        ),
        Picture(
            "posterior",
            "The posterior: pairs, chains, prediction",
            ("plot_posterior", "posterior"),
            "posterior.md",
            (
                SHORT,
                "identikit fit short.csv --model duffing --method shooting --uncertainty bayes --json fit.json",
                "identikit plot fit.json --kind posterior -o posterior.png",
            ),
        ),
        Picture("identifiability", "What a record will tell", ("plot_identifiability",), "identifiability.md"),
        Picture("design", "The next experiment", ("plot_design",), "design.md"),
    ),
    "Laws": (
        Picture(
            "damping",
            "Which damping makes a decay",
            ("plot_damping",),
            "damping.md",
            (SWING, "identikit damping swing.csv --map x=theta --plot damping.png"),
        ),
        Picture("compare", "Every method on one record", ("plot_comparison",), "compare.md"),
        Picture(
            "selection",
            "Which of several models",
            ("plot_selection",),
            "select.md",
            (
                'names = {name: ik.Parameter(name, bounds=(0, 100)) for name in "kc"}',
                """line = ik.Model.from_text("line", equations={"x''": "-k*x - c*x'"}, parameters=names)""",
                'more = {**names, "d": ik.Parameter("d", bounds=(0, 100))}',
                """cubic = ik.Model.from_text("cubic", equations={"x''": "-k*x - d*x**3 - c*x'"}, parameters=more)""",
                'record = ik.simulate("duffing", duration=15, dt=0.05, seed=1)',
                'ik.plot(ik.select(record, [line, cubic]), "selection.png")',
            ),
        ),
        Picture(
            "law",
            "A law found with nothing known: how sure each term is",
            ("law",),
            "discover.md",
            (RING, "identikit discover ring.csv --plot law.png"),
        ),
        Picture(
            "pareto_front",
            "Accuracy against complexity of formulas",
            ("pareto front",),
            "methods/symbolic.md",
            (RING, "identikit discover ring.csv --method symbolic --plot pareto_front.png"),
        ),
        Picture("friction", "Friction laws", ("plot_friction",), "friction.md"),
    ),
    "What a model does": (
        Picture(
            "wells",
            "The potential",
            ("plot_wells",),
            "explore.md",
            ("identikit models magnetic_pendulum --show wells -o wells.png",),
        ),
        Picture(
            "basins",
            "Where a motion ends",
            ("plot_basins",),
            "explore.md",
            ("identikit models magnetic_pendulum --show basins -o basins.png",),
        ),
        Picture(
            "portrait",
            "Motions in the plane of two states",
            ("plot_portrait",),
            "explore.md",
            ("identikit models van_der_pol --show portrait -o portrait.png",),
        ),
        Picture(
            "section",
            "A motion once per period",
            ("plot_section",),
            "explore.md",
            ("identikit models duffing --show poincare --set c=0.2 k3=1 F=27 -o section.png",),
        ),
        Picture(
            "exponent",
            "The largest Lyapunov exponent",
            ("plot_exponent",),
            "explore.md",
            ("identikit models lorenz --show lyapunov -o exponent.png",),
        ),
        Picture(
            "energy",
            "Where energy goes",
            ("plot_energy",),
            "explore.md",
            ("identikit models pendulum --show energy -o energy.png",),
        ),
    ),
    "Published figures": (
        Picture(
            "published",
            "A published figure, done again",
            ("plot_reproduction",),
            "published/README.md",
            (
                "identikit reproduce pendulum-figure-1 --quick --folder published",
                "identikit plot published/pendulum-figure-1.json -o published.png",
            ),
        ),
    ),
}


def page() -> str:
    """The page's text."""
    parts = [HEAD]
    for title, pictures in SECTIONS.items():
        parts.append(f"## {title}\n")
        for picture in pictures:
            parts.append(f"### {picture.title}\n\n![{picture.title}](images/{picture.name}.png)\n")
            if picture.lines:
                is_python = not picture.lines[0].startswith("identikit ")
                lines = ["import identikit as ik", "", *picture.lines] if is_python else picture.lines
                parts.append("\n".join([f"```{'py' if is_python else 'sh'}", *lines, "```\n"]))
            parts.append(f"More: [{picture.page}]({picture.page})\n")
    return "\n".join(parts)


def draw(picture: Picture) -> None:
    """Run its lines, and keep the picture with fewer colours."""
    from PIL import Image

    import identikit as ik
    from identikit.cli.main import main as command

    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        space = {"ik": ik}
        for line in picture.lines:
            if not line.startswith("identikit "):
                exec(line, space)
            elif (
                command(shlex.split(line)[1:]) == 2
            ):  # 3 is an answer too: a fit that is not to be trusted has a picture
                raise SystemExit(f"{picture.name}: {line}")
        with Image.open(f"{picture.name}.png") as image:
            few = image.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
            few.save(IMAGES / f"{picture.name}.png", optimize=True)


def main() -> int:
    known = {picture.name: picture for pictures in SECTIONS.values() for picture in pictures if picture.lines}
    for name in sys.argv[1:]:
        if name not in known:
            print(f"there is no picture {name} to draw: expected one of {', '.join(known)}")
            return 2
        draw(known[name])
    PAGE.write_text(page(), encoding="utf-8")
    return 0


if __name__ == "__main__":
    os.environ.setdefault("MPLBACKEND", "Agg")
    sys.exit(main())
