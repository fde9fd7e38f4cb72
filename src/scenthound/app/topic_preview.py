"""What a topic would make of pages, before a long crawl: some it would keep and some it would not, to be corrected.

The pages are those of the library. Where it has none yet, a short crawl from the seeds brings some; it is kept, and
the long one goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from heapq import nlargest, nsmallest
from pathlib import Path

from msgspec import Struct

from scenthound import urls
from scenthound.app.crawl import CrawlSession
from scenthound.app.crawl_plan import CrawlOptions, plan_crawl
from scenthound.app.events import Event, Visited
from scenthound.app.judge import examples_of_topic
from scenthound.app.judgement_words import WordWeight, as_words, speaking_terms
from scenthound.app.topic import read_topic
from scenthound.config import Config
from scenthound.crawler.present_judge import PresentJudge, present_judge
from scenthound.errors import ConfigError
from scenthound.judges.labelled import counts
from scenthound.library import is_library, open_library
from scenthound.library.stored_pages import copy_of
from scenthound.model import Page
from scenthound.protocols.crawl import Progress
from scenthound.protocols.library import Library
from scenthound.protocols.records import StoredPage

SAMPLE = 60
"""Pages of the short crawl."""

SHOWN = 20  # pages it would keep, and as many it would not
WORDS = 4  # that speak for a page, and as many against it
LOOKED_AT = 1_000
"""Pages of a large library that are judged: half of them the most relevant so far, half any."""


class PreviewPage(Struct, frozen=True):
    url: str
    title: str
    probability: float
    words: list[WordWeight]
    label: bool | None = None  # what somebody said of it


class TopicPreview(Struct, frozen=True):
    """Pages in order of their probability, the best first."""

    folder: str
    threshold: float
    judged: int  # pages looked at
    kept: int  # of these
    keeps: list[PreviewPage]
    leaves: list[PreviewPage]


def has_pages(folder: Path) -> bool:
    if not is_library(folder):
        return False
    with open_library(folder, write=False) as library:
        return library.counts().fetched > 0


def sample_crawl(
    folder: Path, pages: int = SAMPLE, replay: Sequence[Path] = (), progress: Progress | None = None
) -> CrawlSession:
    """The short crawl, in the folder of the long one."""
    plan = plan_crawl(str(folder), CrawlOptions(replay=list(replay))).shortened(pages)
    if not plan.config.crawl.seeds:
        raise ConfigError(
            "There are no pages to judge yet, and none to start from: give a --seed URL, or a page you like: --like URL"
        )
    return CrawlSession(plan, listeners=[_counting(pages, progress)] if progress is not None else [])


def _counting(whole: int, progress: Progress) -> Callable[[Event], None]:
    done = 0

    def listen(event: Event) -> None:
        nonlocal done
        if isinstance(event, Visited):
            done += 1
            progress(min(done, whole), whole)

    return listen


async def preview(folder: Path, *, shown: int = SHOWN, progress: Progress | None = None) -> TopicPreview:
    """Judges stored pages by the topic as it is now. Nothing is changed."""
    config = read_topic(folder)
    examples = await examples_of_topic(config, folder)
    with open_library(folder, write=False) as library:
        present = present_judge(config, library, examples, folder=folder)
        judged = _judged(config, library, present, progress)
        said = {url: label.relevant for url, label in library.labels().items()}
    keeps = [pair for pair in judged if counts(present.judge, pair[1].url, pair[0], present.threshold)]
    leaves = [pair for pair in judged if not counts(present.judge, pair[1].url, pair[0], present.threshold)]

    def told(pairs: list[tuple[float, Page]]) -> list[PreviewPage]:
        return [
            PreviewPage(page.url, page.title, p, _words(present, page), said.get(page.url))
            for p, page in telling(pairs, present.threshold, shown)
        ]

    return TopicPreview(str(folder), present.threshold, len(judged), len(keeps), told(keeps), told(leaves))


def _judged(
    config: Config, library: Library, present: PresentJudge, progress: Progress | None
) -> list[tuple[float, Page]]:
    judged = []
    chosen = _looked_at(list(library.pages()))
    for done, stored in enumerate(chosen):
        if progress is not None:
            progress(done, len(chosen))
        copy = copy_of(library, stored, config.topic.language, damaged_too=True)
        if copy.has_text:
            judged.append((present.judge(copy.page), copy.page))
    return judged


def _looked_at(pages: list[StoredPage]) -> list[StoredPage]:
    """Of many pages, the most relevant so far and any; copies of others say nothing new."""
    own = [page for page in pages if not page.duplicate_of]
    if len(own) <= LOOKED_AT:
        return own
    best = nlargest(LOOKED_AT // 2, own, key=lambda page: page.relevance)
    known = {page.url for page in best}
    others = (page for page in own if page.url not in known)
    return best + nsmallest(LOOKED_AT // 2, others, key=lambda page: urls.fingerprint(page.url))


def telling(pairs: list[tuple[float, Page]], threshold: float, n: int) -> list[tuple[float, Page]]:
    """Up to n of the pages, best first: half of them the most doubtful, half spread evenly over the others."""
    ordered = sorted(pairs, key=lambda pair: (-pair[0], pair[1].url))
    if len(ordered) <= n:
        return ordered
    doubtful = nsmallest(n // 2, range(len(ordered)), key=lambda i: abs(ordered[i][0] - threshold))
    others = [i for i in range(len(ordered)) if i not in set(doubtful)]
    spread = [others[i * (len(others) - 1) // max(1, n - n // 2 - 1)] for i in range(n - n // 2)]
    return [ordered[i] for i in sorted({*doubtful, *spread})]


def _words(present: PresentJudge, page: Page) -> list[WordWeight]:
    return as_words(speaking_terms(present.judge, page, WORDS), page)
