from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO

import msgspec

from scenthound.export.exporter import ChosenPages, exporter


@exporter("jsonl")
@dataclass
class JsonlExport:
    """A JSON object a line."""

    extensions = (".jsonl", ".ndjson", ".json")

    def write(self, pages: ChosenPages, stream: BinaryIO) -> None:
        encode = msgspec.json.Encoder().encode
        for row in pages.rows():
            stream.write(encode(row) + b"\n")
