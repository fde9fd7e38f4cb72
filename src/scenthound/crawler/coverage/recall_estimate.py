"""How many relevant pages are still to be found, from what a crawl has seen so far.

The model, in words: relevant pages become rarer as a crawl goes on, in proportion to its length. Each doubling of the
crawl then brings as many as the doubling before. So many came in the last ones; so many are left until nothing waits:

    left   = max(waiting * b / (1 - g * b), (waiting + new) * b)
    groups = log2(1 + left / pages) * min over n = 1 .. 4 of  (found(n) / clump + 1/2) / n

| symbol | meaning |
|---|---|
| waiting | links that wait |
| b | share of requests that brought a page |
| g | new links that a page of the last half brought, or of the last quarter, if that is more |
| new | new links that the last half brought: the next doubling may bring as many, however few wait now |
| found(n) | relevant pages in the last n doublings: the last half of the pages, the last three quarters, ... |
| clump | how many relevant pages come together, found on one page, as in a list: one more list is one event |

Where the last half of the pages still led to hosts that had not been asked before, there may be hosts full of relevant
pages that nothing found so far hints at. They are counted in the same way, as groups of their own: hosts whose first
relevant page came in the last n doublings, each with as many relevant pages as such hosts have in the mean.

That is believed within a factor: the number of groups has an exponential prior with this mean. Links drawn at random
from all that wait correct it, whether or not the harvest falls as the model thinks: draws that bring nothing lower it,
slowly, and every one that does, itself or by the links on its page, raises it. The answer is a sum of two negative
binomial distributions, of which the interval is taken. Where links come in faster than they can be followed there is
no answer.

A rule that ends a crawl asks for more than the interval does: that it would still be right if one page more turned up
than is thought, as long as anything waits. Of a few relevant pages a single one decides, and one that is hidden where
nothing hints at it is in no estimate.
"""

from __future__ import annotations

from math import log2

from msgspec import Struct

from scenthound.crawler.coverage.missing_quantiles import MissingPart, missing_quantiles

LEAST_PAGES = 50
LEAST_DRAWS = 5
PRIOR = 1.0
"""Shape of the prior: 1 is exponential. What is expected is exceeded three times in one of twenty cases."""

HIDDEN = 1.0
"""Relevant pages more than are thought to be missing, that a stop has to bear."""


class CrawlFigures(Struct, frozen=True):
    """What the estimate is made from."""

    pages: int
    found: int  # relevant pages among them, as they were judged when they came
    doublings: tuple[int, ...]  # relevant pages in the last half of all pages, in the last three quarters, ...
    new_links: float  # that a page brought lately
    recent_links: float  # that the last half of the pages brought
    brought: float  # share of requests that brought a page
    waiting: int
    clump: float = 1.0  # relevant pages that come together
    new_hosts: int = 0  # asked for the first time in the last half of the pages
    host_doublings: tuple[int, ...] = (0,)  # hosts whose first relevant page came in the last half, ...
    host_size: float = 0.0  # relevant pages of a host that has any
    draws: float = 0.0  # requests of the latter half that were drawn at random
    draws_brought: int = 0  # relevant pages that these led to
    all_draws: int = 0  # pages that were drawn, from the beginning on


class RecallEstimate(Struct, frozen=True):
    """Of the relevant pages that can be reached, the share that is found. Relevant is what the judge calls so."""

    found: int
    confidence: float
    unknown: str = ""  # why there is no estimate, in words; then the rest means nothing
    missing: float = 0.0  # relevant pages that are expected and not found
    fewest: float = 0.0  # interval for that
    most: float = 0.0
    surely_most: float = 0.0  # not more than this, one-sided
    left: float = 0.0  # pages that are thought to be there and not fetched
    draws: int = 0  # pages drawn at random: what the estimate cost

    @property
    def recall(self) -> float:
        return self._recall(self.missing)

    @property
    def low(self) -> float:
        return self._recall(self.most)

    @property
    def high(self) -> float:
        return self._recall(self.fewest)

    @property
    def at_least(self) -> float:
        """The recall that is reached with this confidence, even if one page is hidden: what a stop rule goes by."""
        return self._recall(self.surely_most + (HIDDEN if self.left else 0.0))

    def _recall(self, missing: float) -> float:
        return self.found / (self.found + missing) if self.found and not self.unknown else 0.0


def estimate_recall(figures: CrawlFigures, confidence: float = 0.95) -> RecallEstimate:
    """What is missing, with an interval that holds it with this confidence; or why that cannot be said."""
    known = RecallEstimate(figures.found, confidence, draws=figures.all_draws)
    if unknown := _why_unknown(figures):
        return RecallEstimate(figures.found, confidence, unknown, draws=figures.all_draws)
    if not figures.waiting:
        return known
    left = max(
        figures.waiting * figures.brought / (1.0 - figures.new_links * figures.brought),
        (figures.waiting + figures.recent_links) * figures.brought,
    )
    doublings = log2(1.0 + left / figures.pages)
    groups = _a_doubling(figures.doublings, figures.clump) * doublings
    shape = PRIOR + figures.draws_brought / figures.clump
    groups = shape * left / (PRIOR * left / groups + figures.draws)
    hosts = _a_doubling(figures.host_doublings) * doublings if figures.new_hosts else 0.0
    parts = MissingPart(groups, shape, figures.clump), MissingPart(hosts, PRIOR, figures.host_size)
    tail = (1.0 - confidence) / 2.0
    fewest, most, surely = missing_quantiles(parts, (tail, 1.0 - tail, confidence))
    return RecallEstimate(
        figures.found,
        confidence,
        missing=sum(part.mean * part.size for part in parts),
        fewest=fewest,
        most=most,
        surely_most=surely,
        left=left,
        draws=figures.all_draws,
    )


def _a_doubling(found: tuple[int, ...], together: float = 1.0) -> float:
    """How many groups a doubling brings: the least that any stretch of the past speaks for. Harvest falls, so none of
    them says too little."""
    return min((each / together + 0.5) / doublings for doublings, each in enumerate(found, start=1))


def _why_unknown(figures: CrawlFigures) -> str:
    if figures.pages < LEAST_PAGES:
        return f"there are fewer than {LEAST_PAGES} pages"
    if not figures.found:
        return "no relevant page is found"
    if figures.all_draws < LEAST_DRAWS:
        return f"fewer than {LEAST_DRAWS} pages were drawn at random from all that wait"
    if figures.new_links * figures.brought >= 1.0:
        return "every page still brings more pages that wait than it takes away: no end is in sight"
    return ""
