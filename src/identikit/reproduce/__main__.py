"""One item in a process of its own: python -m identikit.reproduce KEY FOLDER whole|quick, as `reproduce` starts it."""

from __future__ import annotations

import sys
from pathlib import Path

from identikit.progress import silent
from identikit.reproduce._files import write
from identikit.reproduce._run import done

if __name__ == "__main__":
    key, folder, scale = sys.argv[1:]
    write(done(key, scale == "quick", silent), Path(folder))
