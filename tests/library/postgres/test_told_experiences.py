"""What workers tell each other: in one order for all, and not for ever."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from scenthound.config import LibrarySection
from scenthound.library import open_library, shard_leases
from scenthound.library.library_address import read_address

pytest.importorskip("psycopg", reason="comes with scenthound[cluster]")

from scenthound.library.postgres import told_experiences as module
from scenthound.library.postgres.told_experiences import ToldExperiences


@pytest.fixture
def board(tmp_path: Path, postgres: str) -> Iterator[ToldExperiences]:
    open_library(tmp_path, create=True, settings=LibrarySection(address=postgres, warc=False)).close()
    with closing(shard_leases(tmp_path, "driver")) as driver:
        driver.begin()
        driver.begin()  # a second crawl on the same library
    with closing(ToldExperiences(read_address(postgres))) as made:
        yield made


def test_others_hear_it_in_its_order(board: ToldExperiences) -> None:
    assert board.last_told() == 0
    for teller, content in (("a", b"1"), ("b", b"2"), ("a", b"3\x00")):
        board.tell(teller, content)
    assert board.told_since(0, "b") == [(1, "a", b"1"), (3, "a", b"3\x00")]
    assert board.told_since(1, "c") == [(2, "b", b"2"), (3, "a", b"3\x00")]
    assert board.last_told() == 3


def test_nobody_misses_what_was_told_while_it_listened(board: ToldExperiences, postgres: str) -> None:
    boards = [ToldExperiences(read_address(postgres)) for _ in range(3)]

    def talk(nth: int) -> None:
        for n in range(40):
            boards[nth].tell(f"w{nth}", f"{nth} {n}".encode())

    threads = [threading.Thread(target=talk, args=(nth,)) for nth in range(3)]
    for thread in threads:
        thread.start()
    heard: list[bytes] = []
    last = 0
    while any(thread.is_alive() for thread in threads) or board.last_told() > last:
        rows = board.told_since(last, "me")
        heard += [content for _, _, content in rows]
        last = rows[-1][0] if rows else last
    assert len(heard) == 120
    for each in boards:
        each.close()


def test_what_is_old_is_thrown_away(board: ToldExperiences, monkeypatch: pytest.MonkeyPatch) -> None:
    board.tell("a", b"old")
    monkeypatch.setattr(module, "KEPT", 0.0)
    board.tell("a", b"new")
    assert len(board.told_since(0, "b")) <= 1
