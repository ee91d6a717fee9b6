"""Some items in a process of their own: python -m identikit_published FOLDER whole|quick KEY ..., as `reproduce` starts
it. One that fails does not keep the next from being done; the last line of stderr says why it failed."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from identikit.progress import silent
from identikit_published._files import write
from identikit_published._run import done

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; whoever started this one decides
    folder, scale, *keys = sys.argv[1:]
    failed = False
    for key in keys:
        try:
            write(done(key, scale == "quick", silent), Path(folder))
        except Exception as error:  # any: the other items must not be lost with this one
            failed = True
            print(f"{key}: {' '.join(str(error).split()) or type(error).__name__}", file=sys.stderr)
    sys.exit(int(failed))
