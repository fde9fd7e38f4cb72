"""A crawl that looks again is the ordinary crawl: what is not due goes its ordinary way."""

from pathlib import Path

from scenthound.crawler.budget import Budget
from scenthound.crawler.engine import Crawl
from scenthound.library import open_library
from scenthound.model import Step
from scenthound.revisit.recrawl import recrawling
from scenthound.revisit.revisit_digest import LOOK_AGAIN
from tests.revisit.changing_web import ChangingWeb, Clock, collect, fetcher, html, prose, serving, settings


async def test_one_crawl_looks_again_and_then_goes_on(tmp_path: Path) -> None:
    async with serving(ChangingWeb()) as web:
        web.put("/", html(prose("start"), "/a", "/b"))
        web.put("/a", html(prose("alpha")))
        web.put("/b", html(prose("beta")))
        config, clock, steps = settings(web), Clock(), list[Step]()
        config.crawl.pages = 2
        await collect(config, tmp_path, clock)
        web.log.clear()
        clock.pass_days(1)
        observers = [steps.append]
        async with recrawling(config, tmp_path, fetcher=fetcher(config, clock), clock=clock, observers=observers) as (
            crawl,
            looks,
        ):
            assert type(crawl) is Crawl
            looks.look_again(list(looks.history.watched()))
            assert await crawl.run(Budget(least=LOOK_AGAIN)) == "frontier empty"
            assert [step.check.outcome for step in steps if step.check] == ["same", "same"]
            assert (crawl.tally.looks, crawl.tally.requests, len(web.log)) == (2, 2, 2)
            assert await crawl.run(Budget()) == "frontier empty"
            assert (crawl.tally.looks, crawl.tally.requests, crawl.tally.pages) == (2, 3, 3)
        assert config.crawl.pages == 2, "settings are left alone"
        with open_library(tmp_path, write=False) as library:
            assert [page.url for page in library.pages()] == [web.url(path) for path in ("/", "/a", "/b")]
            assert library.runs()[-1].counters["looks"] == 2
