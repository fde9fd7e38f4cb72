"""Example pages from files, lists and URLs; each fetched once, however often the crawl is started."""

from itertools import count
from pathlib import Path
from typing import Any

import pytest

from scenthound.config import Config, from_dict
from scenthound.crawler import examples
from scenthound.crawler.assemble import assembled
from scenthound.errors import ConfigError
from scenthound.library import open_library
from scenthound.model import Failed
from tests.fetch.serving import Act, serving
from tests.fetch.serving import answer as served_answer
from tests.small_web import ScriptedFetcher, answer, page

A = "http://a.test/"
ROBOTS = f"{A}robots.txt"


def settings(*given: str):  # type: ignore[no-untyped-def]
    return from_dict({"topic": {"name": "hounds", "examples": list(given)}, "politeness": {"delay": 0.0}})


async def test_files_lists_and_urls(tmp_path: Path) -> None:
    (tmp_path / "one.html").write_text(page(text="from a file"))
    (tmp_path / "list.txt").write_text(f"# known good\n\none.html\n{A}x#part\n")
    fetcher = ScriptedFetcher({f"{A}x": page(text="from the web")})
    found, *_ = await examples.load(settings("list.txt"), tmp_path, fetcher)
    assert [example.text for example in found] == ["from a file", "from the web"]
    assert found[1].url == f"{A}x"


async def test_what_was_fetched_once_is_kept(tmp_path: Path) -> None:
    latin = answer(A, "<p>caf\u00e9".encode("latin-1"), content_type="text/html; charset=iso-8859-1")
    fetcher = ScriptedFetcher({A: latin})
    first, *_ = await examples.load(settings(A), tmp_path, fetcher)
    second, *_ = await examples.load(settings(A), tmp_path, fetcher)
    assert (first[0].text, second[0].text) == ("caf\u00e9", "caf\u00e9")
    assert fetcher.asked == [ROBOTS, A]


async def test_redirects_are_followed_and_end(tmp_path: Path) -> None:
    fetcher = ScriptedFetcher({A: answer(A, status=301, location="/x"), f"{A}x": page(text="there")})
    found, *_ = await examples.load(settings(A), tmp_path, fetcher)
    assert (found[0].text, found[0].url) == ("there", A)


async def test_one_crawl_fetches_all_of_them_and_says_when_their_hosts_are_free(tmp_path: Path) -> None:
    other = "http://b.test/"
    rules = answer(f"{other}robots.txt", "User-agent: *\nCrawl-delay: 0.25", content_type="text/plain")
    web = {A: page(text="one"), other: page(text="two"), f"{other}robots.txt": rules}
    config = settings(A)
    config.topic.counterexamples = [other, A]
    fetcher = ScriptedFetcher(web)
    ticks = count(100.0, 0.25)
    found = await examples.load(config, tmp_path, fetcher, clock=lambda: next(ticks))
    assert [example.text for example in found.relevant] == ["one"]
    assert [example.text for example in found.irrelevant] == ["two", "one"]
    assert sorted(fetcher.asked) == sorted(set(fetcher.asked))
    assert found.free_at["b.test"] - found.free_at["a.test"] == 0.25
    kept = examples.load_kept(config, tmp_path)
    assert [example.text for example in kept.relevant + kept.irrelevant] == ["one", "two", "one"]


async def test_an_example_that_robots_txt_forbids_is_named_with_a_way_out(tmp_path: Path) -> None:
    rules = answer(ROBOTS, "User-agent: *\nDisallow: /private", content_type="text/plain")
    fetcher = ScriptedFetcher({ROBOTS: rules, A: page(), f"{A}private/example": page(text="secret")})
    with pytest.raises(ConfigError, match=r"robots\.txt of a\.test does not allow it.*save it as a file and name that"):
        await examples.load(settings(A, f"{A}private/example"), tmp_path, fetcher)
    assert fetcher.asked == [ROBOTS, A]


async def test_a_host_that_does_not_answer_is_not_said_to_forbid_anything(tmp_path: Path) -> None:
    fetcher = ScriptedFetcher({ROBOTS: Failed(ROBOTS, "dns", "no such name"), A: page()})
    with pytest.raises(ConfigError, match=r"could not be fetched \(dns: no such name\)\. Leave it out"):
        await examples.load(settings(A), tmp_path, fetcher)
    assert fetcher.asked == [ROBOTS]


async def test_over_http_robots_txt_comes_first_and_what_it_forbids_is_not_asked_for(tmp_path: Path) -> None:
    acts: dict[str, Act] = {
        "/robots.txt": served_answer(b"User-agent: *\nDisallow: /private", content_type="text/plain"),
        "/private/example": served_answer(b"<p>secret"),
        "/open": served_answer(b"<p>open to all"),
    }
    async with serving(acts) as served:
        config = settings(served.url("/private/example"))
        config.crawl.seeds = [served.url("/open")]
        config.fetch.private_addresses = True
        with pytest.raises(ConfigError, match=r"robots\.txt"):
            async with assembled(config, tmp_path):
                pass
        assert [path for path, _ in served.requests] == ["/robots.txt"]
        config.topic.examples = [served.url("/open")]
        async with assembled(config, tmp_path) as crawl:
            await crawl.run()
        assert [path for path, _ in served.requests] == ["/robots.txt", "/robots.txt", "/open", "/robots.txt"]


