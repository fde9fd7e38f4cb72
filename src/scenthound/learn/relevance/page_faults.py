"""Signs that a page is not what its words make it look like. Each speaks against it, whatever else is in it.

| sign | when | pages of three recorded webs that are targets and have it |
|---|---|---|
| stuffed | five words make up more than half of a text of 60 words or more, links left out | 0 % |
| foreign | hardly a stop word of the topic's language, and the text is recognised as another language's | 0 % |
| list | ten links or more, over 0.7 of the words in them, fewer than 60 outside | 0 to 2 % |

A list of links to pages about a topic is not about it; to follow the links is the strategy's business.
"""

from __future__ import annotations

from math import exp

import numpy as np

from scenthound.learn.relevance.page_rows import PageRow
from scenthound.learn.relevance.page_words import TEXT, noted_words
from scenthound.model import Page
from scenthound.text.page_language import in_another_language

STUFFED, LEAST_WORDS, MOST_FREQUENT = 0.5, 60, 5
NOT_NEARLY = 0.99  # no rounding comes near that
LIST_LINKS, LIST_SHARE, LIST_WORDS = 10, 0.7, 60


def faults(page: Page, row: PageRow, language: str) -> list[str]:
    """The names of the signs that a page shows."""
    found = []
    if is_stuffed(row):
        found.append("stuffed")
    in_links = row.all_words - row.words
    if len(page.links) >= LIST_LINKS and row.words < LIST_WORDS and in_links > LIST_SHARE * row.all_words:
        found.append("list")
    if is_foreign(page, language):
        found.append("foreign")
    return found


def is_stuffed(row: PageRow) -> bool:
    if row.words < LEAST_WORDS:
        return False
    values = row.fields[TEXT].values
    if MOST_FREQUENT * exp(float(values.max(initial=0.0)) - 1.0) < NOT_NEARLY * STUFFED * row.words:
        return False  # not even five words as frequent as the first would be enough, as on most pages
    counts = np.exp(values - 1.0)
    most = counts if len(counts) <= MOST_FREQUENT else np.partition(counts, -MOST_FREQUENT)[-MOST_FREQUENT:]
    return float(most.sum()) > STUFFED * row.words


def is_foreign(page: Page, language: str) -> bool:
    """As noted by whoever parsed the page, where that was done."""
    if (noted := noted_words(page, language)) is not None:
        return noted.foreign
    return in_another_language(page.text, language)
