from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from scenthound import registry, urls
from scenthound.crawler import present_judge as module
from scenthound.crawler.examples import ExamplePages
from scenthound.crawler.present_judge import differences, digest_of, present_context, present_judge
from scenthound.library import open_library
from scenthound.model import Label, Page
from scenthound.protocols.crawl import Context
from scenthound.protocols.library import Library
from tests.crawler.judged_library import BIRDS, BOTH, FERNS, NOTHING, SITE, crawl, settings


@pytest.fixture
async def library(tmp_path: Path) -> Iterator[Library]:
    await crawl(tmp_path / "x", settings("birds"))
    with open_library(tmp_path / "x") as opened:
        yield opened


def example(url: str, text: str = "birds") -> Page:
    return Page(url, text=text, terms={"bird": 1})


async def test_it_says_what_the_crawl_said(library: Library) -> None:
    present = present_judge(settings("birds"), library, ExamplePages())
    stored = {page.url: page.relevance for page in library.pages()}
    assert stored[BIRDS] > present.threshold == 0.1 > stored[FERNS]
    assert present.judge(Page(BIRDS, terms={"bird": 1})) == 1.0


async def test_labels_win_and_teach(library: Library) -> None:
    library.add_labels([Label(FERNS, True, at=1.0), Label(BIRDS, False, at=2.0), Label(f"{SITE}/unseen", True, at=3.0)])
    present = present_judge(settings("birds"), library, ExamplePages((example("http://e/"),)))
    assert [present.judge(Page(url)) for url in (FERNS, BIRDS, f"{SITE}/unseen")] == [1.0, 0.0, 1.0]
    assert [page.url for page in present.context.examples] == ["http://e/", FERNS]
    assert [page.url for page in present.context.counterexamples] == [BIRDS]
    assert "frond" in present.context.examples[1].terms, "the page as it is stored"


async def test_an_example_that_a_label_calls_off_the_topic_is_none_any_more(library: Library) -> None:
    library.add_labels([Label("http://e/", False, at=1.0), Label("http://c/", True, at=1.0)])
    pages = ExamplePages((example("http://e/"), example("http://f/")), (example("http://c/"),))
    context = present_context(settings("birds"), library, pages)
    assert ([page.url for page in context.examples], context.counterexamples) == (["http://f/"], ())


async def test_only_the_latest_labels_teach(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_LABELLED", 2)
    library.add_labels([Label(url, True, at=float(at)) for at, url in enumerate((BIRDS, FERNS, BOTH), 1)])
    context = present_context(settings("birds"), library, ExamplePages())
    assert {page.url for page in context.examples} == {FERNS, BOTH}
    assert len(context.labels) == 3, "but each of them wins"


@dataclass
class Watching:
    """Notes what it is shown, and when it begins."""

    notes_: list[str] = field(default_factory=list)

    def begin(self, context: Context) -> None:
        self.notes_.append("begins")

    def saw(self, page: Page) -> None:
        self.notes_.append(page.url)

    def __call__(self, page: Page) -> float:
        return 0.7


async def test_a_judge_that_watches_sees_a_sample_that_follows_from_the_pages(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.judge._entries, "watching", Watching)
    monkeypatch.setattr(module, "SAMPLE", 2)
    monkeypatch.setattr(module, "BEST", 1)
    present = present_judge(settings("birds", crawl={"judge": "watching"}), library, ExamplePages())
    pages = sorted((page.url for page in library.pages()), key=urls.fingerprint)
    best = max(library.pages(), key=lambda page: page.first_relevance).url
    assert best == BIRDS
    wanted = list(dict.fromkeys([*pages[:2], best]))
    assert present.judge.notes_ == ["begins", *wanted, "begins"]  # type: ignore[attr-defined]
    assert present.threshold == 0.5


async def test_the_digest_tells_what_changed(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    none = ExamplePages()
    before = digest_of(settings("birds"), library, none)
    assert digest_of(settings("birds", pages=99), library, none) == before, "what decides nothing is not in it"
    assert differences(before, digest_of(settings("birds", "ferns"), library, none)) == ["topic"]
    assert differences(before, digest_of(settings("birds", crawl={"threshold": 0.2}), library, none)) == ["threshold"]
    changed = digest_of(settings("birds", crawl={"judge": "topic-vector"}), library, none)
    assert differences(before, changed) == ["judge", "threshold"]
    assert differences(before, digest_of(settings("birds"), library, ExamplePages((example("http://e/"),)))) == [
        "examples"
    ]
    library.add_labels([Label(NOTHING, False, at=1.0)])
    assert differences(before, digest_of(settings("birds"), library, none)) == ["labels"]
    assert differences("", before) == []


async def test_the_pages_are_part_of_it_where_the_judge_learns_from_them(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(registry.judge._entries, "watching", Watching)
    digest = digest_of(settings("birds", crawl={"judge": "watching"}), library, ExamplePages())
    assert digest.endswith("pages:3"), "five pages: three doublings"
    assert "pages:" not in digest_of(settings("birds"), library, ExamplePages())
