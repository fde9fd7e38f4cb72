"""The writer thread: order, backpressure, and what happens when storing fails."""

import errno
import os
import sqlite3
import threading
import time
from collections import deque
from pathlib import Path
from types import SimpleNamespace

import pytest

from scenthound.errors import LibraryError, LibraryFull
from scenthound.library import open_library
from scenthound.library.archive import warc_files
from scenthound.library.sql import writer
from scenthound.library.sql.row_batch import Counters, RowBatch
from scenthound.library.sqlite import migrations
from scenthound.model import Step
from tests.library.steps import SEED, entry, fetched
from tests.watchdog import PATIENCE


def test_a_lone_step_is_stored_at_once(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as library, open_library(tmp_path, write=False) as reader:
        library.record(fetched(entry(SEED)))
        deadline = time.monotonic() + PATIENCE
        while not reader.counts().fetched and time.monotonic() < deadline:
            time.sleep(0.001)
        assert reader.counts().fetched == 1


def test_a_full_queue_makes_the_crawl_wait(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "MOST_STEPS", 4)
    gate, sizes, write = threading.Event(), [], RowBatch.write

    def slow_write(self: RowBatch, connection: sqlite3.Connection) -> object:
        gate.wait()
        sizes.append(len(self._pages))
        return write(self, connection)

    monkeypatch.setattr(RowBatch, "write", slow_write)
    with open_library(tmp_path, create=True) as library:
        library.record(fetched(entry(SEED)))
        done = threading.Event()

        def record_many() -> None:
            for n in range(20):
                library.record(fetched(entry(f"http://a.example/{n}")))
            done.set()

        thread = threading.Thread(target=record_many)
        thread.start()
        assert not done.wait(0.05)
        gate.set()
        assert done.wait(5)
        thread.join()
        assert library.counts().fetched == 21
    assert max(sizes) <= 4


class CountedTransactions:
    """Notes how many steps each transaction has."""

    def __init__(self) -> None:
        self.sizes: list[int] = []

    def store(self, steps: deque[Step], changes: object) -> None:
        self.sizes.append(len(steps))

    def stored(self, count: int) -> None:
        pass

    finish = close = lambda self: None


def test_steps_gather_for_as_long_as_was_said() -> None:
    transactions = CountedTransactions()
    writing = writer.Writer(transactions, pause=3600.0)  # type: ignore[arg-type]
    writing.record(fetched(entry(SEED)))
    writing.flush()
    for n in range(5):
        writing.record(fetched(entry(f"http://a.example/{n}")))
    writing.flush()
    writing.close()
    assert transactions.sizes == [1, 5], "whoever wants to see them does not wait"


def test_a_batch_lets_go_of_its_steps() -> None:
    """A page is large and its rows are small: by the time they are written the queue has filled up again."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    migrations.migrate(connection, "memory")
    steps = deque(fetched(entry(f"http://a.example/{n}")) for n in range(3))
    batch = RowBatch(steps, connection, None, Counters(), set())
    assert not steps
    assert batch.write(connection).page == 4
    connection.close()


def test_large_bodies_fill_the_queue_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "MOST_BYTES", 1000)
    with open_library(tmp_path, create=True) as library:
        for n in range(20):
            library.record(fetched(entry(f"http://a.example/{n}"), body=b"%d" % n * 600))
        assert library.counts().fetched == 20


@pytest.mark.parametrize("moment", ["first", "later"])
def test_an_error_reaches_everyone_and_harms_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    library = open_library(tmp_path, create=True)
    if moment == "later":
        library.record(fetched(entry(SEED)))
        library.flush()
    write = RowBatch.write

    def fail(self: RowBatch, connection: sqlite3.Connection) -> None:
        write(self, connection)
        raise sqlite3.OperationalError("something broke")

    with monkeypatch.context() as patch:
        patch.setattr(RowBatch, "write", fail)
        library.record(fetched(entry("http://b.example/")))
        with pytest.raises(LibraryError, match="something broke"):
            library.flush()
    with pytest.raises(LibraryError, match="something broke"):
        library.record(fetched(entry("http://b.example/")))
    with pytest.raises(LibraryError, match="something broke"):
        library.close()
    with open_library(tmp_path) as library:  # the lock is free, and the step that failed left no trace
        stored = 1 if moment == "later" else 0
        assert library.counts().fetched == stored
        assert len(list((tmp_path / "warc").glob("*"))) == stored
        library.record(fetched(entry("http://b.example/")))
        assert library.body("http://b.example/") is not None


def test_a_disk_that_fills_up_in_the_middle_of_a_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    room = [1500]

    def write(fd: int, data: memoryview) -> int:
        if not room[0]:
            raise OSError(errno.ENOSPC, "No space left on device")
        written = os.write(fd, data[: room[0]])
        room[0] -= written
        return written

    monkeypatch.setattr(warc_files, "os", SimpleNamespace(**(vars(os) | {"write": write})))
    library = open_library(tmp_path, create=True)
    pages = [f"http://a.example/{n}" for n in range(10)]

    def record_all() -> None:
        for page in pages:
            library.record(fetched(entry(page)))
            library.flush()

    with pytest.raises(LibraryFull, match=r"No space left on device.*intact"):
        record_all()
    with pytest.raises(LibraryFull):
        library.close()
    monkeypatch.undo()
    with open_library(tmp_path, write=False) as library:
        stored = library.counts().fetched
        assert 0 < stored < len(pages)
        [path] = (tmp_path / "warc").iterdir()
        [last] = library.versions(pages[stored - 1])
        assert path.stat().st_size == last.offset + last.length


def test_many_threads_may_record(tmp_path: Path) -> None:
    with open_library(tmp_path, create=True) as library:

        def work(name: str) -> None:
            for n in range(50):
                library.record(fetched(entry(f"http://{name}.example/{n}")))

        threads = [threading.Thread(target=work, args=(name,)) for name in "abcd"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert library.counts().fetched == 200
