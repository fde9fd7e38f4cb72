"""Keys that steer a crawl: what each does, and on a real terminal."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path
from types import SimpleNamespace

import pytest

from scenthound.cli.views.crawl_keys import CrawlKeys
from scenthound.cli.views.live_screen import KEYS, Screen
from scenthound.config import Config
from tests.cli.views.test_live_screen import progress_of
from tests.watchdog import no_hang


class Crawl:
    """A crawl that remembers what was done to it."""

    def __init__(self) -> None:
        self.config = Config()
        self.fetcher = SimpleNamespace(parallel=2)
        self.paused = False

    def pause(self) -> None:
        self.paused = True

    def go_on(self) -> None:
        self.paused = False


class Session:
    def __init__(self) -> None:
        self.crawl = Crawl()
        self.plan = SimpleNamespace(config=self.crawl.config)
        self.stopping = False

    def change_settings(self, config: Config) -> None:
        self.crawl.config = config
        self.crawl.fetcher.parallel = config.fetch.parallel


def keys_of(session: Session) -> tuple[CrawlKeys, Screen, list[str]]:
    screen, stopped = Screen(progress_of(1), "x"), list[str]()
    return CrawlKeys(session, screen, lambda: stopped.append("stop")), screen, stopped  # type: ignore[arg-type]


def test_p_pauses_and_goes_on() -> None:
    session = Session()
    keys, screen, _ = keys_of(session)
    keys.press("p")
    assert session.crawl.paused
    assert "p goes on" in screen.notice
    keys.press("P")
    assert not session.crawl.paused
    assert screen.notice == ""


def test_plus_and_minus_change_how_many_requests_are_under_way() -> None:
    session = Session()
    keys, screen, _ = keys_of(session)
    for key in "++=":
        keys.press(key)
    assert session.crawl.fetcher.parallel == session.crawl.config.fetch.parallel == 5
    assert "Up to 5 requests at once" in screen.notice
    for _ in range(4):
        keys.press("-")
    assert session.crawl.fetcher.parallel == 1
    assert "Up to 1 request at once" in screen.notice
    keys.press("-")
    assert session.crawl.fetcher.parallel == 1
    assert "the least" in screen.notice


def test_a_replay_says_why_it_stays_at_one() -> None:
    session = Session()
    session.crawl.config.fetch.recorded = ["web.warc.gz"]
    keys, screen, _ = keys_of(session)
    keys.press("+")
    assert session.crawl.fetcher.parallel == 2
    assert "one page at a time" in screen.notice


def test_sort_help_and_stop() -> None:
    keys, screen, stopped = keys_of(Session())
    orders = []
    for _ in range(4):
        keys.press("s")
        orders.append(screen.order)
    assert orders[0] == orders[3] != orders[1] != orders[2]
    keys.press("?")
    assert screen.help
    keys.press("?")
    assert not screen.help
    keys.press("q")
    assert stopped == ["stop"]


def test_other_keys_do_nothing() -> None:
    keys, screen, stopped = keys_of(Session())
    before = vars(screen).copy()
    for number in range(128):
        if chr(number).lower() not in {*KEYS, "="}:
            keys.press(chr(number))
    assert vars(screen) == before
    assert not stopped


@pytest.mark.skipif(sys.platform == "win32", reason="a terminal as Unix has them")
def test_keys_steer_a_crawl_on_a_terminal(tmp_path: Path) -> None:
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(ours, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    before = termios.tcgetattr(theirs)
    own_terminal = partial(fcntl.ioctl, 0, termios.TIOCSCTTY, 0)
    program = [sys.executable, "-c", "from scenthound.cli.main import main; main()"]
    folder = tmp_path / "demo"
    with (
        no_hang(),
        subprocess.Popen(
            [*program, "crawl", "--demo", "--into", str(folder)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            preexec_fn=own_terminal,
            cwd=tmp_path,
            env={**os.environ, "TERM": "xterm", "COLUMNS": "60", "LINES": "24"},
        ) as process,
    ):
        shown_until(ours, "p pause · + - parallel")
        for key, mark in (
            ("p", "Paused:"),
            ("\x1b[A", "· paused"),  # an arrow means nothing
            ("+", "Up to 2 requests at once"),
            ("s", "newest first"),
            ("?", "show and hide this"),
            ("?", "Last pages"),
            ("p", "left, until about"),
            ("q", "stopped by you"),
        ):
            os.write(ours, key.encode())
            shown_until(ours, mark)
        rest = shown_until(ours, f"crawl {folder}"[:30])
        assert process.wait() == 0, rest
        assert termios.tcgetattr(theirs) == before  # the terminal is as it was
    os.close(theirs)
    os.close(ours)


def shown_until(terminal: int, mark: str) -> str:
    shown = b""
    while mark.encode() not in shown:
        shown += os.read(terminal, 65_536)
    return shown.decode("utf-8", "replace")
