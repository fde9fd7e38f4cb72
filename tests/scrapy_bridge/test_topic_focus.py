"""A crawl that somebody else drives: the best link next, pages judged, and a library that knows what became of each."""

from __future__ import annotations

import pytest

from scenthound import urls
from scenthound.config import from_dict
from scenthound.library import memory_library
from scenthound.model import Response, Waiting
from scenthound.scrapy_bridge.topic_focus import TopicFocus, canonical

HOME = "http://a.test/"
PAGE = (
    "<title>Corals</title><p>Corals and reefs: corals live in reefs.<p><a href=/shoes>cheap shoes</a> "
    "<a href=/corals>corals and reefs</a>"
)


@pytest.fixture
def focus() -> TopicFocus:
    config = from_dict(
        {
            "topic": {"name": "corals", "keywords": ["corals", "reefs"]},
            "crawl": {"strategy": "best-first", "judge": "keywords"},
            "politeness": {"delay": 0.0, "robots": False, "connections": 8},
            "scope": {"deny": "path:/denied"},
        }
    )
    return TopicFocus(config, memory_library())


def page(url: str, html: str = PAGE, status: int = 200) -> Response:
    return Response(url, status, (("Content-Type", "text/html"),), html.encode(), at=1.0)


def lease(focus: TopicFocus) -> Waiting:
    taken = focus.take()
    assert taken is not None
    return taken


def test_what_promises_most_is_next(focus: TopicFocus) -> None:
    assert focus.start(HOME)
    assert not focus.start(HOME)
    visit = focus.came(lease(focus), page(HOME))
    assert visit is not None
    assert visit.relevant
    assert focus.follow("http://a.test/shoes", HOME)
    assert focus.follow("http://a.test/corals", HOME)
    assert not focus.follow("http://a.test/corals", HOME)
    assert [lease(focus).link.anchor for _ in range(2)] == ["corals and reefs", "cheap shoes"]
    assert focus.take() is None
    assert focus.wait() is None


def test_a_link_that_the_page_does_not_show_is_ranked_all_the_same_unless_it_is_out_of_scope(focus: TopicFocus) -> None:
    focus.start(HOME)
    focus.came(lease(focus), page(HOME))
    assert focus.follow("http://a.test/made-up", HOME)
    assert not focus.follow("http://a.test/denied", HOME)
    assert focus.out_of_scope == 1
    assert lease(focus).depth == 1


def test_what_became_of_a_link_is_in_the_library(focus: TopicFocus) -> None:
    focus.start(HOME)
    first = lease(focus)
    focus.again(first)
    assert lease(focus).tries == 1
    assert focus.moved(first, "http://a.test/new")
    target = lease(focus)
    assert (target.link.url, target.priority) == ("http://a.test/new", first.priority)
    assert focus.came(target, page("http://a.test/new", status=404)) is None
    focus.start("http://b.test/")
    focus.failed(lease(focus), "connect: no answer")
    focus.close(finished=True)
    states = {
        url: row.state for url in (HOME, "http://a.test/new", "http://b.test/") if (row := focus.library.url_row(url))
    }
    assert states == {HOME: "moved", "http://a.test/new": "failed", "http://b.test/": "failed"}
    assert focus.library.runs()[-1].reason == "frontier empty"


def test_a_strategy_hears_where_a_link_leads(focus: TopicFocus, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[tuple[str, str]] = []
    monkeypatch.setattr(
        focus.digest.strategy, "moved", lambda link, target: told.append((link.url, target)), raising=False
    )
    focus.start(HOME)
    focus.moved(lease(focus), "http://a.test/new")
    assert told == [(HOME, "http://a.test/new")]


def test_a_library_is_gone_on_with(focus: TopicFocus) -> None:
    focus.start(HOME)
    focus.came(lease(focus), page(HOME))
    focus.follow("http://a.test/corals", HOME)
    focus.close(finished=False)
    again = TopicFocus(focus.crawl.config, focus.library)
    assert not again.start(HOME)
    assert lease(again).link.url == "http://a.test/corals"
    assert again.library.counts().relevant == 1


def test_urls_have_our_spelling() -> None:
    assert canonical("HTTP://A.test:80/x#y") == "http://a.test/x"
    assert canonical("mailto:x@y") is None
    assert urls.fingerprint("http://a.test/x")
