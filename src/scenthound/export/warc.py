from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO

from scenthound.export.exporter import ChosenPages, exporter
from scenthound.library.warc_output import WarcOutput, answers_of


@exporter("warc")
@dataclass
class WarcExport:
    """The answers of the pages as they came, all versions of each, as a WARC 1.1 file that archive tools read."""

    extensions = (".warc.gz",)
    memory_a_page = 500

    def write(self, pages: ChosenPages, stream: BinaryIO) -> None:
        output = None
        for page in pages:
            kept = False
            for response in answers_of(pages.library, page.url):
                output = output or WarcOutput(stream, "scenthound.warc.gz", response.at)
                output.add(response)
                kept = True
            if not kept:
                pages.leave_out()
        if output is None:
            WarcOutput(stream, "scenthound.warc.gz", 0.0)
