from __future__ import annotations

import numpy as np

from scenthound.learn.relevance.word_places import PLACES
from scenthound.learn.relevance.word_weights import FieldWeights, WordWeights


def field(*words: tuple[int, float, float]) -> FieldWeights:
    places, idf, weights = zip(*words, strict=True) if words else ((), (), ())
    return FieldWeights(np.array(places, np.int32), np.array(idf, np.float32), np.array(weights, np.float32))


def test_words_are_found_by_field_and_place_and_all_others_tell_nothing() -> None:
    words = WordWeights.of([field((3, 1.0, 0.5), (9, 2.0, 0.0)), field(), field((3, 4.0, -1.0))])
    idf, weights = words.at(np.array([9, 3, 4, PLACES + 3, 2 * PLACES + 3]))
    assert idf.tolist() == [2.0, 1.0, 0.0, 0.0, 4.0]
    assert weights.tolist() == [0.0, 0.5, 0.0, 0.0, -1.0]


def test_where_no_word_tells_anything_none_does() -> None:
    idf, weights = WordWeights.of([field(), field()]).at(np.array([0, PLACES]))
    assert not idf.any()
    assert not weights.any()
