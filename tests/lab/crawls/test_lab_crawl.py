import gc
import types
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from scenthound.config import Config
from scenthound.crawler import assemble
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.lab.crawls import experiment as plans
from scenthound.lab.crawls.experiment import Cell, Experiment, StrategyEntry
from scenthound.lab.crawls.lab_crawl import CachingParser, LabCrawler
from scenthound.lab.crawls.oracle import Oracle
from scenthound.lab.crawls.web_statistics import web_statistics
from scenthound.lab.measures.trace import Trace
from scenthound.lab.topics import LabTopic
from scenthound.lab.webs import open_web, recorded
from scenthound.library import open_library
from scenthound.model import Failed, Link, Ranked, Response, Visit
from scenthound.parse import page as parsing
from scenthound.protocols.crawl import Context
from scenthound.strategies.breadth_first import BreadthFirst
from tests.lab.small import HOME, page, topic, write_web

HUB, LURE, FAR = f"{HOME}hub", f"{HOME}lure", f"{HOME}far"
TARGETS = tuple(f"{HOME}target{n}" for n in range(4))
PAGES = {
    HOME: page("start", LURE, f"{HOME}gone", HUB),
    LURE: page("nothing here", f"{HOME}x", f"{HOME}y"),
    f"{HOME}x": page("x"),
    f"{HOME}y": page("y"),
    HUB: page("a list", *TARGETS),
    **{url: page("hounds hunt") for url in TARGETS},
    FAR: page("nobody links here"),
}


@pytest.fixture
def web(tmp_path: Path) -> Path:
    return write_web(tmp_path / "web.warc", PAGES)


def crawl(path: Path, strategy: Any, given: LabTopic, library: Any = None) -> Trace:
    experiment = Experiment(strategies=["breadth-first"], web=[str(path)])
    settings = plans.settings(experiment, cell_of(given))
    opened = open_web(recorded([path]))
    try:
        return LabCrawler(opened).crawl(settings, parts(settings, strategy), library=library)[0]
    finally:
        opened.close()


def cell_of(given: LabTopic) -> Cell:
    return Cell(StrategyEntry("breadth-first"), given, 1)


def parts(settings: Config, strategy: Any) -> CrawlParts:
    return CrawlParts(strategy, lambda page: 0.5, assemble.make_scope(settings))


def urls(trace: Trace) -> list[str]:
    return [request.url for request in trace.pages]


