"""What is known of how much was found, in words."""

from __future__ import annotations

from scenthound.crawler.coverage.recall_estimate import RecallEstimate
from scenthound.crawler.coverage.recapture import Recapture


def recall_words(estimate: RecallEstimate) -> str:
    """`Of the relevant pages that can be reached about 92 % are found (81 to 100 %, with confidence 0.95).`"""
    if estimate.unknown:
        return f"How much of what can be reached is found cannot be said: {estimate.unknown}."
    drawn = f" {estimate.draws:,} pages were drawn at random to know that." if estimate.draws else ""
    return (
        f"Of the relevant pages that can be reached about {estimate.recall:.0%} are found "
        f"({estimate.low:.0%} to {estimate.high:.0%}, with confidence {estimate.confidence:g}): "
        f"{estimate.found:,} found, about {estimate.missing:,.0f} missing.{drawn}"
    )


def recapture_words(found: Recapture) -> str:
    """What two crawls say of the topic at large."""
    counts = f"{found.first:,} relevant pages in the one, {found.second:,} in the other, {found.both:,} in both"
    if found.unknown:
        return f"{counts}. How many there are at large cannot be said: {found.unknown}."
    return (
        f"{counts}. By that there are about {found.total:,.0f} ({found.low:,.0f} to {found.high:,.0f}, with confidence "
        f"{found.confidence:g}); together the two have {found.recall:.0%} of them."
    )


ASSUMED = (
    "This takes it that the two crawls knew nothing of each other, that both were after the same topic with the same "
    "judge, and that no page is easier to find than another. Pages that many link to are found by both, so there are "
    "rather more pages than this says."
)
