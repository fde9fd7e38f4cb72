"""Forms are questioned where that is asked for, and what lies behind them is found: on a generated site."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from scenthound.app.forms import listed_forms
from scenthound.config import Config, from_dict
from scenthound.crawler.assemble import assembled
from scenthound.crawler.form_questions import MOST_QUESTIONS, FormQuestions
from scenthound.fetch.answer import classify
from scenthound.lab.generated.form_site import FormSite
from scenthound.library import open_library
from scenthound.model import Failed, Keyword, Link, Page, Response, Topic, Visit

SITE = FormSite(documents=60)
FORM = b"<form action=/find><input name=q></form>"


class SiteFetcher:
    parallel = 1

    async def __call__(self, link: Link) -> Response | Failed:
        given = SITE.respond(link.url)
        return classify(Response(link.url, given.status, given.headers, given.body), link.kind)

    async def close(self) -> None:
        pass


def crawl(folder: Path, **options: bool) -> set[str]:
    """What a crawl finds of the documents about the topic."""
    config: Config = from_dict(
        {
            "topic": {"name": "orchids", "keywords": list(SITE.keywords)},
            "crawl": {"seeds": [SITE.home], "pages": 100, "judge": "keywords", **options},
            "politeness": {"delay": 0.0, "robots": False},
            "scope": {"traps": False, "mirrors": False},
        }
    )

    async def run() -> None:
        async with assembled(config, folder, fetcher=SiteFetcher()) as made:
            await made.run()

    asyncio.run(run())
    with open_library(folder, write=False) as library:
        return {page.url for page in library.pages()} & set(SITE.targets())


def test_what_hangs_behind_a_form_is_found_by_asking(tmp_path: Path) -> None:
    by_links = crawl(tmp_path / "links")
    by_asking = crawl(tmp_path / "forms", forms=True)
    assert len(by_links) == 6, "every tenth of sixty is linked, and those are all of the topic"
    assert by_links < by_asking
    assert len(by_asking) >= 20, "of thirty documents of the topic"


def test_forms_are_listed_with_their_fields(tmp_path: Path) -> None:
    crawl(tmp_path / "x")
    [listed] = listed_forms(tmp_path / "x")
    assert (listed.page, listed.relevant, listed.form.asks) == (SITE.home, True, "q")
    assert [field.name for field in listed.form.fields] == ["lang", "q"]


def asked(questions: FormQuestions, relevant: bool = True, url: str = "http://a.test/") -> list[str]:
    visit = Visit(Link(url), Page(url), 0.9, relevant, 0)
    response = Response(url, 200, (("Content-Type", "text/html"),), FORM)
    return [link.url for link in questions.worth_asking(visit, response)]


def test_a_form_is_asked_once_for_each_word_and_only_where_a_page_was_relevant() -> None:
    questions = FormQuestions(Topic("x", (Keyword("fever", 0.3), Keyword("dengue fever", 0.7))))
    assert asked(questions, relevant=False, url="http://a.test/front") == []
    assert asked(questions) == ["http://a.test/find?q=dengue+fever", "http://a.test/find?q=fever"]
    assert asked(questions, url="http://a.test/other") == []


def test_the_form_of_a_front_door_waits_until_its_host_shows_a_relevant_page() -> None:
    questions = FormQuestions(Topic("x", (Keyword("fever", 1.0),)))
    assert asked(questions, relevant=False) == []
    assert asked(questions, url="http://b.test/1") == ["http://b.test/find?q=fever"], "another host is another matter"
    assert asked(questions, url="http://a.test/page") == ["http://a.test/find?q=fever"]
    assert asked(questions, url="http://a.test/next") == []
    visit = Visit(Link("http://c.test/"), Page("http://c.test/"), 0.1, False, 0)
    front = Response("http://c.test/", 200, (("Content-Type", "text/html"),), FORM)
    bare = Response("http://c.test/page", 200, (("Content-Type", "text/html"),), b"<p>fever</p>")
    assert questions.worth_asking(visit, front) == []
    page = Visit(Link(bare.url), Page(bare.url), 0.9, True, 1)
    [link] = questions.worth_asking(page, bare)
    assert (link.url, link.source, link.context) == (
        "http://c.test/find?q=fever", bare.url, "search: fever, http://c.test/",
    )  # fmt: skip


def test_hosts_whose_forms_are_remembered_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scenthound.crawler.form_questions.MOST_HOSTS", 2)
    questions = FormQuestions(Topic("x", (Keyword("fever", 1.0),)))
    for number in range(5):
        asked(questions, relevant=False, url=f"http://h{number}.test/")
    assert len(questions._hosts) == 2


@pytest.mark.parametrize("words", [3, 50])
def test_questions_are_limited(words: int) -> None:
    topic = Topic("x", tuple(Keyword(f"word{number}", 1 / words) for number in range(words)))
    assert len(asked(FormQuestions(topic))) == min(words, MOST_QUESTIONS)
