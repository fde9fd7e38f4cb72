"""A recorded web of a few pages, and results made up by hand."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from scenthound.lab.crawls.results import ResultRow
from scenthound.lab.topics import LabTopic
from tests.fetch.recorded import http, record, write

HOME = "http://a.test/"


def write_web(path: Path, pages: Mapping[str, str], moved: Mapping[str, str] | None = None) -> Path:
    answers = [record(url, http(body.encode())) for url, body in pages.items()]
    answers += [record(url, http(b"", "301 Moved", location=to)) for url, to in (moved or {}).items()]
    return write(path, *answers)


def page(text: str, *links: str) -> str:
    return f"<html><title>t</title><p>{text}</p>" + "".join(f'<p><a href="{link}">{link}</a></p>' for link in links)


def topic(**given: Any) -> LabTopic:
    return LabTopic(**({"name": "hounds", "seeds": (HOME,), "targets": (), "pages": 10} | given))


def row(strategy: str = "best-first", name_of_topic: str = "hounds", **given: Any) -> ResultRow:
    fields: dict[str, Any] = {
        "key": f"{strategy}-{name_of_topic}-{given.get('seed', 1)}",
        "web": "web",
        "topic": name_of_topic,
        "strategy": strategy,
        "name": strategy,
        "params": {},
        "seed": 1,
        "budget": 4,
        "ending": "pages",
        "final": {"target-recall": 0.5, "recall-area": 0.25, "pages-to-80": "never", "cpu": 2.0, "requests": 5.0},
        "positions": [1, 2, 3, 4],
        "curves": {"target-recall": [0.0, 0.0, 0.5, 0.5]},
        "likeness": [0.1, 0.6, 0.9, 0.2],
        "order": "x",
        "seconds": {"parse": 0.01},
        "parsed_before": 0,
        "settings": {},
        "web_identity": "warc:1",
        "software": {"scenthound": "0"},
        "machine": {"cores": 2},
        "code": "c",
        "at": "2026-01-01T00:00:00+00:00",
    }
    return ResultRow(**(fields | given))
