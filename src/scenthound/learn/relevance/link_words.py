"""The words of links as rows of numbers, all of one width: what waits is scored again and again.

    | columns | words of |
    |---|---|
    | ANCHORS | its text, the first 8 |
    | CONTEXTS | what stands around it, the first 20 |
    | ADDRESSES | its URL, the first 6 |

A word is its hash, the same in every column; 0 stands for none.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from scenthound.learn.relevance.word_places import Hashes, word_hashes

Words = tuple[str, ...]

ANCHORS, CONTEXTS, ADDRESSES = slice(0, 8), slice(8, 28), slice(28, 34)
WIDTH = 34


def link_words(anchors: Sequence[Words], contexts: Sequence[Words], addresses: Sequence[Words]) -> Hashes:
    """A row for each link."""
    rows = np.zeros((len(anchors), WIDTH), np.uint32)
    texts: list[Words] = []
    for columns, found in ((ANCHORS, anchors), (CONTEXTS, contexts), (ADDRESSES, addresses)):
        texts += [words[: columns.stop - columns.start] for words in found]
    lengths = np.array([len(words) for words in texts], np.intp)
    starts = np.repeat([ANCHORS.start, CONTEXTS.start, ADDRESSES.start], len(anchors))
    hashes = word_hashes(chain.from_iterable(texts))
    # Where each text begins in the rows, and how far into its text each word is.
    begins = np.tile(np.arange(len(anchors)) * WIDTH, 3) + starts
    within = np.arange(len(hashes)) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    rows.reshape(-1)[np.repeat(begins, lengths) + within] = hashes
    return rows
