"""kill -9 at more than twenty random moments of one crawl: nothing stored is lost, nothing stored twice, it goes on.

The crawl is deterministic, so in the end it must have fetched the same pages in the same order as one left in peace.
"""

import gzip
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from scenthound.library import open_library
from tests.crawl_to_be_killed import PAGES

KILLS = 22
SCRIPT = Path(__file__).with_name("crawl_to_be_killed.py")


def start(folder: Path, log: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, str(SCRIPT), str(folder), str(log)], cwd=SCRIPT.parents[1])


def finish(folder: Path, log: Path) -> None:
    assert start(folder, log).wait(timeout=120) == 0


def requests_in(log: Path) -> int:
    return log.read_bytes().count(b"\n") if log.exists() else 0


def stored(folder: Path, checked: int = 0) -> list[str]:
    """The pages in order, after a look at everything that must hold whatever happened.

    The bodies of the first `checked` pages are left alone.
    """
    if not (folder / "library.db").exists():
        return []
    with sqlite3.connect(folder / "library.db") as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        if not database.execute("PRAGMA user_version").fetchone()[0]:
            return []  # killed before the tables were made
        waiting_pages = "SELECT count(*) FROM pages JOIN urls USING (id) WHERE state = 0"
        assert database.execute(waiting_pages).fetchone() == (0,)
    database.close()
    with open_library(folder, write=False) as library:
        pages = [page.url for page in library.pages()]
        assert len(set(pages)) == len(pages)
        for page in library.pages(after=checked):
            if not page.noindex:
                body = library.body(page.url)
                assert body is not None
                assert len(body.body) == page.bytes
    return pages


def check_warc(folder: Path) -> int:
    """Every file is whole gzip members from the first byte to the last; returns how many records there are."""
    count = 0
    for path in sorted((folder / "warc").glob("*.warc.gz")):
        with gzip.open(path) as file:
            count += file.read().count(b"\r\nWARC-Type: re")
    return count


def test_killed_again_and_again(tmp_path: Path) -> None:
    calm, folder = tmp_path / "calm", tmp_path / "killed"
    finish(calm, tmp_path / "calm.log")
    wanted = stored(calm)
    assert len(wanted) == PAGES

    dice, log = random.Random(7), tmp_path / "killed.log"
    before: list[str] = []
    for kill in range(KILLS):
        process = start(folder, log)
        moment = requests_in(log) + dice.randrange(1, 2 * PAGES // KILLS)
        while process.poll() is None and requests_in(log) < moment:
            time.sleep(0.002)
        time.sleep(dice.random() * 0.03)
        process.send_signal(signal.SIGKILL)
        process.wait()
        after = stored(folder, checked=len(before))
        assert after[: len(before)] == before, f"kill {kill} lost pages"
        before = after

    finish(folder, log)
    assert stored(folder) == wanted
    assert check_warc(folder) == check_warc(calm)
    asked = Counter(log.read_text().split())
    calm_asked = Counter((tmp_path / "calm.log").read_text().split())
    again = sum((asked - calm_asked).values())
    # One request at a time: what is asked for again is what was under way or waited to be stored when the end came.
    assert again <= KILLS * 25
