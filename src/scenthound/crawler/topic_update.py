"""The topic, built anew during a crawl from the pages found relevant (Aastha 2.5.1 and Fig. 7b: build/update).

    keywords = OWN * (those the user gave) + (1 - OWN) * (those that tell most about the best pages so far)

After every so many relevant pages the judge begins anew with these keywords, and so does the strategy:

- one that has a `retopic(context)` is told by that;
- one that only looks at the page at hand (it has no `learn`) begins anew, by `begin(context)`;
- any other is left alone, because to begin anew would be to forget. It learns from the judge what is relevant now.

The user's own keywords keep half of the weight, so that a topic cannot walk away from them step by step. Links that
wait keep their priorities, unless the strategy ranks anew what waits.

A crawl that goes on after a restart takes this up from a snapshot, or lets it relive its visits, as it does the
strategy: the keywords, and the moments at which they change, follow from the visits in their order, and from nothing
else.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappush, heappushpop
from typing import Any

import msgspec
from msgspec.structs import replace

from scenthound.model import Step, Topic, Visit
from scenthound.protocols.crawl import Begins, Context, Learns, Retopics
from scenthound.protocols.hooks import hook
from scenthound.protocols.snapshots import Snapshot
from scenthound.text import topics

BEST, LONGEST = 50, 20_000
"""Pages the keywords are made of, those of the highest relevance; and how many characters of each."""


class TopicUpdate:
    """Watches a crawl. `context` holds the topic as it is now."""

    def __init__(self, every: int, context: Context, strategy: Any, judge: Any) -> None:
        self.every = every
        self.context = context
        self.found = 0
        self.on_update: Callable[[Topic], None] | None = None  # told of each new topic
        self._first = context.topic
        self._strategy = strategy
        self._judge = judge
        self._best: list[tuple[float, int, str]] = []
        self._chance: Any = None  # the state of the generator before the last update: whoever begins anew draws from it

    def __call__(self, step: Step) -> None:
        if step.visit is not None:
            self.saw(step.visit, duplicate=bool(step.duplicate_of))

    def saw(self, visit: Visit, *, duplicate: bool = False) -> None:
        if duplicate or not visit.relevant:
            return
        self.found += 1
        text = f"{visit.page.title}\n{visit.page.text}"[:LONGEST]
        push = heappush if len(self._best) < BEST else heappushpop
        push(self._best, (visit.relevance, -self.found, text))  # of equals the later goes first
        if self.found % self.every == 0:
            self._rebuild()

    def snapshot(self) -> Snapshot:
        topic = msgspec.to_builtins(self.context.topic)
        return Snapshot(1, {"found": self.found, "best": list(self._best), "topic": topic, "chance": self._chance})

    def restore(self, snapshot: Snapshot) -> None:
        values, _ = snapshot.of_version(1)
        topic = msgspec.convert(values["topic"], Topic)
        self.found, self._best = values["found"], [(relevance, nth, text) for relevance, nth, text in values["best"]]
        if values["chance"] is not None:
            version, numbers, gauss = values["chance"]
            self.context.random.setstate((version, tuple(numbers), gauss))
            self._go_on_with(topic)
        elif self._chance is not None:
            self._go_on_with(topic)
            self._chance = None

    def _rebuild(self) -> None:
        texts = [text for _, _, text in sorted(self._best, reverse=True)]
        self._go_on_with(topics.rebuilt(self._first, texts, self.context.idf))
        if self.on_update is not None:
            self.on_update(self.context.topic)

    def _go_on_with(self, topic: Topic) -> None:
        self._chance = self.context.random.getstate()
        self.context = replace(self.context, topic=topic)
        if (judge := hook(self._judge, Begins)) is not None:
            judge.begin(self.context)
        retopic(self._strategy, self.context)


def retopic(strategy: Any, context: Context) -> None:
    """Tells a strategy of a new topic, in the way that costs it nothing it has learned."""
    if (told := hook(strategy, Retopics)) is not None:
        told.retopic(context)
    elif hook(strategy, Learns) is None and (untold := hook(strategy, Begins)) is not None:
        untold.begin(context)
