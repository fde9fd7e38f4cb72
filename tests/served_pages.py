"""A few pages over real HTTP on loopback, for commands that fetch: from a thread, so that nothing else need know."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TYPES = {"txt": "text/plain", "csv": "text/csv", "pdf": "application/pdf", "zip": "application/zip"}
"""Ending of a path -> media type; all else is HTML."""


@contextmanager
def serving_pages(pages: Mapping[str, str | bytes], asked: list[str] | None = None) -> Iterator[str]:
    """Yields the address at which the pages, each by its path, are served; all else is 404."""

    class Answers(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if asked is not None:
                asked.append(self.path)
            page = pages.get(self.path, "")
            body = page if isinstance(page, bytes) else page.encode()
            self.send_response(200 if self.path in pages else 404)
            kind = TYPES.get(self.path.rpartition(".")[2], "text/html; charset=utf-8")
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Answers)
    server.daemon_threads = True
    server.block_on_close = False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
