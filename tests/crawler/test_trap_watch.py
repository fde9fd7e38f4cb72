"""What is known of traps outlives a crawl: one that goes on leaves a trap where it would have left it."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from scenthound.config import Config, from_dict
from scenthound.crawler.assemble import assembled
from scenthound.crawler.barren_lines import LINES
from scenthound.crawler.budget import Budget
from scenthound.crawler.crawl_snapshots import TRAPS, CrawlSnapshots
from scenthound.crawler.trap_watch import TrapWatch
from scenthound.library import memory_library, open_library
from scenthound.model import Failed, Link, Page, Response, Visit
from scenthound.protocols.library import Library
from scenthound.protocols.snapshots import Snapshot
from tests.conformance.library_snapshots import content
from tests.crawler.test_barren_lines import H, Site, SiteFetcher, articles, html, number_in, waiting, walk_into

PAGES = 160


def letters(path: str) -> str | None:
    """Articles, and a space of letters thrown together in which each page leads on to two others."""
    if not path.startswith("/r"):
        page = articles(path)
        return page.replace("</body>", '<a href="/r?id=0">more</a></body>') if page else None
    dice = Random(path)
    words = " ".join(f"{dice.getrandbits(60):x}" for _ in range(40))
    return html(path, words, [f"/r?id={2 * number_in(path) + n}" for n in (1, 2)])


def calendar(path: str) -> str | None:
    """Months without end, each with words of its own and links to other months only."""
    if not path.startswith("/cal"):
        page = articles(path)
        return page.replace("</body>", '<a href="/cal?month=1">calendar</a></body>') if page else None
    words = " ".join(f"w{Random(f'{path} {n}').getrandbits(12)}" for n in range(40))
    return html(path, words, [f"/cal?month={3 * number_in(path) + n}" for n in (-1, 0, 1)])


def short(path: str) -> str | None:
    """Pages with too few words to have a fingerprint, the same on each."""
    if not path.startswith("/s"):
        page = articles(path)
        return page.replace("</body>", '<a href="/s?id=1">short</a></body>') if page else None
    return html("", f"nothing here {number_in(path)}", [f"/s?id={2 * number_in(path) + n}" for n in (0, 1)])


def settings() -> Config:
    config = from_dict(
        {
            "topic": {"name": "hound"},
            "crawl": {"seeds": [f"{H}/"], "strategy": "breadth-first", "idf": "none", "parsers": 0},
            "politeness": {"delay": 0.0, "robots": False},
        }
    )
    config.crawl.judge = "keywords"
    return config


async def crawl(site: Site, place: Path | Library, pages: int, *, killed_after: int = 0) -> list[str]:
    """What is asked until there are so many pages. `killed_after`: more pages come, and then there is no snapshot."""
    fetcher = SiteFetcher(site)
    async with assembled(settings(), place, fetcher=fetcher) as running:
        await running.run(Budget(pages=pages))
        if killed_after:
            snapshots = running.observers[-1]
            assert isinstance(snapshots, CrawlSnapshots)
            snapshots.take()
            await running.run(Budget(pages=pages + killed_after))
            snapshots._news = False
    return fetcher.asked


@pytest.mark.parametrize("site", [letters, calendar, short])
@pytest.mark.parametrize("stop", [20, 60, 100])
async def test_a_crawl_that_was_stopped_asks_for_the_same(site: Site, stop: int) -> None:
    whole, stopped = memory_library(), memory_library()
    expected = await crawl(site, whole, PAGES)
    asked = await crawl(site, stopped, stop, killed_after=7)
    asked += await crawl(site, stopped, stop + 15)
    asked += await crawl(site, stopped, PAGES)
    assert asked == expected
    refused = whole.counts().refused
    assert refused == stopped.counts().refused
    assert any(reason.startswith("trap") for reason in refused)


async def test_so_does_one_whose_library_is_on_a_disk(tmp_path: Path) -> None:
    expected = await crawl(letters, memory_library(), 70)
    asked = await crawl(letters, tmp_path, 40, killed_after=8)
    with open_library(tmp_path, write=False) as library:
        assert len(list(library.finds())) == 8
    asked += await crawl(letters, tmp_path, 70)
    assert asked == expected


def test_it_comes_back_as_it_was() -> None:
    watch, again = (TrapWatch(None, lambda: 0.0) for _ in range(2))
    walk_into(watch.lines, LINES + 1)
    for number in range(60):
        page = Page(url=f"{H}/cal?month={number}", terms={"few": 1})
        watch.learn(Visit(Link(url=page.url), page, 0.0, False, 0), [f"{H}/cal?month={number + 1}"], original="")
    assert watch.gives_up(waiting("/t?n=99", "/t?n=5", 1))
    assert watch.refuses(f"{H}/cal?month=99")
    again.restore(watch.snapshot())
    assert content(again.snapshot()) == content(watch.snapshot())
    assert again.gives_up(waiting("/t?n=99", "/t?n=5", 1)) == watch.gives_up(waiting("/t?n=99", "/t?n=5", 1))
    assert again.refuses(f"{H}/cal?month=99") == watch.refuses(f"{H}/cal?month=99")


# The same site under http and https


class BothSchemes(SiteFetcher):
    """Answers under http and https. Under http a page leads to itself under https, and, if `lame`, nowhere else."""

    def __init__(self, site: Site, lame: bool) -> None:
        super().__init__(site)
        self.lame = lame

    async def __call__(self, link: Link) -> Response | Failed:
        path = link.url.split("h.test")[1]
        answer = await super().__call__(replace(link, url=H + path))
        if isinstance(answer, Response) and link.url.startswith(H):
            page = answer.body.decode()
            page = page.replace('href="', 'rel="') if self.lame and path.startswith("/r") else page
            answer = replace(answer, body=page.replace("</body>", f'<a href="https://h.test{path}"></a>').encode())
        elif isinstance(answer, Response):
            answer = replace(answer, body=answer.body.replace(b'href="/', f'href="{H}/'.encode()))
        return replace(answer, url=link.url)


async def asked_under_both(site: Site, pages: int = 0, *, lame: bool = False) -> list[str]:
    config, fetcher = settings(), BothSchemes(site, lame)
    config.crawl.pages = pages
    async with assembled(config, memory_library(), fetcher=fetcher) as running:
        await running.run()
    return fetcher.asked


async def test_a_site_under_http_and_https_is_no_trap() -> None:
    asked = await asked_under_both(articles)
    assert (len(asked), len(set(asked))) == (400, 200)


@pytest.mark.parametrize("lame", [False, True])
async def test_a_trap_under_http_and_https_is_one(lame: bool) -> None:
    asked = await asked_under_both(letters, pages=600, lame=lame)
    assert sum(path.startswith("/r") for path in asked) <= 100


async def test_without_what_was_kept_stored_pages_teach_it_what_they_can() -> None:
    library = memory_library()
    await crawl(short, library, 60)
    kept = library.kept_snapshots(made_with := library._snapshots[0])  # type: ignore[index]
    assert kept is not None
    assert TRAPS in kept.snapshots
    library.keep_snapshots({TRAPS: Snapshot(99)}, made_with)
    async with assembled(settings(), library, fetcher=SiteFetcher(short)) as running:
        watch = running.digest.traps  # type: ignore[attr-defined]
        assert not watch.goes_on
        assert watch.traps.snapshot().values["hosts"]
