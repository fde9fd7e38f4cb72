"""kill -9 in the midst of a website crawl: it goes on and ends with the same pages and the same list of sites."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from msgspec.structs import replace

from scenthound.library import open_library
from scenthound.sites.site_list import FoundSite, found_sites
from tests.sites.sites_to_be_killed import PAGES

KILLS = 5
SCRIPT = Path(__file__).with_name("sites_to_be_killed.py")


def start(folder: Path, log: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, str(SCRIPT), str(folder), str(log)], cwd=SCRIPT.parents[2])


def pages(folder: Path) -> list[str]:
    with open_library(folder, write=False) as library:
        return [page.url for page in library.pages()]


def rows(folder: Path) -> list[FoundSite]:
    found = found_sites(folder, everything=True)
    assert found is not None
    return [replace(row, first_at=0.0) for row in found]


def requests_in(log: Path) -> int:
    return log.read_bytes().count(b"\n") if log.exists() else 0


def test_killed_and_started_again(tmp_path: Path) -> None:
    calm, folder, log = tmp_path / "calm", tmp_path / "killed", tmp_path / "killed.log"
    assert start(calm, tmp_path / "calm.log").wait(timeout=60) == 0
    assert len(pages(calm)) == PAGES
    dice = random.Random(3)
    for _ in range(KILLS):
        process = start(folder, log)
        moment = requests_in(log) + dice.randrange(1, 2 * PAGES // KILLS)
        while process.poll() is None and requests_in(log) < moment:
            time.sleep(0.002)
        time.sleep(dice.random() * 0.02)
        process.send_signal(signal.SIGKILL)
        process.wait()
    assert start(folder, log).wait(timeout=60) == 0
    assert pages(folder) == pages(calm)
    assert rows(folder) == rows(calm)
    assert sum(row.relevant for row in rows(calm)) >= 3
