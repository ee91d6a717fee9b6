"""A registry lists without importing, imports when asked, and says in one sentence what it cannot give."""

from __future__ import annotations

import subprocess
import sys
from types import ModuleType

import pytest

from identikit.errors import DataError, OptionError, did_you_mean
from identikit.registry import Registry


def registry() -> Registry:
    rows = {
        "sqrt": ("math:sqrt", "the square root"),
        "math": "math",
        "gone": "math:no_such_name",
        "lost": "no_such_module",
    }
    return Registry("function", rows, error=DataError, advice="Write your own.")


def test_names_come_in_the_order_of_the_rows_and_things_when_asked_for() -> None:
    functions = registry()
    assert list(functions) == ["sqrt", "math", "gone", "lost"]
    assert len(functions) == 4
    assert functions.find("sqrt")(4.0) == 2.0
    assert isinstance(functions.find("math"), ModuleType)
    assert (functions.summary("sqrt"), functions.summary("math")) == ("the square root", "")


def test_an_unknown_name_is_met_with_the_nearest_one() -> None:
    with pytest.raises(DataError, match=r"unknown function 'sqtr'. Did you mean 'sqrt'\? Known: .* Write your own.$"):
        registry().find("sqtr")


def test_a_long_list_does_not_hide_the_nearest_name() -> None:
    many = [f"parameter_{letter}" for letter in "abcdefghijkl"]
    assert did_you_mean("zta", ["zeta", *many]) == " Did you mean 'zeta'?"
    assert did_you_mean("zta", ["zeta", "k"]) == " Did you mean 'zeta'? Known: zeta, k."
    assert all(name in did_you_mean("zta", many) for name in many)  # nothing is near: all are named


@pytest.mark.parametrize(("name", "path"), [("gone", "math:no_such_name"), ("lost", "no_such_module")])
def test_a_row_that_leads_nowhere_is_named_with_its_path(name: str, path: str) -> None:
    with pytest.raises(DataError, match=f"the function '{name}' cannot be loaded from {path}"):
        registry().find(name)


def test_a_name_that_is_taken_is_refused_until_it_is_removed() -> None:
    functions = registry()
    with pytest.raises(OptionError, match="there is a function 'sqrt' already"):
        functions.register("sqrt", abs)
    functions.remove("sqrt")
    functions.register("sqrt", abs, "not the square root")
    assert functions.find("sqrt") is abs
    assert list(functions)[-1] == "sqrt"
    assert next(iter(registry())) == "sqrt"  # another registry has rows of its own


@pytest.mark.parametrize(
    ("listing", "absent"),
    [
        ("from identikit.method import METHODS as rows", ("jax", "gudhi", "identikit.method.shooting")),
        ("from identikit.model import LIBRARY as rows", ("jax", "identikit.model.library.duffing")),
        (
            "from identikit.measurement import FORMATS as rows",
            ("scipy", "pyarrow", "identikit.measurement._binary_file"),
        ),
        ("from identikit.cli.main import COMMANDS as rows", ("numpy", "sympy", "identikit.cli.fit")),
        ("from identikit.plotting import PAINTERS as rows", ("matplotlib", "jax")),
    ],
)
def test_listing_names_imports_none_of_what_they_stand_for(listing: str, absent: tuple[str, ...]) -> None:
    program = f"import sys; {listing}; print(*rows); sys.exit(any(name in sys.modules for name in {absent!r}))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
