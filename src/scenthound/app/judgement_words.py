"""The words that speak for a page and against it, as the judge weighs them and as the page spells them."""

from __future__ import annotations

from msgspec import Struct

from scenthound.model import Page
from scenthound.protocols.crawl import Explains, Judge
from scenthound.protocols.hooks import hook
from scenthound.text.as_written import as_written


class WordWeight(Struct, frozen=True):
    word: str  # as the page spells it
    part: float  # of the judgement; below 0: speaks against


def speaking_terms(judge: Judge, page: Page, n: int) -> list[tuple[str, float]]:
    """Up to n terms that speak most for the page, then up to n against it; none where the judge does not say."""
    explainer = hook(judge, Explains)
    if explainer is None:
        return []
    found = list(explainer.strongest(page, 4 * n))
    most = sorted((pair for pair in found if pair[1] > 0), key=lambda pair: -pair[1])[:n]
    least = sorted((pair for pair in found if pair[1] < 0), key=lambda pair: pair[1])[:n]
    return most + least


def as_words(terms: list[tuple[str, float]], page: Page) -> list[WordWeight]:
    spelt = as_written((term for term, _ in terms), f"{page.title}\n{page.text}", page.language)
    return [WordWeight(spelt[term], part) for term, part in terms]
