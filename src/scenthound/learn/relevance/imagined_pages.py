"""What a model of relevance would think of a page that nobody has seen, from the words of a link to it.

    part_f(words) = a_f w_f . x(words) / s_f          in units of log odds; the offset is left out, so no words say 0

The text of a link is taken for the page's title, and for a part of its text, as what stands around it is; the words of
its URL are those of the page's own address.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from scenthound.learn.relevance.field_model import FieldModel
from scenthound.learn.relevance.kernel_logistic import Floats
from scenthound.learn.relevance.page_rows import ADDRESS, TEXT, TITLE
from scenthound.learn.relevance.relevance_model import RelevanceModel
from scenthound.learn.relevance.word_places import place

Words = tuple[str, ...]
PARTS = 4


def imagined(
    model: RelevanceModel, anchors: Sequence[Words], contexts: Sequence[Words], addresses: Sequence[Words]
) -> Floats:
    """A row for each link: anchor as title, anchor as text, context as text, address."""
    said = ((TITLE, anchors), (TEXT, anchors), (TEXT, contexts), (ADDRESS, addresses))
    return np.stack([_part(model.fields[field], field, texts) for field, texts in said], axis=1)


def _part(model: FieldModel, field: int, texts: Sequence[Words]) -> Floats:
    if not model.share:
        return np.zeros(len(texts))
    places = place(field, list(chain.from_iterable(texts)))
    number = np.repeat(np.arange(len(texts)), [len(words) for words in texts])
    values = model.idf[places]
    sums = np.bincount(number, values * model.weights[places], len(texts))
    lengths = np.sqrt(np.bincount(number, values * values, len(texts)))
    return model.share / model.spread * sums / np.where(lengths > 0, lengths, 1.0)
