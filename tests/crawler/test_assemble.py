"""From settings to a crawl: what is refused, and that the same settings give the same crawl."""

from pathlib import Path

import pytest

from scenthound.config import Config, from_dict
from scenthound.crawler.assemble import assembled, canonical_seeds, make_context, replay_visits
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.errors import ConfigError, UnknownName
from scenthound.lab.generated.web import GeneratedFetcher, GeneratedWeb
from scenthound.library import open_library
from scenthound.model import Link, Visit
from scenthound.scope.scope import Scope
from scenthound.urls import fingerprint
from tests.small_web import ByAnchor, ScriptedFetcher, answer, crawl_of, page

A = "http://a.test/"


def settings(**crawl: object) -> Config:
    return from_dict(
        {
            "topic": {"name": "orchids"},
            "crawl": {"seeds": [A], **crawl},
            "politeness": {"delay": 0.0, "robots": False},
        }
    )


def test_seeds_are_made_canonical_and_bad_ones_refused() -> None:
    assert canonical_seeds(["HTTP://Example.org:80/a/../b#c", "example.org"]) == [
        "http://example.org/b",
        "https://example.org/",
    ]
    with pytest.raises(ConfigError, match="no usable URL"):
        canonical_seeds(["mailto://x"])


async def test_a_crawl_without_seeds_has_nowhere_to_start(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="nowhere to start"):
        async with assembled(settings(seeds=[]), tmp_path, fetcher=ScriptedFetcher({})):
            pass


async def test_an_unknown_strategy_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="best-first"):
        async with assembled(settings(strategy="best-frist"), tmp_path, fetcher=ScriptedFetcher({})):
            pass


def test_a_topic_must_say_something() -> None:
    with pytest.raises(ConfigError, match="topic is empty"):
        make_context(Config())


