"""What the dashboard costs: the server's time for the first paint of a large library, and the speed of a watched crawl.

    ./run python -m benchmarks.dashboard --pages 1000000
    ./run python -m benchmarks.dashboard --watched

The library is made by writing rows as a crawl would leave them, without texts. Watching is measured on the demo's web,
crawled without latency and delay, alternately with and without somebody who hears its live events.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sqlite3
import statistics
import tempfile
import time
from pathlib import Path

from msgspec.structs import replace

from scenthound import urls
from scenthound.app import demo
from scenthound.app.crawl import CrawlSession
from scenthound.app.crawl_plan import CrawlOptions
from scenthound.app.demo import plan_demo
from scenthound.library import open_library
from scenthound.web.live import LiveFeed
from scenthound.web.shelf import ServedLibrary, Shelf
from scenthound.web.views import Views, facets, overview, pages, sites, watch

HOSTS = 20_000
SLICE = 20_000


def large_library(folder: Path, count: int) -> Path:
    """Pages of many hosts, relevant ones among them, and a link that waits for each."""
    with open_library(folder, create=True):
        pass
    connection = sqlite3.connect(folder / "library.db", isolation_level=None)
    connection.execute("PRAGMA synchronous = OFF")
    chance = random.Random(1)
    for start in range(0, count, SLICE):
        rows = [_rows(number, chance) for number in range(start + 1, min(start + SLICE, count) + 1)]
        connection.execute("BEGIN")
        connection.executemany(f"INSERT INTO urls VALUES ({', '.join('?' * 24)})", [row for row, _, _ in rows])
        connection.executemany(f"INSERT INTO urls VALUES ({', '.join('?' * 24)})", [row for _, row, _ in rows])
        connection.executemany(f"INSERT INTO pages VALUES ({', '.join('?' * 29)})", [row for _, _, row in rows])
        connection.execute("COMMIT")
    connection.execute(
        "INSERT INTO hosts SELECT u.host, count(*), count(*), sum(p.relevant), 0, sum(p.bytes), max(p.fetched_at), 0 "
        "FROM pages p JOIN urls u ON u.id = p.id GROUP BY u.host"
    )
    connection.close()
    return folder


def _rows(number: int, chance: random.Random) -> tuple[tuple[object, ...], tuple[object, ...], tuple[object, ...]]:
    host = f"www.host-{int(HOSTS * chance.random() ** 3)}.example"
    url, at = f"http://{host}/page/{number}", 1.7e9 + number
    key, other = urls.fingerprint(url), f"{url}/next"
    relevance = round(chance.random() ** 3, 6)
    fetched = (
        key,
        url,
        host,
        1,
        "",
        0.5,
        2 * number,
        2,
        None,
        1,
        0,
        0,
        0.0,
        None,
        "",
        "",
        "",
        0,
        0,
        "",
        "a",
        at,
        at,
        number,
    )
    waits = (
        *(urls.fingerprint(other), other, host, 0, "", relevance, 2 * number + 1, 3, None, 1, 0, 0, 0.0, key),
        *("next", "", "", 0, 0, "", "a", at, at, None),
    )
    page = (
        *(number, key, number, 1, 200, "text/html", "utf-8", chance.choice(["en", "en", "en", "de", "fr"])),
        *(
            f"Page {number} about this and that",
            "",
            "",
            relevance,
            int(relevance > 0.5),
            2,
            at,
            at,
            at,
            "",
            "",
            b"0" * 20,
        ),
        *(None, number, None, 0, 20_000, 6_000, 0.1, relevance, int(relevance > 0.5)),
    )
    return fetched, waits, page


def first_paint(folder: Path, times: int = 9) -> dict[str, list[float]]:
    """CPU milliseconds of the server for the first answer of a view; each time the library is opened anew."""
    found: dict[str, list[float]] = {}
    views = Views(Shelf([folder]))
    served = next(iter(views.shelf.libraries.values()))
    for name, view, query in (
        ("overview", overview, b""),
        ("pages", pages, b""),
        ("pages of a host", pages, b"host=www.host-777.example"),
        ("the 100,000th page", pages, b"order=newest&after=900000"),
        ("pages of a year", pages, b"year=2023"),
        ("sites", sites, b""),
        ("facets", facets, b""),
        ("live crawl", watch, b""),
    ):
        for _ in range(times):
            served.readers.close()
            started = time.process_time()
            views._made(view, served, _request(served, query))
            found.setdefault(name, []).append(1000 * (time.process_time() - started))
    return found


def _request(served: ServedLibrary, query: bytes):  # type: ignore[no-untyped-def]
    from starlette.requests import Request

    path = f"/{served.name}/"
    return Request({"type": "http", "method": "GET", "path": path, "query_string": query, "headers": []})


async def crawl_seconds(folder: Path, watched: bool, count: int) -> float:
    """CPU seconds for a crawl of so many pages."""
    plan = plan_demo(None, CrawlOptions(into=folder, pages=count, delay=0.0, parallel=16))
    async with demo.fetching(plan.config, latency=0.0) as fetcher:
        session = CrawlSession(replace(plan), fetcher=fetcher)
        served = ServedLibrary("watched", folder)
        served.live.watch(session)
        started = time.process_time()
        running = asyncio.create_task(session.run())
        feed = LiveFeed(served)
        while not running.done():
            if watched:
                feed.view()
            await asyncio.wait([running], timeout=1.0)
        await running
        return time.process_time() - started


def watched_crawls(rounds: int, count: int) -> tuple[list[float], list[float]]:
    alone, watched = [], []
    for _ in range(rounds):
        for seen, found in ((False, alone), (True, watched)):
            with tempfile.TemporaryDirectory() as folder:
                found.append(asyncio.run(crawl_seconds(Path(folder) / "demo", seen, count)))
    return alone, watched


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--pages", type=int, default=0, help="pages of the large library")
    options.add_argument("--watched", action="store_true", help="measure what watching costs")
    options.add_argument("--rounds", type=int, default=5)
    options.add_argument("--crawl-pages", type=int, default=1500)
    given = options.parse_args()
    if given.pages:
        with tempfile.TemporaryDirectory() as folder:
            place = large_library(Path(folder) / "large", given.pages)
            for name, found in first_paint(place).items():
                print(f"{name:20} median {statistics.median(found):6.0f} ms of CPU, worst {max(found):6.0f} ms")
    if given.watched:
        alone, watched = watched_crawls(given.rounds, given.crawl_pages)
        ratios = [seen / unseen for seen, unseen in zip(watched, alone, strict=True)]
        print(f"alone {statistics.median(alone):.2f} s of CPU, watched {statistics.median(watched):.2f} s")
        print(f"a watched crawl costs {100 * (statistics.median(ratios) - 1):+.1f} % (median of {len(ratios)} pairs)")


if __name__ == "__main__":
    main()
