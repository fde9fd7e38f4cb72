"""Browsing as it happens: steps by hand, and the page that a browser talks to, over real HTTP on loopback."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest

from scenthound.learn.graphs.trails import GAP, START
from scenthound.training.browsing_recorder import BrowsingRecorder, served
from scenthound.training.training_store import TrainingStore
from tests.watchdog import PATIENCE

HOME, FERNS, MOSS = "http://a.example/", "http://a.example/ferns", "http://b.example/moss"


def test_steps_are_kept_with_where_they_came_from(tmp_path: Path) -> None:
    recorder = BrowsingRecorder(tmp_path, clock=lambda: 1000.0)
    assert recorder.visit(HOME) == "recorded"
    assert recorder.visit(FERNS, HOME, relevant=True) == "recorded as relevant"
    assert recorder.visit(MOSS, HOME, relevant=False) == "recorded as not relevant"
    recorder.visit(MOSS, HOME)  # a second click on the same page is no step
    [trail] = TrainingStore(tmp_path).trails()
    assert (trail.urls, trail.origins, trail.begun) == ((HOME, FERNS, MOSS), (START, 0, 0), 1000.0)
    assert TrainingStore(tmp_path).marks() == {FERNS: True, MOSS: False}


def test_after_a_pause_a_new_trail_begins(tmp_path: Path) -> None:
    now = [1000.0]
    recorder = BrowsingRecorder(tmp_path, clock=lambda: now[0])
    recorder.visit(HOME)
    now[0] += GAP + 1
    recorder.visit(FERNS, HOME)
    first, second = TrainingStore(tmp_path).trails()
    assert (first.urls, second.urls, second.origins) == ((HOME,), (FERNS,), (START,))


def test_what_is_no_page_of_the_web_is_not_recorded(tmp_path: Path) -> None:
    assert BrowsingRecorder(tmp_path).visit("about:config").startswith("not recorded")
    assert TrainingStore(tmp_path).trails() == []


def asked(address: str, **headers: str) -> str:
    with urlopen(Request(address, headers=headers), timeout=PATIENCE) as answer:
        return str(answer.read().decode())


def test_the_page_and_its_buttons(tmp_path: Path) -> None:
    heard: list[str] = []
    with served(BrowsingRecorder(tmp_path), heard.append) as address:
        page = asked(address)
        record, relevant, _ = re.findall(r"window[.]open[(]'([^']+)'", unescape(page))
        assert asked(f"{record}{quote(HOME)}").startswith("recorded.")
        assert "as relevant" in asked(f"{relevant}{quote(FERNS)}&from={quote(HOME)}")
        assert FERNS in asked(address)
    [trail] = TrainingStore(tmp_path).trails()
    assert (trail.urls, trail.origins) == ((HOME, FERNS), (START, 0))
    assert heard == [f"recorded: {HOME}", f"recorded as relevant: {FERNS}"]


def test_others_are_turned_away(tmp_path: Path) -> None:
    """A page of the web may not know the token, and a name that was made to lead here is not this address."""
    with served(BrowsingRecorder(tmp_path)) as address:
        for place, headers, status in (
            (f"{address}visit?token=guess&url={quote(HOME)}", {}, 404),
            (f"{address}visit?url={quote(HOME)}", {}, 404),
            (address, {"Host": "evil.example"}, 403),
        ):
            with pytest.raises(HTTPError) as refused:
                asked(place, **headers)
            refused.value.close()
            assert refused.value.code == status
    assert TrainingStore(tmp_path).trails() == []
