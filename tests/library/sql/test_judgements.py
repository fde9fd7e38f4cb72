"""Judging again on a disk: killed at any moment nothing is lost and nothing half, and it is done again."""

import random
import sqlite3
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path

import pytest

from scenthound.library import open_library
from scenthound.library.sql import judgements
from scenthound.protocols.library import Library
from tests.library.judging import SMALL_BATCH
from tests.library.steps import SEED, entry, fetched

ROOT = Path(__file__).parents[3]
PAGES = 4000


def start(folder: Path, *how: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.library.judging", str(folder), *how]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def changed_pages(library: Library) -> int:
    """How many pages have the new judgement, after making sure that all is whole."""
    pages = list(library.pages())
    assert len(pages) == PAGES
    assert {(page.first_relevance, page.first_relevant) for page in pages} == {(0.75, True)}
    assert library.harvest() == [(0.75, True)] * PAGES
    judged = [(page.relevance, page.relevant) for page in pages]
    new = judged.count((0.25, False))
    assert judged == [(0.25, False)] * new + [(0.75, True)] * (PAGES - new)
    assert new == PAGES or new % SMALL_BATCH == 0, "a batch is there whole or not at all"
    counted = Counter(page.host for page in pages if page.relevant)
    assert {row.host: row.relevant for row in library.hosts() if row.relevant} == dict(counted)
    assert library.counts().relevant == counted.total()
    return new


@pytest.mark.skipif(sys.platform == "win32", reason="no kill -9")
def test_kill_at_any_moment(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as library:
        for n in range(PAGES):
            library.record(fetched(entry(f"http://host{n % 7}.example/{n}", order=n), float(n)))
        library.note_judged_by("before")
    dice, seen = random.Random(), 0
    for _ in range(4):
        process = start(tmp_path, "after", "forever")
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(dice.uniform(0.0, 0.05))
        process.kill()
        process.stdout.close()
        process.wait()
        with open_library(tmp_path, write=False) as library:
            new = changed_pages(library)
            assert new >= seen
            assert library.judged_by() == "before"
            assert library.judged_again() is None
            seen = new
        with sqlite3.connect(tmp_path / "library.db") as connection:
            assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        connection.close()
    process = start(tmp_path, "after")
    process.communicate()
    assert process.returncode == 0
    with open_library(tmp_path, write=False) as library:
        assert changed_pages(library) == PAGES
        assert library.judged_by() == "after"


def test_steps_recorded_before_are_stored_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And those that another thread records meanwhile are neither lost nor counted wrong."""
    monkeypatch.setattr(judgements, "BATCH", 1)
    with open_library(tmp_path, create=True) as library:
        library.record(fetched(entry(SEED)))
        stop = threading.Event()

        def crawl() -> None:
            n = 0
            while not stop.is_set():
                library.record(fetched(entry(f"http://b.example/{n}")))
                n += 1

        crawling = threading.Thread(target=crawl)
        crawling.start()
        try:
            for n in range(12):
                assert library.judge_again([(SEED, n / 12, n % 2 == 0)]) == 1
        finally:
            stop.set()
            crawling.join()
        assert library.page(SEED).relevant is False
        hosts = {row.host: (row.pages, row.relevant) for row in library.hosts()}
        assert hosts["a.example"] == (1, 0)
        assert hosts["b.example"][0] == hosts["b.example"][1] == library.counts().relevant


def test_a_reader_does_not_judge(tmp_path: Path) -> None:
    open_library(tmp_path, create=True).close()
    with open_library(tmp_path, write=False) as library:
        with pytest.raises(TypeError, match="for reading"):
            library.judge_again([])
        with pytest.raises(TypeError, match="for reading"):
            library.note_judged_by("x")


def test_an_error_in_the_judge_keeps_what_was_judged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judgements, "BATCH", 2)
    with open_library(tmp_path, create=True) as library:
        for n in range(5):
            library.record(fetched(entry(f"http://a.example/{n}", order=n)))
        with pytest.raises(ZeroDivisionError):
            library.judge_again((page.url, 1 / (4 - page.seq), False) for page in library.pages())
        assert [page.relevant for page in library.pages()] == [False, False, True, True, True]
        library.judge_again([("http://a.example/4", 0.0, False)])
        assert library.counts().relevant == 2
