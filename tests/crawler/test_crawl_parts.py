"""What is put together: every setting reaches the part that it is for, whatever the library and the kind of crawl."""

from pathlib import Path

from scenthound.config import Config, from_dict
from scenthound.crawler.assemble import make_scope
from scenthound.crawler.crawl_parts import CrawlParts, noted_run, put_together
from scenthound.crawler.engine import Crawl
from scenthound.library import memory_library, open_library
from scenthound.model import Page, Response
from scenthound.parse.page import parse
from scenthound.parse.parser_pool import ParserPool
from scenthound.protocols.library import Library
from tests.small_web import ByAnchor, ScriptedFetcher, answer, counts_word, page

A, B, C = (f"http://a.test/{name}" for name in "abc")
TRAP = "http://a.test/" + "x/" * 12
WEB = {A: page(f"2={B}", f"1={C}", f"3={TRAP}", "3=http://a.test/x.zip"), B: page(), C: page()}


def config(**sections: dict[str, object]) -> Config:
    return from_dict({"politeness": {"delay": 0.0, "robots": False}, **sections})


def parts(config: Config, **given: object) -> CrawlParts:
    return CrawlParts(ByAnchor(), counts_word("hound"), make_scope(config), **given)  # type: ignore[arg-type]


async def crawled(config: Config, library: Library, **given: object) -> tuple[Crawl, list[str]]:
    fetcher = ScriptedFetcher(WEB)
    crawl = put_together(config, parts(config, **given), library, fetcher)
    crawl.add_seeds([A])
    with noted_run(crawl, library):
        await crawl.run()
    return crawl, fetcher.asked


async def test_traps_endings_and_limits_are_those_of_the_settings() -> None:
    _, asked = await crawled(config(), memory_library())
    assert asked == [A, B, C]
    _, asked = await crawled(config(scope={"host_pages": 2}), memory_library())
    assert asked == [A, B]
    _, asked = await crawled(config(scope={"traps": False, "html_only": False}), memory_library())
    assert asked == [A, TRAP, "http://a.test/x.zip", B, C]


async def test_what_brings_no_page_does_not_count_for_its_host() -> None:
    """Neither today nor when the crawl goes on."""
    lost, moved = "http://a.test/lost", "http://a.test/moved"
    web = {**WEB, A: page(f"9={lost}", f"8={moved}", f"2={B}", f"1={C}"), moved: answer(moved, status=301, location=B)}
    for first in (0, 1):
        settings, library, asked = config(scope={"host_pages": 2}, crawl={"pages": first}), memory_library(), []
        for budget in (first, 0):
            settings.crawl.pages = budget
            crawl = put_together(settings, parts(settings), library, fetcher := ScriptedFetcher(web))
            crawl.add_seeds([A] if not asked else [])
            await crawl.run()
            asked += fetcher.asked
        assert asked == [A, lost, moved, B]


async def test_a_crawl_goes_on_where_the_last_one_stopped_on_disk_and_in_memory(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as on_disk:
        for library in (on_disk, memory_library()):
            _, first = await crawled(config(crawl={"pages": 1}), library)
            crawl, then = await crawled(config(), library)
            assert (first, then) == ([A], [B, C])
            assert crawl.tally.pages == 3
            assert [(run.reason, run.counters) for run in library.runs()] == [
                ("pages", {"pages": 1}),
                ("frontier empty", {"pages": 2}),
            ]


async def test_what_a_kind_of_crawl_denies_is_denied_beside_traps() -> None:
    _, asked = await crawled(config(), memory_library(), denies=lambda url: "not that one" if url == B else None)
    assert asked == [A, C]


async def test_a_parser_of_its_own_gets_no_help() -> None:
    def own(response: Response, language: str) -> Page:
        return parse(response, language)

    pool, library, settings = ParserPool(2), memory_library(), config()
    with_pool = put_together(settings, parts(settings), library, ScriptedFetcher({}), parser_pool=pool)
    alone = put_together(settings, parts(settings, parse=own), library, ScriptedFetcher({}), parser_pool=pool)
    assert (with_pool.parser_pool, alone.parser_pool) == (pool, None)
    await pool.close()
