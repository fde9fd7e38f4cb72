"""The evaluation's cosines against hand-worked ones, a plain formula and scikit-learn."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scenthound.lab.measures.vectors import DocumentCounts, Similarities, TermSpace

documents = st.lists(st.dictionaries(st.sampled_from("abcdefghij"), st.integers(1, 9), max_size=6), max_size=6)


def cosines(pages: list[dict[str, int]], references: list[dict[str, int]], idf: Callable[[str], float]) -> np.ndarray:
    space = TermSpace(idf)
    return Similarities(space.vectors(references))(space.vectors(pages))


def plain_cosine(one: dict[str, int], other: dict[str, int], idf: DocumentCounts) -> float:
    def weights(terms: dict[str, int]) -> dict[str, float]:
        return {term: count / max(terms.values()) * idf(term) for term, count in terms.items()}

    a, b = weights(one), weights(other)
    length = math.sqrt(sum(w * w for w in a.values()) * sum(w * w for w in b.values()))
    return sum(a[term] * b[term] for term in a.keys() & b.keys()) / length if length else 0.0


def test_cosine_by_hand() -> None:
    references = [{"owl": 1}, {"owl": 3, "nest": 4}]
    found = cosines([{"owl": 2}, {"owl": 3, "train": 4}, {"train": 1}, {}], references, lambda term: 1.0)
    assert found.tolist() == [
        pytest.approx([1.0, 0.6]),
        pytest.approx([0.6, 9 / 25]),
        [0, 0],
        [0, 0],
    ]


def test_idf_is_the_log_of_all_over_those_with_the_term() -> None:
    counts = DocumentCounts([{"a": 5, "b": 1}, {"a": 1}, {"a": 1}, {"c": 1}])
    assert counts("a") == pytest.approx(math.log(4 / 3))
    assert counts("b") == pytest.approx(math.log(4))
    assert counts("unheard") == pytest.approx(math.log(4))
    assert DocumentCounts()("a") == 0


def test_terms_of_every_page_tell_nothing() -> None:
    pages = [{"the": 9, "owl": 1}, {"the": 9, "train": 1}]
    assert cosines(pages, pages, DocumentCounts(pages)).tolist() == [[1, 0], [0, 1]]


@settings(deadline=None)
@given(documents, documents, documents)
def test_cosines_are_those_of_the_formula(
    pages: list[dict[str, int]], references: list[dict[str, int]], others: list[dict[str, int]]
) -> None:
    idf = DocumentCounts(pages + references + others)
    found = cosines(pages, references, idf)
    assert found.shape == (len(pages), len(references))
    assert ((found >= 0) & (found <= 1)).all()
    wanted = [[plain_cosine(page, reference, idf) for reference in references] for page in pages]
    assert np.allclose(found, np.array(wanted).reshape(found.shape))


def test_a_space_serves_several_sets_of_references_in_any_order() -> None:
    space = TermSpace(lambda term: 1.0 + len(term))
    pages = [{"a": 1, "late": 2}, {"b": 3}]
    early = space.vectors(pages)
    first, second = Similarities(space.vectors([{"a": 1}])), Similarities(space.vectors([{"b": 1, "zebra": 1}]))
    later = space.vectors([*pages, {"unheard": 1, "a": 1}])
    assert np.array_equal(first(early), first(later[:2]))
    assert first(later)[:, 0] == pytest.approx([2 / math.sqrt(104), 0, 2 / math.sqrt(68)])
    assert second(later)[:, 0] == pytest.approx([0, 2 / math.sqrt(40), 0])


def test_many_terms_fit() -> None:
    idf = DocumentCounts([{f"t{n}": 1 for n in range(0, 5000, step)} for step in (1, 2, 3)])
    pages = [{f"t{n}": 1 + n % 4 for n in range(start, start + 900)} for start in range(0, 4000, 400)]
    wanted = [[plain_cosine(page, reference, idf) for reference in pages[:3]] for page in pages]
    assert np.allclose(cosines(pages, pages[:3], idf), wanted)


def test_each_term_is_weighed_once() -> None:
    asked: list[str] = []
    space = TermSpace(lambda term: asked.append(term) or 1.0)  # type: ignore[func-returns-value]
    space.vectors([{"a": 1, "b": 1}, {"b": 2, "c": 1}, {"a": 1}])
    assert asked == ["a", "b", "c"]


def test_agrees_with_scikit_learn() -> None:
    text = pytest.importorskip("sklearn.feature_extraction.text")
    vectors = pytest.importorskip("sklearn.feature_extraction").DictVectorizer()
    generator = np.random.default_rng(3)
    pages = [
        {f"t{n}": int(k) for n, k in zip(generator.integers(0, 80, 30), generator.integers(1, 5, 30), strict=True)}
        for _ in range(20)
    ]
    counts = vectors.fit_transform(pages)
    theirs = text.TfidfTransformer(smooth_idf=False).fit_transform(counts)
    plain = DocumentCounts(pages)
    ours = cosines(pages, pages[:5], lambda term: 1 + plain(term))  # scikit-learn adds 1 to every idf
    assert np.allclose(ours, (theirs @ theirs[:5].T).toarray())
