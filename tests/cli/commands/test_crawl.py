"""Whole crawls through the command line, over real HTTP on loopback; in a process of its own where signals matter."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from scenthound import config as toml
from scenthound.cli.main import app
from tests.served_pages import serving_pages
from tests.watchdog import PATIENCE

PROGRAM = [sys.executable, "-c", "from scenthound.cli.main import main; main()"]
runner = CliRunner()


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


class Site(BaseHTTPRequestHandler):
    """Pages without end: /5 links to /6 ... /9; every third one is about birds. /stall/... takes its time."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        path = self.path.strip("/")
        if path == "robots.txt":
            return self._answer(404, "")
        if path.startswith("stall"):
            time.sleep(600)
        number = int(path.rpartition("/")[2] or 0)
        folder = "stall/" if self.path.startswith("/to-stall") else ""
        subject = "birds and the song of birds" if number % 3 == 0 else "accounts and taxes"
        links = "".join(f'<a href="/{folder}{number + step}">{subject} {step}</a> ' for step in range(1, 5))
        words = " ".join(f"word{(number * 7919 + step * 104729) % 9973}" for step in range(60))
        return self._answer(200, f"<title>{subject} {number}</title><p>{subject} {words}</p>{links}")

    def _answer(self, status: int, body: str) -> None:
        payload = body.encode()
        self.send_response(status)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(payload)))
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, format: str, *arguments: Any) -> None:
        pass


@pytest.fixture
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
    server.daemon_threads = True
    server.block_on_close = False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def crawl_of(site: str, *more: str, start: str = "0", delay: str = "0.01") -> list[str]:
    return ["crawl", "birds", "-s", f"{site}/{start}", "--allow-private", "--delay", delay, *more]


def run(*arguments: str) -> Result:
    return runner.invoke(app, arguments)


