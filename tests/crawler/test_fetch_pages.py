"""Pages besides a crawl: fetched by one, and no further than asked."""

from scenthound.config import from_dict
from scenthound.crawler.fetch_pages import PageOutcomes, fetch_pages
from scenthound.library import memory_library
from scenthound.model import Failed, Response
from tests.small_web import Script, ScriptedFetcher, answer, page

A, B, C = (f"http://a.test/{name}" for name in "abc")
ROBOTS = "http://a.test/robots.txt"


async def fetched(script: Script, *wanted: str, **sections: dict[str, object]) -> tuple[PageOutcomes, list[str]]:
    config = from_dict({"politeness": {"delay": 0.0}, **sections})
    outcomes, fetcher = PageOutcomes(), ScriptedFetcher(script)
    with memory_library() as library:
        await fetch_pages(wanted, config, fetcher, library, observers=[outcomes])
        assert library.counts().waiting == 0
    return outcomes, fetcher.asked


async def test_no_link_is_followed_and_no_budget_or_scope_of_the_crawl_holds_a_page_back() -> None:
    script = {A: page(B, C, head=f'<meta http-equiv="refresh" content="0; url={C}">'), B: page()}
    outcomes, asked = await fetched(script, A, B, crawl={"pages": 1, "feeds": True}, scope={"allow": "path:/z"})
    assert asked == [ROBOTS, A, B]
    assert all(isinstance(outcomes.of(url), Response) for url in (A, B))


async def test_redirects_are_followed_to_the_page_they_mean() -> None:
    script = {A: answer(A, status=301, location="/b"), B: answer(B, status=302, location="/c"), C: page(text="there")}
    outcomes, _ = await fetched(script, A, B)
    found = outcomes.of(A)
    assert isinstance(found, Response)
    assert found.url == C
    assert outcomes.of(B) == found


async def test_why_there_is_no_page() -> None:
    rules = answer(ROBOTS, "User-agent: *\nDisallow: /b", content_type="text/plain")
    script = {ROBOTS: rules, A: Failed(A, "timeout", "it took too long"), C: answer(C, status=301, location="/x.zip")}
    outcomes, asked = await fetched(script, A, B, C)
    assert outcomes.of(A) == "timeout: it took too long"
    assert outcomes.of(B) == "robots"
    assert outcomes.of(C) == "scope: no web page but archive (.zip)"
    assert outcomes.of("http://a.test/never") == "no answer"
    assert asked == [ROBOTS, A, C]


async def test_redirects_in_a_circle_come_to_an_end() -> None:
    script = {A: answer(A, status=301, location="/b"), B: answer(B, status=301, location="/a")}
    outcomes, asked = await fetched(script, A)
    assert outcomes.of(A) == "no answer"
    assert asked == [ROBOTS, A, B]
