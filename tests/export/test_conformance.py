"""Every registered format through the same duties. A new one says here how it is read back."""

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from scenthound.export.exporter import exporter
from scenthound.fetch.recording import ArchiveIterator, WarcRecordType
from tests.conformance.exporters import CHECKS, Reader


def read_json_lines(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.decode().split("\n")[:-1]]


def read_csv(data: bytes) -> list[dict[str, Any]]:
    return list(csv.DictReader(io.StringIO(data.decode(), newline="")))


def read_urls(data: bytes) -> list[dict[str, Any]]:
    return [{"url": line} for line in data.decode().splitlines()]


def read_markdown(data: bytes) -> list[dict[str, Any]]:
    rows = []
    with zipfile.ZipFile(io.BytesIO(data)) as files:
        for name in files.namelist():
            _, front, _ = files.read(name).decode().split("---\n", 2)
            rows.append({key: json.loads(value) for key, _, value in (x.partition(": ") for x in front.splitlines())})
    return rows


def read_parquet(data: bytes) -> list[dict[str, Any]]:
    from pyarrow import parquet  # it takes its time

    rows: list[dict[str, Any]] = parquet.read_table(io.BytesIO(data)).to_pylist()
    return rows


def read_graphml(data: bytes) -> list[dict[str, Any]]:
    import networkx

    graph = networkx.parse_graphml(data.decode(), force_multigraph=True)
    return [dict(node) for _, node in graph.nodes(data=True)]


def read_warc(data: bytes) -> list[dict[str, Any]]:
    records = ArchiveIterator(io.BytesIO(data), record_types=WarcRecordType.response | WarcRecordType.revisit)
    return [{"url": record.headers["WARC-Target-URI"]} for record in records]


def read_wacz(data: bytes) -> list[dict[str, Any]]:
    with zipfile.ZipFile(io.BytesIO(data)) as files:
        return [json.loads(line) for line in files.read("pages/pages.jsonl").splitlines()[1:]]


def read_site(data: bytes) -> list[dict[str, Any]]:
    with zipfile.ZipFile(io.BytesIO(data)) as files:
        pages = [files.read(name).decode() for name in files.namelist() if name.startswith("pages/")]
    found = (re.search(r'<p class="facts"><a href="([^"]*)"', page) for page in pages)
    return [{"url": match[1]} for match in found if match]


READERS: dict[str, Reader] = {
    "jsonl": read_json_lines,
    "csv": read_csv,
    "urls": read_urls,
    "markdown": read_markdown,
    "parquet": read_parquet,
    "graphml": read_graphml,
    "warc": read_warc,
    "wacz": read_wacz,
    "site": read_site,
}
NO_PAGES = {"waiting", "chunks"}
"""What writes something else than a row a page has tests of its own."""


def test_every_format_can_be_read_back() -> None:
    assert READERS.keys() | NO_PAGES == set(exporter.names())


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", READERS)
def test_duty(name: str, check: Callable[[Any, Reader], None]) -> None:
    check(exporter.get(name), READERS[name])
