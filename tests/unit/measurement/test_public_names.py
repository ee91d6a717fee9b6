"""The room's public names, and that importing them stays cheap."""

from __future__ import annotations

import subprocess
import sys

from identikit import measurement


def test_every_public_name_exists_and_is_documented() -> None:
    for name in measurement.__all__:
        assert getattr(measurement, name).__doc__, name


def test_importing_and_loading_text_needs_numpy_only(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "run.csv"
    path.write_text("t,theta [deg]\n0,1\n1,2\n2,3\n")
    program = (
        "import sys; from identikit.measurement import load; load(sys.argv[1], units={'theta': 'rad'});"
        "sys.exit(any(m in sys.modules for m in ('scipy', 'pint', 'pandas', 'pyarrow', 'jax', 'matplotlib')))"
    )
    assert subprocess.run([sys.executable, "-c", program, str(path)], check=False).returncode == 0
