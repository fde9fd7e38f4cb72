"""How long a command takes that only reads, on a large library: the whole program, from its start to its end.

    ./run python -m benchmarks.reading                     20,000 pages
    ./run python -m benchmarks.reading --pages 100000      the goal: half a second
    ./run python -m benchmarks.reading --pages 1000000     the same, ten times as large (an hour to make)
    ./run python -m benchmarks.reading --library FOLDER    a library that is there already

The library has pages of words by Zipf's law (`benchmarks/search.py`), three links that wait and one that failed for
each ten pages, two crawls, and a search index as a crawl leaves it. Each command runs three times; the table has the
fastest, and beside it how many times as long as `scenthound --version` it took, which reads nothing.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from benchmarks.search import Prose, steps
from scenthound import config as toml
from scenthound import urls
from scenthound.config import Config
from scenthound.library import open_library
from scenthound.model import Link, Step, Waiting

PROGRAM = [sys.executable, "-c", "from scenthound.cli.main import main; main()"]
REPEATS = 3


def with_links(pages: int, prose: Prose) -> Iterator[Step]:
    """The steps of a crawl: each page with three links that wait, and now and then one that failed."""
    order = pages
    for number, step in enumerate(steps(pages, prose)):
        found = []
        for nth in range(3):
            url = f"https://www.host-{prose.random.randrange(500)}.example/later/{number}-{nth}"
            order += 1
            found.append(
                Waiting(urls.fingerprint(url), Link(url, step.lease.link.url), urls.host(url), 0.4, order, depth=2)
            )
        yield replace(step, found=tuple(found))
        if number % 10 == 0:
            url = f"https://www.host-{number % 500}.example/gone/{number}"
            lease = Waiting(urls.fingerprint(url), Link(url), urls.host(url), 0.5, order)
            yield Step(lease=lease, state="failed", at=step.at, reason="status: 404")


def make(folder: Path, pages: int) -> None:
    started = time.perf_counter()
    folder.mkdir(parents=True, exist_ok=True)
    config = Config()
    config.topic.name = "benchmark"
    toml.save(config, folder / "topic.toml")
    with open_library(folder, create=True) as library:
        library.start_run("{}")
        for step in with_links(pages, Prose(1)):
            library.record(step)
        library.end_run("pages", {"pages": pages})
        library.start_run("{}")
        library.end_run("pages", {"pages": 0})
        library.flush()
    with open_library(folder, write=False) as library:
        library.update_search()
    print(f"made {pages:,} pages in {time.perf_counter() - started:.0f} s")


def commands(folder: Path) -> dict[str, list[str]]:
    with open_library(folder, write=False) as library:
        url = library.page_list(limit=1).pages[0].url
    prose = Prose(1)
    return {
        "--version": ["--version"],
        "status": ["status", str(folder)],
        "search": ["search", str(folder), prose.word(300, 3000)],
        "changes": ["changes", str(folder), "--since", "1y"],
        "changes --first": ["changes", str(folder), "--since", "2000-01-01", "--first"],
        "explain": ["explain", str(folder), url],
        "show": ["show", str(folder), url],
        "label": ["label", str(folder)],
    }


def fastest(arguments: list[str]) -> float:
    times = []
    for _ in range(REPEATS):
        started = time.perf_counter()
        subprocess.run([*PROGRAM, *arguments], check=False, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - started)
    return min(times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--library", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.library or Path(temporary) / "library"
        if not (folder / "library.db").exists():
            make(folder, options.pages)
        nothing = 0.0
        print("| command | seconds | times as long as --version |\n|---|---:|---:|")
        for name, arguments in commands(folder).items():
            took = fastest(arguments)
            nothing = nothing or took
            print(f"| {name} | {took:.2f} | {took / nothing:.1f} |", flush=True)


if __name__ == "__main__":
    main()
