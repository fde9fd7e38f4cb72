"""Every registered format through the same duties. A new one says here how it is read back."""

import csv
import io
import json
from collections.abc import Callable
from typing import Any

import pytest

from scenthound.export.exporter import exporter
from tests.conformance.exporters import CHECKS, Reader


def read_json_lines(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.decode().split("\n")[:-1]]


def read_csv(data: bytes) -> list[dict[str, Any]]:
    return list(csv.DictReader(io.StringIO(data.decode(), newline="")))


def read_urls(data: bytes) -> list[dict[str, Any]]:
    return [{"url": line} for line in data.decode().splitlines()]


READERS: dict[str, Reader] = {"jsonl": read_json_lines, "csv": read_csv, "urls": read_urls}


def test_every_format_can_be_read_back() -> None:
    assert set(READERS) == set(exporter.names())


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", READERS)
def test_duty(name: str, check: Callable[[Any, Reader], None]) -> None:
    check(exporter.get(name), READERS[name])
