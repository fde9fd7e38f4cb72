"""Which words of a page speak for its relevance and which against it, and how much."""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from scenthound.learn.relevance.keyword_evidence import PLAINLY, KeywordEvidence
from scenthound.learn.relevance.page_rows import PageRow
from scenthound.learn.relevance.page_words import FORM, field_words
from scenthound.learn.relevance.relevance_model import SLOPE, RelevanceModel
from scenthound.learn.relevance.word_places import PLACES
from scenthound.model import Page

THE_FORM = "(form)"
"""Stands for all signs that are no words, such as the number of links."""


def telling_words(
    page: Page, row: PageRow, language: str, evidence: KeywordEvidence, model: RelevanceModel | None
) -> list[tuple[str, float]]:
    """Words with their parts of the log odds; without a model, those of the keywords alone."""
    parts = dict(zip(evidence.terms, map(float, evidence.parts(row)), strict=True)) if evidence else {}
    if model is None:
        return [(term, SLOPE * part / PLAINLY) for term, part in parts.items() if part]
    unit = SLOPE / (model.reference - model.ordinary)
    unit *= 1.0 - model.said
    telling: defaultdict[str, float] = defaultdict(float)
    for term, part in parts.items():
        telling[term] += unit * model.evidence_share * part / model.evidence_spread
        telling[term] += SLOPE * model.said * part / model.most_said
    for field, words in enumerate(field_words(page, language)):
        learned, values = model.fields[field], row.fields[field]
        idf, weights = model.words.at(values.places + np.int32(field * PLACES))
        lengths = values.values * idf
        length = float((lengths @ lengths) ** 0.5)
        if not learned.share or not length:
            continue
        scale = unit * learned.share / learned.spread / length
        for word, value, weight in zip(words, lengths, weights, strict=True):
            said = scale * float(value * weight)
            telling[THE_FORM if field == FORM else word] += said
    return [(word, part) for word, part in telling.items() if part]