def test_a_page_on_which_the_parser_fails_is_a_request_in_vain(web: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever it raises: the crawl goes on, and the next one, which has the parser's word kept, is the same."""
    gather = parsing.gather

    def failing(source: bytes) -> object:
        if b"nothing here" in source:
            raise RecursionError("nobody foresaw this")
        return gather(source)

    monkeypatch.setattr(parsing, "gather", failing)
    opened = open_web(recorded([web]))
    settings = plans.settings(Experiment(strategies=["breadth-first"], web=[str(web)]), cell_of(topic(pages=4)))
    try:
        crawler = LabCrawler(opened)
        for _ in range(2):
            trace = crawler.crawl(settings, parts(settings, BreadthFirst()))[0]
            assert urls(trace) == [HOME, HUB, *TARGETS[:2]]
            assert [request.url for request in trace.requests if not request.ok] == [LURE, f"{HOME}gone"]
    finally:
        opened.close()


def test_missing_pages_are_requests_in_vain(web: Path) -> None:
    trace = crawl(web, BreadthFirst(), topic(pages=4))
    assert urls(trace) == [HOME, LURE, HUB, f"{HOME}x"]
    assert [request.url for request in trace.requests if not request.ok] == [f"{HOME}gone"]
    assert [request.depth for request in trace.requests] == [0, 1, 1, 1, 2]
    assert set(trace.seconds) == {"fetch", "parse", "judge", "rank"}


def test_a_server_that_was_busy_is_not_waited_for(web: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Time stands still here: a host that rested would rest for ever."""
    opened = open_web(recorded([web]))
    answer = opened.answer

    def busy(link: Link) -> Response | Failed:
        failed = Failed(link.url, "status", "503", status=503, retry=True, retry_after=3600)
        return failed if link.url == LURE else answer(link)

    monkeypatch.setattr(opened, "answer", busy)
    settings = plans.settings(Experiment(strategies=["breadth-first"], web=[str(web)]), cell_of(topic(pages=4)))
    try:
        trace = LabCrawler(opened).crawl(settings, parts(settings, BreadthFirst()))[0]
    finally:
        opened.close()
    assert [request.url for request in trace.requests] == [HOME, LURE, f"{HOME}gone", HUB, *TARGETS[:2]]


def test_with_a_library_storing_is_timed_and_the_crawl_the_same(web: Path, tmp_path: Path) -> None:
    with open_library(tmp_path / "library", create=True) as library:
        stored = crawl(web, BreadthFirst(), topic(), library)
        assert [kept.url for kept in library.pages()] == urls(stored)
    assert urls(stored) == urls(crawl(web, BreadthFirst(), topic()))
    assert stored.seconds["store"][0] > 0


def test_the_oracle_goes_to_the_hub_and_takes_the_targets(web: Path) -> None:
    given = topic(targets=TARGETS, pages=6)
    trace = crawl(web, Oracle(web_statistics(recorded([web])), given.scored_targets()), given)
    assert urls(trace) == [HOME, HUB, *TARGETS]


def test_a_page_is_parsed_once_and_charged_each_time() -> None:
    parser = CachingParser()
    response = Response(HOME, 200, (("Content-Type", "text/html"),), PAGES[HUB].encode())
    first = parser(response, "en")
    cost = parser.charged
    assert parser(response, "en") is first
    assert (parser.hits, parser.charged) == (1, 2 * cost)


def test_memory_of_parsed_pages_is_bounded() -> None:
    parser = CachingParser(limit=20_000)
    for n in range(50):
        parser(Response(f"{HOME}{n}", 200, (("Content-Type", "text/html"),), b"<p>hound" * 50), "en")
    assert 0 < parser._pages.held <= 20_000
    assert len(parser._pages) < 20
    held = {id(kept[0]) for kept in parser._pages.entries.values()}
    assert set(parser.memo._known.entries) == held, "what follows from pages is remembered of these, and no others"


# A strategy cannot reach a page before it is fetched


@dataclass
class Spy:
    """Looks at everything it can reach from what it is given, wherever that is hidden."""

    strings: set[str] = field(default_factory=set)
    kinds: set[str] = field(default_factory=set)
    offered: set[str] = field(default_factory=set)  # URLs on pages it was shown

    def begin(self, context: Context) -> None:
        self._search(context)

    def rank(self, visit: Visit) -> list[Ranked]:
        self._search(visit)
        self.offered.update(link.url for link in visit.page.links)
        self.offered.add(visit.page.url)
        return [Ranked(link=link, priority=0.0) for link in visit.page.links]

    def _search(self, start: object) -> None:
        seen: dict[int, object] = {}
        waiting = [start]
        while waiting:
            thing = waiting.pop()
            # What every Python program shares (modules, classes, code) is no way that was given to a strategy.
            if id(thing) in seen or isinstance(thing, types.ModuleType | type | types.FunctionType | types.CodeType):
                continue
            seen[id(thing)] = thing
            if isinstance(thing, str):
                self.strings.add(thing)
            self.kinds.add(type(thing).__name__)
            waiting.extend(gc.get_referents(thing))
            waiting.extend(getattr(thing, name, None) for name in getattr(type(thing), "__struct_fields__", ()))


FORBIDDEN = {
    "LabTopic",
    "WebStatistics",
    "LabCrawler",
    "RecordedWeb",
    "ReplayFetcher",
    "LabFetcher",
    "Recording",
    "Crawl",
    "EvidenceMaker",
}


def test_a_strategy_finds_neither_targets_nor_unfetched_pages(web: Path) -> None:
    example = TARGETS[0]
    given = topic(targets=(*TARGETS, FAR), relevant_examples=(example,), pages=3)
    settings = plans.settings(Experiment(strategies=["breadth-first"], web=[str(web)]), cell_of(given))
    opened = open_web(recorded([web]))
    crawler = LabCrawler(opened)
    shown = crawler.page(example, "en")
    assert shown is not None
    spy = Spy()
    spy.begin(assemble.make_context(config_with_words(settings), (shown,)))
    trace, _ = crawler.crawl(settings, parts(settings, spy))
    opened.close()
    assert urls(trace) == [HOME, LURE, HUB]
    assert example in spy.strings, "the search does find what is there"
    assert not spy.kinds & FORBIDDEN
    hidden = {FAR, *TARGETS} - spy.offered - {example}
    assert FAR in hidden
    assert not spy.strings & hidden
    assert not any("hounds hunt" in text for text in spy.strings if text not in (shown.text, shown.blocks[0].text))


def config_with_words(settings: Any) -> Any:
    settings.topic.keywords = ["hounds"]
    return settings


def test_the_ground_has_no_room_for_answers() -> None:
    told = ("topic", "idf", "random", "examples", "counterexamples", "labels", "lessons", "models", "ontology", "judge")
    assert Context.__struct_fields__ == told
