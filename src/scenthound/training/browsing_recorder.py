"""Browsing, written down while it happens: the training component of Batsakis 3.4.

A page of three bookmarklets, served on this machine alone: one click in the browser says "I am here, and came from
there", another that the page is relevant, or is not. Beside it, a file that a browser keeps, its history or a HAR file,
may be followed: it is read again whenever it grew (`app/trails.py`). Every step is kept at once.

    recorder = BrowsingRecorder(folder)
    with served(recorder) as address:          http://127.0.0.1:PORT/, to be opened in the browser
        ...
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import inf
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from scenthound import urls
from scenthound.learn.graphs.trails import GAP, START, Trail
from scenthound.protocols.crawl import Clock
from scenthound.training.training_store import TrainingStore

HOST = "127.0.0.1"
SHOWN = 20
"""Steps that the page shows, the last ones."""

LONGEST = 8192
"""Characters of a request that are read: an address and where it was come from."""

BUTTONS = (("Record", ""), ("Relevant", "1"), ("Not relevant", "0"))

PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Scenthound records</title>
<style>body{{font:16px/1.5 system-ui;margin:3rem auto;max-width:42rem;padding:0 1rem}}
a.b{{display:inline-block;border:1px solid;border-radius:.4rem;padding:.2rem .7rem;margin-right:.5rem}}
li{{overflow-wrap:anywhere}}</style>
<h1>Scenthound records your browsing</h1>
<p>Drag these to your bookmarks bar. On a page, <b>Record</b> says that you are there and which page led to it; the
other two also say whether it is what you are looking for. Nothing is recorded that you do not click, and all of it
stays in <code>{folder}</code>.</p><p>{buttons}</p>
<h2>{count} steps</h2><ol start="{first}">{steps}</ol></html>"""


class BrowsingRecorder:
    """A sitting as it grows. After half an hour without a step a new one begins."""

    def __init__(self, folder: Path, clock: Clock = time.time) -> None:
        self.folder, self._clock, self._store = folder, clock, TrainingStore(folder)
        self.urls: list[str] = []
        self._origins: list[int] = []
        self._begun, self._last = 0.0, -inf
        self._lock = threading.Lock()

    def visit(self, address: str, source: str = "", relevant: bool | None = None) -> str:
        """Takes a step in, from the page that led there where that is known; what was said of the page is a label."""
        url, came_from = urls.canonical(address), urls.canonical(source)
        if isinstance(url, urls.Malformed):
            return f"not recorded: {url.reason}"
        with self._lock:
            now = self._clock()
            if now - self._last > GAP:
                self.urls, self._origins, self._begun = [], [], now
            self._last = now
            if not self.urls or self.urls[-1] != url:
                self._origins.append(self._place(came_from) if isinstance(came_from, str) else START)
                self.urls.append(url)
                self._store.add_trails([Trail(tuple(self.urls), tuple(self._origins), self._begun)])
            if relevant is not None:
                self._store.mark({url: relevant}, "person")
        return {None: "recorded", True: "recorded as relevant", False: "recorded as not relevant"}[relevant]

    def _place(self, url: str) -> int:
        """Where that page was last visited in this sitting; START if it was not."""
        return next((place for place in reversed(range(len(self.urls))) if self.urls[place] == url), START)


@contextmanager
def served(recorder: BrowsingRecorder, told: Callable[[str], None] = lambda line: None) -> Iterator[str]:
    """Serves the recorder's page on this machine while the block runs, and yields its address."""
    token = secrets.token_urlsafe(12)

    class RecorderAnswers(BaseHTTPRequestHandler):
        """Asked by the page itself and by the bookmarklets, which know the token."""

        def do_GET(self) -> None:
            place = urlsplit(self.path[:LONGEST])
            asked = {key: values[0] for key, values in parse_qs(place.query).items()}
            if self.headers.get("Host", "") != f"{HOST}:{server.server_port}":
                self._say(403, "This is not the address the recorder is served at.")
            elif place.path == "/" and not asked:
                self._say(200, _page(recorder, f"http://{self.headers['Host']}", token), "text/html")
            elif place.path != "/visit" or not secrets.compare_digest(asked.get("token", "").encode(), token.encode()):
                self._say(404, "There is nothing here. Open the recorder's page, and drag its buttons anew.")
            else:
                relevant = {"1": True, "0": False}.get(asked.get("relevant", ""))
                line = recorder.visit(asked.get("url", ""), asked.get("from", ""), relevant)
                told(f"{line}: {asked.get('url', '')[:200]}")
                self._say(200, f"{line}. You may close this window.")

        def _say(self, status: int, text: str, kind: str = "text/plain") -> None:
            body = text.encode("utf-8", "replace")
            self.send_response(status)
            self.send_header("Content-Type", f"{kind}; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: `told` says what matters."""

    server = ThreadingHTTPServer((HOST, 0), RecorderAnswers)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://{HOST}:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _page(recorder: BrowsingRecorder, address: str, token: str) -> str:
    steps, first = recorder.urls[-SHOWN:], max(0, len(recorder.urls) - SHOWN)
    buttons = "".join(
        f'<a class="b" href="{escape(_bookmarklet(address, token, relevant))}">{name}</a>' for name, relevant in BUTTONS
    )
    return PAGE.format(
        folder=escape(str(recorder.folder)),
        buttons=buttons,
        count=len(recorder.urls),
        first=first + 1,
        steps="".join(f"<li>{escape(url)}</li>" for url in steps),
    )


def _bookmarklet(address: str, token: str, relevant: str) -> str:
    said = f"&relevant={relevant}" if relevant else ""
    where = f"'{address}/visit?token={token}{said}&url='+encodeURIComponent(location.href)"
    came = "'&from='+encodeURIComponent(document.referrer)"
    return f"javascript:void(window.open({where}+{came},'scenthound','width=420,height=160'))"
