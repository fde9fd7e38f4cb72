"""A process that judges all pages again: `python -m tests.library.judging FOLDER DIGEST [forever]`.

It says how far it is. `forever`: it never comes to an end, so that whoever kills it does so in the middle.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from pathlib import Path

from scenthound.library import open_library
from scenthound.library.sql import judgements
from scenthound.protocols.library import Library

SMALL_BATCH = 20


def judged_anew(library: Library, forever: bool) -> Iterator[tuple[str, float, bool]]:
    for n, page in enumerate(library.pages()):
        yield page.url, 0.25, False
        if n % SMALL_BATCH == 0:
            print(n, flush=True)
    while forever:
        time.sleep(1)


def main(folder: Path, digest: str, *forever: str) -> None:
    judgements.BATCH = SMALL_BATCH
    with open_library(folder) as library:
        library.judge_again(judged_anew(library, bool(forever)))
        library.note_judged_by(digest, "strict")


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:])
