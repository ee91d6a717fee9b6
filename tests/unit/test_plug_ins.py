"""What other packages bring by entry points: found and used if they are there, named if not, and no harm if broken."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import identikit as ik

MODULE = "plug_in"
PLUGIN = '''
"""A variant of least squares, and a command."""

import identikit as ik
from identikit.method.toolkit import Option, Variant
from identikit.cli.toolkit import offer_names


def estimate(problem, *, options, seed, progress):
    print(f"asked with {options['width']}")
    return ik.fit("swing.csv", "duffing", method="shooting")


SLOWLY = Variant("for comparison", estimate, (Option("width", 2.0, "number", "of nothing", 1, 3),))


def configure(parser):
    parser.add_argument("keys", nargs="*")
    offer_names("wave", "keys", "identikit.model:LIBRARY", "everything")


def run(arguments):
    print("a wave")
    return 0
'''
ENTRIES = f"""
[identikit.variants]
pinn.settings.slowly = {MODULE}:SLOWLY
pinn.settings.broken = {MODULE}_lost:BROKEN
[identikit.commands]
wave = {MODULE}
broken = {MODULE}_lost
[identikit.methods]
broken = {MODULE}_lost:Broken
"""
ALONE = "import importlib.metadata as metadata; metadata.entry_points = lambda **asked: ()"  # as if nothing were there
MAIN = "import sys; from identikit.cli.main import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A record, and a package beside it, part of which cannot be imported."""
    (tmp_path / f"{MODULE}.py").write_text(PLUGIN)
    about = tmp_path / f"{MODULE}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {MODULE}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRIES)
    time = np.arange(400) * 0.1
    values = np.exp(-0.05 * time) * np.cos(time) + 0.001 * np.random.default_rng(0).standard_normal(len(time))
    (tmp_path / "swing.csv").write_text("t,x\n" + "\n".join(f"{t},{x}" for t, x in zip(time, values, strict=True)))
    return tmp_path


def typed(folder: Path, *words: str, first: str = "") -> subprocess.CompletedProcess[str]:
    """The command line in a process of its own."""
    path = os.pathsep.join([str(folder), str(Path(ik.__file__).parents[1])])
    return subprocess.run(
        [sys.executable, "-c", f"{first}\n{MAIN}", *words],
        cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip


FIT = ("fit", "swing.csv", "--model", "duffing")


def test_a_variant_from_outside_is_called_with_its_own_options(folder: Path) -> None:
    done = typed(folder, *FIT, "--method", "pinn", "--option", "settings=slowly", "--option", "width=3")
    assert (done.returncode, done.stderr) == (0, "")
    assert "asked with 3.0" in done.stdout
    done = typed(folder, *FIT, "--method", "pinn", "--option", "settings=slowly", "--option", "width=4")
    assert done.returncode == 2 and "The width option of pinn must be a number from 1 to 3" in done.stderr


def test_lists_name_what_came_from_outside_and_do_without_what_is_broken(folder: Path) -> None:
    listed = json.loads((done := typed(folder, "methods", "--json")).stdout)
    assert done.returncode == 0 and "'broken' cannot be loaded" in done.stderr
    (pinn,) = (method for method in listed if method["name"] == "pinn")
    assert {"windows", "slowly", "broken"} <= set(re.findall(r"\w+", pinn["options"]["settings"]["rule"]))
    assert "slowly: for comparison; broken: cannot be loaded" in pinn["options"]["settings"]["meaning"]
    assert pinn["options"]["width"]["meaning"] == "of nothing, with settings=slowly"
    helped = typed(folder, "--help")
    assert helped.returncode == 0 and helped.stderr == ""
    assert "wave" in helped.stdout and "from plug_in" in helped.stdout
    completed = typed(folder, "completion", "fish")
    assert completed.returncode == 0 and "everything" in completed.stdout


def test_what_is_broken_breaks_nothing_but_itself(folder: Path) -> None:
    for words in (("broken",), (*FIT, "--method", "broken"), (*FIT, "--method", "pinn", "--option", "settings=broken")):
        done = typed(folder, *words)
        assert done.returncode == 2 and done.stderr.count("\n") == 1
        assert "cannot be loaded from plug_in_lost" in done.stderr
    assert typed(folder, "wave").stdout == "a wave\n"
    assert typed(folder, *FIT).returncode == 0


@pytest.mark.parametrize(
    "words",
    [
        ("reproduce",),
        ("reproduce", "--list"),
        (*FIT, "--method", "pinn", "--option", "settings=report"),
        (*FIT, "--method", "neural_ode", "--option", "settings=report"),
        (*FIT, "--method", "topological", "--option", "formula=printed"),
        (*FIT, "--method", "sindy", "--option", "engine=pysindy"),
        (*FIT, "--method", "uas", "--option", "nussbaum=linear_cosine"),
    ],
    ids=" ".join,
)
def test_without_the_package_one_line_says_what_to_install(folder: Path, words: tuple[str, ...]) -> None:
    done = typed(folder, *words, first=ALONE)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1 and "pip install identikit-published" in done.stderr


def test_without_the_package_everything_else_works_and_lists_do_not_name_it(folder: Path) -> None:
    """Negative control."""
    assert typed(folder, *FIT, first=ALONE).returncode == 0
    helped = typed(folder, "--help", first=ALONE)
    assert helped.returncode == 0 and "reproduce" not in helped.stdout
    described = typed(folder, "methods", "pinn", first=ALONE)
    assert described.returncode == 0 and "one of windows " in described.stdout and "report:" not in described.stdout
