"""Rows of pages, and a model of them, as a few long arrays: how a snapshot keeps them.

A thousand rows are fourteen thousand small arrays; end to end they are two. Of the weights of a model few are not 0,
and only those are kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from scenthound.learn.relevance.field_model import FieldModel
from scenthound.learn.relevance.keyword_evidence import KeywordEvidence
from scenthound.learn.relevance.page_rows import FieldRow, PageRow
from scenthound.learn.relevance.page_words import FIELDS
from scenthound.learn.relevance.relevance_model import RelevanceModel
from scenthound.learn.relevance.word_weights import FieldWeights, WordWeights

Arrays = dict[str, Any]


def rows_kept(rows: Sequence[PageRow], name: str) -> tuple[list[str], Arrays]:
    """The URLs of the rows, and all else that is in them, in arrays whose names begin with that one."""
    fields = [field for row in rows for field in row.fields]
    arrays = {
        f"{name} lengths": np.array([len(field.places) for field in fields], np.int32),
        f"{name} places": np.concatenate([field.places for field in fields]) if fields else np.zeros(0, np.int32),
        f"{name} values": np.concatenate([field.values for field in fields]) if fields else np.zeros(0, np.float32),
        f"{name} words": np.array([(row.words, row.all_words) for row in rows], np.int64).reshape(-1, 2),
    }
    return [row.url for row in rows], arrays


def rows_back(urls: Sequence[str], arrays: Mapping[str, Any], name: str) -> list[PageRow]:
    ends = np.append(0, np.cumsum(arrays[f"{name} lengths"])).tolist()
    if len(ends) != len(urls) * len(FIELDS) + 1 or ends[-1] != len(arrays[f"{name} places"]):
        raise ValueError("rows of pages with other fields")
    places, values = arrays[f"{name} places"], arrays[f"{name} values"]
    fields = [FieldRow(places[start:end], values[start:end]) for start, end in pairwise(ends)]
    return [
        PageRow(url, tuple(fields[at * len(FIELDS) : (at + 1) * len(FIELDS)]), words, all_words)
        for at, (url, (words, all_words)) in enumerate(zip(urls, arrays[f"{name} words"].tolist(), strict=True))
    ]


def model_kept(model: RelevanceModel) -> tuple[dict[str, Any], Arrays]:
    """What was learned: numbers, and arrays. The evidence is left out: it follows from the topic."""
    left_out = ("fields", "words", "evidence")
    numbers = {name: getattr(model, name) for name in model.__struct_fields__ if name not in left_out}
    numbers["fields"] = [{name: getattr(field, name) for name in _PLAIN} for field in model.fields]
    arrays: Arrays = {}
    for number, field in enumerate(model.fields):
        for name in _WEIGHTS:
            weights = getattr(field.words, name)
            told = np.flatnonzero(weights)
            arrays[f"{name} {number} places"], arrays[f"{name} {number}"] = field.words.places[told], weights[told]
    return numbers, arrays


def model_back(numbers: Mapping[str, Any], arrays: Mapping[str, Any], evidence: KeywordEvidence) -> RelevanceModel:
    fields = [FieldModel(words=_words_back(number, arrays), **plain) for number, plain in enumerate(numbers["fields"])]
    words = WordWeights.of([field.words for field in fields])
    return RelevanceModel(**{**numbers, "fields": tuple(fields), "words": words, "evidence": evidence})


def _words_back(number: int, arrays: Mapping[str, Any]) -> FieldWeights:
    """What has a weight has an idf, too."""
    places = arrays[f"idf {number} places"]
    weights = np.zeros(len(places), np.float32)
    weights[np.searchsorted(places, arrays[f"weights {number} places"])] = arrays[f"weights {number}"]
    return FieldWeights(places, arrays[f"idf {number}"], weights)


_WEIGHTS = ("idf", "weights")
_PLAIN = tuple(name for name in FieldModel.__struct_fields__ if name != "words")
