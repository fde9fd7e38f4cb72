"""Seeds chosen by the links of a first small crawl (Batsakis 2.3, Aastha 2.5): good hubs lead to much of the topic."""

from __future__ import annotations

from pathlib import Path

from scenthound.errors import UsageError
from scenthound.fetch.seed_sources.choose_source import FoundSeeds
from scenthound.fetch.seed_sources.source_client import SeedHit
from scenthound.learn.graphs.link_analysis import WAYS, By, link_scores
from scenthound.library import open_library

MOST_PAGES = 50_000


def seeds_by_links(folder: Path, by: By, limit: int) -> FoundSeeds:
    """The best pages of a library by link analysis, best first. Copies, and pages without a score, are left out."""
    if by not in WAYS:
        raise UsageError(f"--by is {', '.join(WAYS)}, not {by!r}.")
    with open_library(folder, write=False) as library:
        pages = [page for page in library.pages() if not page.duplicate_of][:MOST_PAGES]
        if not pages:
            raise UsageError(f"{folder} holds no pages yet. Crawl a little: scenthound crawl {folder} --pages 100")
        place = {page.url: number for number, page in enumerate(pages)}
        edges = [
            (place[page.url], place[url])
            for page in pages
            for url in dict.fromkeys(link.url for link in library.outlinks(page.url))
            if url in place and url != page.url
        ]
    scores = link_scores(len(pages), edges, by, [page.relevance for page in pages])
    order = sorted(range(len(pages)), key=lambda number: (-scores[number], number))
    best = [pages[number] for number in order[:limit] if scores[number] > 0]
    return FoundSeeds(f"the {by} of {folder}", tuple(SeedHit(page.url, page.title) for page in best))
