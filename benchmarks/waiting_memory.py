"""How much memory does a crawl take while hundreds of thousands of links wait?

    ./run python benchmarks/waiting_memory.py                             300,000 links, 1,500 pages more
    ./run python benchmarks/waiting_memory.py --waiting 1000000 --pages 10000

A library is filled with links that wait, each with the words around it as a page brings them. Then a crawl of the
endless web (`soak_parts/endless_web.py`, a process of its own) goes on from there, with 64 requests under way and the
usual judge and strategy, and looks at its memory every few seconds: all of it, and what is its own. The rest are files
that the system holds in memory for whoever reads them: programs, and the database. The goal is 250 MB in all.
"""

from __future__ import annotations

import argparse
import asyncio
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).with_name("soak_parts")))

import uvloop
from endless_web import host
from soaked_crawl import config

from scenthound import urls
from scenthound.crawler.assemble import assembled
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.fetch.resolve import StaticResolver
from scenthound.library import open_library
from scenthound.model import Link, Step, Waiting

HOSTS, A_STEP, EVERY = 200, 50, 5.0
GOAL = 250.0
CONTEXT = "some words around the link that say what it is about " * 2


def links(waiting: int) -> Iterator[Waiting]:
    dice = Random(5)
    for number in range(waiting):
        url = f"http://{host(number % HOSTS)}/waiting/{number}/"
        link = Link(url, f"http://{host(0)}/", anchor=f"link number {number} of many", context=CONTEXT)
        yield Waiting(urls.fingerprint(url), link, urls.host(url), dice.random() * 0.3, number, depth=2)


def fill(folder: Path, waiting: int) -> None:
    found: list[Waiting] = []
    with open_library(folder, create=True) as library:
        for link in links(waiting):
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
    settings = config(minutes=600, pages=10 * pages)
    fetcher = fetcher_for(settings, resolver=StaticResolver([".soak.test"], "127.0.0.1", port))
    async with assembled(settings, folder, fetcher=fetcher) as crawl:
        print("| pages | waiting links | memory, MB | its own, MB |\n|---:|---:|---:|---:|")

        async def watch() -> None:
            while crawl.tally.pages < pages:
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
    parser.add_argument("--waiting", type=int, default=300_000)
    parser.add_argument("--pages", type=int, default=1_500)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "library"
        # In a process of its own: what filling takes is not what crawling takes.
        subprocess.run([sys.executable, __file__, "--fill", str(folder), str(given.waiting)], check=True)
        server = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("soak_parts") / "endless_web.py")],
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert server.stdout is not None
            most = uvloop.run(crawl(folder, int(server.stdout.readline()), given.pages))
        finally:
            server.kill()
            server.wait()
    print(f"\nat most {most:.0f} MB, {'within' if most <= GOAL else 'OVER'} {GOAL:.0f}")
    return 0 if most <= GOAL else 1


if __name__ == "__main__":
    if sys.argv[1:2] == ["--fill"]:
        fill(Path(sys.argv[2]), int(sys.argv[3]))
    else:
        sys.exit(main())
