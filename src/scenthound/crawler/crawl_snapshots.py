"""What is learned on the way, kept in the library: a crawl goes on at once, and as it would have.

    snapshots = CrawlSnapshots(library, parts, made_with(config, library, examples))
    last = snapshots.restore()                     before the first request: all know again what they knew
    relive_since(parts, library, config, last)     and learn from the few pages that were stored after that
    crawl.observers = [..., snapshots]             now and then, while the crawl runs
    snapshots.take()                               when it has ended

Where one of them learns and has no snapshots, or what is kept was made with another topic, other labels, settings or
software, nothing is restored, and all pages are relived. What is known of traps is kept as well; where only that is
missing, the others go on, and traps are known by what stored pages still tell.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from scenthound.config import Config
from scenthound.crawler.crawl_parts import CrawlParts
from scenthound.crawler.examples import ExamplePages
from scenthound.crawler.link_filter import LinkFilter
from scenthound.crawler.present_judge import judged_with
from scenthound.learn import model_file
from scenthound.library.stored_pages import visits
from scenthound.model import Step, Visit
from scenthound.protocols.crawl import (
    Clock,
    HearsMisses,
    HearsMoves,
    HearsRefusals,
    Learns,
    NotesLinks,
    Progress,
    Restores,
    Snapshots,
    Watches,
)
from scenthound.protocols.hooks import hook
from scenthound.protocols.library import Library, SnapshotStore
from scenthound.protocols.records import EndedLink
from scenthound.version import __version__

EVERY = 30.0
"""Seconds between two snapshots at least: what a crawl that is killed has to relive is what came in that time."""

SHARE = 0.01
"""Of the time of a crawl that goes into snapshots at most."""

PACKED_A_SECOND = 100e6
"""Bytes of arrays that are packed and written in a second, on a slow machine; it is done beside the crawl."""

MOST_BYTES = 1_000_000_000
"""Of arrays: more is not kept, and has to be relived."""

UNREADABLE = (ValueError, LookupError, TypeError, AttributeError)
"""What a strategy or judge may raise about a snapshot that it cannot make sense of."""

TRAPS = "traps"


class CrawlSnapshots:
    """The snapshots of one crawl: of its strategy, its judge, what it knows of traps, and the topic where that is
    rebuilt from pages found."""

    def __init__(
        self, library: SnapshotStore, parts: CrawlParts, made_with: str, *, clock: Clock = time.perf_counter
    ) -> None:
        self._library = library
        self._clock = clock
        self._traps = parts.traps
        self.go_on_with(parts, made_with)
        self._due = clock() + EVERY
        self._news = False

    def go_on_with(self, parts: CrawlParts, made_with: str) -> None:
        """From now on it is these that learn."""
        self.made_with = made_with
        # The topic first: what strategy and judge make of it is then replaced by what they know.
        learners = {"topic": parts.topic_update, "strategy": parts.strategy, "judge": parts.judge}
        self._learners: dict[str, Any] = {name: each for name, each in learners.items() if _learns(each)}
        if self._traps is not None:
            self._learners[TRAPS] = self._traps
        self._possible = bool(self._learners) and all(
            hook(each, Snapshots) is not None and hook(each, Restores) is not None for each in self._learners.values()
        )

    def restore(self) -> int | None:
        """The number of the last page that they know now. None: they know nothing, as before."""
        kept = self._library.kept_snapshots(self.made_with) if self._possible else None
        if kept is None or kept.snapshots.keys() - {TRAPS} != self._learners.keys() - {TRAPS}:
            return None
        known = {name: learner for name, learner in self._learners.items() if name in kept.snapshots}
        before = {name: learner.snapshot() for name, learner in known.items()}
        try:
            for name, learner in known.items():
                learner.restore(kept.snapshots[name])
        except UNREADABLE:
            for name, learner in known.items():
                learner.restore(before[name])
            return None
        if self._traps is not None:
            self._traps.goes_on = TRAPS in known
        return kept.page

    def begin(self) -> None:
        """What they know before the first page: a crawl that is killed soon goes on from there, as it would have."""
        self._news = self._possible
        self.take()

    def hurry(self) -> None:
        """What they know has taken long to learn again: it is kept with the next page."""
        self._due = self._clock()

    def __call__(self, step: Step) -> None:
        if step.visit is None or not self._possible:
            return
        self._news = True
        if self._clock() >= self._due:
            self.take()

    def take(self) -> None:
        """Has what they know now kept, unless they have learned nothing since."""
        if not self._news:
            return
        self._news, started = False, self._clock()
        snapshots = {name: learner.snapshot() for name, learner in self._learners.items()}
        size = sum(snapshot.bytes for snapshot in snapshots.values())
        if size > MOST_BYTES:
            self._possible = False
            return
        self._library.keep_snapshots(snapshots, self.made_with)
        cost = self._clock() - started + size / PACKED_A_SECOND
        self._due = self._clock() + max(EVERY, cost / SHARE)


def _learns(thing: Any) -> bool:
    return any(hook(thing, kind) is not None for kind in (Learns, HearsMisses, HearsMoves, HearsRefusals, Watches))


def relive_since(
    parts: CrawlParts, library: Library, config: Config, page: int, progress: Progress | None = None
) -> None:
    """Lets them learn from the pages after that one, and from the links that brought none, as the crawl did: in their
    order, and each page as it was judged then."""
    watcher = hook(parts.judge, Watches)
    traps = parts.traps if parts.traps is not None and parts.traps.goes_on else None
    links = LinkFilter(config, parts.scope, traps.traps if traps is not None else None)
    misses, finds = deque(library.misses()), dict(library.finds()) if traps is not None else {}
    whole = library.counts().fetched - page
    for done, each in enumerate(visits(library, config.topic.language, page, whole=True)):
        if progress is not None:
            progress(done, whole)
        stored = each.stored
        while misses and misses[0].page < stored.seq:
            _hear_again(parts.strategy, misses.popleft())
        visit = replace(each.visit, relevance=stored.first_relevance, relevant=stored.first_relevant)
        if watcher is not None:
            parts.judge(visit.page)  # it may have something to learn before it speaks
            watcher.saw(visit.page)
        learn_again(parts.strategy, visit, each.hops, links)
        if traps is not None:
            traps.learn(visit, finds.get(stored.seq, ()), original=stored.duplicate_of)
        if parts.topic_update is not None:
            parts.topic_update.saw(visit, duplicate=bool(stored.duplicate_of))
    for ended in misses:
        _hear_again(parts.strategy, ended)


def learn_again(strategy: Any, visit: Visit, hops: int, links: LinkFilter) -> None:
    """A visit relived: who learns from it does, and who takes note of links while ranking them does so once more."""
    if (learner := hook(strategy, Learns)) is not None:
        learner.learn(visit)
    if (noter := hook(strategy, NotesLinks)) is not None:
        followed = links.sort(visit.page, visit.depth + 1, hops).links
        noter.note(replace(visit, page=replace(visit.page, links=followed)))


def _hear_again(strategy: Any, ended: EndedLink) -> None:
    """A link that brought no page: the strategy is told what it was told when that happened."""
    if ended.ending == "failed":
        if (hearer := hook(strategy, HearsMisses)) is not None:
            hearer.missed(ended.link)
    elif ended.ending == "moved":
        if (follower := hook(strategy, HearsMoves)) is not None:
            follower.moved(ended.link, ended.target)
    elif (refuser := hook(strategy, HearsRefusals)) is not None:
        refuser.refused(ended.link, ended.ending == "refused")


def made_with(config: Config, library: Library, examples: ExamplePages) -> str:
    """What shapes strategy and judge, but for the pages: topic, examples, labels, settings, models, software."""
    crawl = config.crawl
    settings = [crawl.strategy, crawl.tunnel, crawl.random_seed, crawl.rebuild_topic, _trained(library.folder)]
    digits = blake2b(msgspec.json.encode(settings, order="deterministic"), digest_size=6).hexdigest()
    return f"{judged_with(config, library, examples)} strategy:{digits} software:{__version__}"


def _trained(folder: Path | None) -> Mapping[str, str]:
    """The models that strategies were trained to, each by a few digits that stand for it."""
    if folder is None or not (models := folder / model_file.FOLDER).is_dir():
        return {}
    files = sorted(path for path in models.iterdir() if path.is_file())
    return {path.name: blake2b(path.read_bytes(), digest_size=6).hexdigest() for path in files}
