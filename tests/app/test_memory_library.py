"""A library in memory does for every use case, and is in nothing but its place other than one on a disk."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from io import BytesIO
from itertools import count
from pathlib import Path

import pytest
from msgspec.structs import replace

from scenthound.app.explanation import explain
from scenthound.app.export import export
from scenthound.config import Config, from_dict
from scenthound.crawler.assemble import assembled
from scenthound.crawler.budget import Budget
from scenthound.lab.generated.web import GeneratedFetcher, GeneratedWeb
from scenthound.library import memory_library, open_library
from scenthound.library.stored_pages import visits
from scenthound.model import Failed, Link, Response
from scenthound.protocols.library import Library
from scenthound.report.crawl_page import render
from scenthound.report.crawl_report import gather
from scenthound.revisit.recrawl import recrawling
from scenthound.revisit.revisit_digest import LOOK_AGAIN
from scenthound.revisit.tell.change_log import gather as news

WEB = GeneratedWeb(seed=2, pages=700, hosts=12, topics=3)
TOPIC = WEB.topics()[1]


def settings(pages: int) -> Config:
    return from_dict(
        {
            "topic": {"name": "t", "keywords": list(TOPIC.keywords)},
            "crawl": {"seeds": list(TOPIC.seeds), "pages": pages, "strategy": "hits", "parsers": 0},
            "politeness": {"delay": 0.0, "robots": False},
            "fetch": {"retries": 0},
        }
    )


class Timed:
    """The generated web, a second between any two answers."""

    parallel = 1

    def __init__(self) -> None:
        self._fetch = GeneratedFetcher(WEB)
        self._times = count(1_700_000_000)

    async def __call__(self, link: Link) -> Response | Failed:
        return replace(await self._fetch(link), at=float(next(self._times)), elapsed=0.0)

    async def close(self) -> None:
        await self._fetch.close()


async def crawl_twice(library: Library) -> None:
    """Two sessions, the second of which goes on where the first stopped; then every page is looked at again."""
    for pages in (60, 120):
        async with assembled(settings(pages), library, fetcher=Timed(), clock=lambda: 1_700_000_000.0) as crawl:
            await crawl.run()
    async with recrawling(settings(120), library, fetcher=Timed(), clock=lambda: 1_700_000_000.0) as (crawl, looks):
        looks.look_again(list(library.watched()))
        await crawl.run(Budget(least=LOOK_AGAIN))


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Library, Library]]:
    with memory_library() as memory, open_library(tmp_path_factory.mktemp("library"), create=True) as disk:
        asyncio.run(crawl_twice(memory))
        asyncio.run(crawl_twice(disk))
        yield memory, disk


def test_the_same_crawl(both: tuple[Library, Library]) -> None:
    memory, disk = both
    assert list(memory.pages()) == list(disk.pages())
    assert memory.counts() == disk.counts()
    assert memory.counts().fetched == 120
    assert memory.harvest() == disk.harvest()
    assert memory.hosts() == disk.hosts()
    assert sorted(memory.known()) == sorted(disk.known())
    assert {queue.host: queue for queue in memory.queues()} == {queue.host: queue for queue in disk.queues()}
    assert [(run.reason, run.config, run.counters) for run in memory.runs()] == [
        (run.reason, run.config, run.counters) for run in disk.runs()
    ]
    host = memory.hosts()[0].host
    assert memory.waiting(host, 1000) == disk.waiting(host, 1000)


def test_the_same_pages_come_back(both: tuple[Library, Library]) -> None:
    memory, disk = both
    assert list(visits(memory, "en")) == list(visits(disk, "en"))
    assert list(memory.graph()) == list(disk.graph())
    url = next(memory.pages()).url
    assert list(memory.backlinks(url)) == list(disk.backlinks(url))


def test_the_same_answers_to_a_search(both: tuple[Library, Library]) -> None:
    memory, disk = both
    for library in both:
        library.update_search()
    word, other = TOPIC.keywords[:2]
    for words in ([word], [word, other], [f"{word} {other}"], [word, f"-{other}"]):
        found, expected = memory.search(words, limit=100), disk.search(words, limit=100)
        assert (found.total, found.loosened) == (expected.total, expected.loosened)
        assert {hit.url: hit for hit in found.hits} == {hit.url: hit for hit in expected.hits}


def test_the_same_explanations(both: tuple[Library, Library]) -> None:
    memory, disk = both
    rows = [next(memory.pages()).url, *(row.link.url for row in memory.waiting(memory.hosts()[0].host, 2))]
    rows += [url for url, _, _ in memory.broken()][:2]
    for url in [*rows, "http://nowhere.test/"]:
        assert explain(memory, url) == explain(disk, url)


@pytest.mark.parametrize("form", ["jsonl", "csv", "urls"])
def test_the_same_export(both: tuple[Library, Library], form: str) -> None:
    streams = [BytesIO(), BytesIO()]
    written = [export(library, stream, form=form).number for library, stream in zip(both, streams, strict=True)]
    assert written == [120, 120]
    assert streams[0].getvalue() == streams[1].getvalue()


def test_the_same_history(both: tuple[Library, Library]) -> None:
    memory, disk = both
    assert list(memory.looks()) == list(disk.looks())
    assert list(memory.watched()) == list(disk.watched())
    assert memory.outcomes() == disk.outcomes()
    assert memory.outcomes()["same"] > 100
    assert news(memory, 0.0) == news(disk, 0.0)


def test_a_report(both: tuple[Library, Library]) -> None:
    memory, disk = (replace(gather(library), at=0.0, folder="x", disk=0, runs=[], ages=[]) for library in both)
    assert all(page.archive for page in disk.pages), "what is on the disk is in an archive"
    memory, disk = (replace(each, pages=[replace(page, archive="") for page in each.pages]) for each in (memory, disk))
    assert memory == disk
    assert "<html" in render(memory)


def test_a_library_of_figures_alone(tmp_path: Path) -> None:
    """What the lab crawls into: nothing heavy is kept, and the crawl is the same."""

    async def crawl(library: Library) -> list[str]:
        config = settings(40)
        async with assembled(config, library, fetcher=Timed(), clock=lambda: 1_700_000_000.0) as made:
            await made.run()
        return [page.url for page in library.pages()]

    light, whole = memory_library(texts=False), memory_library()
    assert asyncio.run(crawl(light)) == asyncio.run(crawl(whole))
    assert light.counts() == whole.counts()
    url = next(light.pages()).url
    assert (light.text(url), light.body(url), light.outlinks(url)) == (None, None, [])
