from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from scenthound.config import LibrarySection
from scenthound.crawler import judge_again as module
from scenthound.crawler.examples import ExamplePages
from scenthound.crawler.judge_again import judge_again
from scenthound.crawler.present_judge import digest_of
from scenthound.judges.labelled import LabelledJudge
from scenthound.library import open_library
from scenthound.model import Label, Page
from scenthound.protocols.library import Library
from tests.crawler.judged_library import BIRDS, BOTH, FERNS, NOTHING, SITE, WAITING, crawl, judged, relevant, settings
from tests.library.collection import stored

MORE = settings("birds", "ferns")


def priorities(library: Library) -> dict[str, float]:
    rows = [row for host in library.queues() for row in library.waiting(host.host, 100)]
    return {row.link.url: row.priority for row in rows}


async def test_another_topic_counts_what_a_fresh_crawl_with_it_counts(tmp_path: Path) -> None:
    await crawl(tmp_path / "old", settings("birds"))
    await crawl(tmp_path / "new", MORE)
    result = await judged(tmp_path / "old", MORE)
    with open_library(tmp_path / "old") as old, open_library(tmp_path / "new") as new:
        assert {page.url: page.relevance for page in old.pages()} == {page.url: page.relevance for page in new.pages()}
        assert relevant(old) == relevant(new) == {BIRDS, FERNS, BOTH}
        assert priorities(old) == priorities(new)
        assert old.judged_by() == new.judged_by() != ""
        first = {page.url: page.first_relevant for page in old.pages()}
        assert (first[FERNS], first[BIRDS]) == (False, True), "how it was first judged stays"
    assert (result.pages, result.unread, result.finished) == (5, 0, True)
    assert (result.relevant_before, result.relevant, result.came_in, result.went_out) == (2, 3, 1, 0)
    assert [(page.url, page.before) for page in result.now_in] == [(FERNS, 0.0)]
    assert result.ranked > 0


async def test_another_threshold_changes_what_counts(tmp_path: Path) -> None:
    await crawl(tmp_path / "x", settings("birds"))
    result = await judged(tmp_path / "x", settings("birds", crawl={"threshold": 0.999}))
    with open_library(tmp_path / "x") as library:
        assert relevant(library) == set()
        assert library.counts().relevant == 0
    assert (result.went_out, {page.url for page in result.now_out}) == (2, {BIRDS, BOTH})


async def test_labels_count_and_so_do_links_of_labelled_pages(tmp_path: Path) -> None:
    config = settings("birds", crawl={"strategy": "fish-search"})
    await crawl(tmp_path / "x", config)
    with open_library(tmp_path / "x") as library:
        before = priorities(library)
        library.add_labels([Label(FERNS, True), Label(BIRDS, False)])
    await judged(tmp_path / "x", config)
    with open_library(tmp_path / "x") as library:
        assert relevant(library) == {FERNS, BOTH}
        now = priorities(library)
    assert now[WAITING["fern"]] > before[WAITING["fern"]]
    assert now[WAITING["bird"]] < before[WAITING["bird"]]


async def test_who_stops_it_has_changed_nothing(tmp_path: Path) -> None:
    await crawl(tmp_path / "x", settings("birds"))
    seen: list[int] = []
    result = await judged(
        tmp_path / "x", MORE, progress=lambda done, whole: seen.append(done), stopping=lambda: len(seen) == 3
    )
    assert (result.finished, seen) == (False, [1, 2, 3])
    with open_library(tmp_path / "x") as library:
        assert relevant(library) == {BIRDS, BOTH}
        assert library.judged_by() == digest_of(settings("birds"), library, ExamplePages())


async def test_while_it_is_written_the_library_says_that_it_is_to_be_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await crawl(tmp_path / "x", settings("birds"))
    monkeypatch.setattr(module, "WRITTEN_AT_ONCE", 1)
    seen: list[int] = []
    await judged(tmp_path / "x", MORE, progress=lambda done, whole: seen.append(done), stopping=lambda: len(seen) == 3)
    with open_library(tmp_path / "x") as library:
        assert library.judged_by() == ""
    assert (await judged(tmp_path / "x", MORE)).finished
    with open_library(tmp_path / "x") as library:
        assert relevant(library) == {BIRDS, FERNS, BOTH}


async def test_a_page_that_cannot_be_read_keeps_its_judgement_unless_a_label_speaks(tmp_path: Path) -> None:
    with open_library(tmp_path / "x", create=True, settings=LibrarySection(warc=False)) as library:
        for n, (name, relevance) in enumerate((("kept", 0.7), ("no", 0.7), ("yes", 0.1))):
            library.record(stored(f"{SITE}/{name}", "birds", noindex=True, relevance=relevance, order=n))
        library.flush()
        judge = LabelledJudge(lambda page: 0.0, {f"{SITE}/no": False, f"{SITE}/yes": True})
        result = await judge_again(library, judge, 0.3, "now", language="en")
        found = {page.url.rpartition("/")[2]: (page.relevance, page.relevant) for page in library.pages()}
    assert found == {"kept": (0.7, True), "no": (0.0, False), "yes": (1.0, True)}
    assert (result.pages, result.unread, result.changed) == (0, 3, 2)


async def test_copies_are_judged_and_do_not_count(tmp_path: Path) -> None:
    with open_library(tmp_path / "x", create=True) as library:
        library.record(stored(BIRDS, "birds", relevance=0.0))
        library.record(stored(NOTHING, "birds", relevance=0.0, order=1, duplicate_of=BIRDS))
        library.flush()
        result = await judge_again(library, lambda page: 1.0, 0.5, "now", language="en")
        assert library.counts().relevant == 1
    assert (result.changed, result.came_in, result.relevant) == (2, 1, 1)


def test_many_pages_that_come_in_are_named_by_the_clearest(tmp_path: Path) -> None:
    with open_library(tmp_path / "x", create=True) as library:
        for n in range(30):
            library.record(stored(f"{SITE}/{n}", "birds", relevance=0.0, order=n))
        library.flush()

        def judge(page: Page) -> float:
            return 0.5 + int(page.url.rpartition("/")[2]) / 100

        result = asyncio.run(judge_again(library, judge, 0.5, "now", language="en"))
    assert result.came_in == 30
    assert [page.url for page in result.now_in] == [f"{SITE}/{n}" for n in range(29, 19, -1)]
