"""How much a term tells: `idf = log(N / N_j)`, N documents of which N_j hold the term (Batsakis eq. 1).

Three sources, because a crawl has no collection to count in before it begins:

- `background`: the language at large, in place of the search engine's table that Batsakis used;
- `trained`: a set of documents, as the X-Means crawler does with its training pages;
- `none`: 1 for every term, so that a weight is tf alone, as most Best-First crawlers do.

**From word frequencies to document frequencies.** The background table knows which share `p` of all words a
term is, not in how many documents it stands. If words fell independently, a document of `m` words would hold
the term with probability

    N_j / N = 1 - (1 - p)^m        so        idf = -log(1 - (1 - p)^m)

Words do not fall independently: one that occurs tends to occur again, so real document frequencies are lower, most
of all for the rare words that name topics. That shifts the idf of rare terms up by much the same amount, hardly
changes their order, and leaves cosines nearly as they are; and the formula keeps what matters, that idf falls to 0 for
words that are everywhere and grows with the logarithm of rarity otherwise. `m` is the length of an ordinary
page. A term the table does not hold counts as half as frequent as the rarest one it holds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cache
from math import expm1, log, log1p

from scenthound.protocols.crawl import Idf
from scenthound.text import background as tables
from scenthound.text.languages import code

PAGE_WORDS = 500  # m


class _Table(dict[str, float]):
    """Term -> idf. Its `__getitem__` is the Idf: a call that stays in C for every term it holds."""

    def __init__(self, weights: Mapping[str, float], unseen: float) -> None:
        super().__init__(weights)
        self._unseen = unseen

    def __missing__(self, term: str) -> float:
        return self._unseen


def background(language: str) -> Idf:
    """Idf from the frequencies of the language at large; as `none` for a language nothing is known of."""
    return _background(code(language))


@cache
def _background(language: str) -> Idf:
    table = tables.background(language)
    if table is None:
        return none()
    by_frequency = {p: _from_share(p) for p in set(table.frequency.values())}
    rarest = min(by_frequency)
    weights = dict(zip(table.frequency, map(by_frequency.__getitem__, table.frequency.values()), strict=True))
    return _Table(weights, unseen=_from_share(rarest / 2)).__getitem__


def _from_share(p: float) -> float:
    return -log(-expm1(PAGE_WORDS * log1p(-p)))


def trained(documents: Iterable[Mapping[str, int]]) -> Idf:
    """Idf from the counts of some documents. A term in none of them counts as in half a document: log(N / 0.5).

    A single document says nothing about rarity (every term of it would weigh 0): then as `none`.
    """
    holding: Counter[str] = Counter()
    total = 0
    for counts in documents:
        holding.update(counts.keys())
        total += 1
    if total < 2:
        return none()
    return _Table({term: log(total / n) for term, n in holding.items()}, unseen=log(total / 0.5)).__getitem__


def none() -> Idf:
    """1 for every term."""
    return _one


def _one(term: str) -> float:
    return 1.0
