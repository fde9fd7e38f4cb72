from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import BinaryIO

from scenthound.export.csv import Utf8Lines, cell
from scenthound.export.exporter import ChosenPages, exporter

COLUMNS = ("url", "priority", "host", "depth", "source", "anchor", "kind", "pages", "tries")


@exporter("waiting")
@dataclass
class WaitingExport:
    """The links that wait, with their scores, as comma-separated values: what the crawl would ask for next.

    Hosts come in the order of their best link, and the links of each best first. `pages`: on how many it was found.
    """

    extensions = (".waiting",)
    what = "link"

    def write(self, pages: ChosenPages, stream: BinaryIO) -> None:
        writer = csv.writer(Utf8Lines(stream), lineterminator="\n")
        writer.writerow(COLUMNS)
        for queue in sorted(pages.library.queues(), key=lambda queue: (-queue.best, queue.host)):
            for entry in pages.library.waiting(queue.host, queue.waiting):
                link = entry.link
                row = (link.url, entry.priority, entry.host, entry.depth, link.source, link.anchor, link.kind)
                writer.writerow([cell(value) for value in (*row, entry.evidence, entry.tries)])
                pages.taken += 1
