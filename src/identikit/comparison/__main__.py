"""A process that answers for one method after another: python -m identikit.comparison PROBLEM yes|no.

PROBLEM is a pickled problem; the second word says whether a part of the record is held out. Tasks come pickled on
stdin; how far each is, and its answer, go pickled to stdout. What comes in was written by the process that started
this one, and by nobody else.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
from pathlib import Path

from identikit.comparison._answer import Answer, Fitted, asked
from identikit.progress import ProgressEvent, watched


def serve(problem_file: str, held_out: bool) -> None:
    """Answer until stdin ends."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a method prints must not be taken for an answer
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; whoever started this one decides
    problem = pickle.loads(Path(problem_file).read_bytes())

    def tell(said: ProgressEvent | Fitted | Answer) -> None:
        pickle.dump(said, out)
        out.flush()

    while True:
        try:
            task = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        with watched(tell) as progress:
            answer = asked(problem, task, progress, held_out, tell)
        tell(answer)


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2] == "yes")
