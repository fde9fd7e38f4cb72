from __future__ import annotations

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scenthound.learn.pages import term_vectors
from scenthound.learn.pages.term_vectors import TermVectors, unit
from scenthound.text import idf
from scenthound.text.analysis import analyzer


def made(seed: int = 1, dimensions: int = 8) -> TermVectors:
    return TermVectors(idf.none(), analyzer("en"), np.random.default_rng(seed), dimensions)


def with_axes(*terms: str) -> TermVectors:
    """The direction of the first term is the first axis, and so on."""
    vectors = made()
    for axis, term in enumerate(terms):
        vectors._directions[vectors.place[term]] = np.eye(8, dtype=np.int8)[axis]
    return vectors


def test_worked_by_hand() -> None:
    vectors = with_axes("moss", "fern", "rust")
    half = 1 / sqrt(2)
    assert vectors.read({"moss": 2, "fern": 2}) == pytest.approx([half, half, *[0] * 6])
    assert vectors.mean == pytest.approx([half, half, *[0] * 6])  # one page is all there is: it has nothing of its own
    assert vectors.read({"rust": 1}) == pytest.approx([0, 0, 1, *[0] * 5])
    mean = np.array([half / 2, half / 2, 0.5, *[0] * 5])
    assert vectors.mean == pytest.approx(mean)
    assert vectors._vectors[vectors.place["rust"]] == pytest.approx(np.eye(8)[2] - mean)
    vectors.read({"moss": 1})  # c = (1, 0, 0): the mean is ((0.707 + 0 + 1) / 3, 0.707 / 3, 1 / 3)
    moss = np.array([1 - (half + 1) / 3, -half / 3, -1 / 3, *[0] * 5])
    assert vectors._vectors[vectors.place["moss"]] == pytest.approx(moss, abs=1e-6)
    direction = np.eye(8, dtype=np.float32)[0]
    cosine = moss[0] / np.linalg.norm(moss)
    assert vectors.likeness(["the moss", "never seen", "", "moss"], direction) == pytest.approx([cosine, 0, 0, cosine])
    assert vectors.of_terms({"moss": 3.0}) == pytest.approx(moss / np.linalg.norm(moss), abs=1e-6)
    assert vectors.away_from_the_mean(direction) == pytest.approx(unit(direction - vectors.mean))


def test_terms_that_stand_among_like_words_get_like_vectors() -> None:
    """Owl and crow never stand in one page; both stand with wings and nests."""
    vectors = made(dimensions=64)
    for n in range(20):
        vectors.read({"owl" if n % 2 else "crow": 1, "wing": 2, "nest": 2, "beak": 2, "egg": 2})
        vectors.read({"gear": 1, "wheel": 2, "engin": 2, "brake": 2, "fuel": 2})
    owl = vectors.of_terms({"owl": 1.0})
    crow, gear = vectors.likeness(["crow", "gear"], owl)
    assert crow > 0.5
    assert gear < -0.5


def test_same_chance_same_vectors_and_it_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(term_vectors, "REMEMBERED", 5)
    one, other = made(3), made(3)
    for vectors in (one, other):
        for n in range(30):
            vectors.read({f"w{n}": n + 1, "all": 1})
            vectors.likeness([f"text {n}"], vectors.mean)
    assert (one._vectors == other._vectors).all()
    assert len(one._texts) <= 5
    assert one._vectors.shape == (2**16, 8)


@given(st.lists(st.dictionaries(st.text(min_size=1), st.integers(1, 10**9)), max_size=5), st.lists(st.text()))
def test_any_text_is_a_finite_number(pages: list[dict[str, int]], texts: list[str]) -> None:
    vectors = SHARED
    for counts in pages:
        assert np.isfinite(vectors.read(counts)).all()
    alike = vectors.likeness(texts, vectors.away_from_the_mean(vectors.read({"moss": 1})))
    assert len(alike) == len(texts)
    assert (np.abs(alike) <= 1.0001).all()


SHARED = made()
