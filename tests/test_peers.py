"""What crawlers are compared on: a recorded web over real HTTP, of one host as it is, of many at an address each."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Event, Thread
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from benchmarks.peers_parts.recorded_web import ManyHosts, OneHost
from scenthound.lab.topics import LabTopic
from scenthound.model import Keyword
from tests.fetch.recorded import http, record, write
from tests.watchdog import no_hang

SERVER = Path(__file__).parents[1] / "benchmarks" / "peers_parts" / "recorded_web.py"
HOME = """<base href="http://www.a.edu/deep/"><h1>Home</h1><a href="x.html">near</a> <a href="/y?z=1">root</a>
<a href="https://lab.a.edu/">lab</a> <a href="http://www.b.edu/">out</a> <a href="mailto:me@a.edu">mail</a>
<frame src="f.html"><img src="i.png"> http://www.a.edu/in/text"""


@contextmanager
def served(warc: Path, **asked: object) -> Iterator[str]:
    command = [sys.executable, str(SERVER), str(warc), json.dumps(asked)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(server.stdout.readline())}"
        finally:
            server.kill()


def read(url: str) -> str:
    with urlopen(url) as answer:
        return str(answer.read().decode())


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.usefixtures("own_cache")
def test_hosts_have_addresses_and_links_lead_there(tmp_path: Path) -> None:
    warc = write(
        tmp_path / "web.warc.gz",
        record("http://www.a.edu/", http(HOME.encode())),
        record("http://lab.a.edu/", http("<p>größer".encode("latin-1"))),
        record("http://www.b.edu/", http(b"<p>elsewhere")),
    )
    with served(warc, starts=["http://www.a.edu/"], scope=["a.edu"], hosts=True) as origin:
        port = origin.rpartition(":")[2]
        lab, www = (f"http://127.0.1.{number}:{port}/{host}.a.edu" for number, host in ((1, "lab"), (2, "www")))
        assert json.loads(read(f"{origin}/seeds")) == [f"{www}/"]
        assert f'href="{www}/"' in read(f"{origin}/start.html")
        home = read(f"{www}/")
        for link in (f"{www}/deep/x.html", f"{www}/y?z=1", f"{lab}/"):
            assert f'href="{link}"' in home
        assert "b.edu" not in home
        assert "mailto:" not in home
        assert "http://www.a.edu/in/text" in home, "what is no link stays"
        assert "größer" in read(f"{lab}/"), "in one charset, and said so"
        with pytest.raises(HTTPError, match="404"):
            read(f"{www}/deep/x.html")
        assert json.loads(read(f"{origin}/requests"))["requests"] == 4


@pytest.mark.usefixtures("own_cache")
def test_one_host_is_served_byte_by_byte(tmp_path: Path) -> None:
    body = b'<a href="/b">\xff</a>'
    warc = write(tmp_path / "web.warc.gz", record("http://one.example/a%20b", http(body)))
    with served(warc, starts=["http://one.example/a%20b"]) as origin, urlopen(f"{origin}/a%20b") as answer:
        assert answer.read() == body


def test_addresses_come_back_as_recorded() -> None:
    """What a crawler says it took, in the spelling that targets have."""
    assert ManyHosts().url("/www.a.edu/~me/") == "http://www.a.edu/~me/"
    assert ManyHosts(hosts=["www.a.edu"], port=7).path("https://www.a.edu") == "http://127.0.1.1:7/www.a.edu/"
    assert ManyHosts(port=7).path("http://unknown.edu/x") == "http://127.0.0.1:7/unknown.edu/x"
    assert OneHost(["http://one.example/x"]).url("/y") == "http://one.example/y"


def test_so_far_are_the_topics_that_all_have_crawled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(SERVER.parents[1])  # as when it is run
    peers = importlib.import_module("peers")
    topics = [LabTopic(name=name, seeds=("http://a.edu/",), targets=("http://a.edu/x",)) for name in ("one", "two")]
    runs = {
        peer: [peers.Run(peer, "web", topic, 2, "1", urls) for topic in crawled]
        for peer, crawled, urls in (("a", ("one", "two"), ["http://a.edu/x"]), ("b", ("one",), []))
    }
    assert [topic.name for topic in peers.by_all(runs, topics)] == ["one"]
    assert peers.areas_of({name: made[:1] for name, made in runs.items()}, topics[:1]) == {
        "a": {"one": 1.0}, "b": {"one": 0.0}
    }  # fmt: skip


