"""How long a command takes that only reads, on a large library: the whole program, from its start to its end.

    ./run python -m benchmarks.reading                            20,000 pages
    ./run python -m benchmarks.reading --pages 100000             the goal: half a second (some minutes to make)
    ./run python -m benchmarks.reading --pages 100000,1000000     the same, and ten times as large, side by side
    ./run python -m benchmarks.reading --library FOLDER           libraries that are there already, or are to stay there

The library has pages of words by Zipf's law (`benchmarks/search.py`), three links that wait for each page and one that
failed for each ten, two crawls, and a search index as a search leaves it. Beyond 100,000 pages the rows of the first
ones are stored again under other addresses, with the same texts: what is read is as large, and is made in minutes.

Each command runs five times, from compiled bytecode, as an installed program has it. The table has the fastest: seconds
of the processor, which mean something on any machine, and in brackets those on the clock where they are others.
"""

from __future__ import annotations

import argparse
import compileall
import os
import shutil
import sqlite3
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
from scenthound.cli.commands import (  # noqa: F401  what is measured: found by name otherwise, and a digest goes by imports
    changes,
    explain,
    label,
    models,
    search,
    show,
    status,
    topic,
)
from scenthound.config import Config
from scenthound.lab.report.tables import markdown_table
from scenthound.library import open_library
from scenthound.model import Link, Step, Waiting

PROGRAM = [sys.executable, "-c", "from scenthound.cli.main import main; main()"]
REPEATS = 5
NEARLY = 0.02  # s
MOST_MADE = 100_000
"""Pages that are stored as a crawl stores them; what is beyond are copies of their rows."""

COPIED = {
    "urls": {
        "id": "id + :copy",
        "url": "replace(url, '.example/', '.example/' || :copy || '/')",
        "nth": "nth + :urls * :copy",
        "version": "version + :versions * :copy",
    },
    "pages": {"seq": "seq + :pages * :copy", "id": "id + :copy", "version": "version + :versions * :copy"},
    "versions": {"seq": "seq + :versions * :copy", "url": "url + :copy"},
}
"""Table -> what differs in a copy of its rows, by column."""


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
        yield replace(_dated(step, number), found=tuple(found))
        if number % 10 == 0:
            url = f"https://www.host-{number % 500}.example/gone/{number}"
            lease = Waiting(urls.fingerprint(url), Link(url), urls.host(url), 0.5, order)
            yield Step(lease=lease, state="failed", at=step.at, reason="status: 404")


def _dated(step: Step, number: int) -> Step:
    """Every other page says when it was published, in one of ten years."""
    assert step.visit is not None
    published = f"{2015 + number // 2 % 10}-05-03 meta" if number % 2 else ""
    return replace(step, visit=replace(step.visit, page=replace(step.visit.page, published=published)))


def make(folder: Path, pages: int) -> None:
    started = time.perf_counter()
    folder.mkdir(parents=True, exist_ok=True)
    config = Config()
    config.topic.name = "benchmark"
    toml.save(config, folder / "topic.toml")
    with open_library(folder, create=True) as library:
        library.start_run("{}")
        for step in with_links(min(pages, MOST_MADE), Prose(1)):
            library.record(step)
        library.end_run("pages", {"pages": pages})
        library.start_run("{}")
        library.end_run("pages", {"pages": 0})
        library.flush()
    if pages > MOST_MADE:
        multiply(folder, pages // MOST_MADE)
    with open_library(folder, write=False) as library:
        library.update_search()
    print(f"made {pages:,} pages in {time.perf_counter() - started:.0f} s", file=sys.stderr)


def multiply(folder: Path, times: int) -> None:
    """Stores all rows so many times, each time under other addresses."""
    originals = folder / "originals.db"
    shutil.copyfile(folder / "library.db", originals)
    database = sqlite3.connect(folder / "library.db", isolation_level=None)
    database.execute("ATTACH ? AS originals", (str(originals),))
    sizes = {table: database.execute(f"SELECT count(*) FROM originals.{table}").fetchone()[0] for table in COPIED}
    database.execute("BEGIN")
    for copy in range(1, times):
        for table, differing in COPIED.items():
            columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
            values = ", ".join(differing.get(column, column) for column in columns)
            database.execute(
                f"INSERT INTO main.{table} SELECT {values} FROM originals.{table}", {"copy": copy, **sizes}
            )
    database.execute("COMMIT")
    database.close()
    originals.unlink()


def commands(folder: Path) -> dict[str, list[str]]:
    with open_library(folder, write=False) as library:
        url = next(library.pages()).url
    prose = Prose(1)
    return {
        "--version": ["--version"],
        "status": ["status", str(folder)],
        "search": ["search", str(folder), prose.word(300, 3000)],
        "changes": ["changes", str(folder), "--since", "1y"],
        "changes --first": ["changes", str(folder), "--since", "2000-01-01", "--first"],
        "changes --first --order relevance": [
            "changes",
            str(folder),
            "--since",
            "2000-01-01",
            "--first",
            "--order",
            "relevance",
        ],
        "explain": ["explain", str(folder), url],
        "show": ["show", str(folder), url],
        "label": ["label", str(folder)],
        "topic": ["topic", str(folder)],
        "models": ["models", str(folder)],
    }


def fastest(arguments: list[str]) -> tuple[float, float]:
    """Seconds on the clock, and of the processor; each the least there was."""
    compiled = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    clock, processor = [], []
    for _ in range(REPEATS):
        started, before = time.perf_counter(), os.times()
        subprocess.run([*PROGRAM, *arguments], check=False, stdout=subprocess.DEVNULL, env=compiled)
        after = os.times()
        clock.append(time.perf_counter() - started)
        processor.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return min(clock), min(processor)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", default="20000", help="of each library, with commas between")
    parser.add_argument("--library", type=Path, help="where the libraries are, or are to be made: a folder for each")
    options = parser.parse_args()
    for folder in sys.path:
        if Path(folder).is_dir() and ("site-packages" in folder or folder.endswith("src")):
            compileall.compile_dir(folder, quiet=2, workers=0)
    sizes = [int(size) for size in options.pages.split(",")]
    with tempfile.TemporaryDirectory() as temporary:
        folders = [(options.library or Path(temporary)) / str(size) for size in sizes]
        for place, size in zip(folders, sizes, strict=True):
            if not (place / "library.db").exists():
                make(place, size)
            with open_library(place):  # one of an earlier version is brought to today's
                pass
        taken = {name: [fastest(commands(folder)[name]) for folder in folders] for name in commands(folders[0])}
    head = ["command", *(f"{size:,} pages" for size in sizes)]
    print("\n".join(markdown_table(head, [[f"`{name}`", *map(_told, times)] for name, times in taken.items()])))


def _told(times: tuple[float, float]) -> str:
    clock, processor = (f"{seconds:.2f}" for seconds in times)
    return processor if abs(times[0] - times[1]) < NEARLY else f"{processor} ({clock})"


if __name__ == "__main__":
    main()
