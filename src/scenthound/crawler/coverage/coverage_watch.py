"""Watches a crawl for what is enough of it: has links drawn at random, estimates what is missing, ends it.

Which link is drawn follows from the settings' random seed and the number of pages alone, and when coverage is looked at
from the number of pages: a crawl that was stopped and goes on does both as it would have.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from xxhash import xxh3_64_intdigest

from scenthound.config import Config
from scenthound.crawler.budget import Ending
from scenthound.crawler.coverage.crawl_record import CrawlRecord, record_of
from scenthound.crawler.coverage.known_links_file import keep_links
from scenthound.crawler.coverage.recall_estimate import LEAST_PAGES, CrawlFigures, RecallEstimate, estimate_recall
from scenthound.crawler.coverage.stop_rules import StopRules, read_rules
from scenthound.frontier.polite_frontier import PoliteFrontier
from scenthound.model import Step, Waiting
from scenthound.protocols.library import Library

NOTHING = 500
"""Pages after which a crawl that found no relevant one at all ends, where it was told when to stop."""

STEP, GROWTH = 10, 20
"""Coverage is looked at every so many pages, later whenever a crawl has grown by a twentieth: who looks at an estimate
often enough sees it err."""


class CoverageWatch:
    """Hears every step, and says when it is enough.

    `moved` takes links that have another priority now; `on_estimate` hears of each look at what is missing.
    """

    def __init__(self, config: Config, library: Library, frontier: PoliteFrontier) -> None:
        self.rules: StopRules = read_rules(config.crawl.until)
        self.record: CrawlRecord = record_of(library)
        self.moved: Callable[[Sequence[Waiting]], None] = lambda rows: None
        self.on_estimate: Callable[[RecallEstimate], None] = lambda estimate: None
        self._config = config
        self._folder = library.folder
        self._frontier = frontier
        self._every = round(1 / config.crawl.sample) if self.rules.recall and config.crawl.sample else 0
        self._ending: Ending | None = None
        self._next = next_look(self.record.pages)

    def __call__(self, step: Step) -> None:
        if step.check is not None or step.lease.link.kind == "robots":
            return
        if step.state in ("failed", "moved"):
            self.record.missed += 1
        elif step.visit is not None:
            self.record.add(step.lease, step.visit.relevant and not step.duplicate_of)
            self._look()
            self._draw()

    def enough(self) -> Ending | None:
        return self._ending

    def estimate(self) -> RecallEstimate:
        """What is missing now."""
        return estimate_recall(self.figures(), self._config.crawl.confidence)

    def figures(self) -> CrawlFigures:
        """What is known now that speaks of it."""
        return self.record.figures(self._waiting())

    def _waiting(self) -> int:
        """Links without an answer, as the library counts them: what is under way may lead on, too."""
        return len(self._frontier) + self._frontier.leased()

    def _draw(self) -> None:
        pages = self.record.pages
        if self._every and pages % self._every == 0 and self._ending is None:
            row = self._frontier.draw(random_fingerprint(self._config.crawl.random_seed, pages))
            if row is not None:
                self.moved([row])

    def _look(self) -> None:
        """Whether a rule is met."""
        pages, rules = self.record.pages, self.rules
        if rules.harvest and pages >= rules.window:
            recent = self.record.recently_found(rules.window)
            if recent < rules.harvest * rules.window:
                self._ending = "harvest fell" if self.record.found else "nothing relevant"
        if pages >= NOTHING and not self.record.found:
            self._ending = "nothing relevant"
        if pages < self._next:
            return
        self._next = next_look(pages)
        self.record.note_known(self._waiting())
        keep_links(self._folder, self.record.known)
        if rules.recall:
            self.on_estimate(estimate := self.estimate())
            if estimate.at_least >= rules.recall:
                self._ending = "coverage reached"


def next_look(pages: int) -> int:
    """How many pages there are when coverage is looked at next."""
    look = LEAST_PAGES
    while look <= pages:
        look += max(STEP, look // GROWTH)
    return look


def random_fingerprint(seed: int, pages: int) -> int:
    """Where among the fingerprints, which are spread evenly, the next draw begins."""
    return xxh3_64_intdigest(f"{seed} {pages}".encode()) - (1 << 63)
