"""From which relevance a page counts as found: what the settings say, or else what the judge says of its own scale.

Judges do not mean the same by a number. A cosine with a few keywords rarely reaches 0.3, a share of words 0.05, and a
probability of 0.5 is as likely as not. So each has a `threshold` of its own, and only who sets one in the settings
overrides it. This is the one place that decides between them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scenthound import registry
from scenthound.config import Config, named

EVEN = 0.5
"""For judges that name no threshold of their own: as likely as not."""


def threshold_of(config: Config) -> float:
    """From which relevance a page counts in a crawl with these settings."""
    given = config.crawl.threshold
    return own_threshold(config.crawl.judge) if given is None else given


def position_scale(config: Config) -> Callable[[float], float] | None:
    """How the judge of these settings turns a relevance into a position; None: it has no such scale."""
    made = registry.judge.build(*named(config.crawl.judge, "judge"))
    return getattr(made, "position", None)


def own_threshold(entry: str | dict[str, Any]) -> float:
    """What a judge, named as in the settings, says itself. Its parameters may move its scale, so it is made."""
    made = registry.judge.build(*named(entry, "judge"))
    return float(getattr(made, "threshold", EVEN))