def objects(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_a_crawl_says_what_it_did_and_how_to_go_on(site: str, tmp_path: Path) -> None:
    done = run(*crawl_of(site, "--pages", "12"))
    assert (done.exit_code, done.stderr) == (0, "")
    assert "12/12 pages" in done.stdout
    assert "as many pages as were asked for" in done.stdout
    assert "The library is in crawls/birds" in done.stdout
    assert "scenthound crawl crawls/birds --pages 100" in done.stdout
    assert "\x1b" not in done.stdout
    kept = toml.load(tmp_path / "crawls/birds/topic.toml")
    assert (kept.topic.name, kept.crawl.pages, kept.crawl.seeds) == ("birds", 12, [f"{site}/0"])


def test_the_folder_goes_on(site: str) -> None:
    run(*crawl_of(site, "--pages", "6", "-q"))
    done = run("crawl", "crawls/birds", "--pages", "10", "--json")
    *steps, summary = objects(done.stdout)
    assert len([step for step in steps if step["event"] == "visited"]) == 4
    assert (summary["pages"], summary["new_pages"], summary["ending"]) == (10, 4, "pages")
    again = run("crawl", "crawls/birds", "--pages", "10")
    assert "Nothing to do" in again.stdout


def test_json_is_a_line_per_step_and_a_summary(site: str) -> None:
    done = run(*crawl_of(site, "--pages", "9", "--json"))
    *steps, summary = objects(done.stdout)
    visited = [step for step in steps if step["event"] == "visited"]
    assert len({step["url"] for step in visited}) == 9
    assert summary["event"] == "summary"
    assert summary["relevant"] == sum(step["relevant"] for step in visited)
    assert 0 < summary["relevant"] < 9


SENTENCE = "I am looking for pages about the song of birds in gardens but not about taxes"


def asked(site: str, words: str, *more: str) -> Result:
    return run("crawl", words, "-s", f"{site}/0", "--allow-private", "--delay", "0.01", *more)


def test_a_topic_may_be_a_sentence(site: str) -> None:
    done = asked(site, SENTENCE, "--pages", "6")
    assert done.exit_code == 0, done.output
    assert "Understood: birds" in done.stdout
    assert "Left out, because it is said not to be meant: taxes." in done.stdout
    (folder,) = Path("crawls").iterdir()
    topic = toml.load(folder / "topic.toml").topic
    assert {keyword.term for keyword in toml.load(folder / "topic.toml").make_topic().keywords} == {
        "birds",
        "song",
        "gardens",
    }
    assert folder.name == "birds-gardens-song"
    assert topic.language == "en"
    again = asked(site, SENTENCE, "--pages", "8")
    assert again.exit_code == 0, again.output
    assert "Understood" not in again.stdout, "it goes on, with what topic.toml says"
    assert len(list(Path("crawls").iterdir())) == 1


def test_what_was_understood_is_an_event(site: str) -> None:
    first = objects(asked(site, SENTENCE, "--pages", "3", "--json").stdout)[0]
    assert first["event"] == "topic-understood"
    assert set(first["keywords"]) == {"birds", "song", "gardens"}
    assert first["not_meant"] == ["taxes"]
    assert objects(run(*crawl_of(site, "--pages", "3", "--json")).stdout)[0]["event"] == "visited"


def test_the_language_can_be_said(site: str) -> None:
    done = asked(site, "Vogelstimmen im Wald", "--language", "nl", "--pages", "3")
    assert "language Dutch" in done.stdout
    assert toml.load(Path("crawls/vogelstimmen-im-wald/topic.toml")).topic.language == "nl"


GERMAN = "Die Vögel singen im Wald, wenn der Morgen kommt und das Licht durch die Bäume fällt. Seite"
GERMAN_WEB = {
    "/0": f"<title>Vögel</title><p>{GERMAN} null.</p><a href=/1>Vogelgesang</a> <a href=/2>Wälder</a>",
    "/1": "<title>Gesang</title><p>Von Gesängen der Amsel und der Nachtigall in unseren Gärten.",
    "/2": "<title>Wald</title><p>Was im Herbst aus den Blättern wird, die zu Boden gefallen sind.",
}


def test_the_pages_it_starts_from_decide_about_the_language() -> None:
    requests: list[str] = []
    with serving_pages(GERMAN_WEB, requests) as german:
        events = objects(asked(german, "Amselgesang, Vögel", "--json").stdout)
        assert sorted(requests) == ["/0", "/1", "/2", "/robots.txt", "/robots.txt"], "no page twice"
    (folder,) = Path("crawls").iterdir()
    assert toml.load(folder / "topic.toml").topic.language == "de"
    assert [event for event in events if event["event"] == "language-recognized"] == [
        {"event": "language-recognized", "language": "de", "topic_language": "en", "changed": True}
    ]
    assert (events[-1]["pages"], events[-1]["ending"]) == (3, "frontier empty")
    assert "went on in the language of its pages" in run("status", str(folder)).stdout


def test_a_language_that_disagrees_with_the_seeds_is_told() -> None:
    with serving_pages(GERMAN_WEB) as german:
        done = asked(german, "birds", "--language", "en")
    assert "The first pages are in German, the topic in English" in done.stdout
    assert "language" not in Path("crawls/birds/topic.toml").read_text()


def test_a_topic_that_is_nowhere_is_said(site: str) -> None:
    done = asked(site, "teapots", "--pages", "35")
    assert done.stdout.count("No word of the topic (teapots) stands in the 30 pages fetched so far.") == 1
    assert re.search(r"No word of the topic stands in any of the 3\d pages looked at", done.stdout)
    assert "--like URL" in done.stdout
    events = objects(asked(site, "saucers", "--pages", "3", "--json").stdout)
    assert {"event": "topic-absent", "pages": 3, "keywords": ["saucers"], "folder": "crawls/saucers"} in events
    assert events[-1]["topic_absent"] == 3
    assert "topic_absent" not in objects(run(*crawl_of(site, "--pages", "3", "--json")).stdout)[-1]


def test_quiet_is_quiet(site: str) -> None:
    done = run(*crawl_of(site, "--pages", "3", "--quiet"))
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    done = run("crawl", "crawls/birds", "--pages", "5", "--quiet", "--json")
    assert [line["event"] for line in objects(done.stdout)] == ["summary"]


def test_another_topic_does_not_get_into_the_folder(site: str) -> None:
    run(*crawl_of(site, "--pages", "2", "-q"))
    done = run("crawl", "taxes", "-s", f"{site}/1", "--into", "crawls/birds")
    assert done.exit_code == 2
    assert "holds a crawl about 'birds' already" in done.stderr


def started(*arguments: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen([*PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def read_lines(process: subprocess.Popen[bytes], number: int) -> None:
    assert process.stdout is not None
    for _ in range(number):
        assert process.stdout.readline()


def test_a_signal_stops_cleanly_and_until_then_others_may_look(site: str) -> None:
    with started(*crawl_of(site, "--pages", "100000", "--json")) as process:
        read_lines(process, 5)
        shown = run("status", "crawls/birds")
        second = run(*crawl_of(site, "--pages", "5"))
        process.send_signal(signal.SIGTERM)
        output, errors = process.communicate(timeout=PATIENCE)
    assert (shown.exit_code, shown.stderr) == (0, "")
    for word in ("birds · auto", "relevant", "waiting", "127.0.0.1", "Runs"):
        assert word in shown.stdout
    assert second.exit_code == 3  # one crawl at a time
    assert (process.returncode, errors) == (0, b"")
    assert json.loads(output.splitlines()[-1])["ending"] == "stopped"
    status = json.loads(run("status", "crawls/birds", "--json").stdout)
    assert [each["ending"] for each in status["runs"]] == ["stopped"]


def test_a_second_signal_does_not_wait(site: str) -> None:
    """The first page links to pages that answer in ten minutes; had it waited for them, they would be stored."""
    with started(*crawl_of(site, "--pages", "100", "--json", start="to-stall/0")) as process:
        read_lines(process, 1)
        time.sleep(0.3)
        process.send_signal(signal.SIGINT)
        time.sleep(0.3)
        assert process.poll() is None
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=PATIENCE)
    assert (process.returncode, errors) == (130, b"")
    summary = json.loads(output.splitlines()[-1])
    assert (summary["ending"], summary["pages"]) == ("stopped", 1)
    assert json.loads(run("status", "crawls/birds", "--json").stdout)["waiting"] == 4


def test_a_reader_who_leaves_ends_the_crawl_cleanly(site: str) -> None:
    with started(*crawl_of(site, "--pages", "100000", "--json")) as process:
        read_lines(process, 1)
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.wait(timeout=PATIENCE) == 0
        assert process.stderr.read() == b""


class Terminal:
    """A program on a terminal of its own."""

    def __init__(self, *arguments: str, columns: int = 80, rows: int = 24, kind: str = "xterm-256color") -> None:
        self.master, slave = pty.openpty()
        environment = {**os.environ, "TERM": kind, "COLUMNS": str(columns), "LINES": str(rows)}
        self.process = subprocess.Popen(
            [*PROGRAM, *arguments], stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
        )
        os.close(slave)
        self.text = ""

    def read_until(self, pattern: str, seconds: float = PATIENCE) -> None:
        deadline = time.monotonic() + seconds
        while not re.search(pattern, self.text):
            assert time.monotonic() < deadline, f"no {pattern!r} in {self.text[-2000:]!r}"
            if not self.read():
                break

    def read(self) -> bool:
        try:
            piece = os.read(self.master, 65536)
        except OSError:
            return False
        self.text += piece.decode(errors="replace")
        return bool(piece)

    def end(self) -> int:
        while self.read():
            pass
        os.close(self.master)
        return self.process.wait(timeout=PATIENCE)


def test_the_live_view_on_a_terminal(site: str) -> None:
    terminal = Terminal(*crawl_of(site, "--pages", "100000"))
    terminal.read_until("Best finds")
    terminal.read_until("birds and the song of birds")
    os.kill(terminal.process.pid, signal.SIGINT)
    assert terminal.end() == 0
    assert "stopped by you" in terminal.text
    assert "The library is in" in terminal.text
    assert "\x1b[?25h" in terminal.text  # the cursor is back


def test_a_terminal_that_cannot_be_drawn_on_gets_lines(site: str) -> None:
    terminal = Terminal(*crawl_of(site, "--pages", "8"), kind="dumb")
    assert terminal.end() == 0
    assert re.search(r"\d:\d\d  8/8 pages", terminal.text)
    assert "Best finds" not in terminal.text
    assert "\x1b" not in terminal.text


def test_a_replay_asks_no_server(site: str, tmp_path: Path) -> None:
    run(*crawl_of(site, "--pages", "8", "-q"))
    recording = next((tmp_path / "crawls/birds/warc").glob("*.warc.gz"))
    command = ["crawl", "birds", "-s", f"{site}/0", "--replay", str(recording), "--into", "again", "--json"]
    summary = objects(run(*command, "--pages", "50").stdout)[-1]
    assert (summary["pages"], summary["ending"]) == (8, "frontier empty")
    assert set(summary["failures"]) == {"404"}
    assert toml.load(tmp_path / "again/topic.toml").politeness.robots
    assert objects(run("crawl", "again", "--json", "-q").stdout)[-1]["pages"] == 8  # still a replay


def test_the_demo_finds_what_it_knows_to_be_there() -> None:
    command = ["crawl", "--demo", "--pages", "120", "--json", "--quiet"]
    summary = objects(run(*command).stdout)[-1]
    assert summary["pages"] == 120
    assert summary["targets_fetched"] > 2 * max(1, summary["targets_fetched_breadth_first"])
    assert summary["targets_found"] == pytest.approx(summary["precision"] * summary["relevant"], abs=0.01)
    assert summary["targets_found"] == pytest.approx(summary["recall"] * summary["targets"], abs=0.01)
    assert 0 < summary["targets_found"] <= summary["targets_fetched"]
    assert summary["folder"] == "crawls/demo"
    assert objects(run(*command, "--pages", "10").stdout)[-1]["folder"] == "crawls/demo-2"
    told = run("crawl", "crawls/demo-2", "--pages", "20").stdout
    assert "10 new pages" in told
    (counted,) = re.findall(r"pages · (\d+) relevant · harvest", told)
    assert f"The demo knows the truth. Of the {counted} relevant pages" in told, "one story, not two"
    assert re.search(r"about orchids \(precision [01]\.\d\d\)", told)
    assert re.search(r"were found \(recall [01]\.\d\d\); \d+ were fetched", told)


def test_many_requests_at_once_lose_no_answer() -> None:
    summary = objects(run("crawl", "--demo", "--parallel", "8", "--pages", "60", "--json", "-q").stdout)[-1]
    assert (summary["pages"], summary["ending"]) == (60, "pages")


def test_a_crawl_that_fetched_nothing_says_why_and_what_to_do() -> None:
    result = runner.invoke(app, ["crawl", "birds", "-s", "http://127.0.0.1:9/", "--into", "x", "--json"])
    assert result.exit_code == 7
    assert result.stderr.splitlines() == [
        "scenthound: Nothing was fetched.",
        "  http://127.0.0.1:9/  private address: 127.0.0.1: loopback, needs --allow-private",
        "If it is a server of yours: scenthound crawl x --allow-private",
    ]
    told = json.loads(result.stdout.splitlines()[0])
    assert (told["event"], told["reason"]) == ("refused", "address: 127.0.0.1: loopback, needs --allow-private")


def test_seeds_that_fail_are_named_marked_and_in_the_exit_code(site: str, tmp_path: Path) -> None:
    bad = [f"{site}/robots.txt", "http://127.0.0.1:1/"]
    done = run(*crawl_of(site, "--pages", "3", "-s", bad[0], "-s", bad[1]))
    assert done.exit_code == 9
    assert f"{bad[0]}  404 not found" in done.stderr
    kept = (tmp_path / "crawls/birds/topic.toml").read_text()
    assert f'"{bad[0]}",  # brought no page: 404 not found' in kept
    assert toml.load(tmp_path / "crawls/birds/topic.toml").crawl.seeds == [f"{site}/0", *bad]
    again = run("crawl", "crawls/birds", "--pages", "5")
    assert bad[0] not in again.stderr, "it was told when it happened"


def test_without_a_seed_it_says_how_to_find_some(tmp_path: Path) -> None:
    done = run("crawl", "song birds")
    assert (done.exit_code, "scenthound seeds 'song birds' --into crawls/song-birds" in done.stderr) == (2, True)
    (tmp_path / "x.warc.gz").touch()
    assert f"scenthound look {tmp_path / 'x.warc.gz'}" in run("crawl", "birds", "--replay", "x.warc.gz").stderr


def test_a_hundred_pages_without_a_relevant_one() -> None:
    leaves = {f"/{n}": f"<title>Page {n}</title><p>birds {n * 7919} taxes {n * 104729}" for n in range(110)}
    home = "".join(f'<a href="{path}">{path}</a> ' for path in leaves)
    with serving_pages({"/": f"<title>Home</title><p>birds</p>{home}", **leaves}) as site:
        arguments = ["-s", f"{site}/", "--allow-private", "--delay", "0", "--threshold", "1", "--judge", "keywords"]
        done = run("crawl", "birds and fish", *arguments, "--pages", "104")
    assert re.search(r"\d+ pages, and none of them counts as relevant. The nearest is http", done.stdout)
    assert "scenthound topic crawls/birds-and-fish --preview" in done.stdout
    assert done.stdout.count("none of them counts") == 1


def test_topic_toml_is_the_crawl_that_was_made(site: str, tmp_path: Path) -> None:
    run("crawl", "birds", "-s", f"{site}/0", "--pages", "3", "-q")  # refused: a private address
    run("crawl", "crawls/birds", "--allow-private", "--delay", "0.01", "-s", f"{site}/7", "-q")
    kept = toml.load(tmp_path / "crawls/birds/topic.toml")
    assert (kept.fetch.private_addresses, kept.politeness.delay) == (True, 0.01)
    assert kept.crawl.seeds == [f"{site}/0", f"{site}/7"]
    assert objects(run("crawl", "crawls/birds", "--pages", "6", "-q", "--json").stdout)[-1]["pages"] == 6


def test_a_library_that_was_moved_with_its_recording_still_knows_it(site: str, tmp_path: Path) -> None:
    run(*crawl_of(site, "--pages", "8", "-q"))
    recording = next((tmp_path / "crawls/birds/warc").glob("*.warc.gz"))
    (tmp_path / "project/data").mkdir(parents=True)
    recording.rename(tmp_path / "project/data/web.warc.gz")
    where = ["--replay", "project/data/web.warc.gz", "--into", "project/crawls/again"]
    run("crawl", "birds", "-s", f"{site}/0", *where, "--pages", "4", "-q")
    (tmp_path / "project").rename(tmp_path / "elsewhere")
    done = run("crawl", "elsewhere/crawls/again", "--pages", "6", "--json", "-q")
    assert objects(done.stdout)[-1]["pages"] == 6, done.stderr


NOINDEX = '<meta name="robots" content="noindex">'


@pytest.mark.parametrize("keep", [False, True])
def test_pages_that_ask_not_to_be_indexed_are_counted_and_kept_only_on_demand(keep: bool, tmp_path: Path) -> None:
    shy = f"<title>Shy birds</title>{NOINDEX}<p>birds that hide</p>"
    with serving_pages({"/": "<title>Birds</title><p>birds</p><a href='/shy'>shy</a>", "/shy": shy}) as site:
        (tmp_path / "x").mkdir()
        settings = f"[topic]\nname = 'birds'\n[library]\nkeep_noindex = {str(keep).lower()}\n"
        (tmp_path / "x/topic.toml").write_text(settings)
        run("crawl", "x", "-s", f"{site}/", "--allow-private", "--delay", "0", "-q")
        told = run("status", "x").stdout
        assert ("1 page asked not to be indexed" in told) is not keep
        assert json.loads(run("status", "x", "--json").stdout)["noindex"] == (not keep)
        page = "asked not to be indexed" in (tmp_path / "x/report.html").read_text()
        assert page is not keep
        shown = run("show", "x", f"{site}/shy", "--text")
        assert ("birds that hide" in shown.stdout) is keep
