"""How much of a topic is found: of what can be reached, by one library; of the topic at large, by two."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from scenthound.app.crawl_view import RecallLine, no_recall, recall_line
from scenthound.crawler.assemble import canonical_seeds
from scenthound.crawler.coverage.crawl_record import record_of
from scenthound.crawler.coverage.recall_estimate import RecallEstimate, estimate_recall
from scenthound.crawler.coverage.recapture import Recapture, recapture
from scenthound.crawler.coverage.stop_rules import read_rules
from scenthound.errors import ScenthoundError, UsageError
from scenthound.library import open_library
from scenthound.library.run_settings import last_settings
from scenthound.protocols.library import Library

LEAST_CONFIDENCE, MOST_CONFIDENCE = 0.5, 0.999


def library_recall(library: Library) -> RecallLine:
    """How much of what can be reached is found, where some crawl drew pages at random; else why nobody can say.

    The estimate reads all pages. Whether any was drawn the settings of the crawls so far say at once.
    """
    settings = last_settings(library)
    if not any(_draws(run.config) for run in library.runs()):
        return no_recall(settings.crawl.confidence)
    figures = record_of(library).figures(library.counts().waiting)
    return recall_line(estimate_recall(figures, settings.crawl.confidence))


def _draws(stored: str) -> bool:
    """Whether a crawl with these settings drew pages at random."""
    try:
        crawl = msgspec.json.decode(stored, type=dict[str, Any])["crawl"]
        return bool(crawl.get("sample", 1.0)) and bool(read_rules(crawl.get("until", [])).recall)
    except (msgspec.MsgspecError, ScenthoundError, KeyError, TypeError):  # as another version wrote it
        return False


class LibraryCoverage(Struct, frozen=True):
    """What one or two libraries say."""

    folder: str
    reachable: RecallEstimate
    against: str = ""
    at_large: Recapture | None = None
    shared_seeds: list[str] = []  # pages that both crawls started from: they are then not independent


def read_coverage(folder: Path, against: Path | None = None, confidence: float | None = None) -> LibraryCoverage:
    """`against`: a library about the same topic, crawled from other seeds."""
    if confidence is not None and not LEAST_CONFIDENCE <= confidence <= MOST_CONFIDENCE:
        raise UsageError(f"--confidence must be from {LEAST_CONFIDENCE} to {MOST_CONFIDENCE}, as 0.95.")
    if against is not None and against.resolve() == folder.resolve():
        raise UsageError("A library cannot be held against itself: name one crawled from other seeds.")
    with open_library(folder, write=False) as library:
        level = confidence or last_settings(library).crawl.confidence
        reachable = estimate_recall(record_of(library).figures(library.counts().waiting), level)
        found, seeds = _found(library), _seeds(library)
    if against is None:
        return LibraryCoverage(str(folder), reachable)
    with open_library(against, write=False) as other:
        shared = sorted(seeds & _seeds(other))
        return LibraryCoverage(str(folder), reachable, str(against), recapture(found, _found(other), level), shared)


def _found(library: Library) -> set[str]:
    """The relevant pages, spelt so that http and https are the same page."""
    return {page.url.partition("://")[2] for page in library.pages(relevant=True) if page.counts}


def _seeds(library: Library) -> set[str]:
    return set(canonical_seeds(last_settings(library).crawl.seeds))
