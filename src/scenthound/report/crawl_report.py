"""`report.html`: a crawl on one page, to look at and to pass on. It needs no other file and no network."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from msgspec.structs import replace

from scenthound.atomic_write import replacing
from scenthound.crawler.coverage.crawl_record import asked_coverage
from scenthound.library import library_at
from scenthound.library.label_figures import label_figures, labelled_pages
from scenthound.library.run_settings import last_settings
from scenthound.protocols.library import Library
from scenthound.report.crawl_page import Facts, render
from scenthound.report.page_list import page_lines
from scenthound.report.site_section import SiteLine
from scenthound.report.trouble_section import failure_examples

NAME = "report.html"
HOSTS, RUNS = 12, 20
LATELY = 30 * 86_400.0


def gather(place: Path | Library) -> Facts:
    """Looks into a library, also while a crawl writes to it."""
    with library_at(place) as library:
        labelled, config = labelled_pages(library), last_settings(library)
        return Facts(
            folder=library.folder.resolve().name if library.folder is not None else "",
            config=config,
            counts=library.counts(),
            harvest=library.harvest(),
            hosts=[host for host in library.hosts(HOSTS) if host.pages],
            pages=page_lines(library, config),
            runs=library.runs()[-RUNS:],
            disk=library.disk_bytes(),
            at=(now := time.time()),
            ages=library.ages(now),
            failures=failure_examples(library),
            looks=library.outcomes(now - LATELY),
            labels=label_figures(library, labelled),
            labelled=labelled,
            judged_again=library.judged_again(),
            coverage=asked_coverage(library, config),
        )


def write_report(
    folder: Path, output: Path | None = None, sites: Sequence[SiteLine] = (), sites_note: str = ""
) -> Path:
    """Writes the report of a library, into its folder unless said otherwise; returns where it is.

    `sites`: what a crawl for sites has found, best first; `sites_note`: what is to be said about them.
    """
    path = output or folder / NAME
    html = render(replace(gather(folder), sites=tuple(sites), sites_note=sites_note))
    with replacing(path) as stream:
        stream.write(html)
    return path
