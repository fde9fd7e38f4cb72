"""A worker learns from the pages of others, each once, and not from its own a second time."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from scenthound.cluster import shared_learning
from scenthound.cluster.shared_learning import SharedLearning
from scenthound.crawler.assemble import make_scope
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.library import open_library
from scenthound.library.shards import shard_of
from scenthound.model import Page, Ranked, Visit
from tests.crawler.judged_library import settings
from tests.library.collection import zoo

ZOO = shard_of("www.zoo.example")


@dataclass
class Learner:
    seen: list[str] = field(default_factory=list)

    def learn(self, visit: Visit) -> None:
        self.seen.append(visit.page.url)

    def rank(self, visit: Visit) -> list[Ranked]:
        return []


@dataclass
class Watching:
    seen: list[str] = field(default_factory=list)

    def __call__(self, page: Page) -> float:
        return 0.5

    def saw(self, page: Page) -> None:
        self.seen.append(page.url)


def learning(folder: Path, shards: frozenset[int], last: int = 0) -> tuple[SharedLearning, Learner, Watching]:
    config, strategy, judge = settings("otters"), Learner(), Watching()
    library = open_library(folder, write=False)
    parts = CrawlParts(strategy, judge, make_scope(config))
    return SharedLearning(parts, config, library, shards, last), strategy, judge


def pages_of(folder: Path) -> list[tuple[int, str, str]]:
    with open_library(folder, write=False) as library:
        return [(page.seq, page.host, page.url) for page in library.pages() if not page.noindex]


def test_pages_of_other_shards_are_learned_from_once_and_in_their_order(tmp_path: Path) -> None:
    folder = zoo(tmp_path)
    others = [url for _, host, url in pages_of(folder) if shard_of(host) != ZOO]
    assert others, "there are pages of others"
    shared, strategy, judge = learning(folder, frozenset({ZOO}))
    assert shared.catch_up() == len(others)
    assert strategy.seen == judge.seen == others
    assert shared.catch_up() == 0


def test_it_begins_behind_the_last_page_that_was_known(tmp_path: Path) -> None:
    folder = zoo(tmp_path)
    known, *later = pages_of(folder)
    shared, strategy, _ = learning(folder, frozenset(), last=known[0])
    shared.catch_up()
    assert strategy.seen == [url for _, _, url in later]


def test_of_many_the_newest_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them has no answer that could be read back."""
    folder = zoo(tmp_path)
    monkeypatch.setattr(shared_learning, "MOST", 3)
    shared, strategy, _ = learning(folder, frozenset())
    assert shared.catch_up() == 2
    assert strategy.seen == [url for _, _, url in pages_of(folder)][-2:]
