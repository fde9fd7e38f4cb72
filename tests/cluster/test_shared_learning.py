"""A worker learns from the pages of others, each once, and not from its own a second time: told, or read back."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

import pytest

from scenthound.cluster import shared_learning
from scenthound.cluster.shared_learning import ReadBackLearning, ToldLearning
from scenthound.cluster.shared_learning import shared_learning as shared_learning_for
from scenthound.crawler.assemble import make_scope
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.library import open_library
from scenthound.library.shards import shard_of
from scenthound.model import Link, Page, Ranked, Step, Visit, Waiting
from scenthound.protocols.snapshots import Snapshot
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


def learning(folder: Path, shards: frozenset[int], last: int = 0) -> tuple[ReadBackLearning, Learner, Watching]:
    config, strategy, judge = settings("otters"), Learner(), Watching()
    library = open_library(folder, write=False)
    parts = CrawlParts(strategy, judge, make_scope(config))
    return ReadBackLearning(parts, config, library, shards, last), strategy, judge


def pages_of(folder: Path) -> list[tuple[int, str, str]]:
    with open_library(folder, write=False) as library:
        return [(page.seq, page.host, page.url) for page in library.pages() if not page.noindex]


def test_pages_of_other_shards_are_learned_from_once_and_in_their_order(tmp_path: Path) -> None:
    folder = zoo(tmp_path)
    others = [url for _, host, url in pages_of(folder) if shard_of(host) != ZOO]
    assert others, "there are pages of others"
    shared, strategy, judge = learning(folder, frozenset({ZOO}))
    assert shared.read_back() == len(others)
    assert strategy.seen == judge.seen == others
    assert shared.read_back() == 0


def test_it_begins_behind_the_last_page_that_was_known(tmp_path: Path) -> None:
    folder = zoo(tmp_path)
    known, *later = pages_of(folder)
    shared, strategy, _ = learning(folder, frozenset(), last=known[0])
    shared.read_back()
    assert strategy.seen == [url for _, _, url in later]


def test_of_many_the_newest_are_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One of them has no answer that could be read back."""
    folder = zoo(tmp_path)
    monkeypatch.setattr(shared_learning, "MOST_READ", 3)
    shared, strategy, _ = learning(folder, frozenset())
    assert shared.read_back() == 2
    assert strategy.seen == [url for _, _, url in pages_of(folder)][-2:]


# Told


@dataclass
class Teller:
    """Learns the numbers of pages, and says them."""

    known: list[int] = field(default_factory=list)
    last: int | None = None

    def learn(self, visit: Visit) -> None:
        self.last = int(visit.page.url)
        self.known.append(self.last)

    def rank(self, visit: Visit) -> list[Ranked]:
        return []

    def experience(self) -> Snapshot | None:
        last, self.last = self.last, None
        return None if last is None else Snapshot(1, {"page": last})

    def take_experience(self, experience: Snapshot, teller: str) -> None:
        self.known.append(experience.of_version(1)[0]["page"])


class Board:
    """Where workers write: `protocols.shards.SharedLibrary`, as much of it as is needed."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, str, bytes]] = []

    def tell(self, teller: str, content: bytes) -> None:
        self.rows.append((len(self.rows) + 1, teller, content))

    def told_since(self, number: int, teller: str) -> list[tuple[int, str, bytes]]:
        return [row for row in self.rows if row[0] > number and row[1] != teller]

    def last_told(self) -> int:
        return len(self.rows)


STEP = Step(lease=Waiting(1, Link("http://a.example/"), "a.example", 0.0, 0, 0), state="fetched", at=0.0)


class Pupil:
    """A worker's learning, by a clock that is set."""

    def __init__(self, board: Board) -> None:
        config = settings("otters")
        self.strategy, self.now = Teller(), 0.0
        parts = CrawlParts(self.strategy, lambda page: 0.5, make_scope(config))
        self.learning = ToldLearning(parts, board, lambda: self.now)  # type: ignore[arg-type]

    def visits(self, page: int) -> None:
        link = Link("http://a.example/")
        self.strategy.learn(Visit(link, Page(url=str(page)), 0.5, True, 0))
        self.learning(STEP)

    async def catches_up(self) -> int:
        self.now += shared_learning.EVERY
        return await self.learning.catch_up()


async def test_what_a_page_taught_is_told_to_the_others_once() -> None:
    board = Board()
    one, two = Pupil(board), Pupil(board)
    one.visits(1)
    one.visits(2)
    two.visits(3)
    assert await one.catches_up() == 0
    assert await two.catches_up() == 2
    assert await one.catches_up() == 1
    assert one.strategy.known == [1, 2, 3]
    assert two.strategy.known == [3, 1, 2]
    assert await two.catches_up() == 0
    assert len(board.rows) == 2, "a row for all pages since the last time"


async def test_it_is_not_asked_more_often_than_every_so_often() -> None:
    board = Board()
    one, two = Pupil(board), Pupil(board)
    await two.catches_up()
    one.visits(1)
    await one.catches_up()
    assert await two.learning.catch_up() == 0
    assert await two.catches_up() == 1


async def test_of_very_much_the_newest_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shared_learning, "MOST", 2)
    board = Board()
    one, two = Pupil(board), Pupil(board)
    for page in range(9):
        one.visits(page)
    await one.catches_up()
    await two.catches_up()
    assert two.strategy.known[-2:] == [7, 8]
    assert len(two.strategy.known) <= 4, "two for each of strategy and judge"


async def test_who_begins_later_hears_what_is_told_from_then_on() -> None:
    board = Board()
    one = Pupil(board)
    one.visits(1)
    await one.catches_up()
    late = Pupil(board)
    one.visits(2)
    await one.catches_up()
    assert await late.catches_up() == 1
    assert late.strategy.known == [2]


async def test_what_another_version_says_teaches_nothing() -> None:
    board = Board()
    one, two = Pupil(board), Pupil(board)
    one.strategy.experience = lambda: Snapshot(2, {})  # type: ignore[method-assign]
    one.visits(1)
    await one.catches_up()
    assert await two.catches_up() == 0
    assert two.strategy.known == []


def test_pages_are_read_back_only_where_somebody_cannot_say_what_it_learned(tmp_path: Path) -> None:
    config = settings("otters")
    library = open_library(zoo(tmp_path), write=False)

    def way(strategy: object, judge: object) -> type:
        parts = CrawlParts(strategy, judge, make_scope(config))  # type: ignore[arg-type]
        return type(shared_learning_for(parts, config, Both(library), frozenset(), 0, lambda: 0.0))  # type: ignore[arg-type]

    class Both(Board):
        def __init__(self, inside: object) -> None:
            super().__init__()
            self.inside = inside

    assert way(Teller(), lambda page: 0.5) is ToldLearning
    assert way(Learner(), lambda page: 0.5) is ReadBackLearning
    assert way(Teller(), Watching()) is ReadBackLearning
    library.close()
