"""Two engines, one frontier, one library: each page once, and both end when all is done."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import pytest

from scenthound.config import Config, from_dict
from scenthound.crawler.answer_digest import PageDigest
from scenthound.crawler.assemble import make_scope
from scenthound.crawler.budget import Budget
from scenthound.crawler.engine import Crawl
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.library import open_library
from scenthound.model import Failed, Link, Response
from scenthound.parse.safe_parse import LARGE
from scenthound.protocols.crawl import Frontier
from scenthound.protocols.library import Library
from tests.small_web import ByAnchor, Script, ScriptedFetcher, answer, counts_word, crawl_of, page

SEED = "http://h0.test/"
SETTINGS = {"politeness": {"delay": 0.0, "robots": False}}


def web(pages: int = 300, hosts: int = 12, seed: int = 5) -> dict[str, str]:
    """Pages that link to each other at random; all can be reached, none twice from the same place."""
    random = Random(seed)
    places = [SEED, *(f"http://h{random.randrange(hosts)}.test/{n}" for n in range(1, pages))]
    links = {place: [random.choice(places) for _ in range(3)] for place in places}
    for n, place in enumerate(places[1:], 1):
        links[places[random.randrange(max(0, n - 20), n)]].append(place)
    return {place: page(*(f"{random.random():.3f}={to}" for to in links[place]), text=place) for place in places}


@dataclass
class Unhurried(ScriptedFetcher):
    """Takes a little while, sometimes longer; `most` is how many requests were under way at once."""

    random: Random = field(default_factory=lambda: Random(1))
    under_way: int = 0
    most: int = 0

    async def __call__(self, link: Link) -> Response | Failed:
        self.under_way += 1
        self.most = max(self.most, self.under_way)
        await asyncio.sleep(self.random.choice((0.0, 0.0, 0.001, 0.003)))
        self.under_way -= 1
        return await super().__call__(link)


@dataclass
class Held(ScriptedFetcher):
    """Answers when told to."""

    asked_first: asyncio.Event = field(default_factory=asyncio.Event)
    gate: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, link: Link) -> Response | Failed:
        self.asked_first.set()
        await self.gate.wait()
        return await super().__call__(link)


@contextmanager
def shared(folder: Path, config: Config | None = None) -> Iterator[tuple[Config, Frontier, Library]]:
    config = config or from_dict(SETTINGS)
    with open_library(folder, create=True) as library:
        yield config, PoliteFrontier.resume(library, 0.0, config.politeness), library


def engine(parts: tuple[Config, Frontier, Library], fetcher: ScriptedFetcher) -> Crawl:
    config, frontier, library = parts
    judge = counts_word("hound")
    digest = PageDigest(config, strategy=ByAnchor(), judge=judge, frontier=frontier, scope=make_scope(config))
    return Crawl(config, digest=digest, frontier=frontier, fetcher=fetcher, library=library)


async def crawled_alone(folder: Path, script: Script) -> set[str]:
    with crawl_of(folder, script, seeds=(SEED,)) as crawl:
        await crawl.run()
        return {stored.url for stored in crawl.library.pages()}  # type: ignore[attr-defined]


def together(*crawls: Crawl) -> asyncio.Future[list[str]]:
    return asyncio.gather(*(asyncio.wait_for(crawl.run(), 60) for crawl in crawls))  # type: ignore[return-value]


@pytest.mark.parametrize("parallel", [1, 4])
async def test_each_page_once_and_all_that_one_engine_finds(tmp_path: Path, parallel: int) -> None:
    script = web()
    with shared(tmp_path / "two") as parts:
        fetchers = [Unhurried(script, parallel=parallel, random=Random(n)) for n in range(2)]
        crawls = [engine(parts, fetcher) for fetcher in fetchers]
        crawls[0].add_seeds([SEED])
        assert await together(*crawls) == ["frontier empty", "frontier empty"]
        stored = [page.url for page in parts[2].pages()]
        assert all(fetcher.most <= parallel for fetcher in fetchers)
    asked = Counter(url for fetcher in fetchers for url in fetcher.asked)
    assert max(asked.values()) == 1
    assert len(stored) == len(set(stored)) == sum(crawl.tally.pages for crawl in crawls)
    assert set(stored) == await crawled_alone(tmp_path / "one", script) == set(script)
    assert min(crawl.tally.pages for crawl in crawls) > 10, "both had a share"


async def test_the_second_waits_while_the_first_has_all_leases(tmp_path: Path) -> None:
    script = web(60)
    with shared(tmp_path) as parts:
        first, second = Held(script), ScriptedFetcher(script)
        crawls = engine(parts, first), engine(parts, second)
        crawls[0].add_seeds([SEED])
        running = asyncio.create_task(crawls[0].run())
        await first.asked_first.wait()
        late = asyncio.create_task(crawls[1].run())
        await asyncio.sleep(0.02)
        assert not late.done(), "what is leased may bring more"
        first.gate.set()
        assert await asyncio.wait_for(asyncio.gather(running, late), 60) == ["frontier empty", "frontier empty"]
        assert sorted(first.asked + second.asked) == sorted(script)
        assert second.asked


async def test_the_second_ends_if_nothing_comes_of_the_leases(tmp_path: Path) -> None:
    with shared(tmp_path) as parts:
        first, second = Held({SEED: page()}), ScriptedFetcher({})
        crawls = engine(parts, first), engine(parts, second)
        crawls[0].add_seeds([SEED])
        running = together(*crawls)
        await first.asked_first.wait()
        first.gate.set()
        assert await running == ["frontier empty", "frontier empty"]
        assert second.asked == []


async def test_waiting_is_no_work(tmp_path: Path) -> None:
    """The second looks at the frontier when it begins to wait, and when something has come of the lease."""
    looks = []

    class Watched(PoliteFrontier):
        def next_time(self, now: float, least: float = float("-inf"), far: float = float("-inf")) -> float | None:
            looks.append(now)
            return super().next_time(now, least, far)

    with shared(tmp_path) as (config, _, library):
        parts = config, Watched(library, config.politeness), library
        first = Held({SEED: page()})
        crawls = engine(parts, first), engine(parts, ScriptedFetcher({}))
        crawls[0].add_seeds([SEED])
        running = together(*crawls)
        await first.asked_first.wait()
        await asyncio.sleep(0.01)
        before = len(looks)
        await asyncio.sleep(0.05)
        assert len(looks) == before
        first.gate.set()
        await running


async def test_what_one_gives_up_the_other_asks_for(tmp_path: Path) -> None:
    script = web(40)
    with shared(tmp_path) as parts:
        first, second = Held(script), ScriptedFetcher(script)
        crawls = engine(parts, first), engine(parts, second)
        crawls[0].add_seeds([SEED])
        running = together(*crawls)
        await first.asked_first.wait()
        crawls[0].stop(now=True)
        assert await running == ["stopped", "frontier empty"]
        assert first.asked == []
        assert sorted(second.asked) == sorted(script)


async def test_an_engine_that_is_cancelled_gives_its_leases_back(tmp_path: Path) -> None:
    script = web(40)
    with shared(tmp_path) as parts:
        first, second = Held(script), ScriptedFetcher(script)
        crawls = engine(parts, first), engine(parts, second)
        crawls[0].add_seeds([SEED])
        broken = asyncio.create_task(crawls[0].run())
        await first.asked_first.wait()
        other = asyncio.create_task(crawls[1].run())
        await asyncio.sleep(0)
        broken.cancel()
        assert await asyncio.wait_for(other, 60) == "frontier empty"
        assert sorted(second.asked) == sorted(script)
        with pytest.raises(asyncio.CancelledError):
            await broken


class Busy:
    """Takes every page and never gives one back."""

    def __init__(self) -> None:
        self.taken = asyncio.Event()

    def offer(self, *given: object) -> bool:
        self.taken.set()
        return True


async def test_pages_at_the_parser_are_given_back_too(tmp_path: Path) -> None:
    script = web(40) | {SEED: page("1=http://h1.test/big", text="word " * LARGE)}
    script["http://h1.test/big"] = page(*(f"1={url}" for url in script))
    with shared(tmp_path) as parts:
        first, second = ScriptedFetcher(script), ScriptedFetcher(script)
        crawls = engine(parts, first), engine(parts, second)
        crawls[0].parser_pool = pool = Busy()  # type: ignore[assignment]
        crawls[0].add_seeds([SEED])
        broken = asyncio.create_task(crawls[0].run())
        await pool.taken.wait()
        other = asyncio.create_task(crawls[1].run())
        await asyncio.sleep(0)
        broken.cancel()
        assert await asyncio.wait_for(other, 60) == "frontier empty"
        assert first.asked == [SEED]
        assert sorted(second.asked) == sorted(script)


async def test_each_has_a_budget_of_its_own(tmp_path: Path) -> None:
    script = web(60)
    with shared(tmp_path) as parts:
        fetchers = [Unhurried(script), Unhurried(script)]
        crawls = [engine(parts, fetcher) for fetcher in fetchers]
        crawls[0].add_seeds([SEED])
        endings = await asyncio.gather(crawls[0].run(Budget(pages=5)), crawls[1].run())
        assert endings == ["pages", "frontier empty"]
        assert crawls[0].tally.pages == 5
        assert crawls[1].tally.pages == 55


async def test_robots_are_asked_once_for_both(tmp_path: Path) -> None:
    robots = {f"http://h{n}.test/robots.txt": answer(f"http://h{n}.test/robots.txt", status=200) for n in range(12)}
    script = web(60) | robots
    config = from_dict({"politeness": {"delay": 0.0, "robots": True}})
    with shared(tmp_path, config) as parts:
        fetchers = [Unhurried(script, parallel=4), Unhurried(script, parallel=4)]
        crawls = [engine(parts, fetcher) for fetcher in fetchers]
        crawls[0].add_seeds([SEED])
        assert await together(*crawls) == ["frontier empty", "frontier empty"]
        asked = Counter(fetchers[0].asked + fetchers[1].asked)
        assert max(asked.values()) == 1
        assert len([url for url in asked if not url.endswith("robots.txt")]) == 60
