"""A process to be killed: `python -m tests.library.recorder FOLDER COUNT [warc|no-warc [BYTES A FILE MAY HAVE]]`."""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

from scenthound.config import LibrarySection
from scenthound.errors import LibraryFull
from scenthound.library import open_library
from scenthound.model import Step
from tests.library.steps import entry, fetched

LINKS = 5


def url(n: int) -> str:
    return f"http://host{n % 3}.example/{n}"


def step(n: int) -> Step:
    """The n-th page: all its own, but for every tenth, which copies the first."""
    body = random.Random(0 if n % 10 == 0 else n).randbytes(2000).hex().encode()
    found = tuple(entry(f"{url(n)}/link{i}", 0.5, n * LINKS + i, url(n)) for i in range(LINKS))
    return fetched(entry(url(n), order=n), float(n), body, tuple(new.link.url for new in found), found=found)


def crawl_on(folder: Path, count: int, warc: bool = True) -> None:
    """Records steps where the last process left off, and says from time to time how many are certainly stored."""
    settings = LibrarySection(warc=warc, warc_bytes=100_000)
    with open_library(folder, create=True, settings=settings) as library:
        start = library.counts().fetched
        for n in range(start, start + count):
            library.record(step(n))
            if n % 17 == 0:
                library.flush()
                print(n + 1, flush=True)
            elif n % 5 == 0:
                time.sleep(0.001)


def main() -> None:
    folder, count, warc, *limit = sys.argv[1], sys.argv[2], *(sys.argv[3:] or ["warc"])
    if limit:
        import resource

        resource.setrlimit(resource.RLIMIT_FSIZE, (int(limit[0]), int(limit[0])))
    try:
        crawl_on(Path(folder), int(count), warc == "warc")
    except LibraryFull as error:
        print("full:", error)


if __name__ == "__main__":
    main()
