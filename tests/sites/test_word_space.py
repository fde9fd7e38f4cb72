"""Which words of sites count, and pages as rows."""

from math import log, sqrt

import numpy as np
import pytest

from scenthound.sites.word_space import WordSpace
from scenthound.text import idf
from tests.sites.site_pages import page

ONE = idf.none()


def sites(*texts: str) -> list[list]:  # type: ignore[type-arg]
    return [[page(f"http://s{n}.test/", text)] for n, text in enumerate(texts)]


def test_names_of_one_site_and_words_of_all_do_not_count() -> None:
    space = WordSpace.of(sites(*(f"menu name{n} {'orchid' if n < 4 else 'engine'}" for n in range(8))), ONE)
    assert set(space.words) == {"orchid", "engine"}
    assert space.weights == pytest.approx([log(2), log(2)])


def test_among_few_sites_every_word_counts_that_is_not_on_all() -> None:
    space = WordSpace.of(sites("menu orchid", "menu engine"), ONE)
    assert set(space.words) == {"orchid", "engine"}


def test_the_words_of_most_sites_are_kept() -> None:
    space = WordSpace.of(sites("a b", "a b", "a", "c"), ONE, most=2)
    assert space.words == ("a", "b")
    assert space.weights == pytest.approx([log(4 / 3), log(2)])


def test_idf_counts_too() -> None:
    space = WordSpace.of(sites("a", "b"), lambda word: 3.0 if word == "a" else 1.0)
    assert dict(zip(space.words, space.weights, strict=True)) == pytest.approx({"a": 3 * log(2), "b": log(2)})


def test_rows_are_of_length_one_strangers_included() -> None:
    space = WordSpace(["a", "b"], [1.0, 2.0], unseen=3.0)
    rows = space.rows([page("u", "a b"), page("u", "a a x"), page("u", "x"), page("u")])
    assert rows[0] == pytest.approx(np.array([1, 2]) / sqrt(5))
    assert rows[1] == pytest.approx(np.array([2, 0]) / sqrt(4 + 9))
    assert not rows[2:].any()
