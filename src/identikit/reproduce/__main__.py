"""Some items in a process of their own: python -m identikit.reproduce FOLDER whole|quick KEY ..., as `reproduce` starts
it."""

from __future__ import annotations

import sys
from pathlib import Path

from identikit.progress import silent
from identikit.reproduce._files import write
from identikit.reproduce._run import done

if __name__ == "__main__":
    folder, scale, *keys = sys.argv[1:]
    for key in keys:
        write(done(key, scale == "quick", silent), Path(folder))
