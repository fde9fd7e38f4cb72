from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

from scenthound import registry, urls
from scenthound.config import named
from scenthound.model import Link, MergeRule, Ranked, Visit
from scenthound.protocols import Ground, Strategy
from scenthound.registry import strategy

NAME = "tunnelling"

DIRECT = -1e6
"""Direct links are above it, with the priority the wrapped strategy gave them; links of a tunnel are below."""

REMEMBERED = 100_000
"""Irrelevant pages whose level, and links of relevant pages whose directness, are remembered; oldest go first."""

_MARK = b"tunnel"


@strategy(NAME)
@dataclass
class Tunnelling:
    """Any strategy, with a way through irrelevant pages (Aastha 4.6).

    Believes that behind an irrelevant page there may be relevant ones, not far, and that after some failures it is
    wiser to turn back. Links of relevant pages are direct: they keep the priority the strategy gives them. Links of
    irrelevant pages wait in a second table, behind all direct ones, by level and then by score:

        level(link) = level(page) + 1 + (number of better links of the page) // patience
        priority    = p                                   direct, level 0; p is the strategy's priority
                    = -1,000,000 - level + squash(p)      level 1 .. max_level; above that it is not followed
        squash(p)   = (1 + p / (1 + |p|)) / 2             between 0 and 1, in the order of p

    | symbol | parameter or meaning |
    |---|---|
    | p | `strategy`: a name, or a table with a name and parameters |
    | irrelevant | relevance below `limit`, or below the crawl's threshold where none is given; a seed never is |
    | level(page) | level of the link it was fetched by; 0 if that was direct, or if the page is relevant |
    | max_level | `max_level`: irrelevant pages in a row at most; 0 follows no link of an irrelevant page |
    | patience | `patience`: failures after which the level of a page's other links rises; 0 = it never does |
    | trust | `trust`: a p from which a link is direct although its page is irrelevant; none where not given |

    In the document the level of every link scored no better rises when a link fails. A page's links are tried best
    first, so the link behind k better ones is tried after k failures: its level is known when it is found, and nothing
    that waits need be touched again (should one of the k lead to a relevant page, its siblings stay where they are,
    and what the relevant page links to is direct). So an irrelevant page costs at most 2^max_level - 1 requests.
    A strategy may vouch for single links of an irrelevant page (`blocks` does for those of relevant blocks).
    """

    strategy: Any = "best-first"
    max_level: int = 3
    limit: float | None = None
    patience: int = 1
    trust: float | None = None
    inner_: Any = field(init=False, repr=False, default=None)
    levels_: OrderedDict[int, int] = field(init=False, repr=False, default_factory=OrderedDict)
    direct_: OrderedDict[int, None] = field(init=False, repr=False, default_factory=OrderedDict)

    def __post_init__(self) -> None:
        if not 0 <= self.max_level <= 100:
            raise ValueError("max_level must be from 0 to 100")
        if self.limit is not None and not 0 <= self.limit <= 1:
            raise ValueError("limit must be from 0 to 1")
        if self.patience < 0:
            raise ValueError("patience must not be negative; 0 is patience without end")
        self.inner_ = self._built()

    def _built(self) -> Strategy:
        inner: Strategy = self.strategy
        if isinstance(self.strategy, (str, dict)):
            name, params = named(self.strategy, "strategy")
            if name == NAME:
                raise ValueError("tunnelling goes around another strategy, not around itself")
            inner = registry.strategy.build(name, params)
        return inner

    # What the wrapped strategy may have; an attribute it lacks is lacking here, too

    def begin(self, ground: Ground) -> None:
        if (begin := getattr(self.inner_, "begin", None)) is not None:
            begin(ground)

    @property
    def merge(self) -> MergeRule:
        """Numbers of two tables have no mean; in place of `mean` and `min` the best word counts."""
        return "last" if getattr(self.inner_, "merge", "max") == "last" else "max"

    @property
    def batch(self) -> int:
        batch: int = self.inner_.batch
        return batch

    @property
    def missed(self) -> Callable[[Link], None]:
        missed: Callable[[Link], None] = self.inner_.missed
        return missed

    @property
    def rescore_every(self) -> int:
        every: int = self.inner_.rescore_every
        return every

    @property
    def rescore(self) -> Callable[[Sequence[Link]], list[float]]:
        rescore = self.inner_.rescore

        def banded(links: Sequence[Link]) -> list[float]:
            found_on = (self.levels_.get(urls.fingerprint(link.source), 0) for link in links)
            return [band(priority, level) for priority, level in zip(rescore(links), found_on, strict=True)]

        return banded

    # Levels

    def learn(self, visit: Visit) -> None:
        level, own = unpack(visit.memory)
        if (learn := getattr(self.inner_, "learn", None)) is not None:
            learn(_with_memory(visit, own))
        if self._irrelevant(visit):
            if hasattr(self.inner_, "rescore"):
                _note(self.levels_, urls.fingerprint(visit.page.url), level + 1)
        elif self.merge == "last":
            for link in visit.page.links:
                _note(self.direct_, urls.fingerprint(link.url), None)

    def rank(self, visit: Visit) -> Sequence[Ranked]:
        level, own = unpack(visit.memory)
        ranked = self.inner_.rank(_with_memory(visit, own))
        if not self._irrelevant(visit):
            return [_placed(one, 0) for one in ranked]
        direct, doubtful = self._sorted(ranked)
        followed = [_placed(one, 0) for one in direct]
        for number, one in enumerate(doubtful):
            reached = level + 1 + (number // self.patience if self.patience else 0)
            if reached > self.max_level:
                break
            followed.append(_placed(one, reached))
        return followed

    def _irrelevant(self, visit: Visit) -> bool:
        if not visit.depth:
            return False
        return not visit.relevant if self.limit is None else visit.relevance < self.limit

    def _sorted(self, ranked: Sequence[Ranked]) -> tuple[list[Ranked], list[Ranked]]:
        """Links of an irrelevant page that are direct all the same; and the others, best first."""
        vouches = getattr(self.inner_, "vouches", _never)
        enough = inf if self.trust is None else self.trust
        direct: list[Ranked] = []
        doubtful: list[Ranked] = []
        for one in ranked:
            trusted = one.priority >= enough or vouches(one)
            known = trusted or (self.direct_ and urls.fingerprint(one.link.url) in self.direct_)
            (direct if known else doubtful).append(one)
        doubtful.sort(key=lambda one: -one.priority)
        return direct, doubtful


def _never(ranked: Ranked) -> bool:
    return False


def band(priority: float, level: int) -> float:
    """Where a link of this level, 0 for direct ones, waits."""
    if not level:
        return max(priority, DIRECT)
    return DIRECT - level + (1 + priority / (1 + abs(priority))) / 2


def unpack(memory: bytes | None) -> tuple[int, bytes | None]:
    """The level of a link, and what the wrapped strategy wanted to remember about it."""
    if memory is None or not memory.startswith(_MARK) or len(memory) < len(_MARK) + 2:
        return 0, memory
    level, remembers = memory[len(_MARK)], memory[len(_MARK) + 1]
    return level, memory[len(_MARK) + 2 :] if remembers else None


def pack(level: int, memory: bytes | None) -> bytes | None:
    """What is remembered of a direct link is what the wrapped strategy remembers, and no byte more."""
    if not level and (memory is None or not memory.startswith(_MARK)):
        return memory
    return _MARK + bytes((level, memory is not None)) + (memory or b"")


def _placed(one: Ranked, level: int) -> Ranked:
    return Ranked(link=one.link, priority=band(one.priority, level), memory=pack(level, one.memory))


def _with_memory(visit: Visit, memory: bytes | None) -> Visit:
    if memory is visit.memory:
        return visit
    return Visit(visit.link, visit.page, visit.relevance, visit.relevant, visit.depth, memory)


def _note(known: OrderedDict[int, Any], number: int, value: Any) -> None:
    known[number] = value
    known.move_to_end(number)
    if len(known) > REMEMBERED:
        known.popitem(last=False)
