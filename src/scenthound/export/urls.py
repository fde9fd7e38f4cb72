from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO

from scenthound.export.exporter import ChosenPages, exporter


@exporter("urls")
@dataclass
class UrlsExport:
    """A URL a line."""

    extensions = (".urls", ".txt")

    def write(self, pages: ChosenPages, stream: BinaryIO) -> None:
        for page in pages:
            stream.write(f"{page.url}\n".encode())
