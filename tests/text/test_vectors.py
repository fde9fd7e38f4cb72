from math import log, sqrt
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.text import idf
from scenthound.text.vectors import Vector, centroid, cosine, norm, tf, weigh

vectors = st.dictionaries(st.sampled_from("abcdefgh"), st.floats(1e-6, 1e6))


def test_tf() -> None:
    assert tf({"fever": 4, "cold": 1}) == {"fever": 1.0, "cold": 0.25}
    assert tf({}) == {}


def test_weigh() -> None:
    trained = idf.trained([{"fever": 1}, {"fever": 1, "cold": 1}, {"rash": 1}, {"rash": 1}])
    assert weigh({"fever": 4, "cold": 1}, trained) == pytest.approx({"fever": log(2), "cold": 0.25 * log(4)})


def test_cosine_by_hand() -> None:
    # (1, 2) and (2, 1, 2): (2 + 2) / (sqrt 5 * 3)
    assert cosine({"a": 1, "b": 2}, {"a": 2, "b": 1, "c": 2}) == pytest.approx(4 / (sqrt(5) * 3))
    assert cosine({"a": 1}, {"b": 1}) == 0.0
    assert cosine({}, {"a": 1}) == cosine({"a": 0}, {"a": 1}) == 0.0


def test_norm_and_centroid() -> None:
    assert norm({"a": 3, "b": 4}) == 5.0
    assert centroid([{"a": 1.0}, {"a": 3.0, "b": 2.0}]) == {"a": 2.0, "b": 1.0}
    assert centroid([]) == {}


@given(vectors, vectors)
def test_cosine_is_symmetric_and_between_0_and_1(a: Vector, b: Vector) -> None:
    assert 0.0 <= cosine(a, b) <= 1.0
    assert cosine(a, b) == pytest.approx(cosine(b, a))


@given(vectors.filter(bool), st.floats(0.01, 100))
def test_cosine_knows_directions_only(a: Vector, factor: float) -> None:
    assert cosine(a, {term: factor * weight for term, weight in a.items()}) == pytest.approx(1.0)


def test_scikit_learn_agrees() -> None:
    sklearn = pytest.importorskip("sklearn.feature_extraction.text")
    random = Random(5)
    documents = [{random.choice("abcdefgh"): random.randrange(1, 100) for _ in range(5)} for _ in range(40)]
    ours = idf.trained(documents)
    matrix = np.array([[counts.get(term, 0) for term in "abcdefgh"] for counts in documents])
    # Theirs adds 1 to the logarithm; taken away again, it is the papers' idf.
    weights = sklearn.TfidfTransformer(smooth_idf=False).fit(matrix).idf_ - 1
    theirs = sklearn.normalize(matrix * weights)
    for i, a in enumerate(documents):
        for j, b in enumerate(documents):
            assert cosine(weigh(a, ours), weigh(b, ours)) == pytest.approx(theirs[i] @ theirs[j])
