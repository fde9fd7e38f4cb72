"""How long a crawl that goes on takes until its first request: with what was learned kept, and with all pages relived.

    ./run python benchmarks/going_on.py                    10,000 pages
    ./run python benchmarks/going_on.py --pages 100000     the goal
    ./run python benchmarks/going_on.py --relive           also without what was kept: slow

A library is made without crawling: 2,500 pages of 3 KB with ten links each are stored as the engine stores them, while
strategy and judge learn from them; what they learned, which has a bound, is kept. Then the rows of pages and URLs are
copied under other names until there are enough, and the crawl is taken up, three times, of which the quickest counts:
whoever else uses the machine can only slow it down. Seconds are those of the wall clock, and of the CPU.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import os
import platform
import pstats
import random
import shutil
import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from time import perf_counter, process_time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy, as the program does

from scenthound import urls
from scenthound.config import Config, CrawlSection, PolitenessSection, TopicSection
from scenthound.crawler.assemble import assembled, page_crawl_parts, taken_up
from scenthound.crawler.crawl_judgements import CrawlJudgements, JudgedCrawl
from scenthound.crawler.examples import ExamplePages
from scenthound.crawler.present_judge import digest_of
from scenthound.library import open_library
from scenthound.model import Failed, Link, Response, Step, Visit, Waiting
from scenthound.parse.page import parse
from scenthound.text.background import background

GOAL = 5.0
TRIES = 3
SIZE, LINKS, HOSTS, WAITING = 3_000, 10, 200, 50_000
ORIGINALS = 2_500
CASES = (
    ("best-first", "keywords"),
    ("best-first", "auto"),
    ("apprentice", "auto"),
    ("embedding", "auto"),
    ("auto", "auto"),
)


class Silent:
    """Answers nothing: the crawl is over before its first request."""

    parallel = 1
    recorded = True

    async def __call__(self, link: Link) -> Response | Failed:
        return Failed(url=link.url, kind="status", status=404, detail="404")

    async def close(self) -> None:
        pass


def settings(strategy: str, judge: str) -> Config:
    return Config(
        topic=TopicSection(name="gardens", keywords=["garden", "flower", "seed"]),
        crawl=CrawlSection(seeds=[address(0)], strategy=strategy, judge=judge),
        politeness=PolitenessSection(delay=0.0, robots=False),
    )


def address(number: int) -> str:
    return f"http://host{number % HOSTS}.example/section{number % 17}/page-{number}.html"


def answers(pages: int) -> Iterator[Response]:
    """Pages of words as frequent as English has them, some of them about the topic."""
    chance, table = random.Random(1), background("en")
    assert table is not None
    words = chance.choices(list(table.frequency), list(table.frequency.values()), k=200_000)
    for number in range(pages):
        start = chance.randrange(len(words) - 600)
        text = " ".join(words[start : start + 600])[: SIZE - 900]
        if number % 10 == 0:
            text = f"The garden has a flower for each seed. {text}"
        links = "".join(
            f'<li><a href="{address(chance.randrange(pages + WAITING))}">{words[start + n]}</a>' for n in range(LINKS)
        )
        body = (
            f"<!doctype html><title>{words[start]} {number}</title><h1>{words[start + 1]}</h1><p>{text}<ul>{links}</ul>"
        )
        headers = (("Content-Type", "text/html; charset=utf-8"),)
        yield Response(address(number), 200, headers, body.encode(), at=float(number))


async def fill(folder: Path, config: Config, pages: int) -> float:
    """Makes a library of a few pages, as a crawl would leave it; seconds that taking the snapshots took."""
    with open_library(folder, create=True) as library:
        crawl = JudgedCrawl(config, library, ExamplePages(), page_crawl_parts)
        parts, snapshots = await taken_up(crawl)
        library.start_run("{}")
        learn = getattr(parts.strategy, "learn", lambda visit: None)
        saw = getattr(parts.judge, "saw", lambda page: None)
        known: set[int] = set()
        for number, response in enumerate(answers(pages)):
            page = parse(response, "en")
            relevance = parts.judge(page)
            saw(page)
            link = Link(response.url, address(number // 2), "a page", kind="a" if number else "seed")
            visit = Visit(link, page, relevance, relevance >= 0.5, depth=min(number, 5))
            learn(visit)
            if parts.traps is not None:
                parts.traps.learn(visit, [each.url for each in page.links], original="")
            new = {urls.fingerprint(each.url): each for each in page.links}
            found = tuple(
                Waiting(id, each, urls.host(each.url), 0.1 + 0.8 * relevance, number * LINKS + n, 1)
                for n, (id, each) in enumerate(new.items())
                if id not in known
            )
            known.update(new)
            lease = Waiting(urls.fingerprint(link.url), link, urls.host(link.url), 0.5, 0)
            step = Step(lease, "fetched", response.at, "", response, visit, simhash=page.simhash, found=found)
            library.record(step)
            snapshots(step)
        started = perf_counter()
        snapshots.take()
        library.flush()
        return perf_counter() - started


def multiply(folder: Path, config: Config, pages: int) -> None:
    """Copies pages and URLs under other names, as rows, until there are so many pages, which the snapshots know."""
    with sqlite3.connect(folder / "library.db") as database:
        database.create_function("fingerprint", 1, urls.fingerprint)
        database.create_function("other", 2, lambda simhash, n: urls.fingerprint(f"{simhash} {n}"))
        first = database.execute("SELECT max(seq) FROM pages").fetchone()[0]
        others = {
            "urls": {"id": "fingerprint(t.url || '?' || :n)", "url": "t.url || '?' || :n"},
            "pages": {
                "id": "fingerprint(u.url || '?' || :n)",
                "seq": "t.seq + :n * :first",
                "simhash": "other(simhash, :n)",
            },
        }
        for n in range(1, -(-pages // first)):
            for table, changed in others.items():
                columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
                values = ", ".join(changed.get(name, f"t.{name}") for name in columns)
                rows = "pages t JOIN urls u ON u.id = t.id" if table == "pages" else "urls t"
                known = f"t.seq <= {first}" if table == "pages" else "instr(t.url, '?') = 0"
                if table == "urls":
                    known += " AND (t.state > 0 OR :n = 1)"  # links wait twice, not forty times
                query = f"INSERT INTO {table} SELECT {values} FROM {rows} WHERE {known}"
                database.execute(query, {"n": n, "first": first} if ":first" in query else {"n": n})
        last = database.execute("SELECT max(seq) FROM pages").fetchone()[0]
        database.execute("UPDATE snapshots SET page = ?", (last,))
        database.execute("UPDATE counters SET value = ? WHERE name = 'page'", (last + 1,))
    database.close()
    with open_library(folder) as library:
        library.note_judged_by(digest_of(config, library, ExamplePages()))


async def take_up(folder: Path, config: Config) -> tuple[float, float]:
    """Seconds until the crawl could make its first request: of the CPU, and by the clock."""
    worked, started = process_time(), perf_counter()
    async with assembled(config, folder, fetcher=Silent(), judgements=CrawlJudgements()):
        return process_time() - worked, perf_counter() - started


def forget(folder: Path) -> None:
    with sqlite3.connect(folder / "library.db") as database:
        database.execute("DELETE FROM snapshots")
    database.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--only", default="", help="the cases whose name has this in it")
    parser.add_argument("--relive", action="store_true", help="also without what was kept: slow")
    parser.add_argument("--profile", action="store_true", help="say what takes the time")
    given = parser.parse_args()
    print(f"{platform.python_implementation()} {platform.python_version()}, {given.pages:,} pages of {SIZE:,} bytes\n")
    columns = [
        "strategy and judge",
        "s until it can ask",
        "of the CPU",
        "a snapshot, s",
        *["all relived, s"] * given.relive,
    ]
    print(f"| {' | '.join(columns)} |\n|---|{'---:|' * (len(columns) - 1)}")
    worst = 0.0
    for strategy, judge in CASES:
        name = f"{strategy} + {judge}"
        if given.only not in name:
            continue
        folder, config = Path(tempfile.mkdtemp(prefix="going-on-")), settings(strategy, judge)
        try:
            taken = asyncio.run(fill(folder, config, min(given.pages, ORIGINALS)))
            multiply(folder, config, given.pages)
            profile = cProfile.Profile() if given.profile else None
            if profile is not None:
                profile.enable()
            worked, seconds = min((asyncio.run(take_up(folder, config)) for _ in range(TRIES)), key=itemgetter(1))
            if profile is not None:
                profile.disable()
                pstats.Stats(profile).sort_stats("cumulative").print_stats(45)
            row = [name, f"{seconds:.2f}", f"{worked:.2f}", f"{taken:.2f}"]
            if given.relive:
                forget(folder)
                row.append(f"{asyncio.run(take_up(folder, config))[1]:.1f}")
            worst = max(worst, seconds)
            print(f"| {' | '.join(row)} |", flush=True)
        finally:
            shutil.rmtree(folder)
    print(f"\nworst: {worst:.2f} s to go on (goal at 100,000 pages: {GOAL:.0f} s)")
    sys.exit(given.pages >= 100_000 and worst > GOAL)


if __name__ == "__main__":
    main()
