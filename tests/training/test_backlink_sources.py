"""Who links to a page, by each source, and graphs collected with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from scenthound import training
from scenthound.config import Config, from_dict
from scenthound.errors import ConfigError, LibraryMissing, RecordingError, SourceError, UsageError
from scenthound.training.backlink_sources import WikiLinks, make_source
from scenthound.training.graph_collection import CollectOptions, collect, find_targets
from scenthound.training.training_pages import TrainingPages
from scenthound.training.training_store import TrainingStore
from tests.fetch.recorded import http, record, write
from tests.fetch.seed_sources.engines import Answer, Engine, as_json, engine
from tests.small_web import crawl_of, page

A, B, C, D, E = (f"http://a.test/{name}" for name in "abcde")
# D -> C -> B -> A, E -> A, and A -> D
WEB = {
    A: page("1=" + D, "1=" + C, text="tram museum"),
    B: page("1=" + A, text="b"),
    C: page("1=" + B, text="c"),
    D: page("1=" + C, "1=" + E, text="d"),
    E: page("1=" + A, text="e hound"),
}
SETTINGS = {"politeness": {"delay": 0.0, "robots": False}}


def config() -> Config:
    return from_dict(SETTINGS)


async def crawled(folder: Path) -> None:
    with crawl_of(folder, WEB, seeds=(A,)) as crawl:
        await crawl.run()


async def grown(
    folder: Path, source: str, targets: list[str], settings: Config, plan: CollectOptions | None = None
) -> Any:
    with TrainingPages(folder, settings) as pages:
        links = await make_source(source, folder, pages.library(), settings)
        try:
            pages.fetcher = links.fetcher
            return await collect(folder, targets, links, pages, plan or CollectOptions(sequences=50))
        finally:
            await links.close()


def states(lessons: Any) -> dict[str, int]:
    return {page.url: state for page, state in zip(lessons.pages, lessons.states, strict=True)}


async def test_the_librarys_own_graph(tmp_path: Path) -> None:
    await crawled(tmp_path)
    with TrainingPages(tmp_path, config()) as pages:
        source = await make_source("library", tmp_path, pages.library(), config())
        assert sorted(await source.to(A, 9)) == [B, E]
        assert await source.to("http://a.test/none", 9) == []
    collected = await grown(tmp_path, "library", [A], config())
    assert states(collected) == {A: 0, B: 1, C: 2, D: 2, E: 1}
    kept = training.load_lessons(tmp_path)
    assert (kept.pages, kept.states, set(kept.edges)) == (collected.pages, collected.states, set(collected.edges))
    assert len(kept.sequences) == 50
    header, nodes = TrainingStore(tmp_path).graph() or (None, [])
    assert header is not None
    assert (header.source, header.layers, nodes[0].layer) == ("library", 4, 0)


async def test_a_recording(tmp_path: Path) -> None:
    records = [record(url, http(html.encode())) for url, html in WEB.items()]
    gone = record("http://a.test/gone", http(b"<a href=/a>", "404 Not Found"))
    path = write(tmp_path / "web.warc.gz", *records, gone)
    collected = await grown(tmp_path / "x", str(path), [A], config())
    assert states(collected) == {A: 0, B: 1, C: 2, D: 2, E: 1}
    assert training.load_lessons(tmp_path / "x").states == collected.states  # the recording is not needed any more
    again = await grown(tmp_path / "x", str(tmp_path), [A], config())  # a folder of recordings
    assert states(again) == states(collected)


# A wiki: MediaWiki 1.43, generator=backlinks and meta=siteinfo

LINKS_HERE = {"Tram": ["Depot", "Museum & Co", "Rail"], "Depot": ["Town"], "Museum & Co": ["Town"], "Rail": []}


class Wiki:
    """Answers the API, and serves the articles beside it."""

    def __init__(self, batch: int = 2) -> None:
        self.batch = batch
        self.running: Engine

    def api(self, asked: dict[str, str]) -> Answer:
        if asked.get("meta") == "siteinfo":
            told = {"mainpage": "Main Page", "articlepath": "/wiki/$1", "server": self.running.url("").rstrip("/")}
            return as_json({"batchcomplete": True, "query": {"general": told}})
        assert (asked["generator"], asked["gblnamespace"], asked["gblfilterredir"]) == (
            "backlinks",
            "0",
            "nonredirects",
        )
        titles = LINKS_HERE.get(asked["gbltitle"], [])
        start = int(asked.get("gblcontinue", "0|0").partition("|")[2])
        shown = titles[start : start + self.batch]
        answer: dict[str, Any] = {"batchcomplete": True}
        if shown:
            answer["query"] = {"pages": [self.page(title) for title in shown]}
        if start + self.batch < len(titles):
            answer["continue"] = {"gblcontinue": f"0|{start + self.batch}", "continue": "gblcontinue||"}
        return as_json(answer)

    def page(self, title: str) -> dict[str, Any]:
        return {"pageid": 1, "ns": 0, "title": title, "fullurl": self.url(title)}

    def url(self, title: str) -> str:
        return self.running.url(f"/wiki/{title.replace(' ', '_').replace('&', '%26')}")

    def article(self, title: str) -> Answer:
        links = "".join(f'<a href="{self.url(t)}">{t}</a>' for t, sources in LINKS_HERE.items() if title in sources)
        return 200, "text/html", f"<title>{title}</title><p>{title} {title}</p>{links}"

    def routes(self) -> dict[str, Any]:
        articles = {*LINKS_HERE, *(title for titles in LINKS_HERE.values() for title in titles)}
        named = {f"/wiki/{title.replace(' ', '_').replace('&', '%26')}": title for title in articles}
        return {"/w/api.php": self.api} | {
            path: (lambda asked, title=title: self.article(title)) for path, title in named.items()
        }


def private() -> Config:
    settings = from_dict({"politeness": {"delay": 0.0}})
    settings.fetch.private_addresses = True
    return settings


async def test_a_wiki_is_asked_what_links_here(tmp_path: Path) -> None:
    wiki = Wiki()
    with engine({}) as running:
        wiki.running = running
        running.routes.update(wiki.routes())
        source = running.url("/w/api.php")
        collected = await grown(tmp_path, source, [wiki.url("Tram")], private())
        names = {page.title: state for page, state in zip(collected.pages, collected.states, strict=True)}
        paths = [path for path, _ in running.asked]
        titles = [asked["gbltitle"] for _, asked in running.asked if "gbltitle" in asked]
    assert names == {"Tram": 0, "Depot": 1, "Museum & Co": 1, "Rail": 1, "Town": 2}
    assert titles[:2] == ["Tram", "Tram"]  # it was continued
    assert paths.count("/robots.txt") >= 1  # articles are fetched as in a crawl
    assert sum(path.startswith("/wiki/") for path in paths) == 5
    assert {page.title for page in training.load_lessons(tmp_path).targets} == {"Tram"}


async def test_a_wiki_tells_titles_by_its_own_addresses() -> None:
    wiki = Wiki()
    with engine({}) as running:
        wiki.running = running
        running.routes.update(wiki.routes())
        links = await WikiLinks.of(running.url("/w/api.php"), private())
        try:
            assert await links.to("http://elsewhere.test/wiki/Tram", 9) == []
            assert len(await links.to(running.url("/w/index.php?title=Tram"), 2)) == 2  # enough; not continued
            assert len(running.asked) == 2
            running.routes["/w/api.php"] = (500, "text/html", "oh")
            assert await links.to(wiki.url("Tram"), 9) == []  # one question that fails costs no graph
        finally:
            await links.close()


async def test_what_is_no_source(tmp_path: Path) -> None:
    with pytest.raises(LibraryMissing, match=r"--from FILE\.warc\.gz"):
        await make_source("library", tmp_path, None, config())
    with pytest.raises(ConfigError, match=r"no \.warc or \.warc\.gz file"):
        await make_source(str(tmp_path), tmp_path, None, config())
    with pytest.raises(RecordingError):
        await make_source("missing.warc.gz", tmp_path, None, config())
    with engine({"/api.php": as_json({"query": {}})}) as other:
        with pytest.raises(UsageError, match="only wikis"):
            await make_source(f"searxng:{other.url()}", tmp_path, None, private())
        with pytest.raises(SourceError, match="does not say where its articles are"):
            await make_source(other.url("/api.php"), tmp_path, None, private())


async def test_targets(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"no targets.*--target URL"):
        find_targets([], tmp_path, config(), None)
    (tmp_path / "t.txt").write_text(f"# mine\n{B}\n{C}\n")
    assert find_targets([A, str(tmp_path / "t.txt"), B], tmp_path, config(), None) == [A, B, C]
    with pytest.raises(ConfigError, match="'http://' is no usable URL"):
        find_targets(["http://"], tmp_path, config(), None)
    settings = config()
    await crawled(tmp_path)
    with TrainingPages(tmp_path, settings) as pages:
        assert find_targets([], tmp_path, settings, pages.library()) == [E]  # judged relevant in the crawl
        settings.topic.examples = [D]
        assert find_targets([], tmp_path, settings, pages.library()) == [D]
        assert find_targets([], tmp_path, settings, pages.library(), threshold=0.5) == [E]
        assert len(find_targets([], tmp_path, settings, pages.library(), threshold=0.0)) == 5


async def test_targets_that_nobody_has(tmp_path: Path) -> None:
    await crawled(tmp_path)
    with pytest.raises(ConfigError, match="None of the 1 targets could be had from library"):
        await grown(tmp_path, "library", ["http://b.test/"], config())
    assert TrainingStore(tmp_path).graph() is None
