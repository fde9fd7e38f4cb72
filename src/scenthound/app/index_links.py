"""A topic against the index of an archive: which of its addresses speak of the topic.

An index knows addresses and not what is there. One whose words have a whole keyword of the topic in them is worth a
look: `.../coral-bleaching-2024.html`, for the keyword `coral bleaching`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from re import compile as pattern
from urllib.parse import unquote

from scenthound import urls
from scenthound.fetch.common_crawl import captures
from scenthound.model import Topic
from scenthound.text.analysis import analyzer

MOST_LINKS = 100_000
_no_word = pattern(r"[^\w]+|_|(?<=[a-z])(?=[A-Z])|\d+")


def index_links(path: Path, topic: Topic) -> list[str]:
    """Addresses of an index that have a keyword of the topic in them, each once, in its order."""
    return list(islice(dict.fromkeys(_matching(path, topic)), MOST_LINKS))


def _matching(path: Path, topic: Topic) -> Iterator[str]:
    stems = analyzer(topic.language).counts
    wanted = [frozenset(stems(keyword.term)) for keyword in topic.keywords]
    wanted = [stemmed for stemmed in wanted if stemmed]
    for capture in captures(path):
        words = _no_word.sub(" ", unquote(capture.url[len(urls.origin(capture.url)) :]))
        there = stems(words).keys()
        if any(stemmed <= there for stemmed in wanted):
            yield capture.url
