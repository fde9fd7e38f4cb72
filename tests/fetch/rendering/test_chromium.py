"""Pages made by scripts, in a real browser: read where they are honest, and held where they are not. Needs Chromium."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from scenthound.config import Config, from_dict
from scenthound.crawler.assemble import assembled
from scenthound.crawler.script_figures import ScriptFigures
from scenthound.fetch.rendering.chromium import Chromium, installed_chromium
from scenthound.fetch.rendering.page_run import PageRun
from scenthound.library import open_library
from scenthound.model import Failed, Link, Response
from tests.served_pages import serving_pages

pytestmark = pytest.mark.skipif(
    installed_chromium() is None, reason="no Chromium is installed: apt-get install chromium"
)

APP = """fetch('/data.json').then(answer => answer.json()).then(data => {
  document.title = data.title;
  const found = document.createElement('a');
  found.href = '/found';
  found.textContent = data.anchor;
  document.getElementById('root').append(data.text, found);
});"""
TEXT = "Corals bleach in warm water, says the data, and it says it in so many words that there is something to read. "
DATA = f'{{"title": "Coral reefs", "anchor": "More about corals", "text": "{TEXT}"}}'
ESCAPE = """
const there = 'http://127.0.0.1:%(port)d/';
const tries = [
  () => fetch(there), () => fetch(there, {mode: 'no-cors', method: 'POST', body: 'x'}),
  () => navigator.sendBeacon(there),
  () => new WebSocket('ws://127.0.0.1:%(port)d/'), () => new EventSource(there), () => window.open(there),
  () => navigator.serviceWorker.register('/service.js'), () => new Worker('/worker.js'), () => new WebTransport(there),
  () => new RTCPeerConnection({iceServers: [{urls: 'stun:127.0.0.1:%(port)d'}]}).createDataChannel('x'),
  () => fetch('http://169.254.169.254/latest/meta-data/'), () => fetch('file:///etc/passwd'),
  ...['img', 'iframe', 'video', 'script', 'embed'].map(name => () => {
    const made = document.createElement(name);
    made.src = there;
    document.body.append(made);
  }),
  ...['prefetch', 'preconnect', 'dns-prefetch', 'stylesheet', 'icon', 'manifest'].map(rel => () => {
    const made = document.createElement('link');
    made.rel = rel;
    made.href = there;
    document.head.append(made);
  }),
  () => { const file = document.createElement('a'); file.href = there; file.download = 'x'; document.body.append(file);
          file.click(); },
  () => { alert('still here'); print(); },
];
for (const one of tries) try { Promise.resolve(one()).catch(() => 0) } catch {}
document.getElementById('root').append('It tried all it could to get out of the browser, and it is still in here.');
setTimeout(() => location = there, 50);
"""


def shell(script: str) -> str:
    return f"<!doctype html><title>A shell</title><body><div id=root></div><script>{script}</script>"


@contextmanager
def listening() -> Iterator[tuple[int, list[str]]]:
    """A port that notes whoever comes, by TCP or UDP."""
    came: list[str] = []
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as udp:
        port = tcp.getsockname()[1]
        udp.bind(("127.0.0.1", port))

        def accept() -> None:
            while True:
                try:
                    one, _ = tcp.accept()
                except OSError:
                    return
                came.append("tcp")
                one.close()

        def receive() -> None:
            while True:
                try:
                    if not udp.recv(10):
                        return
                except OSError:
                    return
                came.append("udp")

        threads = [threading.Thread(target=each, daemon=True) for each in (accept, receive)]
        for thread in threads:
            thread.start()
        yield port, came
        tcp.shutdown(socket.SHUT_RDWR)
        udp.sendto(b"", ("127.0.0.1", port))  # nothing in it: the end
        for thread in threads:
            thread.join()


def settings(seed: str, port: int, render: str) -> Config:
    return from_dict(
        {
            "topic": {"name": "corals", "keywords": ["corals"]},
            "crawl": {"seeds": [seed], "judge": "keywords", "parsers": 0},
            "scope": {"deny": f"host:127.0.0.1:{port}"},
            "politeness": {"delay": 0.0},
            "fetch": {"private_addresses": True, "render": render, "render_seconds": 60.0, "retries": 0},
        }
    )


async def crawled(folder: Path, config: Config) -> tuple[dict[str, str], ScriptFigures]:
    async with assembled(config, folder) as crawl:
        await crawl.run()
        figures = crawl.tally.scripts
    with open_library(folder, write=False) as library:
        return {page.url.rpartition("/")[2]: library.text(page.url) for page in library.pages()}, figures


async def test_a_crawl_reads_what_scripts_make_and_no_page_gets_out(tmp_path: Path) -> None:
    asked: list[str] = []
    with listening() as (port, came):
        pages = {
            "/": "<p>Corals and what is made of them by scripts, in three pages. <a href=/app>app</a> "
            "<a href=/escape>escape</a> <a href=/sent>sent</a> <a href=/never>never</a>",
            "/robots.txt": "User-agent: *\nDisallow: /private",
            "/app": "<!doctype html><body><div id=root></div><script src=/app.js></script>",
            "/app.js": APP,
            "/data.json": DATA,
            "/escape": shell(ESCAPE % {"port": port} + "fetch('/private/data.json');"),
            "/sent": shell("location.replace('/target')"),
            "/never": "<p>A page that has all it says in itself, and needs no script to say it.",
            "/found": "<p>Corals, found behind a link that only a script could make.",
            "/target": "<p>Corals, found where a script sent its reader on to.",
        }
        with serving_pages(pages, asked) as address:
            texts, figures = await crawled(tmp_path / "rendered", settings(f"{address}/", port, "auto"))
        assert not came
    assert texts["app"] == f"{TEXT}More about corals"
    assert "only a script could make" in texts["found"]
    assert "sent its reader on to" in texts["target"]
    assert "it is still in here" in texts["escape"]
    assert (figures.rendered, figures.relevant, figures.unread) == (3, 1, 0)
    assert figures.requests == 3  # a script, data, and the script of a worker, which is not there
    assert figures.refused >= 4
    assert asked.count("/app.js") == asked.count("/data.json") == 1
    assert not {"/private/data.json", "/service.js"} & set(asked)


async def test_pages_made_by_scripts_are_counted_where_none_run(tmp_path: Path) -> None:
    pages = {"/": "<p>Corals and nothing but corals, and a shell. <a href=/app>app</a>", "/app": shell("")}
    with serving_pages(pages) as address:
        _, figures = await crawled(tmp_path / "plain", settings(f"{address}/", 1, "never"))
    assert figures == ScriptFigures(unread=1)


async def no_parts(link: Link, headers: Any) -> Response | Failed | str:
    return "nobody is asked here"


def page_run(script: str, seconds: float) -> PageRun:
    answer = Response("http://a.test/", 200, (("Content-Type", "text/html"),), shell(script).encode())
    return PageRun(answer, no_parts, seconds, 1_000_000)


EAT = "const held = []; setInterval(() => document.body.append(held.push(new Uint8Array(2e7).fill(1))), 20);"
POLL = """document.body.append(navigator.userAgent);
const clock = setInterval(() => { fetch('/more').catch(() => 0); ++polls > 5 && clearInterval(clock); }, 10);
let polls = 0;"""
GROW = "setInterval(() => document.body.append('x'.repeat(1e5)), 10);"


async def test_pages_without_end_are_given_up_and_the_next_is_read() -> None:
    chromium = Chromium(megabytes=400)
    try:
        assert await page_run("for (;;) ;", 0.5).run(chromium, "Hound") is None
        assert await page_run(EAT, 60.0).run(chromium, "Hound") is None
        assert chromium.ended_for_memory
        assert await page_run(GROW, 2.0).run(chromium, "Hound") is None  # more bytes than a page may have
        polls = page_run(POLL, 60.0)
        answer = await polls.run(chromium, "Hound")
        assert answer is not None
        assert b"Hound</body>" in answer.body
        assert answer.rendering is not None
        assert answer.rendering.refused == polls.refused > 1
        assert answer.header("x-scenthound-rendered").startswith("chromium; ")
    finally:
        await chromium.close()
    assert not chromium._processes()
