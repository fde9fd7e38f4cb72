"""How much memory does a crawl take while hundreds of thousands of links wait?

    ./run python benchmarks/waiting_memory.py                             100,000 pages, 300,000 links, 1,500 pages more
    ./run python benchmarks/waiting_memory.py --stored 0 --waiting 1000000 --pages 10000
    ./run python benchmarks/waiting_memory.py --library FOLDER            a library that is to stay, or is there already

A library is made in three steps. A crawl of the endless web (`soak_parts/endless_web.py`, a process of its own) stores
some thousand pages, and its judge, its strategy and what knows traps learn from them. The rows of those pages are
multiplied until there are enough (`soak_parts/aged_library.py`). And links that wait are added, each with the words
around it as a page brings them. Then the crawl goes on from there, with 64 requests under way and the usual judge and
strategy, and looks at its memory every few seconds: all of it, and what is its own. The rest are files that the system
holds in memory for whoever reads them: programs, and the database. The goal is 250 MB in all.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).with_name("soak_parts")))
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy, as the program does

import uvloop
from endless_web import host
from soaked_crawl import config

from scenthound import urls
from scenthound.crawler.assemble import assembled
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.fetch.resolve import StaticResolver
from scenthound.library import open_library
from scenthound.model import Link, Step, Waiting
from soak import PARTS, looks_of, start, web

HOSTS, A_STEP, EVERY = 200, 50, 5.0
GOAL = 250.0
CRAWLED = 4_000
"""Pages of the library that come from a crawl: after them a strategy knows about as many links as it ever will."""

CONTEXT = "some words around the link that say what it is about " * 2


def links(waiting: int) -> Iterator[Waiting]:
    dice = Random(5)
    for number in range(waiting):
        url = f"http://{host(number % HOSTS)}/waiting/{number}/"
        link = Link(url, f"http://{host(0)}/", anchor=f"link number {number} of many", context=CONTEXT)
        yield Waiting(urls.fingerprint(url), link, urls.host(url), dice.random() * 0.3, number, depth=2)


def make(folder: Path, port: str, stored: int, waiting: int) -> None:
    """In processes of their own: what making it takes is not what crawling takes."""
    if stored:
        crawled = min(stored, CRAWLED)
        looks_of(start(folder, port, 600, str(crawled)))
        multiply = [str(PARTS / "aged_library.py"), str(folder), str(-(-stored // crawled)), "--pages-only"]
        subprocess.run([sys.executable, *multiply], check=True)
    subprocess.run([sys.executable, __file__, "--fill", str(folder), str(waiting)], check=True)


def fill(folder: Path, waiting: int) -> None:
    """Adds links until so many wait."""
    found: list[Waiting] = []
    with open_library(folder, create=not folder.exists()) as library:
        for link in links(waiting - library.counts().waiting):
            found.append(link)
            if len(found) == A_STEP:
                library.record(Step(lease=found[0], state="waiting", at=1.0, found=tuple(found)))
                found = []


def memory() -> dict[str, float]:
    """MB of this process: all, its own, and the most there was."""
    names = {"VmRSS": "all", "RssAnon": "own", "VmHWM": "most"}
    lines = (line.split(":") for line in Path("/proc/self/status").read_text().splitlines())
    return {names[name]: int(value.split()[0]) * 1024 / 1e6 for name, value in lines if name in names}


async def crawl(folder: Path, port: int, pages: int) -> float:
    settings = config(minutes=600, pages=0)
    fetcher = fetcher_for(settings, resolver=StaticResolver([".soak.test"], "127.0.0.1", port))
    async with assembled(settings, folder, fetcher=fetcher) as crawl:
        enough = crawl.tally.pages + pages
        print("| pages | waiting links | memory, MB | its own, MB |\n|---:|---:|---:|---:|")

        async def watch() -> None:
            while crawl.tally.pages < enough:
                await asyncio.sleep(EVERY)
                now = memory()
                counts = f"| {crawl.tally.pages:,} | {len(crawl.frontier):,} "
                print(f"{counts}| {now['all']:.0f} | {now['own']:.0f} |", flush=True)
            crawl.stop()

        watching = asyncio.create_task(watch())
        await crawl.run()
        await watching
    return memory()["most"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stored", type=int, default=100_000, help="pages of the library before the crawl")
    parser.add_argument("--waiting", type=int, default=300_000, help="links that wait then")
    parser.add_argument("--pages", type=int, default=1_500, help="pages that the crawl adds")
    parser.add_argument("--library", type=Path, help="where the library is, or is to be made; it is crawled as a copy")
    given = parser.parse_args()
    with web() as port, tempfile.TemporaryDirectory() as temporary:
        made, folder = given.library or Path(temporary) / "made", Path(temporary) / "library"
        if not made.exists():
            make(made, port, given.stored, given.waiting)
        shutil.copytree(made, folder)
        most = uvloop.run(crawl(folder, int(port), given.pages))
    print(f"\nat most {most:.0f} MB, {'within' if most <= GOAL else 'OVER'} {GOAL:.0f}")
    return 0 if most <= GOAL else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--fill"]:
        fill(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        sys.exit(main())
