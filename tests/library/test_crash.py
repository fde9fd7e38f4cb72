"""Whatever happens to the process or the disk, what is stored is a whole number of steps, and the archive agrees."""

import random
import subprocess
import sys
import time
from argparse import Namespace
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator
from warcio.checker import Checker

from scenthound.library import open_library
from tests.library.recorder import LINKS, crawl_on, step, url

ROOT = Path(__file__).parents[2]


def check(folder: Path) -> int:
    """How many steps are stored, after making sure that they are whole and that nothing else is."""
    open_library(folder).close()  # mends what a crash left behind
    with open_library(folder, write=False) as library:
        pages = [page.url for page in library.pages()]
        assert pages == [url(n) for n in range(len(pages))]
        known = dict(library.known())
        assert len(known) == len(pages) * (1 + LINKS)
        assert sum(known.values()) == len(pages) * LINKS
        assert library.next_order() == len(pages) * LINKS
        for n in range(0, len(pages), 7):
            assert len(library.outlinks(url(n))) == LINKS
            if (folder / "warc").exists():
                assert library.body(url(n)).body == step(n).response.body
    archived = []
    for path in sorted((folder / "warc").glob("*")):
        checker = Checker(Namespace(inputs=[str(path)], verbose=False))
        checker.process_all()
        assert checker.exit_value == 0
        with path.open("rb") as file:
            answers = [record for record in ArchiveIterator(file) if record.rec_type in ("response", "revisit")]
            archived += [record.rec_headers["WARC-Target-URI"] for record in answers]
    assert archived == (pages if (folder / "warc").exists() else [])
    return len(pages)


@pytest.mark.skipif(sys.platform == "win32", reason="no kill -9")
def test_kill_at_any_moment(tmp_path: Path) -> None:
    folder, stored, dice = tmp_path / "library", 0, random.Random()
    for _ in range(4):
        command = [sys.executable, "-m", "tests.library.recorder", str(folder), "100000"]
        process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        process.stdout.readline()  # it has stored its first pages
        time.sleep(dice.uniform(0.0, 0.2))
        process.kill()
        promised = [int(line) for line in process.stdout.read().split()]
        process.stdout.close()
        process.wait()
        with open_library(folder, write=False) as library:  # before anything is mended
            seen = library.counts().fetched
        now = check(folder)
        assert now == seen
        assert now >= max(promised, default=stored)
        assert now > stored
        stored = now


@pytest.mark.skipif(sys.platform == "win32", reason="no file size limits")
@pytest.mark.parametrize(("mode", "limit"), [("warc", 600_000), ("no-warc", 500_000)])
def test_full_disk(tmp_path: Path, mode: str, limit: int) -> None:
    """A file that cannot grow stands for a disk that is full: the error says so, and the library goes on later."""
    folder = tmp_path / "library"
    command = [sys.executable, "-m", "tests.library.recorder", str(folder), "10000", mode, str(limit)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60)
    assert "full:" in ended.stdout, ended.stderr
    assert "cannot be written to" in ended.stdout
    assert ended.returncode == 0, ended.stderr
    stored = check(folder)
    assert stored > 0
    crawl_on(folder, 20, warc=mode == "warc")
    assert check(folder) == stored + 20