def test_who_only_looks_asks_no_server(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="asks no server"):
        examples.load_kept(settings(A), tmp_path)


async def test_without_a_folder_nothing_is_kept() -> None:
    found = await examples.load(settings(A), None, ScriptedFetcher({A: page(text="here")}))
    assert found.relevant[0].text == "here"


@pytest.mark.parametrize(
    ("entry", "words"),
    [("none.html", "neither a URL nor a file"), (f"{A}gone", "could not be fetched"), ("ftp://a.test/", "no usable")],
)
async def test_an_example_that_cannot_be_had_is_an_error(tmp_path: Path, entry: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        await examples.load(settings(entry), tmp_path, ScriptedFetcher({}))


async def test_a_list_that_names_itself_ends(tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text("list.txt\n")
    with pytest.raises(ConfigError, match="lists itself"):
        await examples.load(settings("list.txt"), tmp_path, ScriptedFetcher({}))


async def test_who_is_forgiving_gets_the_others_and_what_is_missing(tmp_path: Path) -> None:
    fetcher = ScriptedFetcher({A: page(text="one")})
    told: list[tuple[int, int]] = []
    found = await examples.gather(
        [f"{A}none", A],
        tmp_path,
        settings(),
        fetcher,
        forgiving=True,
        progress=lambda done, whole: told.append((done, whole)),
    )
    assert [example.text for example in found.pages] == ["one"]
    assert list(found.missing) == [f"{A}none"]
    assert "could not be fetched (status: 404)" in found.missing[f"{A}none"]
    assert told[-1] == (2, 2)


async def test_one_that_is_missing_does_not_lose_the_others(tmp_path: Path) -> None:
    fetcher = ScriptedFetcher({A: page(text="one")})
    with pytest.raises(ConfigError, match="none could not be fetched"):
        await examples.gather([f"{A}none", A], tmp_path, settings(), fetcher)
    await examples.gather([A], tmp_path, settings(), fetcher)
    assert fetcher.asked.count(A) == 1


def web() -> dict[str, str]:
    """A start page from which no link leads to what examples link to."""
    return {
        A: page(text="a start page"),
        f"{A}example": page(f"hounds={A}beside", text="hounds and hounds"),
        f"{A}beside": page(text="more hounds"),
    }


def crawl_settings(strategy: str | dict[str, Any] = "auto", **crawl: Any) -> Config:
    config = settings(f"{A}example")
    config.crawl.seeds, config.crawl.strategy = [A], strategy
    config.crawl.judge = "keywords"
    for name, value in crawl.items():
        setattr(config.crawl, name, value)
    return config


async def crawled(config: Config, place: Path, fetcher: ScriptedFetcher) -> list[str]:
    async with assembled(config, place, fetcher=fetcher) as crawl:
        await crawl.run()
    with open_library(place, write=False) as library:
        return [stored.url for stored in library.pages()]


async def test_a_crawl_starts_from_examples_too_and_asks_for_none_twice(tmp_path: Path) -> None:
    fetcher = ScriptedFetcher(web())
    assert await crawled(crawl_settings(), tmp_path, fetcher) == [A, f"{A}example", f"{A}beside"]
    assert [url for url in fetcher.asked if url != ROBOTS] == [f"{A}example", A, f"{A}beside"]


@pytest.mark.parametrize(
    "strategy",
    ["best-first", {"name": "auto", "from_examples": False}, {"name": "tunnelling", "strategy": "best-first"}],
)
async def test_whoever_does_not_want_to_start_from_them_does_not(tmp_path: Path, strategy: Any) -> None:
    assert await crawled(crawl_settings(strategy), tmp_path, ScriptedFetcher(web())) == [A]


async def test_a_tunneller_around_one_that_starts_from_examples_does_so(tmp_path: Path) -> None:
    strategy = {"name": "tunnelling", "strategy": "auto"}
    assert f"{A}beside" in await crawled(crawl_settings(strategy), tmp_path, ScriptedFetcher(web()))


async def test_examples_out_of_scope_or_in_files_are_no_start_pages(tmp_path: Path) -> None:
    (tmp_path / "one.html").write_text(page(f"hounds={A}beside", text="hounds and hounds"))
    config = crawl_settings()
    config.scope.deny, config.topic.examples = "path:/example", [f"{A}example", "one.html"]
    assert await crawled(config, tmp_path, ScriptedFetcher(web())) == [A]


async def test_a_stop_changes_nothing_about_where_it_starts(tmp_path: Path) -> None:
    first, second = ScriptedFetcher(web()), ScriptedFetcher(web())
    assert await crawled(crawl_settings(pages=2), tmp_path, first) == [A, f"{A}example"]
    assert await crawled(crawl_settings(), tmp_path, second) == [A, f"{A}example", f"{A}beside"]
    assert [url for url in second.asked if url != ROBOTS] == [f"{A}beside"]


async def test_an_example_given_later_is_a_start_page_from_then_on(tmp_path: Path) -> None:
    config = crawl_settings()
    config.topic.examples = []
    assert await crawled(config, tmp_path, ScriptedFetcher(web())) == [A]
    assert f"{A}beside" in await crawled(crawl_settings(), tmp_path, ScriptedFetcher(web()))


async def test_examples_alone_are_enough_to_start_from(tmp_path: Path) -> None:
    found = await crawled(crawl_settings(seeds=[]), tmp_path, ScriptedFetcher(web()))
    assert found == [f"{A}example", f"{A}beside"]
