"""Live events: a crawl heard of over HTTP while it runs."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from scenthound.crawler.labels_on_the_way import LabelsOnTheWay
from scenthound.web import live
from tests.watchdog import PATIENCE
from tests.web.served import Dashboard, opened, prepared_demo


def views(dashboard: Dashboard, library: str = "demo") -> Iterator[dict[str, Any]]:
    """What is sent, as it comes."""
    connection = http.client.HTTPConnection("127.0.0.1", dashboard.port, timeout=PATIENCE)
    try:
        connection.request("GET", f"/api/libraries/{library}/events")
        answer = connection.getresponse()
        while True:
            line = answer.readline().decode().strip()
            if line.startswith("data: "):
                yield json.loads(line.removeprefix("data: "))
    finally:
        connection.close()


def test_views_of_the_crawl_come_as_events(tmp_path: Path) -> None:
    with opened([prepared_demo(tmp_path / "demo", pages=15)]) as dashboard:
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


def test_crawls_of_two_libraries_run_at_once_and_each_has_its_own_view(tmp_path: Path) -> None:
    folders = [prepared_demo(tmp_path / "demo", pages=400), prepared_demo(tmp_path / "other", pages=15)]
    with opened(folders) as dashboard:
        events = {name: views(dashboard, name) for name in ("demo", "other")}
        for name, each in events.items():
            assert next(each)["state"] == "none"
            assert dashboard.ask(f"/api/libraries/{name}/crawl", "POST", {}).status == 200
        while dashboard.ask("/api/libraries/demo/crawl/pause", "POST", {}).status != 200:
            pass  # it has not begun yet
        while (other := next(events["other"]))["state"] != "ended":
            pass
        assert other["pages"] == 15
        demo = dashboard.ask("/api/libraries/demo/crawl").json
        assert (demo["state"], demo["budget"]) == ("paused", 400)
        dashboard.ask("/api/libraries/demo/crawl/go-on", "POST", {})
        while next(events["demo"])["pages"] < demo["pages"] + 5:
            pass
        for each in events.values():
            each.close()


def test_what_somebody_changes_is_sent_at_once_and_again_with_the_next_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To everybody who watches, and not when the next view were due: here that would be in an hour."""
    monkeypatch.setattr(live, "EVERY", 3600.0)
    with opened([prepared_demo(tmp_path / "demo", pages=400)]) as dashboard:
        events = views(dashboard)
        assert next(events)["state"] == "none"
        dashboard.ask("/api/libraries/demo/crawl", "POST", {})
        while dashboard.ask("/api/libraries/demo/crawl").json["pages"] < 20:
            pass
        steered = dashboard.ask("/api/libraries/demo/steering", "POST", {"action": "add-word", "rule": "moss"}).json
        assert "moss" in steered["words"]
        told = next(events)
        assert "moss" in told["words"]
        while told["pages"] <= steered["pages"]:
            told = next(events)
        while not told["judged"]:
            told = next(events)
        assert told["judged"]["because"] == ["topic"]
        dashboard.ask("/api/libraries/demo/crawl/pause", "POST", {})
        while told["state"] != "paused":
            told = next(events)
        events.close()


def test_the_first_view_is_made_at_once_on_a_machine_that_has_just_started(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whose clock begins with it."""
    monkeypatch.setattr(live, "time", SimpleNamespace(monotonic=lambda: 0.25))
    crawl = SimpleNamespace(changes=0, view=lambda: {"state": "none"})
    feed = live.LiveFeed(SimpleNamespace(live=crawl))  # type: ignore[arg-type]
    assert feed.view() == b'{"state":"none"}'


def test_a_label_is_taken_in_by_the_crawl_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """And not when it looks for labels the next time."""
    monkeypatch.setattr(live, "EVERY", 3600.0)
    monkeypatch.setitem(LabelsOnTheWay.__init__.__kwdefaults__, "every", 3600.0)
    with opened([prepared_demo(tmp_path / "demo", pages=400)]) as dashboard:
        events = views(dashboard)
        next(events)
        dashboard.ask("/api/libraries/demo/crawl", "POST", {})
        while (view := dashboard.ask("/api/libraries/demo/crawl").json)["pages"] < 20:
            pass
        dashboard.ask("/api/libraries/demo/labels", "POST", {"url": view["arrived"][0]["url"], "relevant": True})
        while not (told := next(events))["judged"]:
            pass
        assert told["judged"]["because"] == ["labels"]
        events.close()
