"""Live events: a crawl heard of over HTTP while it runs."""

from __future__ import annotations

import http.client
import json
from pathlib import Path

from scenthound.app.crawl_plan import CrawlOptions
from scenthound.app.demo import plan_demo
from scenthound.library import open_library
from tests.watchdog import PATIENCE
from tests.web.served import opened


def test_views_of_the_crawl_come_as_events(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    folder.mkdir()
    plan_demo(None, CrawlOptions(into=folder, pages=15)).write()
    with open_library(folder, create=True):
        pass
    with opened([folder]) as dashboard:
        connection = http.client.HTTPConnection("127.0.0.1", dashboard.port, timeout=PATIENCE)
        connection.request("GET", "/api/libraries/demo/events")
        answer = connection.getresponse()
        assert answer.headers["content-type"].startswith("text/event-stream")
        states = []
        while not states or states[-1] != "ended":
            line = answer.readline().decode().strip()
            if line.startswith("data: "):
                view = json.loads(line.removeprefix("data: "))
                states.append(view["state"])
                if states == ["none"]:
                    assert dashboard.ask("/api/libraries/demo/crawl", "POST", {}).status == 200
        assert view["pages"] == 15
        assert view["arrived"][-1]["url"]
        connection.close()
