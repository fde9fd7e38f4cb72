"""What a model of relevance would think of a page that nobody has seen, from the words of a link to it.

    part_f(words) = a_f w_f . x(words) / s_f          in units of log odds; the offset is left out, so no words say 0

The text of a link is taken for the page's title, and for a part of its text, as what stands around it is; the words of
its URL are those of the page's own address. Words come hashed, a row for each link: see `link_words`.
"""

from __future__ import annotations

import numpy as np

from scenthound.learn.relevance.kernel_logistic import Floats
from scenthound.learn.relevance.link_words import ADDRESSES, ANCHORS, CONTEXTS
from scenthound.learn.relevance.page_words import ADDRESS, TEXT, TITLE
from scenthound.learn.relevance.relevance_model import RelevanceModel
from scenthound.learn.relevance.word_places import PLACES, Hashes, places_of

SAID = ((TITLE, ANCHORS), (TEXT, ANCHORS), (TEXT, CONTEXTS), (ADDRESS, ADDRESSES))
PARTS = len(SAID)


def imagined(model: RelevanceModel, words: Hashes) -> Floats:
    """A row for each link: anchor as title, anchor as text, context as text, address."""
    return np.stack([_part(model, field, words[:, columns]) for field, columns in SAID], axis=1)


def _part(whole: RelevanceModel, field: int, words: Hashes) -> Floats:
    model = whole.fields[field]
    if not model.share:
        return np.zeros(len(words))
    idf, weights = whole.words.at(places_of(field, words) + np.int32(field * PLACES))
    values = np.where(words != 0, idf, 0.0)
    sums = (values * weights).sum(axis=1)
    lengths = np.sqrt((values * values).sum(axis=1))
    part: Floats = model.share / model.spread * sums / np.where(lengths > 0, lengths, 1.0)
    return part
