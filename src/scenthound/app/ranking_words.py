"""Why a waiting link stands where it stands, in the words of the strategy as the last crawl left it."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from scenthound.config import Config
from scenthound.errors import ScenthoundError
from scenthound.model import Link
from scenthound.protocols.crawl import Justifies
from scenthound.protocols.hooks import hook
from scenthound.protocols.library import Library

REASONS = 5
LEAST = 0.1
"""Of the strongest reason: what adds less is not worth a line."""


class RankingReason(Struct, frozen=True):
    words: str
    part: float  # of the priority


def ranking_words(library: Library, config: Config, link: Link) -> list[RankingReason]:
    """The strongest reasons; none where the strategy gives none, or what it knew was not kept."""
    # Here, because a link that does not wait is explained without a crawler.
    from scenthound.crawler import assemble, examples
    from scenthound.crawler.crawl_snapshots import CrawlSnapshots, made_with
    from scenthound.crawler.present_judge import present_context

    try:
        kept = examples.load_kept(config, library.folder or Path())
        parts = assemble.page_crawl_parts(config, present_context(config, library, kept))
        strategy = hook(parts.strategy, Justifies)
        known = strategy is not None and CrawlSnapshots(library, parts, made_with(config, library, kept)).restore()
    except ScenthoundError:
        return []  # a model or an example that cannot be read any more: the rest can be told without it
    if strategy is None or known is None:
        return []
    reasons = strategy.why(link)[:REASONS]
    least = LEAST * max((part for _, part in reasons), default=0.0)
    return [RankingReason(words, part) for words, part in reasons if part > least]
