"""Which format a file has, and what of it is taken."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from scenthound.errors import ConfigError
from scenthound.learn.graphs.trails import START, Trail, click_path
from scenthound.training.browsing_history import WantedVisits, read
from tests.training.browser_files import AT, C_LINK, LINK, TYPED, chromium, firefox
from tests.training.test_har import entry

A, B, C, SECRET = "http://a.test/a", "http://a.test/b", "http://a.test/c", "http://secret.test/"
ALL = WantedVisits(whole=True)


def topics(path: Path, *names: str) -> Path:
    lines = [
        {"name": name, "seeds": [A], "targets": [C], "trails": [[A, "<", B, C]], "relevant_examples": [C, SECRET]}
        for name in names
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines) + '{"name": "none", "trails": 3}\n')
    return path


def test_the_content_tells_the_format(tmp_path: Path) -> None:
    firefox(tmp_path / "1.txt", [(1, A, 0, 0, TYPED), (2, B, 1, 1, LINK)])
    chromium(tmp_path / "2.har", [(1, A, 0, 0, C_LINK), (2, B, 1, 1, C_LINK)])
    (tmp_path / "3.sqlite").write_text(json.dumps({"log": {"entries": [entry(A, 0), entry(B, 1, A)]}}, indent=1))
    (tmp_path / "4.json").write_text(f"\ufeff{A}\n{B}\n")
    for name, kind in (("1.txt", "Firefox"), ("2.har", "Chromium"), ("3.sqlite", "HAR"), ("4.json", "text")):
        history = read(tmp_path / name, ALL)
        assert (history.kind, history.trails[0].urls, history.trails[0].origins) == (kind, (A, B), (START, 0))
    lab = read(topics(tmp_path / "5", "birds"), WantedVisits())
    assert (lab.kind, lab.trails, lab.marks) == ("lab", (click_path([A, "<", B, C]),), {C: True})


def test_a_whole_history_must_be_asked_for(tmp_path: Path) -> None:
    path = firefox(tmp_path / "places.sqlite", [(1, A, 0, 0, TYPED), (2, SECRET, 5, 0, TYPED), (3, B, 9, 2, LINK)])
    with pytest.raises(ConfigError, match=r"whole history with Firefox.*--host.*--since.*--all"):
        read(path, WantedVisits())
    kept = read(path, WantedVisits(keep=lambda url: "a.test" in url))
    assert kept.trails == (Trail((A, B), (START, START), AT),)
    assert read(path, WantedVisits(since=AT + 8)).trails == (Trail((B,), (START,), AT + 9),)
    assert len(read(path, WantedVisits(whole=True, gap=2)).trails) == 3


def test_the_filter_holds_for_every_format(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text(f"{A}\n+ {SECRET}\n{B}\n")
    history = read(tmp_path / "x.txt", WantedVisits(keep=lambda url: "a.test" in url))
    assert history.trails == (Trail((A, B), (START, START)),)
    assert history.marks == {}


def test_which_topic(tmp_path: Path) -> None:
    path = topics(tmp_path / "topics.jsonl", "birds", "trams")
    assert read(path, WantedVisits(topic="trams")).trails
    with pytest.raises(ConfigError, match="Choose one with --topic NAME: birds, trams"):
        read(path, WantedVisits())
    with pytest.raises(ConfigError, match="did you mean 'birds'"):
        read(path, WantedVisits(topic="bird"))


def test_what_is_not_understood(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "other.db")) as db, db:
        db.execute("CREATE TABLE recipes (id)")
    (tmp_path / "empty").write_text("\n# nothing\n")
    (tmp_path / "some.json").write_text('{"a": 1}')
    (tmp_path / "list.jsonl").write_text('{"name": "x", "trails": []}\n[1]\n')
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00\x01")
    for name, says in (
        ("other.db", "no history that we know. Understood are Firefox"),
        ("empty", "There is no URL"),
        ("some.json", "holds no trails"),
        ("list.jsonl", "line 2: not valid JSON"),
        ("bytes", "cannot be read"),
        ("missing", "There is no file"),
    ):
        with pytest.raises(ConfigError, match=says):
            read(tmp_path / name, ALL)
    (tmp_path / "bad.jsonl").write_text('{"name": "x", "trails": [["nonsense"]]}\n')
    with pytest.raises(ConfigError, match="topic 'x': 'nonsense' is no usable URL"):
        read(tmp_path / "bad.jsonl", ALL)
