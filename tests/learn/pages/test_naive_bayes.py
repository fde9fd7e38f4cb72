from __future__ import annotations

from math import log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction import DictVectorizer
from sklearn.naive_bayes import MultinomialNB

from scenthound.learn.pages.naive_bayes import NaiveBayes

PAGE = st.dictionaries(st.sampled_from("abcdefg"), st.integers(1, 9), min_size=1)
PAGES = st.lists(PAGE, min_size=1, max_size=6)


def test_worked_by_hand() -> None:
    model = NaiveBayes([{"bird": 2, "nest": 1}], [{"rail": 3}, {"nest": 1}])
    # V = 3 words; 3 words in the relevant page, 4 in the others; one is added to each count
    bird, nest = log((3 / 6) / (1 / 7)), log((2 / 6) / (2 / 7))
    assert model.log_odds({"bird": 2, "nest": 1, "unheard": 9}) == pytest.approx(log(1 / 2) + 2 * bird + nest)
    assert model.score({"bird": 2, "nest": 1, "unheard": 9}) == pytest.approx((2 * bird + nest) / 3)
    assert model.score({"unheard": 9}) == 0.0


@given(PAGES, PAGES, PAGE, st.floats(0.1, 3))
def test_as_scikit_learn(
    relevant: list[dict[str, int]], irrelevant: list[dict[str, int]], page: dict[str, int], smoothing: float
) -> None:
    vectoriser = DictVectorizer()
    rows = vectoriser.fit_transform([*relevant, *irrelevant])
    oracle = MultinomialNB(alpha=smoothing).fit(rows, [1] * len(relevant) + [0] * len(irrelevant))
    no, yes = oracle.predict_log_proba(vectoriser.transform([page]))[0]
    odds = NaiveBayes(relevant, irrelevant, smoothing).log_odds(page)
    assert np.isclose(odds, yes - no, rtol=1e-6, atol=1e-6)


def test_needs_pages_of_both_kinds() -> None:
    with pytest.raises(ValueError, match="both kinds"):
        NaiveBayes([{"a": 1}], [])