def test_our_lead_is_over_the_best_of_the_others_however_it_began(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(SERVER.parents[1])
    peers = importlib.import_module("peers")
    found = {
        "scenthound-auto": {"one": 0.3, "two": 0.5},
        "scenthound-auto-seeds": {"one": 0.6, "two": 0.6},
        "scenthound-best-first": {"one": 0.9, "two": 0.9},
        "scrapy-keywords": {"one": 0.2, "two": 0.2},
        "scrapy-keywords-seeds": {"one": 0.5, "two": 0.5},
    }
    _, _, page, named = peers.lead_table({"web": found}).splitlines()
    assert page.startswith("| one page with links | web | 2 | 0.400 | scrapy-keywords-seeds 0.500 | 0.80 |")
    assert named.startswith("| start pages by name | web | 2 | 0.600 | scrapy-keywords-seeds 0.500 | 1.20 |")
    assert "| 2/0/0 |" in named


def test_who_takes_several_start_pages_is_given_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.syspath_prepend(SERVER.parents[1])
    crawls = importlib.import_module("peers_parts.crawls")
    names = ("http://www.a.edu/", "http://www.a.edu/b")
    warc = write(tmp_path / "web.warc.gz", *(record(url, http(b"<p>reef of corals")) for url in names))
    topic = LabTopic(name="reefs", keywords=(Keyword("reef", 1.0),), seeds=names, targets=names, scope=("a.edu",))
    for named, wanted in ((False, 3), (True, 2)):
        peer = crawls.Peer("ours", "scenthound_pages.py", crawls.OURS, "best-first", named=named)
        run = crawls.Run(peer.name, "web", topic.name, 5, "")
        crawls.race(peer, Path(sys.executable), warc, topic, run, crawls.Limits(60, 60.0), tmp_path / "bytecode")
        assert not run.trouble
        assert len(run.urls) == wanted, "the page that links to them is a page as well"
        assert set(names) <= set(run.urls)


class StuckServer(ThreadingHTTPServer):
    def __init__(self, address: tuple[str, int], handler: type[BaseHTTPRequestHandler]) -> None:
        super().__init__(address, handler)
        self.leave = Event()
        self.stuck = 0  # requests that had no answer


class StuckWeb(BaseHTTPRequestHandler):
    """A page, and one that it links to and that never comes."""

    def do_GET(self) -> None:
        if self.path == "/stuck":
            assert isinstance(self.server, StuckServer)
            self.server.stuck += 1
            self.server.leave.wait()
            return
        body = b"" if self.path == "/robots.txt" else b'<p>reef of corals <a href="/stuck">on</a>'
        self.send_response(200)
        self.send_header("Content-Type", "text/plain" if not body else "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *said: object) -> None:
        pass


def test_our_crawler_says_what_it_took_as_it_comes(tmp_path: Path) -> None:
    """So that a crawl which is ended counts what it found until then."""
    with StuckServer(("127.0.0.1", 0), StuckWeb) as web:
        Thread(target=web.serve_forever, daemon=True).start()
        start = f"http://127.0.0.1:{web.server_port}/"
        task = {"seeds": [start], "query": "reef corals", "pages": 5, "strategy": "best-first", "connections": 0}
        program = SERVER.with_name("scenthound_pages.py")
        with subprocess.Popen([sys.executable, str(program), json.dumps(task)], stdout=subprocess.PIPE) as crawler:
            assert crawler.stdout is not None
            try:
                with no_hang():
                    assert json.loads(crawler.stdout.readline() or b"{}") == {"url": start}
                assert web.stuck <= 1, "it was said when nothing else had been given up yet"
            finally:
                crawler.kill()
                web.leave.set()
                web.shutdown()


def test_speeds_are_compared_round_by_round(monkeypatch: pytest.MonkeyPatch) -> None:
    """The machine is half as fast in the second round, and nobody looks slower beside the other for it."""
    monkeypatch.syspath_prepend(SERVER.parents[1])
    peers = importlib.import_module("peers")

    def speeds(a_second: float, cpu: float) -> list[object]:
        return [peers.Speed(11, a_second / slow, cpu * slow, 3.0 * slow) for slow in (1, 2)]

    row = peers.speed_row("other", speeds(20.0, 9.0), speeds(80.0, 3.0))
    assert row == ["other", "11", "15.0", "13.5", "4.5", "4.00", "3.00"]
    half = [*speeds(20.0, 9.0)[:1], None]
    assert peers.speed_row("other", half, speeds(80.0, 3.0))[-2:] == ["4.00", "3.00"]
    assert peers.speed_row("other", [None, None], speeds(80.0, 3.0))[2] == "no page"
    run = peers.Run("other", "web", "birds", 3, "", ["a", "b", "c"], asking=0.5, cpu=2.0, seconds=4.0)
    start = peers.Run("other", "web", "birds", 1, "", ["a"], cpu=1.0)
    assert peers.speed_of(run, start) == peers.Speed(3, 4.0, 500.0, 4.0)
    assert peers.speed_of(start, start) is None