@pytest.mark.parametrize(("source", "words"), [("exmples", "one of"), ("examples", "needs example pages")])
def test_a_source_of_idf_that_is_not_there_is_refused(source: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        make_context(settings(idf=source))


async def test_runs_are_noted_with_their_end(tmp_path: Path) -> None:
    async with assembled(settings(), tmp_path, fetcher=ScriptedFetcher({A: page()})) as crawl:
        await crawl.run()
    with open_library(tmp_path, write=False) as library:
        (run,) = library.runs()
    assert (run.reason, run.counters) == ("frontier empty", {"pages": 1})


async def test_a_crawl_that_raises_leaves_a_library_that_goes_on(tmp_path: Path) -> None:
    with pytest.raises(RuntimeError):
        async with assembled(settings(), tmp_path, fetcher=ScriptedFetcher({A: page()})):
            raise RuntimeError
    async with assembled(settings(), tmp_path, fetcher=ScriptedFetcher({A: page()})) as crawl:
        assert await crawl.run() == "frontier empty"
        assert crawl.tally.pages == 1
        assert [run.reason for run in crawl.library.runs()] == ["crashed", ""]  # type: ignore[attr-defined]


async def test_a_strategy_relives_its_visits_after_a_restart(tmp_path: Path) -> None:
    web = {
        A: page(f"2={A}x", f"1={A}y", f"0={A}gone", text="orchids"),
        f"{A}x": page(text="more orchids"),
        f"{A}y": page(),
    }
    before, after = ByAnchor(), ByAnchor()
    visits: list[Visit] = []
    after.learn = visits.append  # type: ignore[method-assign]
    missed: list[Link] = []
    after.missed = missed.append  # type: ignore[attr-defined]
    with crawl_of(tmp_path, web, strategy=before) as crawl:
        await crawl.run()
    told: list[tuple[int, int]] = []
    with open_library(tmp_path) as library:
        parts = CrawlParts(after, lambda page: 0.0, Scope())
        replay_visits(parts, library, settings(), lambda done, whole: told.append((done, whole)))
    assert told == [(0, 3), (1, 3), (2, 3)]
    assert [visit.page.url for visit in visits] == before.learned
    assert [link.url for link in missed] == [f"{A}gone"]
    assert [(visit.relevance, visit.depth, visit.memory, visit.page.links) for visit in visits] == [
        (visit.relevance, visit.depth, visit.memory, visit.page.links) for visit in before.seen
    ]


async def test_a_strategy_hears_of_redirects_once_more_before_the_page_they_led_to(tmp_path: Path) -> None:
    web = {
        A: page(f"2={A}old", f"1={A}y"),
        f"{A}old": answer(f"{A}old", status=301, location=f"{A}older"),
        f"{A}older": answer(f"{A}older", status=302, location=f"{A}x"),
        f"{A}x": page(),
        f"{A}y": page(),
    }
    with crawl_of(tmp_path, web) as crawl:
        await crawl.run()
    hearer = ByAnchor()
    told: list[tuple[str, ...]] = []
    hearer.learn = lambda visit: told.append((visit.page.url,))  # type: ignore[method-assign]
    hearer.moved = lambda link, target: told.append((link.url, target))  # type: ignore[attr-defined]
    with open_library(tmp_path) as library:
        replay_visits(CrawlParts(hearer, lambda page: 0.0, Scope()), library, settings())
    assert told == [(A,), (f"{A}old", f"{A}older"), (f"{A}older", f"{A}x"), (f"{A}x",), (f"{A}y",)]


async def test_seeds_of_the_last_crawl_are_not_put_first_again(tmp_path: Path) -> None:
    config = settings(seeds=[A, f"{A}x", f"{A}y"], pages=1)
    web = {A: page(), f"{A}x": page(), f"{A}y": page(), f"{A}z": page()}
    async with assembled(config, tmp_path, fetcher=ScriptedFetcher(web)) as crawl:
        await crawl.run()
    with open_library(tmp_path) as library:
        library.rank_again([(fingerprint(f"{A}x"), 0.1)])
    config.crawl.seeds, config.crawl.pages = [A, f"{A}x", f"{A}y", f"{A}z"], 4
    async with assembled(config, tmp_path, fetcher=ScriptedFetcher(web)) as crawl:
        await crawl.run()
    with open_library(tmp_path, write=False) as library:
        assert [stored.url for stored in library.pages()] == [A, f"{A}y", f"{A}z", f"{A}x"]


@pytest.mark.parametrize("strategy", ["best-first", "random", "breadth-first", "best-n-first"])
async def test_same_seed_and_input_give_the_same_crawl_page_by_page(tmp_path: Path, strategy: str) -> None:
    web = GeneratedWeb(seed=2, pages=1000, hosts=20, topics=4)
    topic = web.topics()[1]
    config = settings(strategy=strategy, pages=150, random_seed=5, seeds=list(topic.seeds))
    config.topic.keywords = list(topic.keywords)
    config.fetch.backoff = 0.001

    async def visits(folder: Path) -> list[tuple[str, float]]:
        async with assembled(config, folder, fetcher=GeneratedFetcher(web)) as crawl:
            await crawl.run()
            return [(page.url, page.relevance) for page in crawl.library.pages()]  # type: ignore[attr-defined]

    first = await visits(tmp_path / "first")
    assert len(first) == 150
    assert await visits(tmp_path / "second") == first


async def test_an_ontology_is_looked_for_beside_the_topic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    turtle = '<urn:a> <http://www.w3.org/2004/02/skos/core#prefLabel> "orchids"@en , "lady slipper"@en .'
    (tmp_path / "plants.ttl").write_text(turtle)
    monkeypatch.chdir("/")
    config = from_dict({"topic": {"name": "orchids", "ontology": "plants.ttl"}, "crawl": {"seeds": [A]}})
    config.crawl.strategy = "synset"
    assert make_context(config, folder=tmp_path).ontology == str(tmp_path / "plants.ttl")
    async with assembled(config, tmp_path, fetcher=ScriptedFetcher({})) as crawl:
        assert crawl.digest.strategy.score_(Link(A, anchor="lady slippers")) > 0.5
    config.topic.ontology = "gone.ttl"
    with pytest.raises(ConfigError, match=r"There is no ontology file gone\.ttl"):
        async with assembled(config, tmp_path, fetcher=ScriptedFetcher({})):
            pass
