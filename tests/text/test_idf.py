from math import log

import pytest

from scenthound.text import idf


def test_none_is_one() -> None:
    assert idf.none()("anything") == 1.0


def test_trained() -> None:
    weight = idf.trained([{"fever": 3, "the": 1}, {"cold": 1, "the": 2}, {"the": 1}, {"the": 1, "fever": 1}])
    assert weight("the") == 0.0
    assert weight("fever") == pytest.approx(log(4 / 2))
    assert weight("cold") == pytest.approx(log(4 / 1))
    assert weight("unseen") == pytest.approx(log(4 / 0.5))


@pytest.mark.parametrize("documents", [[], [{"fever": 1}]])
def test_too_few_documents_say_nothing(documents: list[dict[str, int]]) -> None:
    assert idf.trained(documents)("fever") == 1.0


def test_trained_takes_an_iterator() -> None:
    assert idf.trained(iter([{"a": 1}, {"b": 1}]))("a") == pytest.approx(log(2))


def test_background_goes_by_rarity() -> None:
    weight = idf.background("en")
    assert 0 < weight("time") < weight("univers") < weight("fever") < weight("mosquito") < weight("dengu")
    assert weight("dengu") < weight("qqqzzz")


def test_background_is_the_share_of_pages_without_the_word() -> None:
    # A word that is one in 500 of all words misses a page of 500 words with probability (1 - 1/500)^500.
    assert idf._from_share(1 / 500) == pytest.approx(-log(1 - (1 - 1 / 500) ** 500))
    assert idf._from_share(1e-9) == pytest.approx(-log(500e-9), rel=1e-6)


def test_unseen_words_count_half_as_often_as_the_rarest() -> None:
    weight = idf.background("en")
    rarest = max(weight.__self__.values())  # type: ignore[attr-defined]
    assert weight("qqqzzz") == pytest.approx(rarest + log(2), abs=1e-3)


def test_looking_up_does_not_fill_the_table() -> None:
    weight = idf.background("en")
    before = len(weight.__self__)  # type: ignore[attr-defined]
    weight("never heard of this")
    assert len(weight.__self__) == before  # type: ignore[attr-defined]


def test_no_code_means_english_and_an_unknown_language_weighs_all_alike() -> None:
    assert idf.background("") == idf.background("en-US")
    assert idf.background("xx")("anything") == 1.0
