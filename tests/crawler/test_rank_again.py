from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from scenthound import urls
from scenthound.crawler.assemble import make_scope
from scenthound.crawler.rank_again import RankingAgain
from scenthound.errors import LibraryDamaged
from scenthound.library import open_library
from scenthound.library.stored_pages import visits
from scenthound.model import Link, MergeRule, Ranked, Visit
from scenthound.protocols.library import Library
from tests.crawler.judged_library import BIRDS, BOTH, FERNS, SITE, WAITING, WEB, crawl, settings
from tests.small_web import answer, page

SHARED = f"{SITE}/shared"
LINKED = {
    **WEB,
    BIRDS: page(f"1={SHARED}", text="birds sing in the morning and build a nest. " * 8),
    FERNS: page(f"1={SHARED}", f"1={WAITING['fern']}", text="ferns grow in the shade below each frond. " * 8),
    BOTH: page(f"1={SHARED}", f"1={SITE}/never", text="birds and ferns share the wood, side by side. " * 8),
}


@dataclass
class ByRelevance:
    """Every link of a page gets its relevance."""

    merge: MergeRule = "max"
    learned: list[str] = field(default_factory=list)
    told: list[str] = field(default_factory=list)

    def learn(self, visit: Visit) -> None:
        self.learned.append(visit.page.url)

    def missed(self, link: Link) -> None:
        self.told.append(link.url)

    def rank(self, visit: Visit) -> list[Ranked]:
        return [Ranked(link, visit.relevance) for link in visit.page.links]


def ranked_again(library: Library, strategy: ByRelevance, relevance: dict[str, float]) -> dict[str, float]:
    """URL -> priority, when pages have these relevances."""
    config = settings("birds")
    ranking = RankingAgain(config, strategy, make_scope(config), library)
    for each in visits(library, "en"):
        row = library.url_row(each.stored.url)
        assert row is not None
        visit = Visit(row.link, each.visit.page, relevance.get(row.url, 0.0), False, each.stored.depth)
        ranking.saw(visit, row, whole=row.url != BOTH)
    names = {urls.fingerprint(url): url for url in (SHARED, WAITING["fern"], f"{SITE}/never", BIRDS)}
    return {names[number]: priority for number, priority in ranking.priorities()}


@pytest.mark.parametrize(("rule", "expected"), [("max", 0.8), ("min", 0.2), ("last", 0.5), ("mean", 0.5)])
async def test_what_several_pages_say_of_a_link_is_merged_by_the_rule(
    tmp_path: Path, rule: MergeRule, expected: float
) -> None:
    await crawl(tmp_path / "x", settings("birds"), web=LINKED)
    with open_library(tmp_path / "x") as library:
        found = ranked_again(library, ByRelevance(rule), {BIRDS: 0.8, FERNS: 0.2, BOTH: 0.5})
    assert found == {SHARED: pytest.approx(expected), WAITING["fern"]: 0.2}, "waiting links alone, within the scope"


async def test_a_learner_learns_from_what_came_back_whole(tmp_path: Path) -> None:
    await crawl(tmp_path / "x", settings("birds", crawl={"pages": 6}), web={**LINKED, SHARED: ""})
    strategy = ByRelevance()
    with open_library(tmp_path / "x") as library:
        ranked_again(library, strategy, {})
        assert strategy.learned == [page.url for page in library.pages() if page.url != BOTH]
        assert strategy.told == [link.url for link in library.failed()]


async def test_a_learner_hears_of_redirects_before_the_page_they_led_to(tmp_path: Path) -> None:
    web = {**LINKED, SHARED: answer(SHARED, status=301, location=f"{SITE}/new"), f"{SITE}/new": page()}
    await crawl(tmp_path / "x", settings("birds", crawl={"pages": 6}), web=web)
    strategy = ByRelevance()
    strategy.moved = lambda link, target: strategy.learned.append(f"{link.url} {target}")  # type: ignore[attr-defined]
    with open_library(tmp_path / "x") as library:
        ranked_again(library, strategy, {})
    place = strategy.learned.index(f"{SITE}/new")
    assert strategy.learned[place - 1] == f"{SHARED} {SITE}/new"


async def test_a_seed_that_waits_still_goes_first(tmp_path: Path) -> None:
    config = settings("birds", crawl={"seeds": [f"{SITE}/", SHARED], "pages": 1})
    await crawl(tmp_path / "x", config, web=LINKED)
    with open_library(tmp_path / "x") as library:
        ranking = RankingAgain(config, ByRelevance(), make_scope(config), library)
        assert list(ranking.priorities()) == [(urls.fingerprint(SHARED), 1e6)]


@pytest.mark.parametrize("first", ["outlinks", "auto"])
async def test_another_strategy_ranks_anew_what_waits(first: str, tmp_path: Path) -> None:
    """The priorities of two strategies say nothing about each other: those of the first are not left among them."""
    await crawl(tmp_path / "changed", settings("birds", crawl={"strategy": first}), web=LINKED)
    await crawl(tmp_path / "changed", settings("birds"), web=LINKED)
    await crawl(tmp_path / "fresh", settings("birds"), web=LINKED)
    with open_library(tmp_path / "changed") as changed, open_library(tmp_path / "fresh") as fresh:
        now, right = (
            {row.link.url: row.priority for row in library.waiting("a.test", 100)} for library in (changed, fresh)
        )
    both = now.keys() & right.keys()  # one of them may have asked for a link in vain that the other has yet to ask for
    assert both
    assert {url: now[url] for url in both} == pytest.approx({url: right[url] for url in both})


async def test_a_learner_goes_on_without_the_page_that_an_archive_lost(tmp_path: Path) -> None:
    await crawl(tmp_path, settings("birds"))
    (archive,) = (tmp_path / "warc").glob("*.warc.gz")
    archive.write_bytes(archive.read_bytes()[:-200])
    with open_library(tmp_path) as library:
        whole = [each.stored.url for each in visits(library, "en", whole=True)]
        assert len(whole) == library.counts().fetched - 1
        with pytest.raises(LibraryDamaged):
            list(visits(library, "en"))
    await crawl(tmp_path, settings("birds", pages=6, crawl={"strategy": "auto"}))
