from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from scenthound.config import Config
from scenthound.crawler.assemble import assembled, make_scope
from scenthound.library import open_library
from scenthound.model import Link
from scenthound.sites.page_collection import OnSites, PageCollectionParts
from tests.sites.small_sites import crawl, said, settings
from tests.small_web import ScriptedFetcher

INSIDE = [f"http://a.test/{n}" for n in range(6)]
WEB = {
    "http://a.test/": said(0.9, *INSIDE, "http://b.test/"),
    **dict.fromkeys(INSIDE, said(0.9, "http://a.test/deep", "http://b.test/x")),
    "http://a.test/deep": said(0.9),
    "http://b.test/": said(0.05, "http://b.test/x"),
    "http://b.test/x": said(0.05),
}


def deepen(folder: Path, config: Config, sites: list[str]) -> list[str]:
    fetcher = ScriptedFetcher(WEB)
    parts: Any = PageCollectionParts(sites)

    async def run() -> None:
        async with assembled(config, folder, fetcher=fetcher, parts=parts) as crawl:
            await crawl.run()

    asyncio.run(run())
    return fetcher.asked


def test_what_the_website_crawl_left_is_collected_and_nothing_else(tmp_path: Path) -> None:
    config = settings("http://a.test/", p_threshold=0.8, l_threshold=0.0)
    done = crawl(tmp_path, WEB, config)
    assert not set(INSIDE) & set(done.asked)
    asked = deepen(tmp_path, config, ["a.test"])
    assert set(asked) == {*INSIDE, "http://a.test/deep"}
    with open_library(tmp_path, write=False) as library:
        assert len(list(library.pages())) == len(done.asked) + len(asked)


def test_other_sites_are_out_of_scope() -> None:
    scope = make_scope(settings(), first=[OnSites(frozenset({"a.test"}))])
    assert scope.by_url_alone
    assert scope.refuses(Link("http://b.test/x.jpg"), 1) == "scope: not on a site that was found relevant"
    assert scope.refuses(Link("http://b.test/"), 1) == "scope: not on a site that was found relevant"
    assert scope.refuses(Link("http://a.test/x"), 1) is None
    assert scope.refuses(Link("http://a.test/x.jpg"), 1) is not None
