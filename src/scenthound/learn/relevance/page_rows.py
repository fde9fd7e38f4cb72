"""A page as numbers: for each of its fields (`page_words`) the words in it, as places in arrays of a fixed size, and
how often they occur."""

from __future__ import annotations

from itertools import accumulate, pairwise

import numpy as np
import numpy.typing as npt
from msgspec import Struct
from msgspec.structs import force_setattr

from scenthound.learn.relevance.page_words import FIELDS, PageWords, page_words
from scenthound.learn.relevance.word_places import PLACES, Places, line_hashes, salts_of
from scenthound.model import Page
from scenthound.page_memo import of_a_page

Values = npt.NDArray[np.float32]
NO_PLACES: Places = np.zeros(0, np.int32)
NO_VALUES: Values = np.zeros(0, np.float32)


class FieldRow(Struct, frozen=True):
    """The words of one field: where each is, and 1 + log of how often it occurs."""

    places: Places
    values: Values


class PageRow(Struct, frozen=True):
    url: str
    fields: tuple[FieldRow, ...]  # in the order of FIELDS
    words: int  # of the text without that of links
    all_words: int  # of the whole text
    places: Places = NO_PLACES  # of all fields, one behind the other: those of field f begin at f * PLACES
    values: Values = NO_VALUES  # in the same order

    def __post_init__(self) -> None:
        if self.places is NO_PLACES and self.fields:
            parts = [row.places + number * PLACES for number, row in enumerate(self.fields)]
            force_setattr(self, "places", np.concatenate(parts))
            force_setattr(self, "values", np.concatenate([row.values for row in self.fields]))


@of_a_page("judge")
def page_row(page: Page, language: str) -> PageRow:
    """`language`: the topic's, for pages that do not say theirs."""
    return row_of(page.url, page_words(page, language))


def row_of(url: str, words: PageWords) -> PageRow:
    """All fields at once: seven small arrays would take several times as long as one."""
    lengths = words.lengths
    hashes = line_hashes(words.lines)
    hashes ^= np.repeat(salts_of(len(lengths)), lengths)
    hashes &= np.uint32(PLACES - 1)
    places = hashes.view(np.int32)
    values = np.log(np.frombuffer(words.counts, np.float32))
    values += np.float32(1.0)
    rows = [FieldRow(places[start:end], values[start:end]) for start, end in pairwise(accumulate(lengths, initial=0))]
    begins = np.repeat(_BEGINS[: len(lengths)], lengths)
    return PageRow(url, tuple(rows), words.text_words, words.all_words, places + begins, values)


_BEGINS = np.arange(len(FIELDS), dtype=np.int32) * np.int32(PLACES)  # where the places of each field begin
