from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO

import msgspec

from scenthound.export.exporter import ChosenPages, exporter
from scenthound.text.chunks import WORDS, chunks_of


@exporter("chunks")
@dataclass
class ChunksExport:
    """A JSON object a line: a piece of a page's main text, with an id that stays, for retrieval.

    Beside the piece (`id`, `position`, `headings`, `chunk`, `chunk_words`) stand the fields of its page.
    """

    extensions = (".chunks",)

    def write(self, pages: ChosenPages, stream: BinaryIO) -> None:
        encode = msgspec.json.Encoder().encode
        for page in pages:
            row = pages.row(page)
            for chunk in chunks_of(page.url, pages.main_text(page).markdown, pages.choice.chunk_words or WORDS):
                piece = {
                    "id": chunk.id,
                    "position": chunk.position,
                    "headings": chunk.headings,
                    "chunk": chunk.text,
                    "chunk_words": chunk.words,
                }
                stream.write(encode(piece | row) + b"\n")
