"""Pages to learn from: looked up in libraries, or fetched by the engine, politely and no further than asked."""

from __future__ import annotations

from pathlib import Path

from scenthound.config import Config, from_dict
from scenthound.crawler import examples
from scenthound.fetch.fetcher_for import fetcher_for
from scenthound.library import open_library
from scenthound.model import Failed
from scenthound.training.training_pages import TrainingPages
from tests.fetch.recorded import http, record, write
from tests.small_web import ScriptedFetcher, answer, crawl_of, page

A, B, C, D, OLD = (f"http://a.test/{name}" for name in ("a", "b", "c", "d", "old"))
ROBOTS = "http://a.test/robots.txt"


def config(**politeness: object) -> Config:
    return from_dict({"politeness": {"delay": 0.0, **politeness}})


def web() -> dict[str, str]:
    return {A: page(B, D, text="about trams"), B: page(text="depot"), C: page("x=" + A, text="c"), D: page(text="no")}


async def test_only_what_is_missing_is_fetched_and_no_link_followed(tmp_path: Path) -> None:
    with crawl_of(tmp_path, {A: page(B, text="as crawled")}, {"crawl": {"pages": 1}}, seeds=(A,)) as crawl:
        await crawl.run()
    fetcher = ScriptedFetcher(web())
    told: list[tuple[int, int]] = []
    with TrainingPages(tmp_path, config(robots=False), fetcher) as pages:
        found = await pages.bring([A, C, C], lambda done, whole: told.append((done, whole)))
    assert fetcher.asked == [C]
    assert (found[A].text.split()[:2], [link.url for link in found[C].links]) == (["as", "crawled"], [A])
    assert told == [(1, 1)]
    with TrainingPages(tmp_path, config()) as pages:  # nobody to fetch it: from what was fetched
        assert pages.get(C) is not None
        assert await pages.bring([A, B, C]) == found
    with open_library(tmp_path / "training", write=False) as library:
        assert [stored.url for stored in library.pages()] == [C]
        assert library.counts().waiting == 0


async def test_robots_are_obeyed(tmp_path: Path) -> None:
    rules = answer(ROBOTS, "User-agent: *\nDisallow: /b", content_type="text/plain")
    fetcher = ScriptedFetcher({**web(), ROBOTS: rules})
    with TrainingPages(tmp_path, config(), fetcher) as pages:
        assert set(await pages.bring([A, B])) == {A}
    assert fetcher.asked == [ROBOTS, A]


async def test_redirects_are_followed_and_failures_not_asked_again(tmp_path: Path) -> None:
    moved = answer(OLD, status=301, location="/a")
    fetcher = ScriptedFetcher({A: web()[A], OLD: moved, B: Failed(B, "status", status=404)})
    for _ in range(2):
        with TrainingPages(tmp_path, config(robots=False), fetcher) as pages:
            found = await pages.bring([OLD, B])
            assert {url: page.url for url, page in found.items()} == {OLD: A}
    assert fetcher.asked == [OLD, B, A]


async def test_a_page_that_asks_not_to_be_kept_is_not_learned_from(tmp_path: Path) -> None:
    shy = page(text="shy", head='<meta name="robots" content="noindex">')
    canonical = page(text="c", head=f'<link rel="canonical" href="{D}">')
    fetcher = ScriptedFetcher({A: shy, C: canonical, D: web()[D]})
    with TrainingPages(tmp_path, config(robots=False), fetcher) as pages:
        found = await pages.bring([A, C])
    assert set(found) == {C}
    assert found[C].canonical == D
    assert D not in fetcher.asked


async def test_a_library_without_recordings_still_tells_its_text(tmp_path: Path) -> None:
    settings = {"crawl": {"pages": 2}, "library": {"warc": False}}
    with crawl_of(tmp_path / "kept", {A: page("1=" + B, text="trams in towns"), B: page()}, settings, seeds=(A,)) as it:
        await it.run()
        with TrainingPages(tmp_path / "kept", config()) as pages:
            kept = pages.get(A)
    assert kept is not None
    assert kept.terms["tram"] == 1
    assert [link.url for link in kept.links] == [B]


async def test_a_recording_in_place_of_the_network(tmp_path: Path) -> None:
    path = write(tmp_path / "web.warc.gz", record(A, http(b"<title>A</title><p>trams")), record(B, http(b"<p>b")))
    given, of_the_crawl = config(delay=60.0), config(delay=60.0)
    of_the_crawl.fetch.recorded = [str(path)]
    for number, (settings, files) in enumerate([(given, [path]), (of_the_crawl, [])]):
        fetcher = fetcher_for(settings, recordings=files)
        with TrainingPages(tmp_path / str(number), settings, fetcher) as pages:
            found = await pages.bring([A, B, C])
        await fetcher.close()
        assert {url: page.title for url, page in found.items()} == {A: "A", B: ""}


async def test_the_topics_examples_are_at_hand(tmp_path: Path) -> None:
    await examples.gather([A], tmp_path / examples.FOLDER, config(robots=False), ScriptedFetcher(web()))
    with TrainingPages(tmp_path, config()) as pages:
        kept = pages.get(A)
        assert pages.get(B) is None
    assert kept is not None
    assert (kept.url, [link.url for link in kept.links]) == (A, [B, D])
