from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import Any, BinaryIO

from scenthound.export.exporter import ChosenPages, exporter

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


@exporter("csv")
@dataclass
class CsvExport:
    """A row a page, under a row of names.

    A text that a spreadsheet would take for a formula gets an apostrophe in front: titles are written by strangers.
    """

    extensions = (".csv",)

    def write(self, pages: ChosenPages, stream: BinaryIO) -> None:
        rows = csv.writer(Utf8Lines(stream), lineterminator="\n")
        rows.writerow(pages.fields)
        for row in pages.rows():
            rows.writerow([cell(row[name]) for name in pages.fields])


def cell(value: Any) -> Any:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        value = value.replace("\0", "")
        return f"'{value}" if _looks_like_formula(value) else value
    return value


def without_apostrophe(text: str) -> str:
    """A text as it was before `cell`."""
    return text[1:] if text.startswith("'") and _looks_like_formula(text) else text


def _looks_like_formula(text: str) -> bool:
    return text.lstrip("'").startswith(_FORMULA)


class Utf8Lines:
    """Text into a stream of bytes. A `TextIOWrapper` would close the stream when it goes."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        return self.stream.write(text.encode("utf-8", "replace"))
